# SPDX-License-Identifier: GPL-2.0
# Builds our own modules (testsuite/modules) for tests in vm/ to probe. Sourced by them.
# shellcheck shell=bash

# module_make DIR [VARIABLE=VALUE]...: builds the module whose sources are in DIR, by the compiler
# of the kernel's build tree, which lab/image may have unpacked.
module_make() {
	local dir=$1 release build
	shift
	release=$("$TOP/lab/run" --release "$KERNEL")
	build=/lib/modules/$release/build
	[ -d "$build" ] || build=${TARGET%/targets/*}/lab/$release/build
	PATH=$PATH:${TARGET%/targets/*}/lab/$release/compiler/usr/bin \
		make -C "$build" M="$PWD/$dir" CONFIG_DEBUG_INFO_BTF_MODULES= "$@" modules \
		>log 2>&1 || fail "the module does not build" log
}

# module_build NAME DIR [VARIABLE=VALUE]...: builds one of testsuite/modules in the new folder DIR.
module_build() {
	mkdir -p "$2" && cp "$TOP/testsuite/modules/$1"/* "$2"
	module_make "${@:2}"
}

# module_btf FILE: adds BTF, based on the kernel's BTF from the target. The test needs pahole, which
# adds the section with LLVM's objcopy unless told to use that of binutils, which the compiler needs
# anyway.
module_btf() {
	local head at
	if [ ! -s base.btf ]; then
		head=$(LC_ALL=C grep -abo -m 1 '^section btf [0-9]*$' "$TARGET") ||
			fail "the target has no BTF"
		at=${head%%:*}
		tail -c +$((at + ${#head} - ${#at} + 1)) "$TARGET" | head -c "${head##* }" >base.btf
	fi
	LLVM_OBJCOPY=objcopy pahole -J --btf_base base.btf "$1" >log 2>&1 || fail "pahole" log
}

# module_needs_debuginfo FILE: skips the test if the file has no debug information.
module_needs_debuginfo() {
	readelf -SW "$1" | grep -q '\.debug_info' && return
	echo "modules of this kernel are built without debug information"
	exit 77
}

# compile NAME SCRIPT [OPTION]...: builds NAME.ko.
compile() {
	"$PROBEC" "${@:3}" -p4 -r "$TARGET" -e "$2" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
