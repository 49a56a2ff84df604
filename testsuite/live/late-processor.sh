# SPDX-License-Identifier: GPL-2.0
# A processor is off when a session starts and comes while it runs: its hits count like all others.
# Each: what arms these probes differs between kernels.
. "$TOP/testsuite/expect.sh"
online=/sys/devices/system/cpu/cpu1/online
[ -w "$online" ] || { echo "no processor here can be unplugged"; exit 77; }
cd /tmp
trap 'echo 1 >$online' EXIT
remember
echo 0 >$online
"$PROBERUN" -c "echo 1 >$online; taskset -c 1 dd if=/dev/zero of=/dev/null bs=4479 count=1000 status=none
taskset -c 0 dd if=/dev/zero of=/dev/null bs=4479 count=1000 status=none" "$MODULE" >said 2>&1 || fail 'status' said
[ "$(cat said)" = 4000 ] || fail 'not 4000:' said
ended_clean 'a late processor'
