# SPDX-License-Identifier: GPL-2.0
# live/flight on eight processors, with a thread for each of them and with three times as many,
# while interrupts of profiling and a second recorder of all system calls come between.
#@ slow
#@ seconds: 600
build flight "$(cat "$TOP/testsuite/live/flight.kp")"
build storm 'probe syscall_any { printf("%s %d\n", name, tid()) }
probe timer.profile.freq.hz(97) { printf("%d\n", cpu()) }' -D MAXLOAD=0
cat >guest <<'SH'
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" --flight=1 -v "$1/storm.ko" >storm.out 2>storm.said &
storm=$!
wait_armed storm
THREADS="8 24" PROBERUN="$PROBERUN" MODULE="$1/flight.ko" \
	bash "$TOP/testsuite/live/flight.sh" || exit
kill -USR2 $storm
wait_for 'the snapshot of all system calls' has_line storm.out '--- snapshot 1 on *: SIGUSR2: *'
kill -INT $storm
wait $storm || fail 'the second recorder' storm.said
awk '/^---/ { next } NF > 2 || !NF { exit 1 } END { exit NR < 1000 }' storm.out ||
	fail 'a torn line' storm.out
SH
"$TOP/lab/run" --smp 8 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./guest "$PWD" \
	>out 2>&1 || fail "status $?" out
