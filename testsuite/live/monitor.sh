#@ needs: tmux
# --monitor on a session of its own, and on one in the background: the numbers are right, and how
# the view ends decides about the session.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
. "$TOP/testsuite/terminal.sh"
dir=/run/monitor.test
clean() {
	tmux kill-server
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir "$dir" && cd "$dir" || exit 1
export LC_ALL=C.UTF-8 TERM=screen

none_runs() { ! "$PROBERUN" --list | grep -q probec_ && ! grep -q '^probec_' /proc/modules; }
start() { open_terminal "\"$PROBERUN\"" "$@"; }

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
