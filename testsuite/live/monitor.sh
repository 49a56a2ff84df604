# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: tmux
# --monitor on a session of its own, and on one in the background: the numbers are right, probes are
# switched off and on, and how the view ends decides about the session.
# Once: the loader and the terminal do the work.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/monitor.sh"

none_runs() { ! "$PROBERUN" --list | grep -q probec_ && ! grep -q '^probec_' /proc/modules; }

start --monitor "$MODULE"
see 'q detach'
dd if=/dev/zero of=/dev/null bs=512 count=10 2>/dev/null
see '^reads{execname="dd"} *10 '
grep -q '^sizes *10 .* mean 512 min 512 max 512$' screen || fail 'the aggregate' screen
see '^ten of them$'
key h
see '^ *1023 *10 | @@@'
key p
see '^kernel.function("read.* [1-9][0-9]* '
key q
see '^status 0$'
see '^  *512 |@@*'
wait_for 'the end of the session' none_runs

# Rows 0 and 1 are the first declaration, 2 and 3 the second one. The numbers of dd decide: "writes"
# shows when the screen has them.
# The messages of dd would be writes to /dev/null as well.
copy() { dd if=/dev/zero of=/dev/null bs=512 count="$1" status=none; }
hits() { # the hits of the first declaration
	grep '^kernel.function("read' screen | head -n 2 | cut -c46-57 |
		awk '{ n += $1 } END { print n }'
}
start --monitor=0.2 "$MODULE"
see 'q detach'
copy 10
see '^reads{execname="dd"} *10 '
key p
see '^kernel.function("write_null'
before=$(hits)
[ "$before" -ge 10 ] || fail 'hits' screen
switch 0 off
switch 1 off
copy 5
key g
see '^writes{execname="dd"} *15 '
grep -q '^reads{execname="dd"} *10 ' screen || fail 'a probe that is off has run' screen
grep -q '^again{execname="dd"} *15 ' screen || fail 'the other probe of its point is off' screen
key p
see '^kernel.function("write_null'
[ "$(hits)" = "$before" ] || fail 'hits while it is off' screen
# Now nothing is left at the points: they are disarmed.
switch 2 off
switch 3 off
copy 5
key g
see '^writes{execname="dd"} *20 '
grep -q '^again{execname="dd"} *15 ' screen || fail 'a probe that is off has run' screen
key p
see '^kernel.function("write_null'
switch 0 on
switch 1 on
copy 7
key g
see '^writes{execname="dd"} *27 '
see '^reads{execname="dd"} *17 '
grep -q '^again{execname="dd"} *15 ' screen || fail 'switched on with another probe' screen
key q
see '^status 0$'
wait_for 'the end of the session' none_runs
grep -q 'E_SKIPPED' screen && fail 'a hit while off is lost' screen

# In the background: q leaves it alone, x ends it.
name=$("$PROBERUN" -F "$MODULE" 2>said) || fail '-F' said
start --attach "$name" --monitor
dd if=/dev/zero of=/dev/null bs=512 count=7 2>/dev/null
see '^reads{execname="dd"} *7 '
key q
see "detached; the session '$name' continues"
"$PROBERUN" --list | grep -q "^$name .* runs" || fail 'q has ended the session'
start --attach "$name" --monitor
see '^reads{execname="dd"} *7 '
key x
see '^status 0$'
wait_for 'the end by x' none_runs

# A session of its own ends with the view, even one that is killed.
start --monitor "$MODULE"
see 'q detach'
kill -KILL "$(cat pid)"
# Nobody has restored the terminal: the shell writes where the view left the cursor.
see 'status 137'
wait_for 'the end of a session whose view was killed' none_runs
exit 0
