# SPDX-License-Identifier: GPL-2.0
# Assertions about commands for the tests in host/, vm/ and live/*.sh. Sourced.
# shellcheck shell=bash
set -u
. "$TOP/testsuite/elf.sh"

# In a guest without KVM, a small program takes a tenth of a second to start, most of it in the
# dynamic linker. The programs that tests look at files with are those of one static program there.
# Programs that a test may be about, such as cat, are not among them.
if [ -n "${LAB_GUEST:-}" ] && busybox=$(command -v busybox); then
	fast_tools=/run/lab/tools
	if [ ! -d $fast_tools ] && mkdir $fast_tools; then
		for tool in grep sed head tail wc cmp cut sort tr uniq; do
			"$busybox" ln -s "$busybox" $fast_tools/$tool
		done
	fi
	PATH=$fast_tools:$PATH
fi

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

# modules_root: prints the folder for modprobe -d that has the modules of the kernel under test.
modules_root() {
	local release
	release=$("$TOP/lab/run" --release "$KERNEL")
	if [ -d "/lib/modules/$release/kernel" ]; then
		echo /
	else
		echo "${TARGET%/targets/*}/lab/$release/root"
	fi
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

# pause SECONDS: waits without a process, by reading a pipe that nothing is written to. It is opened
# here, because that changes $!.
exec {silent_pipe}<> <(:)
pause() { ! read -rt "$1" -u "$silent_pipe"; }

# wait_for WHAT COMMAND...: waits patiently until the command succeeds. Until then it may complain,
# for example that a file is not there yet.
wait_for() {
	local what=$1 tries
	shift
	for ((tries = 0; tries < 3600; tries++)); do
		! "$@" 2>/dev/null || return 0
		pause 0.05
	done
	fail "it never came: $what"
}

# is_realtime: whether the running kernel is one with PREEMPT_RT, where a hit in the kernel can't
# find the mappings of its process; until the loader has read these, stacks end early, and say so.
is_realtime() { [ "$(cat /sys/kernel/realtime 2>/dev/null)" = 1 ]; }

# has_line FILE PATTERN: whether a line of the file, if it is there, matches the shell pattern.
has_line() {
	local line
	while IFS= read -r line; do
		# shellcheck disable=SC2053
		[[ $line != $2 ]] || return 0
	done 2>/dev/null <"$1"
	return 1
}

# wait_armed NAME...: waits until each session of `proberun -v 2>NAME.said` has armed its probes;
# after their ends, leave_out_steps NAME... removes the lines of -v from these files.
has_armed() { has_line "$1.said" 'proberun: * ms: armed [0-9]* of *'; }
wait_armed() {
	local name
	for name; do wait_for "the probes of $name" has_armed "$name"; done
}
leave_out_steps() { sed -i -E '/^proberun: ( *[0-9.]+ ms|(dis)?arming): /d' "${@/%/.said}"; }

# unloaded WHAT: no module of ours is loaded; wait_unloaded WHAT: none is loaded soon, after a kill.
no_module() { ! has_line /proc/modules 'probec_*'; }
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
standing() (
	shopt -s nullglob
	while read -r word _; do [[ $word != probec_* ]] || echo "$word"; done </proc/modules
	for file in /sys/kernel/debug/kprobes/list /sys/kernel/tracing/enabled_functions; do
		mapfile -t lines <"$file" && printf '%s\n' "${lines[@]}"
	done
	printf '%s\n' {/dev,/dev/shm,/run,/tmp}/{,.}*probec[-_]*
	for file in /proc/[0-9]*/comm; do
		read -r word <"$file" && [[ $word == probe@(run*|c_*) ]] && echo "$word"
	done
) 2>/dev/null

# remember: stores the state; ended_clean WHAT: the state is the same again; nothing_left WHAT: it
# soon is, after a kill.
remember() { standing >/tmp/remembered; }
same_as_remembered() { [ "$(standing)" = "$(</tmp/remembered)" ]; }
nothing_left() { # WHAT
	local tries
	for ((tries = 0; tries < 1800; tries++)); do
		! same_as_remembered || return 0
		pause 0.05
	done
	standing | diff /tmp/remembered - >/tmp/difference
	fail "$1: left behind" /tmp/difference
}
ended_clean() { # WHAT
	standing | diff /tmp/remembered - >/tmp/difference || fail "$1: left behind" /tmp/difference
}
