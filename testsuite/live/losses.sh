# SPDX-License-Identifier: GPL-2.0
# Losses are reported while they happen, and at the end by probe with a hint.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
write() { dd if=/dev/zero of=/dev/null bs=89 count=1 status=none; }
until_said() { # RE
	for _ in $(seq 600); do
		grep -qE -e "$1" e && return
		"${@:2}"
		sleep 0.1
	done
	fail "not said: $1" e
}
sleepers() { for _ in 1 2 3 4; do sleep 0.3 & done; }

"$PROBERUN" -s 1 -o o "$MODULE" 2>e &
pid=$!
wait_for 'a tick' grep -qs tick o
write
until_said \
	'losing the output of hits: 1 more; the rings of 1024 KiB are full \(-s makes them larger\) \[E_SKIPPED\]$'
# Two losses in the same second are one line.
write
write
until_said 'losing the output of hits: [12] more.*$' sleep 0.1
until_said \
	'skipping hits: [1-9][0-9]* more found no free instance for the return: .*nanosleep.*losses.kp:8 \[E_SKIPPED\]$' sleepers
[ -d "/proc/$pid" ] || fail 'it has ended' e
kill -INT "$pid"
wait "$pid" || fail "status $?" e
[ "$(grep -c 'losing the output' e)" -le 3 ] || fail 'too often' e
sed -n '/lost the output/,$p' e >end
grep \
	-q '^probec: warning: lost the output of 3 hits ([0-9]* KiB): the rings of 1024 KiB were full \[E_SKIPPED\]$' end || fail 'no total' e
grep -q '^ *= raise -s or print less$' end || fail 'no way out' end
grep \
	-qE '^losses.kp:8:7-[0-9]+: warning: skipped hits: [1-9][0-9]* found no free instance for the return \[E_SKIPPED\]$' end || fail 'no misses' end
grep -q '^ *= .return.maxactive(N) sets the number of instances;' end ||
	fail 'no way out for returns' end
grep -qE '^losses.kp:9:7-[0-9]+: warning: 3 of [0-9]+ hits ended with an error \[E_SKIPPED\]$' end \
	|| fail 'no errors' end

# -w shows none of this; the JSON stream has it as warnings and in the summary.
"$PROBERUN" -w -s 1 -o o -c 'dd if=/dev/zero of=/dev/null bs=89 count=1 status=none' "$MODULE" 2>e \
	|| fail 'status under -w' e
! grep -q 'warning' e || fail '-w' e
"$PROBERUN" --format json -s 1 -o o -c 'dd if=/dev/zero of=/dev/null bs=89 count=2 status=none' \
	"$MODULE" 2>e || fail 'status of json' e
[ ! -s e ] || fail 'json: messages' e
grep -q '^{"type":"warning",.*"id":"E_SKIPPED","text":"lost the output of 2 hits' o ||
	fail 'json: no loss' o
tail -n 1 o | grep -q '"lost":2,"lost_bytes":[1-9]' || fail 'json: no summary' o
