# SPDX-License-Identifier: GPL-2.0
#@ slow
# Forty sessions at once, each of which sees every hit, then forty one after another: no module is
# refused, and the kernel's memory use does not grow with them.
. "$TOP/testsuite/expect.sh"
slab() { awk '/^SUnreclaim/ { print $2 }' /proc/meminfo; }
rm -f /tmp/sessions.*
for i in $(seq 40); do
	"$PROBERUN" -s 1 "$MODULE" >"/tmp/sessions.$i" 2>&1 &
done
all() { [ "$(grep -c 'vfs_write' /sys/kernel/debug/kprobes/list)" = 40 ]; }
wait_for 'forty sessions' all
sleep 3
dd if=/dev/zero of=/dev/null bs=35 count=500 status=none
kill -INT $(jobs -p)
wait
[ "$(cat /tmp/sessions.* | grep -cx 1000)" = 40 ] || { sort /tmp/sessions.* | uniq -c |
	head; exit 1; }
"$PROBERUN" -s 1 -T 0.05 "$MODULE" >/tmp/sessions.1 || exit 1
before=$(slab)
for _ in $(seq 40); do
	"$PROBERUN" -s 1 -T 0.05 "$MODULE" >/tmp/sessions.1 || exit 1
done
after=$(slab)
[ "$((after - before))" -lt 2000 ] || fail "slab: $before KiB, then $after"
