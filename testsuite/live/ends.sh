# SPDX-License-Identifier: GPL-2.0
# Ends that have a cause outside of the session: signals, once and twice; a command that is killed;
# a terminal, pipe or disk that is gone; rmmod. Each is orderly or quick, and nothing is left
# afterwards.
. "$TOP/testsuite/expect.sh"
cp "$MODULE" /tmp/ends.ko
cd /tmp
run=(env --default-signal=INT,QUIT "$PROBERUN")
said() { grep -q "$1" said; }
begin() { # ARGUMENT...: a session in the background whose probes are armed; its output is said
	: >said
	"${run[@]}" "$@" >said 2>&1 &
	pid=$!
	wait_for "the first tick" said '^tick'
}
gone() { ! kill -0 "$1" 2>/dev/null; }
remember

for signal in INT TERM HUP; do
	begin ends.ko
	kill -s "$signal" "$pid"
	wait "$pid" || fail "$signal: status $?" said
	[ "$(tail -n 1 said)" = 'end 1' ] || fail "$signal: not to its end" said
	ended_clean "$signal"
done

# A signal that terminates by default without being caught ends the session without end probes.
begin ends.ko
{ kill -s QUIT "$pid" && wait "$pid"; } 2>/dev/null && fail 'QUIT: status 0'
nothing_left QUIT

# After two signals nobody waits for the kernel to disarm the probes: if that takes longer, a
# message says that the guardian process removes the module.
left_soon() { # WHAT
	same_as_remembered || said 'proberun-guard removes the module' ||
		fail "$1: left behind without a word" said
	nothing_left "$1"
}

# A second signal while the end probe runs: the session does not wait the ten minutes that it would
# take.
begin ends.ko linger=600000
kill -s INT "$pid"
wait_for 'the end probe' said '^ending'
kill -s TERM "$pid"
wait "$pid"
! said '^end ' || fail 'a second signal: the end probe ran to its end' said
left_soon 'a second signal'

# The same signal twice at once, as to a whole group and passed on by a member, counts as one: the
# session ends in order.
begin ends.ko
kill -s INT "$pid"
kill -s INT "$pid"
wait "$pid"
said '^end ' || fail 'INT twice at once: no end probe' said
ended_clean 'INT twice at once'

# A second signal while the rest of the output cannot be written: nobody ever reads the pipe.
mkfifo pipe
exec 5<>pipe
"${run[@]}" -v ends.ko lines=20000 >pipe 2>said &
pid=$!
wait_for 'a full pipe' sh -c \
	"grep -q pipe_write /proc/$pid/stack || grep -q pipe_write /proc/$pid/wchan"
kill -s INT "$pid"
kill -s TERM "$pid"
wait "$pid"
exec 5>&-
left_soon 'a second signal and a full pipe'

# The command of -c is killed; the session is ended by ^C and ends the command.
begin -c 'echo "its $$"; exec sleep 1000' ends.ko
wait_for 'the command' said '^its'
kill -s KILL "$(sed -n 's/^its //p' said)"
wait "$pid"
[ $? = 1 ] || fail "-c killed: status" said
said 'ended by signal 9 \[E_COMMAND\]' && said '^end ' ||
	fail '-c killed: not told, or not to its end' said
ended_clean '-c killed'
begin -c 'echo "its $$"; exec sleep 1000' ends.ko
wait_for 'the command' said '^its'
command=$(sed -n 's/^its //p' said)
kill -s INT "$pid"
wait "$pid" || fail "-c and INT: status $?" said
gone "$command" || fail "-c and INT: the command goes on" said
ended_clean '-c and INT'

# The process of -x is killed.
sleep 1000 &
process=$!
begin -x "$process" ends.ko
{ kill -s KILL "$process" && wait "$process"; } 2>/dev/null
wait "$pid" || fail "-x killed: status $?" said
said '^end ' || fail '-x killed: not to its end' said
ended_clean '-x killed'

# The terminal is closed: the session gets SIGHUP, or, if it ignores that, an error from its output.
for how in '' "trap '' HUP;"; do
	script -qc "echo \$\$ >its; $how exec $PROBERUN -v /tmp/ends.ko 2>said" /dev/null \
		>terminal 2>&1 </dev/null &
	terminal=$!
	wait_for 'its output in a terminal' grep -qs '^tick' terminal
	process=$(cat its)
	{ kill -s KILL "$terminal" && wait "$terminal"; } 2>/dev/null
	wait_for "the end of a session without a terminal ($how)" gone "$process"
	nothing_left "a closed terminal ($how)"
	rm -f terminal
done

# A pipe whose reader leaves; a script that prints all the time, and one that prints nothing.
for interval in ends.ko 'ends.ko lines=20000'; do
	# shellcheck disable=SC2086
	"${run[@]}" -v $interval 2>said | head -n 1 >head
	status=${PIPESTATUS[0]}
	[ "$status" = 0 ] && [ "$(cat head)" = begin ] || fail "head -n 1: status $status" said
	said 'nobody reads the output' || fail 'head -n 1: not the end that was meant' said
	ended_clean 'head -n 1'
done

# A full disk, and a limit on file size.
mkdir full
mount -t tmpfs -o size=64k tmpfs full
"${run[@]}" -o full/out ends.ko lines=20000 >said 2>&1 && fail 'a full disk: status 0' said
said 'could not be written: No space left on device \[E_IO\]' || fail 'a full disk: not said' said
umount full
ended_clean 'a full disk'
(ulimit -f 64; "${run[@]}" -o limited ends.ko lines=20000) >said 2>&1 &&
	fail 'a limited file: status 0' said
said 'could not be written: File too large \[E_IO\]' || fail 'a limited file: not said' said
ended_clean 'a limited file'

# rmmod fails while the session runs, and does not affect it.
begin ends.ko
name=$(grep -o '^probec_[^ ]*' /proc/modules)
rmmod "$name" 2>/dev/null && fail 'rmmod of a running session'
[ -e "/sys/module/$name" ] || fail 'rmmod of a running session took it away'
ticks=$(grep -c tick said)
wait_for 'more output after rmmod' sh -c "[ \$(grep -c tick said) -gt $ticks ]"
kill -s INT "$pid"
wait "$pid" || fail "after rmmod: status $?" said
ended_clean 'rmmod'

# rmmod -f, if the kernel supports it, ends the session before it removes the module.
begin ends.ko
name=$(grep -o '^probec_[^ ]*' /proc/modules)
if rmmod -f "$name" 2>/dev/null; then
	wait "$pid" || fail "rmmod -f: status $?" said
	[ "$(tail -n 1 said)" = 'end 1' ] || fail 'rmmod -f: not to its end' said
else
	kill -s INT "$pid"
	wait "$pid" || fail "rmmod -f was refused: status $?" said
fi
ended_clean 'rmmod -f'
