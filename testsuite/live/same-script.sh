# SPDX-License-Identifier: GPL-2.0
#@ slow
# Two sessions of the same script at once, from the cache, started by probec; then SIGKILL of probec
# alone, and of probec and proberun.
. "$TOP/testsuite/expect.sh"
cd /tmp
script=$(cat "$TOP/testsuite/live/same-script.kp")
"$PROBEC" -p4 -e "$script" >module 2>said || fail 'it does not build' said
remember
for i in 1 2; do
	"$PROBEC" -v -e "$script" >"out.$i" 2>"said.$i" &
	pids[i]=$!
done
for i in 1 2; do
	wait_for 'a tick' grep -q tick "out.$i"
	grep -q cache "said.$i" || fail 'not from the cache' "said.$i"
done
[ "$(grep -c '^probec_' /proc/modules)" = 2 ] || fail 'not two modules' /proc/modules
kill -INT "${pids[@]}"
for i in 1 2; do
	wait "${pids[i]}" || fail "status $?" "said.$i"
	[ "$(tail -n 1 "out.$i")" = 'end 1' ] || fail 'not to its end' "out.$i"
done
ended_clean 'two of the same'

for whom in probec both; do
	: >out
	"$PROBEC" -e "$script" >out 2>said &
	pid=$!
	wait_for 'a tick' grep -q tick out
	runs=$(pgrep -P "$pid")
	[ $whom = both ] || runs=
	# shellcheck disable=SC2086
	{ kill -KILL "$pid" $runs; wait "$pid"; } 2>/dev/null
	nothing_left "$whom killed"
	[ $whom = both ] || [ "$(tail -n 1 out)" = 'end 1' ] ||
		fail 'probec killed: the session did not end in order' out
done
