# SPDX-License-Identifier: GPL-2.0
# Functions that the programs of lab/ share: directories, errors, kernels. Sourced.
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

# This machine's processor, as Debian calls it.
case $(uname -m) in
aarch64) own_processor=arm64 ;;
*) own_processor=amd64 ;;
esac

say() { [ -n "${LAB_QUIET:-}" ] || printf 'lab: %s\n' "$*" >&2; }

need() { # PROGRAM PACKAGE
	command -v "$1" >/dev/null 2>&1 || [ -x "$1" ] ||
		die E_VM "$1 is not installed" "$(package_hint "$2")"
}

# Print the checksum and size of each file; same_sum compares them with those in SUMS.
sum_of() { # FILE...
	cat "$@" 2>/dev/null | cksum && stat -c %s "$@" 2>/dev/null
}
same_sum() { # SUMS FILE...
	[ -s "$1" ] && [ "$(sum_of "${@:2}")" = "$(cat "$1")" ]
}

# Set ${virtiofsd[@]} to the program that shares this machine's files: the one of QEMU up to version
# 7, or its separate successor, which has other options. Announcing submounts would make the guest
# mount each of them.
find_virtiofsd() {
	local program handles=never
	for program in /usr/libexec/virtiofsd /usr/lib/virtiofsd /usr/lib/qemu/virtiofsd \
		"$(command -v virtiofsd)"; do
		[ ! -x "$program" ] || break
	done
	need "${program:-virtiofsd}" virtiofsd
	if "$program" --help 2>&1 | grep -q -- --no-announce-submounts; then
		virtiofsd=("$program" --shared-dir=/ --sandbox=chroot --cache=always --xattr --no-announce-submounts)
		# If the file system has file handles, virtiofsd need not keep a descriptor for each
		# file that the guest remembers. With them, which is the default of newer ones, it
		# does not start in a chroot whose root is not a mount.
		! awk '$5 == "/" { found = 1 } END { exit !found }' /proc/self/mountinfo ||
			handles=prefer
		virtiofsd+=("--inode-file-handles=$handles")
	else
		virtiofsd=("$program" -o source=/ -o sandbox=chroot -o cache=always -o xattr -f)
	fi
}

# Where lab/emulator unpacks QEMU.
emulators=$cache/lab/emulators

# Print the first number of QEMU's version, or 0 if that program does not start.
major_version() { # PROGRAM
	local words
	words=$("$1" --version 2>/dev/null) || words=
	words=${words#QEMU emulator version }
	words=${words%%.*}
	[[ $words =~ ^[0-9]+$ ]] || words=0
	echo "$words"
}

# Set $emulator to the QEMU that runs a guest of that processor, $emulator_package to its package,
# and ${firmware[@]} to its options that name the folders of its firmware. One that lab/emulator has
# unpacked is taken if the installed one is older and it starts: its libraries may be gone since
# this machine was upgraded.
find_emulator() { # PROCESSOR
	local unpacked installed
	case $1 in
	arm64) emulator=qemu-system-aarch64 emulator_package=qemu-system-arm ;;
	*) emulator=qemu-system-x86_64 emulator_package=qemu-system-x86 ;;
	esac
	firmware=()
	need "$emulator" "$emulator_package"
	unpacked=$emulators/usr/bin/$emulator
	installed=$(major_version "$emulator")
	if [ -x "$unpacked" ] && [ "$installed" != 0 ] &&
		[ "$(major_version "$unpacked")" -gt "$installed" ]; then
		emulator=$unpacked
		firmware=(-L "$emulators/usr/share/qemu" -L /usr/share/seabios
			-L /usr/lib/ipxe/qemu)
	fi
}

# The kernels that lab/kernel builds, by the names of their configurations.
variants() { (cd "$lab_dir/kernels" && printf '%s\n' *.config | sed 's/\.config$//'); }
variant_file() { echo "$lab_dir/kernels/$1.config"; }
is_variant() { [ -f "$(variant_file "$1")" ]; }

# Return whether RELEASE is one of these, which no package has.
is_built() { [ -e "$cache/lab/$1/build/.key" ]; }

# Return whether there is a build tree of RELEASE: installed by its package, or below the cache.
has_tree() { [ -e "/lib/modules/$1/build" ] || [ -e "$cache/lab/$1/build" ]; }

# Print the processor of a release, as Debian calls it: this machine's if the name has none.
processor_of() { # RELEASE
	case $1 in
	*-arm64 | *-16k | arm64) echo arm64 ;;
	*-amd64 | amd64) echo amd64 ;;
	*) echo "$own_processor" ;;
	esac
}

# Whether apt may be given other lists of packages: an APT_CONFIG of the user's remains.
may_choose_lists() { [ -z "${APT_CONFIG:-}" ] && command -v apt-get >/dev/null 2>&1; }

