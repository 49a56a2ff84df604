# SPDX-License-Identifier: GPL-2.0
#@ slow
# Forty sessions at once, each of which sees every hit, then forty one after another: no module is
# refused, and the kernel's memory use does not grow with them.
. "$TOP/testsuite/expect.sh"
slab() { awk '/^SUnreclaim/ { print $2 }' /proc/meminfo; }
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
for i in $(seq 40); do
	"$PROBERUN" -v -s 1 "$MODULE" >"$i" 2>"$i.said" &
done
# shellcheck disable=SC2046 # forty names
wait_armed $(seq 40)
dd if=/dev/zero of=/dev/null bs=35 count=500 status=none
kill -INT $(jobs -p)
wait
[ "$(cat [0-9] [0-9][0-9] | grep -cx 1000)" = 40 ] || { sort [0-9] [0-9][0-9] | uniq -c |
	head; exit 1; }
"$PROBERUN" -s 1 -T 0.05 "$MODULE" >1 || exit 1
before=$(slab)
for _ in $(seq 40); do
	"$PROBERUN" -s 1 -T 0.05 "$MODULE" >1 || exit 1
done
after=$(slab)
[ "$((after - before))" -lt 2000 ] || fail "slab: $before KiB, then $after"
