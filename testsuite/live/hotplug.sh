# SPDX-License-Identifier: GPL-2.0
# A processor goes and comes back four times while a session runs: no hit of it is lost.
# Each: what arms these probes differs between kernels.
set -u
online=/sys/devices/system/cpu/cpu1/online
[ -w "$online" ] || { echo "no processor here can be unplugged"; exit 77; }
work='for i in 1 2 3; do dd if=/dev/zero of=/dev/null bs=78 count=20000 2>/dev/null & done
for i in 1 2 3 4; do echo 0 >'$online'; sleep 0.2; echo 1 >'$online'; sleep 0.2; done; wait'
"$PROBERUN" -c "$work" "$MODULE" >/tmp/hotplug.out || exit 1
echo 1 >"$online"
[ "$(cat /tmp/hotplug.out)" = "180000 60000" ] || { cat /tmp/hotplug.out; exit 1; }
