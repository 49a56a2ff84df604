# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc strace perl
# argstr and retstr of nearly all calls of the 32-bit interface are as strace shows the same calls
# of the same 32-bit program. Accepted differences are listed below, in testsuite/calls.sh, and in
# doc/language.md.
# shellcheck source=testsuite/calls.sh
. "$TOP/testsuite/calls.sh"
gcc -m32 -O1 -std=gnu11 -w -ffreestanding -nostdlib -static -fno-pie -no-pie -fno-stack-protector \
	-idirafter "/usr/include/$(gcc -print-multiarch)" -o /tmp/calls32 syscall32-strace.c \
	2>/tmp/said || fail gcc /tmp/said
same_calls /tmp/calls32 800 <<'KNOWN'
fcntl=fcntl64
mmap2:4              MAP_FILE is 0
preadv:2             a vector that the kernel follows
truncate:2           a signed offset, unsigned in strace
ipc:1                a version and a call of ones
KNOWN
