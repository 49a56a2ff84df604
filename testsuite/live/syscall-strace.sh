# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: strace perl
# argstr and retstr of nearly all system calls are as strace shows the same calls of the same
# process. Accepted differences are listed below, in testsuite/calls.sh, and in doc/language.md.
# shellcheck source=testsuite/calls.sh
. "$TOP/testsuite/calls.sh"
cc -std=gnu11 -w -o /tmp/syscall-strace syscall-strace.c || exit 1
same_calls /tmp/syscall-strace 650 <<'KNOWN'
pread64=pread
pwrite64=pwrite
newfstatat=fstatat
umount2=umount
getdents64=getdents
mmap:4               MAP_FILE is 0
KNOWN
