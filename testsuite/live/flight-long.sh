# SPDX-License-Identifier: GPL-2.0
#@ slow
# A flight recorder that writes more than a hundred times what its ring holds: the memory of the
# kernel and of proberun does not grow, and the snapshot has the newest records, whole, in order.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'rm -r "$folder"' EXIT
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || exit 1
calls=230000 ring=$((1 << 20))

"$PROBERUN" --flight=1 -v -o shots "$MODULE" 2>one.said &
session=$!
wait_armed one
# kib: the memory that the kernel and proberun take.
kib() {
	awk '/^(VmallocUsed|SUnreclaim|Percpu|VmRSS)/ { n += $2 } END { print n }' /proc/meminfo \
		/proc/$session/status
}
taskset 1 ./flight 1 5000 >/dev/null
kill -USR2 $session
wait_for 'the first snapshot' has_line shots.1 '5000 *'
before=$(kib)
taskset 1 ./flight 1 $calls >/dev/null
kill -USR2 $session
wait_for 'the second snapshot' has_line shots.2 "$calls *"
after=$(kib)
kill -INT $session
wait $session || fail 'status' one.said

grep -v '^---' shots.2 >records
[ $(($(head -n 1 records | wc -c) * calls)) -gt $((100 * ring)) ] || fail 'too few bytes' records
awk -v last=$calls 'NR > 1 && $1 != n + 1 || length($2) != 448 { exit 1 } { n = $1 }
	END { exit n != last || NR < 500 }' records || fail 'the records' records
[ $((after - before)) -lt 1024 ] || fail "memory: $before KiB before, $after after"
