# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# syscall.NAME counts the calls that a program makes by the 64-bit interface, and syscall32.NAME
# those by the 32-bit one, also where both enter the same function of the kernel.
# Each: the kernel's system calls differ.
. "$TOP/testsuite/expect.sh"
program=/tmp/syscall-interfaces
trap 'rm -f "$program" /tmp/seen /tmp/wanted /tmp/said' EXIT
gcc -O1 -o $program syscall-interfaces.c 2>/tmp/said || fail gcc /tmp/said
"$PROBERUN" -o /tmp/seen "$MODULE" -c $program >/tmp/wanted 2>/tmp/said || fail status /tmp/said
[ ! -s /tmp/said ] || fail messages /tmp/said
grep -v ' 0 0$' /tmp/wanted | sort >/tmp/said
sort /tmp/seen | diff /tmp/said - || fail 'wanted (<) and counted (>)'
