# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3
# Kernels whose files were optimised together: probes of system calls are where the kernel calls
# their functions by number. The numbers are those of the C library's headers; what prevents it is
# said, and the probes stay at the functions.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"

. "$TOP/testsuite/target.sh"
# Newer kernels do not let ftrace trace these.
traced=
for function in x64_sys_call ia32_sys_call; do
	target_lists ftrace $function || traced+=" ftrace - $function"
done
renamed="symbols - renamed.llvm.1$traced"
# shellcheck disable=SC2086
changed_target together $renamed
analysed() { # TARGET POINT...: the sites
	"$PROBEC" -r "./$1" -p2 -e "probe $2 { println(pp()) }" >out 2>said || fail "$2" said
	sed -n 's/^	site //p' out
}

# Each probe is at the number of its call. The kernel has uselib() for 32-bit programs alone.
echo '#include <asm/unistd_64.h>' | gcc -E -dM - | sed -n '/_uselib /d; s/^#define __NR_//p' |
	sort >numbers
echo '#include <asm/unistd_32.h>' | gcc -E -dM - | sed -n 's/^#define __NR_//p' | sort >numbers32
at_numbers() { # FAMILY FUNCTION NUMBERS LEAST
	"$PROBEC" -r ./together -p2 -w -e "probe $1.* { println(name) } probe $1.*.return { }" \
		>out 2>said || fail "$1.*" said
	sed -n "s/^	site kernel $2+0 system call //p" out | sort -n | uniq -c >at
	# The entry and the return of each.
	! grep -v '^ *2 ' at || fail "$1.*: not twice"
	awk '{ print $2 }' at | sort >at.numbers
	"$PROBEC" -r ./together -l "$1.*" | sed "s/^$1\.//; s/[ .].*//" | sort -u >names
	join names "$3" | awk '{ print $2 }' | sort >wanted
	[ "$(wc -l <wanted)" -gt "$4" ] || fail "$1.*: few names" wanted
	comm -13 at.numbers wanted >differ
	[ ! -s differ ] || fail "$1.*: no probe at these numbers:" differ
}
at_numbers syscall x64_sys_call numbers 300
at_numbers syscall32 ia32_sys_call numbers32 380
at_switch='kernel x64_sys_call+0 system call'
for call in read=0 fstat=5 brk=12 pread=17 uname=63 umount=166 exit_group=231 fstatat=262; do
	[ "$(analysed together "syscall.${call%=*}")" = "$at_switch ${call#*=}" ] ||
		fail "$call" out
	[ ! -s said ] || fail "$call: messages" said
done
# Two calls of the 32-bit interface enter one function.
[ "$(analysed together syscall32.fcntl64)" = "kernel ia32_sys_call+0 system call 55
kernel ia32_sys_call+0 system call 221" ] || fail 'fcntl64' out
# Values, and what is shown of the probe, are those of the function; its name is not changed.
"$PROBEC" -r ./together -L syscall.brk >said 2>&1
"$PROBEC" -r "$TARGET" -L syscall.brk | cmp - said || fail 'other values' said
"$PROBEC" -r ./together --explain -e 'probe syscall.brk { println(brk) }' >said 2>&1
grep -q '^  at x64_sys_call+0x0, for system call 12: by ftrace$' said || fail 'it explains' said
[ "$(analysed together 'kernel.function("__x64_sys_brk")')" = 'kernel __x64_sys_brk+0' ] ||
	fail 'the function itself' out

# Where that can't be done, the probe stays at the function, and a warning says so.
stays() { # WHAT TARGET
	[ "$(analysed "$2" syscall.brk)" = 'kernel __x64_sys_brk+0' ] || fail "$1" out
	grep -q "some system calls may be inlined into 'x64_sys_call'.*\[E_COPIES\]" said ||
		fail "$1: no warning" said
}
# shellcheck disable=SC2086
changed_target untraced $renamed ftrace x64_sys_call x64_sys_cal1
stays 'ftrace does not know it' untraced

release=$(sed -n 's/^release //p; /^section/q' "$TARGET")
tree=$(target_tree)
asm=arch/x86/include/generated/asm
export PROBEC_CACHE=$PWD/cache
mine=cache/lab/$release/build/$asm
mkdir -p "$mine"
stays 'no file of numbers' together
grep -q "they can't be probed there: '$asm/syscalls_64.h' of its build tree is needed" said ||
	fail 'without the reason' said
cp "$tree/$asm/syscalls_64.h" "$mine" || fail 'no numbers in the build tree'
[ "$(analysed together syscall.brk)" = "$at_switch 12" ] || fail 'numbers' out
for line in '__SYSCALL(12)' '__SYSCALL(x, sys_brk)' '__SYSCALL(99999, sys_brk)' 'sys_brk 12' \
	'__SYSCALL(12, sys_brk'; do
	{ cat "$tree/$asm/syscalls_64.h"; echo "$line"; } >"$mine/syscalls_64.h"
	stays "$line" together
done
: >"$mine/syscalls_64.h"
stays 'an empty file' together
cp "$tree/$asm/syscalls_64.h" "$mine"
# A kernel with the x32 interface calls the same functions in another switch.
cat >"$mine/syscalls_x32.h" <<'END'
__SYSCALL(0, sys_read)
__SYSCALL(520, compat_sys_execve)
END
stays 'the switch of x32 is inlined' together
# shellcheck disable=SC2086
changed_target x32 $renamed symbols - x32_sys_call ftrace - x32_sys_call
[ "$(analysed x32 syscall.read)" = "$at_switch 0
kernel x32_sys_call+0 system call 0" ] || fail 'x32' out
[ "$(analysed x32 syscall.brk)" = "$at_switch 12" ] || fail 'not of x32' out
# Full LTO renames nothing; the configuration of the build tree tells.
rm "$mine/syscalls_x32.h"
# shellcheck disable=SC2086
changed_target full $traced
[ "$(analysed full syscall.brk)" = 'kernel __x64_sys_brk+0' ] || fail 'not optimised together' out
mkdir -p "cache/lab/$release/build/include/config"
echo 'CONFIG_LTO_CLANG_FULL=y' >"cache/lab/$release/build/include/config/auto.conf"
[ "$(analysed full syscall.brk)" = "$at_switch 12" ] || fail 'full LTO' out
