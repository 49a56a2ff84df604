# SPDX-License-Identifier: GPL-2.0
# Probes of standard input: lines, a long line in parts, an incomplete last line, the end of the
# input, none in the background, a command of -c that does not take it away, and kill -9.
# Once: the loader and the terminal do the work.
. "$TOP/testsuite/expect.sh"
is() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }

{ echo one; echo; printf '%0600d\n' 5; printf 'last!'; } |
	"$PROBERUN" "$MODULE" >/tmp/input.out || fail "status $?" /tmp/input.out
# Characters come before the line that they complete unless the script has input.line first.
is 'lines' "$(cat /tmp/input.out)" 'ready
line 1: 4 <one
>
line 2: 1 <
>
line 3: 511 <00000000>
line 4: 90 <00000000>
chars <one

0>'

# The end of the input does not end the session; the command of -c does.
echo two | "$PROBERUN" "$MODULE" -c 'cat; sleep 0.5' >/tmp/input.out ||
	fail "status $?" /tmp/input.out
is 'with -c' "$(cat /tmp/input.out)" 'ready
line 1: 4 <two
>'
"$PROBERUN" -T 1 "$MODULE" <&- >/tmp/input.out ||
	fail 'no standard input' /tmp/input.out
is 'closed' "$(cat /tmp/input.out)" ready

# Flooded and killed, and stopped by ^C while the output is not read.
yes abc | "$PROBERUN" "$MODULE" >/dev/null 2>&1 &
sleep 0.5
{ kill -KILL $!; wait $!; } 2>/dev/null
wait_unloaded 'killed'
mkfifo /tmp/input.fifo
yes abc | "$PROBERUN" "$MODULE" >/tmp/input.fifo 2>/dev/null &
pid=$!
exec 5</tmp/input.fifo
sleep 1
kill -INT "$pid"
sleep 0.5
kill -INT "$pid" 2>/dev/null
wait "$pid"
exec 5<&-
unloaded 'interrupted'
rm -f /tmp/input.*
