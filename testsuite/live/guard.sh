# SPDX-License-Identifier: GPL-2.0
# ftrace cannot be switched off under return probes, which would silence them and make the kernel
# warn when they are removed. Kernels that never let it be switched off have nothing to guard.
# Each: what arms these probes differs between kernels.
set -u
ftrace=/proc/sys/kernel/ftrace_enabled off=
(echo 0 >$ftrace) 2>/dev/null && off=1 && echo 1 >$ftrace
work='(echo 0 >'$ftrace') 2>/dev/null && echo switched off
dd if=/dev/zero of=/dev/null bs=47 count=1000 status=none'
out=$("$PROBERUN" -c "$work" "$MODULE") || exit 1
[ "$out" = 1000 ] || { echo "$out"; exit 1; }
! [ "$off" ] || { echo 0 >"$ftrace" && echo 1 >"$ftrace"; }
