# SPDX-License-Identifier: GPL-2.0
# Shared by the programs of lab/: where things are kept, how they complain, which kernel is meant.
# Sourced, not run.
# shellcheck shell=bash

lab_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lab/packages.sh
. "$lab_dir/packages.sh"
cache=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}

die() { # ID TEXT [NEXT STEP]
	printf 'lab: error: %s [%s]\n' "$2" "$1" >&2
	[ -z "${3:-}" ] || printf '      = %s\n' "$3" >&2
	exit 124
}

say() { [ -n "${LAB_QUIET:-}" ] || printf 'lab: %s\n' "$*" >&2; }

need() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null 2>&1 || [ -x "$1" ] ||
		die E_VM "$1 is not installed" "$(package_hint "$2")"
}

# The checksum and size of each file, and whether they are those that SUMS holds.
sum_of() { # FILE...
	cat "$@" 2>/dev/null | cksum && stat -c %s "$@" 2>/dev/null
}
same_sum() { # SUMS FILE...
	[ -s "$1" ] && [ "$(sum_of "${@:2}")" = "$(cat "$1")" ]
}

# The program that shares this machine's files, in ${virtiofsd[@]}: that of QEMU up to version 7, or the one of its own
# that came after it, which takes other options. Its announcement of submounts would make the guest mount each of them.
find_virtiofsd() {
	local program
	for program in /usr/libexec/virtiofsd /usr/lib/virtiofsd /usr/lib/qemu/virtiofsd "$(command -v virtiofsd)"; do
		[ ! -x "$program" ] || break
	done
	need "${program:-virtiofsd}" virtiofsd
	if "$program" --help 2>&1 | grep -q -- --no-announce-submounts; then
		virtiofsd=("$program" --shared-dir=/ --sandbox=chroot --cache=always --xattr --no-announce-submounts)
		# With handles it keeps no descriptor for each file that the guest remembers, where the file system has them. It
		# does not start with them in a chroot whose root is no mount.
		! awk '$5 == "/" { found = 1 } END { exit !found }' /proc/self/mountinfo ||
			virtiofsd+=(--inode-file-handles=prefer)
	else
		virtiofsd=("$program" -o source=/ -o sandbox=chroot -o cache=always -o xattr -f)
	fi
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

# The series of cloud kernels that this distribution has, its own first; of one that is not known here, that of the
# newest kernel to which its package without a number leads.
distribution_series() {
	# shellcheck disable=SC1091
	case $(. /etc/os-release 2>/dev/null && echo "${ID:-}-${VERSION_ID:-}") in
	debian-12) echo 6.1 6.12 ;;
	debian-13) echo 6.12 ;;
	*)
		apt-cache depends linux-headers-cloud-amd64 2>/dev/null |
			sed -n 's/^ *Depends: linux-headers-\([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
		;;
	esac
}

# The releases with a build tree here, and those that apt knows.
releases_here() {
	find /lib/modules "$cache/lab" -mindepth 2 -maxdepth 2 -name build -printf '%h\n' 2>/dev/null | sed 's,.*/,,'
}
releases_of_apt() { apt-cache pkgnames linux-headers- 2>/dev/null | sed 's/^linux-headers-//'; }

# The release that WORD means, as resolve_release says; nothing where there is none.
find_release() { # WORD
	local word=$1 series=$1 flavour=cloud found
	if has_tree "$word"; then
		echo "$word"
		return
	fi
	case $word in
	*-amd64) series=${word%-amd64} flavour=${series##*-} series=${series%-*} ;;
	*-rt | *-cloud) flavour=${word##*-} series=${word%-*} ;;
	esac
	found=$(releases_here | newest "$series" "$flavour")
	[ -n "$found" ] || found=$(releases_of_apt | newest "$series" "$flavour")
	echo "$found"
}

# The full release that WORD means: itself when its build tree is there, "debug" the checked kernel (built now, if it
# isn't yet), "default" the distribution's own, else the newest release that begins with it: a cloud kernel, or one of
# the flavour that is its last part (6.1-rt). One whose build tree is here comes first, then one that lab/image can fetch.
resolve_release() {
	local word=$1 found series
	if [ "$word" = debug ]; then
		"$lab_dir/debug-kernel"
		return
	fi
	if [ "$word" = default ]; then
		series=$(distribution_series)
		word=${series%% *}
		[ -n "$word" ] || die E_NO_HEADERS "this distribution has none of Debian's cloud kernels" \
			"name a release whose build tree is here; on Debian, apt-get update"
	fi
	found=$(find_release "$word")
	[ -n "$found" ] || die E_NO_HEADERS "no build tree of a kernel '$word' is here, and apt knows no package with one" \
		"apt-get update, then try again; this distribution has: $(distribution_series)"
	echo "$found"
}

# The series that can be tested here, a line each: those of the distribution of which a kernel is here or known to apt.
available_series() {
	local series
	for series in $(distribution_series); do
		[ -z "$(find_release "$series")" ] || echo "$series"
	done
}
