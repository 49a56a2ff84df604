# SPDX-License-Identifier: GPL-2.0
# Shared by the programs of bench/: where things are, what a kernel needs. Sourced, not run.
# shellcheck shell=bash

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(dirname "$bench")
export PROBEC_CACHE=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
work=$(mktemp -d /tmp/probec-bench.XXXXXX)
trap 'rm -rf "$work"' EXIT

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# The kernel that the word means: release and target.
choose() { # KERNEL
	release=$("$top/lab/run" --release "$1")
	target=$("$top/lab/run" --target "$1")
}

# The modules written by hand, built for this kernel, in $modules.
build_modules() {
	modules=$work/modules-$release
	cp -r "$bench/modules" "$modules"
	make -s -C "$(build_tree)" M="$modules" modules >"$work/kbuild.log" 2>&1 ||
		{ cat "$work/kbuild.log" >&2; exit 1; }
}

# A guest for figures: on a busy machine it takes as long as it takes.
in_guest() { # OPTION... KERNEL -- COMMAND...
	"$top/lab/run" --timeout 7200 "$@"
}

# Where this kernel's headers and makefiles are.
build_tree() {
	local tree=/lib/modules/$release/build
	[ -e "$tree" ] || tree=$PROBEC_CACHE/lab/$release/build
	echo "$tree"
}

# The script's module, kept at $2. Further words: options of probec.
compile() { # SCRIPT MODULE [OPTION]...
	local script=$1 to=$2
	shift 2
	cp "$("$top/probec" -p4 "$@" -r "$target" "$script")" "$to"
}
