#@ needs: tmux
# --monitor on a session of its own, and on one in the background: the numbers are right, and how
# the view ends decides about the session.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
dir=/run/monitor.test server=0
tmux() { command tmux -S "$dir/tmux.$server" -f /dev/null "$@"; }
clean() {
	tmux kill-server
	wait
	rm -rf "$dir"
}
trap 'clean >/dev/null 2>&1' EXIT
mkdir "$dir" && cd "$dir" || exit 1
export LC_ALL=C.UTF-8 TERM=screen

shows() { tmux capture-pane -p -t m >screen && grep -q -- "$1" screen; }
see() { wait_for "'$1' on the screen" shows "$1" || fail "no '$1' on the screen" screen; }
none_runs() { ! "$PROBERUN" --list | grep -q probec_ && ! grep -q '^probec_' /proc/modules; }
# start WORD...: the view, in a shell that tells its status.
start() {
	cat >inside <<X
#!/bin/sh
sh -c 'echo \$\$ >pid; exec "$PROBERUN" $*'
echo "status \$?"
exec cat
X
	chmod +x inside
	# A server that is ending would still answer at its own socket.
	tmux kill-server 2>/dev/null
	server=$((server + 1))
	tmux new-session -d -x 110 -y 30 -s m "$dir/inside"
}

start --monitor "$MODULE"
see 'q detach'
dd if=/dev/zero of=/dev/null bs=512 count=10 2>/dev/null
see '^reads{execname="dd"} *10 '
grep -q '^sizes *10 .* mean 512 min 512 max 512$' screen || fail 'the aggregate' screen
see '^ten of them$'
tmux send-keys -t m h
see '^ *1023 *10 | @@@'
tmux send-keys -t m p
see '^kernel.function("read.* [1-9][0-9]* '
tmux send-keys -t m q
see '^status 0$'
see '^  *512 |@@*'
wait_for 'the end of the session' none_runs

# In the background: q leaves it alone, x ends it.
name=$("$PROBERUN" -F "$MODULE" 2>said) || fail '-F' said
start --attach "$name" --monitor
dd if=/dev/zero of=/dev/null bs=512 count=7 2>/dev/null
see '^reads{execname="dd"} *7 '
tmux send-keys -t m q
see "detached; the session '$name' continues"
"$PROBERUN" --list | grep -q "^$name .* runs" || fail 'q has ended the session'
start --attach "$name" --monitor
see '^reads{execname="dd"} *7 '
tmux send-keys -t m x
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
