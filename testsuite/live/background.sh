# SPDX-License-Identifier: GPL-2.0
# Sessions in the background: start, list, attach, leave, stop, kill; what they keep and what they
# lose.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
loaded() { grep -q "^$1 " /proc/modules; }
gone() { ! loaded "$1" && [ ! -S "/run/probec/$1.sock" ]; }

# Start: standard output has the name alone, the status is 0, the probes are armed, and the session
# is detached.
name=$("$PROBERUN" -F "$MODULE" 2>said) || fail '-F' said
loaded "$name" || fail "no module $name" said
grep -q -- "--attach $name .*--stop $name" said || fail 'how to reach it is not said' said
"$PROBERUN" --list >said || fail '--list' said
grep -q "^$name .* runs .*background.kp" said || fail '--list does not show it' said
pid=$(awk -v n="$name" '$1 == n { print $2 }' said)
[ "$(ps -o tty=,sid= -p "$pid" | tr -d ' ')" = "?$pid" ] || fail 'it is not in a session of its own'
for fd in 0 1 2; do
	[ "$(readlink "/proc/$pid/fd/$fd")" = /dev/null ] || fail "it holds our file $fd"
done

# The end of the terminal that started it does not end it.
name2=$(setsid -w script -qec "$PROBERUN -F $MODULE 2>/dev/null" /dev/null </dev/null | tr -d '\r') || fail 'in a terminal' said
loaded "$name2" || fail "it went with its terminal: $name2"
"$PROBERUN" --stop "$name2" 2>/dev/null | tail -n 1 | grep -qx end ||
	fail "it went with its terminal: $name2"

# Attach: the output from the beginning, then live output; messages go to standard error, once. ^C
# detaches.
"$PROBERUN" --attach "$name" >o 2>e &
viewer=$!
wait_for 'the tenth tick' grep -qs '^tick 10$' o
kill -INT "$viewer"
wait "$viewer" || fail 'attach: status' e
[ "$(head -n 4 o)" = $'begin 0\ntick 1\ntick 2\ntick 3' ] || fail 'what was kept' o
grep -q 'three' e && ! grep -q three o || fail 'warn() of the script' e
grep -q "detached; the session '.*' continues" e || fail 'detached, and it is not said' e
loaded "$name" || fail 'it ended with who was attached'

# A reader that disappears, and two readers at once; other users have no access.
"$PROBERUN" -A "$name" 2>/dev/null | head -n 1 >/dev/null
"$PROBERUN" -A "$name" >o1 2>/dev/null & a=$!
"$PROBERUN" -A "$name" >o2 2>/dev/null & b=$!
wait_for 'a tick for one' grep -qs '^tick 12$' o1
wait_for 'a tick for the other' grep -qs '^tick 12$' o2
install -m 755 "$PROBERUN" /run/proberun
for what in "--attach $name" "--stop $name" --list; do
	# shellcheck disable=SC2086
	refused_user() \
		{ ! setpriv --reuid=65534 --regid=65534 --clear-groups /run/proberun $what >said 2>&1 && grep -q E_NOT_ROOT said; }
	refused_user || fail "somebody else: $what" said
done
[ "$(stat -c '%a %u' /run/probec)" = '700 0' ] || fail 'others may enter /run/probec'

# Stop: whoever is attached gets the rest of the output and the end.
"$PROBERUN" --stop "$name" >o 2>e || fail '--stop' e
wait "$a" && wait "$b" || fail 'the status of those who were attached'
for f in o o1 o2; do
	[ "$(head -n 1 "$f")" = 'begin 0' ] && [ "$(tail -n 1 "$f")" = end ] ||
		fail "not from begin to end: $f" "$f"
done
wait_for 'its end' gone "$name"
"$PROBERUN" --list >said 2>&1 && [ ! -s said ] || fail 'still listed' said
refused_session() { ! "$PROBERUN" "$@" >said 2>&1 && grep -q '\[E_SESSION\]' said ||
	fail "$*" said; }
refused_session --stop "$name"
refused_session --attach no/such

# A session that ends by itself: the module is gone, its output stays until somebody has read it.
name=$("$PROBERUN" -F "$MODULE" last=5 2>/dev/null) || fail '-F last=5'
ended() { ! loaded "$name" && "$PROBERUN" --list | grep -q "^$name .* ended "; }
wait_for 'its end' ended
"$PROBERUN" --attach "$name" >o 2>e || fail 'attach after its end' e
[ "$(cat o)" = $'begin 0\ntick 1\ntick 2\ntick 3\ntick 4\ntick 5\nend' ] || fail 'what it kept' o
wait_for 'it is forgotten' gone "$name"

