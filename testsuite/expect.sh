# SPDX-License-Identifier: GPL-2.0
# Assertions about commands for the tests in host/, vm/ and live/*.sh. Sourced.
# shellcheck shell=bash
set -u
. "$TOP/testsuite/elf.sh"

fail() { # TEXT [FILE]...
	echo "$1"
	[ $# = 1 ] || cat "${@:2}"
	exit 1
}

# show COMMAND...: prints the command as a user types it, its output, and its status unless it is 0.
show() {
	local status
	echo "\$ ${*@Q}" | sed \
		"s|'$PROBEC'|probec|; s|'$PROBERUN'|proberun|; s|'\([-A-Za-z0-9_./=,:+@]\+\)'|\1|g"
	"$@" 2>&1
	status=$?
	[ "$status" = 0 ] || echo "status $status"
}

# build_program NAME [OPTION]...: compiles testsuite/programs/NAME.c to NAME in this directory.
build_program() {
	cp "$TOP/testsuite/programs/$1.c" . &&
		gcc -std=gnu11 -O2 -o "$1" "$1.c" "${@:2}" 2>log || fail "$1 does not compile" log
}

# build NAME SCRIPT [OPTION]...: compiles SCRIPT for the kernel under test to NAME.ko, with OPTIONs
# and those in $script_options.
script_options=()
build() {
	"$PROBEC" "${script_options[@]}" "${@:3}" -w -p4 -r "$TARGET" -e "$2" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}

# needs_static_proberun: makes it, or skips the test.
needs_static_proberun() {
	make -s -C "$TOP" static-proberun >said 2>&1 ||
		{ echo 'no static-proberun: static libraries are missing'; exit 77; }
}

# description_of MODULE: prints the section .probec of its file.
description_of() { objcopy -O binary --only-section=.probec "$1" /dev/stdout; }

# own_cache: gives the test an empty cache, except for the build trees in this machine's cache.
own_cache() {
	local from=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec} tree release
	export PROBEC_CACHE=$PWD/cache
	mkdir cache
	for tree in "$from"/lab/*/build; do
		[ -e "$tree" ] || continue
		release=${tree%/build}
		mkdir -p "cache/lab/${release##*/}"
		ln -s "$(readlink -f "$tree")" "cache/lab/${release##*/}/build"
	done
}

# refused ID WHAT COMMAND...: the command fails, prints [ID] and a next step, and leaves no module
# loaded.
refused() {
	local id=$1 what=$2
	shift 2
	if "$@" >said 2>&1; then
		fail "$what: status 0" said
	fi
	grep -q "\[$id\]" said || fail "$what: no [$id]:" said
	grep -q '^ *= ' said || fail "$what: no next step:" said
	unloaded "$what"
}

# wait_for WHAT COMMAND...: waits patiently until the command succeeds.
wait_for() {
	local what=$1 _
	shift
	for _ in $(seq 1200); do
		! "$@" || return 0
		sleep 0.05
	done
	fail "it never came: $what"
}

# wait_armed NAME...: waits until each session of `proberun -v 2>NAME.said` has armed its probes;
# after their ends, leave_out_steps NAME... removes the lines of -v from these files.
has_armed() { grep -q '^proberun: .* ms: armed [0-9]* of ' "$1.said"; }
wait_armed() {
	local name
	for name; do wait_for "the probes of $name" has_armed "$name"; done
}
leave_out_steps() { sed -i -E '/^proberun: ( *[0-9.]+ ms|(dis)?arming): /d' "${@/%/.said}"; }

# unloaded WHAT: no module of ours is loaded; wait_unloaded WHAT: none is loaded soon, after a kill.
no_module() { ! grep -qs '^probec_' /proc/modules; }
unloaded() { no_module || fail "$1: still loaded"; }
wait_unloaded() { wait_for "$1: the end of the module" no_module; }

# loaded_modules: lists them; unload_since FILE: unloads those that are not in that list, with those
# that they needed, which nothing else unloads.
loaded_modules() { cut -d' ' -f1 /proc/modules; }
unload_since() {
	local module _
	for _ in 1 2 3 4 5 6; do
		for module in $(loaded_modules); do
			grep -qx "$module" "$1" || rmmod "$module" 2>/dev/null
		done
	done
}

# Lists what a session might leave behind: modules, probes, nodes, files, processes. A guest sees
# this machine's /tmp, where tests that run beside it have files named probec.NAME.
standing() {
	{
		grep -o '^probec_[^ ]*' /proc/modules
		cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions
		find /dev /dev/shm /run /tmp -maxdepth 1 -name '*probec[-_]*'
		grep -hsE '^(proberun|probec_)' /proc/[0-9]*/comm
	} 2>/dev/null
}

# remember: stores the state; ended_clean WHAT: the state is the same again; nothing_left WHAT: it
# soon is, after a kill.
remember() { standing >/tmp/remembered; }
same_as_remembered() { standing | cmp -s - /tmp/remembered; }
nothing_left() { # WHAT
	local _
	for _ in $(seq 600); do
		! same_as_remembered || return 0
		sleep 0.05
	done
	standing | diff /tmp/remembered - >/tmp/difference
	fail "$1: left behind" /tmp/difference
}
ended_clean() { # WHAT
	same_as_remembered && return
	standing | diff /tmp/remembered - >/tmp/difference
	fail "$1: left behind" /tmp/difference
}
