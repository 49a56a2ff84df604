# SPDX-License-Identifier: GPL-2.0
#@ slow
# probec --remote --flight: a snapshot that the script takes on one of three hosts is taken on the
# others as well, as is one at SIGUSR2, and the error of a session lets the others take theirs. The
# hosts are one machine, by an ssh that runs its command here, so each session has all hits.
needs_static_proberun
cat >flight.kp <<'X'
probe begin { println("begun") }
probe syscall.lseek { if (execname() == "flight") println(offset) }
probe syscall.getpriority { if (execname() == "flight" && remote_id() == 0) snapshot("here") }
probe syscall.setpriority { if (execname() == "flight" && remote_id() == 1) error("wrong") }
probe timer.ms(100) { if (!armed++) println("armed") }
global armed
X
cc -std=gnu11 -pthread -o flight "$TOP/testsuite/live/flight.c" || fail 'flight does not build'
"$PROBEC" -w -p4 -r "$TARGET" flight.kp >/dev/null 2>said || fail 'it does not compile' said
cat >ssh <<'X'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift 2
exec sh -c "$*"
X
chmod +x ssh
cat >guest <<'X'
. "$TOP/testsuite/expect.sh"
export PROBEC_SSH=$PWD/ssh
"$PROBEC" -w -r "$TARGET" --remote host0,host1,host2 --flight=1 flight.kp >out 2>said &
session=$!
lines() { [ "$(grep -c "$2" out)" -ge "$1" ]; }
wait_for 'the sessions' lines 3 ': armed$'
./flight 1 10 >/dev/null
asked='the snapshot of another host: '
wait_for 'the other snapshots' lines 2 ": --- snapshot 1 on lab: $asked.* 10 hits"
[ "$(grep -c '^host0: --- snapshot 1 on lab: here: .*, 10 hits' out)" = 1 ] ||
	fail 'the first snapshot' out said
for host in host0 host1 host2; do
	wait_for "the records of $host" lines 1 "^$host: 10\$"
	sed -n "s/^$host: \([0-9][0-9]*\)\$/\1/p" out | diff - <(seq 10) >difference ||
		fail "$host" difference
	grep -q "^$host: its clock is 0\.[0-9]* s [a-z ]* this machine" said ||
		fail "the clock of $host" said
done
# A signal of the user does not wait for a second to pass, but triggers of other hosts do.
kill -USR2 $session
wait_for 'three snapshots' lines 3 ": --- snapshot 2 on lab: $asked"
sleep 1.5
./flight 1 5 error >/dev/null
wait_for 'after an error' lines 1 "^host2: --- snapshot 3 on lab: $asked"
wait_for 'the session that has failed' \
	lines 1 '^host1: --- snapshot [0-9] on lab: the session ended with an error: '
kill -TERM $session
wait $session
[ $? = 1 ] && grep -q 'host1: its session failed with status 1 \[E_REMOTE\]' said ||
	fail 'the end' said
! grep -q '^probec_' /proc/modules || fail 'a module stays' /proc/modules
echo whole
X
"$TOP/lab/run" "$KERNEL" -- env TOP="$TOP" PROBEC="$PROBEC" TARGET="$TARGET" \
	PROBEC_CACHE="${PROBEC_CACHE:-$HOME/.cache/probec}" \
	bash -c "cp -r '$PWD' /run/work && cd /run/work && bash guest" >out 2>&1 ||
	fail "status $?" out
grep -qx whole out || fail 'it did not end' out
