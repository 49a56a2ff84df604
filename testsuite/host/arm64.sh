# SPDX-License-Identifier: GPL-2.0
# A kernel for arm64 on this machine: its processor is known by its build tree, and without a cross
# compiler the message names the package that has one.
# shellcheck shell=bash disable=SC2154
own_cache
release=6.12.0-1-cloud-arm64
tree=cache/lab/$release/build
mkdir -p $tree/include/{generated,config} bin
echo "#define UTS_RELEASE \"$release\"" >$tree/include/generated/utsrelease.h
cat >$tree/include/config/auto.conf <<'END'
CONFIG_CC_VERSION_TEXT="gcc-12 (Debian 12.2.0-14) 12.2.0"
CONFIG_ARM64=y
END
touch $tree/Module.symvers
ln -s /usr/bin/* bin/
rm -f bin/aarch64-*
compile=(env PATH="$PWD/bin:/usr/sbin" "$PROBEC" -p4 -r $release)
refused E_NO_COMPILER 'a kernel for arm64' "${compile[@]}" -e 'probe begin { exit() }'
missing="'aarch64-linux-gnu-gcc-12', 'aarch64-linux-gnu-ld', 'aarch64-linux-gnu-strip'"
grep -qF "$missing are not installed; modules for $release are built" said ||
	fail 'the compiler' said
grep -q 'gcc-aarch64-linux-gnu$' said || fail 'its package' said

# Conditions, and the names of registers, are those of the kernel's processor.
"$PROBEC" -p3 -r $release -e '%( arch == "aarch64" %? probe begin { println("chosen") } %:
	probe begin { println("left out") } %)' >out 2>said || fail 'a condition' said
grep -q chosen out || fail 'the processor of a condition' out
"$PROBEC" -g -p3 -r $release -e 'probe begin { println(@kregister(3)) }' >out 2>said ||
	fail 'a register by its number' said
grep -q '"x3"' out || fail 'the name of the register' out

# The kernel would execute the instruction again and again.
refused E_NOT_SUPPORTED 'a watchpoint' "$PROBEC" -p2 -r $release \
	-e 'probe kernel.data(0x1000).write { }'
grep -q 'not supported for aarch64: the kernel does not continue' said || fail 'its reason' said

# gcc for arm64 writes no location of thread-local variables: the symbol says where one is.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	echo '__thread int own = 1; int look(void) { return own++; }' >own.c
	unset PROBEC_DEBUGINFO
	aarch64-linux-gnu-gcc -g -O2 -nostdlib -static -Wl,-e,look -o own own.c 2>log ||
		fail gcc log
	"$PROBEC" -p3 -r $release \
		-e "probe process(\"$PWD/own\").function(\"look\") { println(@var(\"own\")) }" \
		>out 2>said || fail 'a thread-local variable' said
	grep -q 'prt_read_user(c, .*a0 + 16ull' out || fail 'its place, behind two words' out
fi

# Instructions over which the kernel does not step: it sets no breakpoint there, without a word.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	cat >steps.S <<'S'
	.globl look
	.irp name, look, literal, vector, call, hint, sign
	.type \name, %function
	.size \name, 4
	.endr
look:	nop
literal: ldr x0, =0x123456789abc
vector:	ldr d0, 1f
call:	svc 0
hint:	hint 29
sign:	hint 25
	ret
1:	.quad 0
S
	aarch64-linux-gnu-gcc -nostdlib -static -Wl,-e,look -o steps steps.S 2>log || fail steps log
	for name in literal vector call hint; do
		refused E_NOT_PROBEABLE "$name" "$PROBEC" -p2 -r $release \
			-e "probe process(\"$PWD/steps\").function(\"$name\") { exit() }"
		grep -q 'the kernel does not step over its instruction' said || fail "$name" said
	done
	for name in look sign; do
		"$PROBEC" -p2 -r $release \
			-e "probe process(\"$PWD/steps\").function(\"$name\") { exit() }" \
			>out 2>said || fail "$name" said
	done
fi
