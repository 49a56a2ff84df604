# SPDX-License-Identifier: GPL-2.0
# Functions that the programs of bench/ share: paths, kernels, guests. Sourced.
# shellcheck shell=bash

bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(dirname "$bench")
export PROBEC_CACHE=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
work=$(mktemp -d /tmp/probec.bench.XXXXXX)
trap 'rm -rf "$work"' EXIT

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# shellcheck source=testsuite/elf.sh
. "$top/testsuite/elf.sh"

# Handle the command line of a program of bench/, whose usage() prints its help: the first argument
# is a kernel, for which this sets what choose() does. It may be one for arm64 if $for_arm64 is set.
begin() { # [ARGUMENT]...
	case ${1:-} in
	-h | --help) usage; exit 0 ;;
	'') usage >&2; exit 2 ;;
	-*) die "unknown option '$1'; bench/${0##*/} --help lists the options" ;;
	esac
	choose "$1"
	[ "$processor" != arm64 ] || [ -n "${for_arm64:-}" ] ||
		die "only bench/hits measures kernels for arm64"
}
# shellcheck disable=SC2034
kernel_help='KERNEL is a release as lab/run takes it: 6.1, 6.12, ...
A figure above its limit is marked "over". Status 1: a figure could not be measured.'

# Set $release and $target for the kernel that the word means, $processor as Debian calls it, and
# what is for that processor: $cc, $proberun, and words for the make of kbuild.
choose() { # KERNEL
	release=$("$top/lab/run" --release "$1")
	processor=amd64 cc=gcc proberun=$top/proberun kbuild_words=()
	if [[ $release == *-arm64 ]]; then
		processor=arm64 cc=aarch64-linux-gnu-gcc proberun=$top/build/arm64/proberun
		kbuild_words=(ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-)
		command -v "$cc" >/dev/null ||
			die "$cc is not installed: $(package_of_compiler)"
	fi
	target=$("$top/lab/run" --target "$1")
}

# Print how to install the cross compiler here.
package_of_compiler() {
	# shellcheck disable=SC2034
	lab_dir=$top/lab
	# shellcheck source=lab/packages.sh
	. "$top/lab/packages.sh"
	package_hint gcc-aarch64-linux-gnu
}

# Build the hand-written modules for this kernel, in $modules, by the compiler of its build tree,
# which lab/image may have unpacked.
build_modules() {
	modules=$work/modules-$release
	cp -r "$bench/modules" "$modules"
	PATH=$PATH:$PROBEC_CACHE/lab/$release/compiler/usr/bin \
		make -s -C "$(build_tree)" M="$modules" "${kbuild_words[@]}" modules \
		>"$work/kbuild.log" 2>&1 || { cat "$work/kbuild.log" >&2; exit 1; }
}

# Run a command in a guest, with enough time on a busy machine.
in_guest() { # OPTION... KERNEL -- COMMAND...
	"$top/lab/run" --timeout 7200 "$@"
}

# Print the build tree of this kernel.
build_tree() {
	local tree=/lib/modules/$release/build
	[ -e "$tree" ] || tree=$PROBEC_CACHE/lab/$release/build
	echo "$tree"
}

# Compile the script and copy its module to MODULE. Further words are options of probec.
compile() { # SCRIPT MODULE [OPTION]...
	local script=$1 to=$2
	shift 2
	cp "$("$top/probec" -p4 "$@" -r "$target" "$script")" "$to"
}
