# SPDX-License-Identifier: GPL-2.0
# Invalid calls on the device from several threads, in any order, with invalid addresses, while it
# is closed or its owner dies at any moment: nothing hangs, nothing is left, and the kernel reports
# nothing (which the lab checks).
set -u
cc -std=gnu11 -pthread -I"$TOP/runtime/abi" -o /tmp/device-calls device-calls.c || exit 1
name=$(modinfo -F name "$MODULE") || exit 1
(while :; do cat /proc/stat /proc/self/maps >/dev/null; done) &
load=$!
for seed in $(seq 8); do
	insmod "$MODULE" || exit 1
	timeout 60 /tmp/device-calls "/sys/class/misc/$name/dev" "$seed" ||
		{ echo "seed $seed: status $?"; break; }
	for _ in $(seq 200); do
		rmmod "$name" 2>/dev/null && break
		sleep 0.05
	done
	[ ! -e "/sys/module/$name" ] || { echo "seed $seed: still loaded"; break; }
done
kill "$load"
[ "$seed" = 8 ] && [ ! -e "/sys/module/$name" ]
