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
is_debug() { [ -e "$cache/lab/$1/build/.key" ]; }

# Whether there is a build tree of RELEASE: installed by its package, or below the cache.
has_tree() { [ -e "/lib/modules/$1/build" ] || [ -e "$cache/lab/$1/build" ]; }

# The newest of the releases on standard input that are of SERIES (6.1, 6.1.0-56, ...) and FLAVOUR (cloud, rt).
newest() { # SERIES FLAVOUR
	local release
	while read -r release; do
		case $release in "$1-$2-amd64" | "$1"[.+-]*"-$2-amd64") echo "$release" ;; esac
	done | sort -V | tail -n 1
}

# The full release that WORD means: itself when its build tree is there, "debug" the checked kernel (built now, if it
# isn't yet), else the newest release that begins with it: a cloud kernel, or one of the flavour that is its last part
# (6.1-rt). One whose build tree is here comes first, then one that lab/image can fetch.
resolve_release() {
	local word=$1 series=$1 flavour=cloud found
	if [ "$word" = debug ]; then
		"$lab_dir/debug-kernel"
		return
	fi
	if has_tree "$word"; then
		echo "$word"
		return
	fi
	case $word in
	*-amd64) series=${word%-amd64} flavour=${series##*-} series=${series%-*} ;;
	*-rt | *-cloud) flavour=${word##*-} series=${word%-*} ;;
	esac
	found=$(find /lib/modules "$cache/lab" -mindepth 2 -maxdepth 2 -name build -printf '%h\n' 2>/dev/null |
		sed 's,.*/,,' | newest "$series" "$flavour")
	[ -n "$found" ] || found=$(apt-cache pkgnames linux-headers- 2>/dev/null | sed 's/^linux-headers-//' |
		newest "$series" "$flavour")
	[ -n "$found" ] || die E_NO_HEADERS "no build tree of a kernel '$word' is here, and apt knows no package with one" \
		"apt-get update, then try again; or: apt-get install linux-headers-RELEASE"
	echo "$found"
}
