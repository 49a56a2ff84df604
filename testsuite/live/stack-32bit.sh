# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# The stack of a program of 32 bits, from a system call.
# Each: the kernel's stacks differ.
. "$TOP/testsuite/expect.sh"
program=/tmp/stack-32bit
trap 'rm -f "$program"' EXIT
gcc -m32 -O1 -ffreestanding -nostdlib -static -fno-pie -no-pie -fno-stack-protector -o $program \
	stack-32bit.c 2>/tmp/log || fail gcc /tmp/log
"$PROBERUN" -o /tmp/out "$MODULE" -c "$program >/dev/null" 2>/tmp/err ||
	fail status /tmp/out /tmp/err
[ "$(sort -u /tmp/out)" = 'deep outer _start 0' ] || fail 'other stacks' /tmp/out /tmp/err