# Give apt lists of packages below the cache, without a change of this machine's own; what is to be
# different is on standard input, and may name files in the folder $cache/lab/apt-NAME. Fail, with a
# log there, if the lists can't be fetched.
choose_lists() { # NAME
	local dir=$cache/lab/apt-$1
	mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
	{
		cat
		printf 'Dir::State "%s";\nDir::Cache "%s";\n' "$dir/state" "$dir/cache"
	} >"$dir/apt.conf.$$"
	mv "$dir/apt.conf.$$" "$dir/apt.conf"
	export APT_CONFIG=$dir/apt.conf
	[ -n "$(find "$dir/state/lists" -name '*_Packages*' -mtime -7 2>/dev/null)" ] ||
		apt-get update >"$dir/update.log" 2>&1
}

# Print what apt has to know to see the packages of another processor. None of them is installed.
settings_for() { # PROCESSOR FOLDER
	[ "$1" != "$own_processor" ] || return 0
	: >"$2/status"
	cat <<-END
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		APT::Install-Recommends "false";
		Dir::State::status "$2/status";
	END
}

# Let apt see the packages of another processor, from the same sources.
use_packages_of() { # PROCESSOR
	local dir=$cache/lab/apt-$1
	[ "$1" != "$own_processor" ] && may_choose_lists || return 0
	mkdir -p "$dir"
	choose_lists "$1" < <(settings_for "$1" "$dir") ||
		die E_VM "the lists of packages for $1 could not be fetched" \
			"$(tail -n 1 "$dir/update.log")"
}

# Print the code name of this machine's Debian release, or fail: it is another distribution.
debian_suite() {
	# shellcheck disable=SC1091
	(. /etc/os-release && [ "${ID:-}" = debian ] && [ -n "${VERSION_ID:-}" ] &&
		echo "$VERSION_CODENAME")
}

# Print the sites from which apt takes Debian's packages, each with a suite.
debian_sites() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian'
}

# Let apt see Debian's backports as well, or fail: the distribution is another one, has backports
# among its sources anyway, or their lists can't be fetched.
use_backports() {
	local dir=$cache/lab/apt-backports suite site
	may_choose_lists && suite=$(debian_suite) || return
	site=$(debian_sites | awk -v suite="$suite" '
		$2 == suite "-backports" { exit }
		$2 == suite { site = $1 }
		END { print site }')
	[ -n "$site" ] || return
	mkdir -p "$dir"
	{
		cat /etc/apt/sources.list 2>/dev/null
		echo "deb $site $suite-backports main"
	} >"$dir/sources.list.$$"
	mv "$dir/sources.list.$$" "$dir/sources.list"
	choose_lists backports <<<"Dir::Etc::SourceList \"$dir/sources.list\";"
}

# Let apt see Debian 11 and nothing else, or fail. Its 5.10 is the oldest kernel that probec knows;
# security updates have the newest releases of it.
use_bullseye() { # PROCESSOR
	local name=bullseye dir suite site security
	[ "$1" = "$own_processor" ] || name+=-$1
	dir=$cache/lab/apt-$name
	may_choose_lists && suite=$(debian_suite) || return
	site=$(debian_sites | awk -v suite="$suite" '$2 == suite { print $1; exit }')
	security=$(debian_sites | awk -v suite="$suite-security" '$2 == suite { print $1; exit }')
	[ -n "$site" ] || return
	mkdir -p "$dir"
	{
		echo "deb $site bullseye main"
		[ -z "$security" ] || echo "deb $security bullseye-security main"
	} >"$dir/sources.list.$$"
	mv "$dir/sources.list.$$" "$dir/sources.list"
	choose_lists "$name" < <(
		settings_for "$1" "$dir"
		cat <<-END
			Dir::Etc::SourceList "$dir/sources.list";
			Dir::Etc::SourceParts "/dev/null";
		END
	)
}

# Commands that make apt see the lists in which the packages of a processor, which is their
# argument, are looked for, in turn: this machine's own come first.
package_lists=(use_packages_of use_backports use_bullseye)

# Let apt see the lists that have PACKAGE for PROCESSOR, or fail.
use_lists_with() { # PACKAGE PROCESSOR
	local lists
	for lists in "${package_lists[@]}"; do
		[ -n "$($lists "$2" && apt-cache pkgnames "$1" | grep -xF "$1")" ] || continue
		$lists "$2"
		return
	done
	return 1
}

# Let apt see the packages of RELEASE, or fail.
use_lists_of() { # RELEASE
	use_lists_with "linux-headers-$1" "$(processor_of "$1")"
}

# Print the newest of the releases on standard input that are of SERIES (6.1, 6.1.0-56, ...),
# FLAVOUR (cloud, rt) and PROCESSOR.
newest() { # SERIES FLAVOUR PROCESSOR
	local release
	while read -r release; do
		case $release in "$1-$2-$3" | "$1"[.+-]*"-$2-$3") echo "$release" ;; esac
	done | sort -V | tail -n 1
}

