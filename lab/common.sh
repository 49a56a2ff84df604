# SPDX-License-Identifier: GPL-2.0
# Shared by the programs of lab/: where things are kept, how they complain, which kernel is meant.
# Sourced, not run.
# shellcheck shell=bash

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}

die() { # ID TEXT [NEXT STEP]
	printf 'lab: error: %s [%s]\n' "$2" "$1" >&2
	[ -z "${3:-}" ] || printf '      = %s\n' "$3" >&2
	exit 124
}

say() { [ -n "${LAB_QUIET:-}" ] || printf 'lab: %s\n' "$*" >&2; }

need() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null 2>&1 || [ -x "$1" ] ||
		die E_VM "$1 is not installed" "apt-get install $2"
}

# Whether RELEASE is the checked kernel, which lab/debug-kernel built.
is_debug() { [ -e "$cache/lab/$1/build" ]; }

# The full release that WORD means: itself when its build tree is there, "debug" the checked kernel (built now, if it
# isn't yet), else the newest release with an installed build tree that begins with it and is a cloud kernel.
resolve_release() {
	local word=$1 found
	if [ "$word" = debug ]; then
		"$lab_dir/debug-kernel"
		return
	fi
	if [ -e "/lib/modules/$word/build" ] || is_debug "$word"; then
		echo "$word"
		return
	fi
	found=$(find /lib/modules -mindepth 2 -maxdepth 2 -name build -printf '%h\n' 2>/dev/null |
		sed 's,.*/,,' | grep -E "^${word//./\\.}[.-].*cloud" | sort -V | tail -n 1)
	[ -n "$found" ] || die E_NO_HEADERS "no build tree for a kernel '$word' in /lib/modules" \
		"apt-get install linux-headers-$( [ "$word" = 6.1 ] || echo "$word-" )cloud-amd64"
	echo "$found"
}
