# SPDX-License-Identifier: GPL-2.0
# system(): runs in order after printed output, as the user who called sudo, with the session's
# output; the end waits for it.
. "$TOP/testsuite/expect.sh"
cd /tmp
remember
lines() { sort "$1" | tr '\n' ' '; } # in any order: commands run concurrently
words() { grep -v 'waiting for commands' e; } # printed on a slow machine

"$PROBERUN" "$MODULE" >o 2>e || fail 'status' e
[ "$(lines o)" = 'after before end last said ' ] && [ -z "$(words)" ] ||
	fail 'what it prints, to the end' o
[ "$(head -n 1 o)" = before ] || fail 'the command came before what was printed before it' o
ended_clean 'a command'

timeout 60 "$PROBERUN" "$MODULE" hot=1 >o 2>e || fail 'from a hit: status' e
[ "$(lines o)" = 'after before end hit hot last said ' ] || fail 'from a hit' o

SUDO_UID=65534 SUDO_GID=65534 "$PROBERUN" "$MODULE" cmd='id -u; id -g; cat; echo to-stderr >&2' >o \
	2>e || fail 'of a user' e
[ "$(grep -cx 65534 o)" = 2 ] || fail 'not as the user who called sudo' o
[ "$(words)" = to-stderr ] || fail 'its standard error' e

"$PROBERUN" --format json "$MODULE" cmd='printf "a\\nb"' >o 2>e || fail 'json: status' e
[ "$(grep -c '"type":"system".*"text":"a\\n"' o)" = 1 ] &&
	grep -q '"type":"system".*"text":"b"' o || fail json o
tail -n 1 o | grep -q '"type":"summary"' || fail 'json: its last object' o
"$PROBERUN" --format csv "$MODULE" >o 2>e || fail 'csv: status' e
grep -qx said e && ! grep -q said o || fail csv e

"$PROBERUN" -o file "$MODULE" >o 2>e || fail '-o: status' e
[ ! -s o ] && [ "$(lines file)" = 'after before end last said ' ] || fail '-o' file
name=$("$PROBERUN" -F "$MODULE" hot=2 cmd='echo said; sleep 0.1; echo more' 2>e) || fail '-F' e
"$PROBERUN" --stop "$name" >o 2>/dev/null || fail '--stop' o
for line in before said more last; do
	grep -qx $line o || fail "in the background: no '$line'" o
done

"$PROBERUN" "$MODULE" long_one=1 >o 2>e || fail 'a long one: status' e
[ "$(head -n 1 o)" = 'a command that may have been cut is not run' ] && ! grep -q '^1' o ||
	fail 'a long one' o

# More commands than may run at once: reported once, and nothing else.
mkfifo gate
exec 3<>gate
# All of them are there before the first one ends: others may start then.
: >e >o
"$PROBERUN" "$MODULE" times=80 cmd='read _ </tmp/gate; echo slept' >o 2>e &
wait_for 'one that is not started' grep -qs 'not started' e
wait_for 'the last one' grep -qsx after o
printf '\n%.0s' {1..64} >&3
wait $! || fail 'many: status' e
exec 3>&-
rm gate
[ "$(grep -c slept o)" = 64 ] && [ "$(grep -c 'not started.*\[E_COMMAND\]' e)" = 1 ] || fail many e

# ^C leaves a command behind that does not end.
: >e
env --default-signal=INT "$PROBERUN" "$MODULE" cmd='echo $$; exec sleep 1000' >o 2>e &
wait_for 'the note that it waits' grep -qs 'waiting for commands' e
kill -INT $!
wait $! || fail 'left behind: status' e
left=$(grep -E '^[0-9]+$' o)
kill "$left" || fail 'the command is gone' o
wait_for 'its end' eval "! kill -0 $left 2>/dev/null"
nothing_left 'after ^C'