# Print the newest of the releases on standard input that differ from RELEASE in the number after
# its version alone (5.10.0-46-cloud-arm64, 5.10.0-32-cloud-arm64), three at most.
others_like() { # RELEASE
	local pattern
	pattern=$(sed -E 's/[.+]/\\&/g; s/-[0-9]+-/-[0-9]+-/' <<<"$1")
	grep -xE "$pattern" | grep -vxF "$1" | sort -V | tail -n 3
}

# Print the series of cloud kernels that this distribution has, its own first; on an unknown
# distribution, the series of the newest kernel that its unversioned package depends on.
distribution_series() {
	# shellcheck disable=SC1091
	case $(. /etc/os-release 2>/dev/null && echo "${ID:-}-${VERSION_ID:-}") in
	debian-12) echo 6.1 6.12 ;;
	debian-13) echo 6.12 ;;
	*)
		apt-cache depends "linux-headers-cloud-$own_processor" 2>/dev/null |
			sed -n 's/^ *Depends: linux-headers-\([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
		;;
	esac
}

# Print the releases with a build tree here, and those that apt knows.
releases_here() {
	find /lib/modules "$cache/lab" -mindepth 2 -maxdepth 2 -name build -printf '%h\n' \
		2>/dev/null | sed 's,.*/,,'
}
releases_of_apt() { apt-cache pkgnames linux-headers- 2>/dev/null | sed 's/^linux-headers-//'; }

# Return whether a word is a full release: a version of three numbers, and at its end the processor.
# Those of kernels for any machine have no flavour between them (5.10.0-46-amd64).
is_full_release() { [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+.*-(amd64|arm64)$ ]]; }

# Print the release that WORD means, as resolve_release does, or nothing if there is none.
find_release() { # WORD
	local word=$1 series=$1 flavour=cloud processor found
	if has_tree "$word"; then
		echo "$word"
		return
	fi
	if is_full_release "$word"; then
		releases_of_apt | grep -xF "$word" || true
		return
	fi
	processor=$(processor_of "$word")
	series=${word%-"$processor"}
	case $series in
	*-rt | *-cloud) flavour=${series##*-} series=${series%-*} ;;
	*-16k) flavour=arm64 processor=16k series=${series%-16k} series=${series%-arm64} ;;
	esac
	found=$(releases_here | newest "$series" "$flavour" "$processor")
	[ -n "$found" ] || found=$(releases_of_apt | newest "$series" "$flavour" "$processor")
	echo "$found"
}

# Print the newest series of cloud kernels that only the backports of this distribution have.
backported_series() {
	local releases series
	releases=$(use_backports && releases_of_apt) || return
	series=$(sed -n "s/^\([0-9]*\.[0-9]*\)[.+].*-cloud-$own_processor\$/\1/p" <<<"$releases" |
		sort -uV | tail -n 1)
	case " $(distribution_series) " in
	*" $series "*) ;;
	*) echo "$series" ;;
	esac
}

# Print the full release that WORD means: WORD itself if its build tree is here; for the name of a
# configuration in kernels/ that kernel (built now if necessary; "debug" is the checked kernel), for
# "default" the distribution's own, for "backports" the newest that only its backports have;
# otherwise the newest release that begins with WORD: a cloud kernel, or one of the flavour in its
# last part (6.1-rt); 5.10 is Debian 11's. "6.12-arm64" is one for that processor, "arm64" the
# distribution's newest, and so is "amd64" on a machine of the former; "6.12-16k" is one for it with
# pages of 16 KB.
# Releases whose build tree is here are preferred to those that lab/image can fetch.
resolve_release() {
	local word=$1 found series lists
	if is_variant "$word"; then
		"$lab_dir/kernel" "$word"
		return
	fi
	if [ "$word" = default ]; then
		series=$(distribution_series)
		word=${series%% *}
		[ -n "$word" ] || die E_NO_HEADERS \
			"this distribution has none of Debian's cloud kernels" \
			"name a release whose build tree is here; on Debian, apt-get update"
	fi
	if [ "$word" = backports ]; then
		word=$(backported_series)
		[ -n "$word" ] || die E_NO_HEADERS \
			"no kernel is in this distribution's backports alone" \
			"name one that it has: $(distribution_series)"
	fi
	case $word in arm64 | amd64)
		word=$(distribution_series | tr ' ' '\n' | tail -n 1)-$word ;;
	esac
	for lists in "${package_lists[@]}"; do
		found=$($lists "$(processor_of "$word")" && find_release "$word") || true
		[ -z "$found" ] || break
	done
	[ -n "$found" ] || die E_NO_HEADERS \
		"no build tree of a kernel '$word' is here, and apt knows no package with one" \
		"apt-get update, then try again; this distribution has: $(distribution_series)"
	echo "$found"
}

# Print the series that can be tested here, one per line: those of the distribution of which a
# kernel is here or known to apt.
available_series() {
	local series
	for series in $(distribution_series); do
		[ -z "$(find_release "$series")" ] || echo "$series"
	done
}