# More output than is kept: the oldest lines go and are counted; the last lines are whole, in order,
# and as many as fit.
name=$("$PROBERUN" -F -s 16 --suppress-time-limits -x $$ --keep 1 "$MODULE" most=3000 last=10 2>/dev/null) || fail '-F most='
wait_for 'its end' ended
"$PROBERUN" --stop "$name" >o 2>e || fail '--stop after its end' e
[ "$(stat -c %s o)" -le 1048576 ] && [ "$(stat -c %s o)" -gt 900000 ] ||
	fail "kept: $(stat -c %s o) bytes"
# One begin probe, ten ticks of 3000 lines with their heads, a warning, one end probe.
forgotten=$(sed -n 's/^proberun: \([0-9]*\) older lines are no longer kept$/\1/p' e)
[ "$((forgotten + $(wc -l <o)))" = 30013 ] || fail "forgotten $forgotten, kept $(wc -l <o)" e
head -n 1 o | grep -qE '^(tick [0-9]+|[0-9]+: a line of .* full)$' || fail 'the first line is cut' o
awk \
	'/^tick/ { want = 0; next } /^[0-9]+:/ { n = $1 + 0; if (want != "" && n != want) bad++; want = n + 1 } END { exit bad > 0 }' o ||
	fail 'lines are missing in what is kept'
[ "$(tail -n 1 o)" = end ] || fail 'not to the end'
wait_for 'it is forgotten' gone "$name"

# Kill: nothing is left, and its socket is recognised as stale.
name=$("$PROBERUN" -F "$MODULE" 2>/dev/null) || fail '-F'
pid=$("$PROBERUN" --list | awk -v n="$name" '$1 == n { print $2 }')
kill -KILL "$pid"
wait_for 'the guardian' eval "! loaded $name"
refused_session --attach "$name"
[ ! -e "/run/probec/$name.sock" ] || fail 'the socket of a killed session is left'
name=$("$PROBERUN" -F "$MODULE" 2>/dev/null) || fail '-F'
pid=$("$PROBERUN" --list | awk -v n="$name" '$1 == n { print $2 }')
kill -TERM "$pid"
wait_for 'SIGTERM ends it' gone "$name"

# Started by probec; when its name cannot be printed; when it ends before it is in the background.
name=$("$PROBEC" -w -F -m watch -G last=100000 "$TOP/testsuite/live/background.kp" 2>said) &&
	[ "$name" = watch ] || fail 'probec -F' said
"$PROBERUN" --stop watch 2>/dev/null | head -n 1 | grep -qx 'begin 0' || fail 'probec -F'
wait_for 'its end, though who stopped it has left' gone watch
! "$PROBERUN" -F "$MODULE" >/dev/full 2>said && grep -q 'E_IO' said ||
	fail 'no room for its name' said
wait_unloaded 'no room for its name'
! "$PROBERUN" -F "$MODULE" last=-1 >o 2>said && grep -q 'E_SESSION' said &&
	[ "$(cat o)" = $'begin 0\nend' ] ||
	fail 'exit() in the begin probe' said

# One that a probe ends at once is in the background, whether the loader has seen it run or not.
for turn in 1 2 3 4 5 6; do
	name=$("$PROBERUN" -F "$MODULE" last=-2 2>said) && [ -n "$name" ] || fail 'a short one' said
	"$PROBERUN" --attach "$name" >o 2>&1 || fail 'a short one: --attach' o
	[ "$(head -n 1 o)" = 'begin 0' ] && [ "$(tail -n 1 o)" = end ] ||
		fail 'a short one: its output' o
	wait_for 'the end of a short one' gone "$name"
done

# A session that cannot start does not go into the background.
refused E_OPTION '-c' "$PROBERUN" -F -c true "$MODULE"
refused E_OPTION 'unknown global' "$PROBERUN" -F "$MODULE" nosuch=1
[ -z "$(ls /run/probec | grep -vx kallsyms)" ] || fail 'something is left in /run/probec'
install -d -m 755 /run/other && mount --bind /run/other /run/probec
refused E_SESSION 'a directory that others may enter' "$PROBERUN" -F "$MODULE"
umount /run/probec
