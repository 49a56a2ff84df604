# SPDX-License-Identifier: GPL-2.0
# --attach NAME --monitor in a real terminal, tmux, on a planted session: each page, keys, switches
# of probes, another size of the terminal, and that the terminal is restored by each way out.
#@ needs: root tmux python3
. "$TOP/testsuite/terminal.sh"
name=planted-$$ planted=''
unplant() {
	[ -z "$planted" ] || kill "$planted"
	wait "$planted"
	planted=''
}
plant() { # [MODE]
	unplant
	"$TOP/testsuite/planted-session" "$name" "$PWD/asked" "$@" &
	planted=$!
	wait_for 'the session' test -S "/run/probec/$name.sock"
}
trap 'tmux kill-server 2>/dev/null; unplant 2>/dev/null' EXIT
start() { # [WORD]
	open_terminal "\"$PROBERUN\"" --attach "$name" "${1:---monitor}"
	see 'q detach'
}
ordered() { wait_for "the order '$1'" grep -qx "$1" asked.orders; }
plant
# restored STATUS
restored() {
	see "status $1"
	see iexten
	grep -q 'before it' screen && grep -qw icanon screen && grep -qw echo screen &&
		! grep -q -- '-echo ' screen || fail 'the terminal is not restored' screen
}

start
see '^reads{execname="dd"} *10[0-9]* '
grep -q '^us *40 .* mean 1.50 min 1 max 3$' screen && grep -q '^state *a "b"$' screen ||
	fail 'globals' screen
head -n 1 screen | grep -q "^$name .* lost 7 " || fail 'the heading' screen
[ "$(grep -n 'execname="dd"' screen | cut -d: -f1)" -lt "$(grep -n 'execname="cat"' screen |
	cut -d: -f1)" ] || fail 'the order by value' screen
see '^line [0-9]* \\x1b\[2Jend$'
key s
see 'by rate'
key s
see 'by name'
[ "$(grep -n 'execname="cat"' screen | cut -d: -f1)" = 3 ] || fail 'the order by name' screen
key h
see '^HISTOGRAM'
see '^ *1 *30 | @@@@@@'
key p
see '^kernel.function("vfs_read") *1[0-9]* '
ordered 'interval 1000'
key Enter
see '^kernel.function("vfs_read") *1[0-9]* *off '
ordered 'off 0'
key Enter
ordered 'on 0'
see '^kernel.function("vfs_read") *1[0-9]* *[0-9.]* '
key Down
key Enter
see "this probe can't be switched"
key +
see ' every 0.5 s'
ordered 'interval 500'
key -
see ' every 1 s'
key Space
see PAUSED
tmux resize-window -t m -x 60 -y 12
see '^PROBE'
tmux resize-window -t m -x 130 -y 40
see '  x end the session'
[ "$(wc -l <asked.orders)" = 5 ] || fail 'orders' asked.orders
key q
restored 0
grep -q "detached; the session '$name' continues" screen || fail 'what is said' screen

start
kill -TERM "$(cat pid)"
restored 0
start
kill -SEGV "$(cat pid)"
restored 139
start
key x
restored 3
grep -q '^the rest$' screen || fail 'the rest of the output' screen
[ "$(cat asked)" = mmmms ] || fail 'what was asked for' asked

start --monitor=0.25
see ' every 0.25 s'
ordered 'interval 250'
key -
ordered 'interval 500'

# A session has no values, and one was started by a proberun that takes no orders.
plant bare
start
see '^values need a session started with --monitor or --metrics'
key p
see '^PROBE'
plant old
start
see '^reads{execname="dd"} *10[0-9]* '
key p
see '^kernel.function("vfs_read") *1[0-9]* '
key Enter
see 'was started by an older proberun'
key Down
see 'q detach'
key +
see 'was started by an older proberun'
key q
restored 0

"$PROBERUN" --attach "$name" --monitor >out 2>said </dev/null && fail 'without a terminal' said
grep -q -- '--monitor needs a terminal' said || fail 'what is said without a terminal' said
for seconds in 0.05 3601 0x9 1e2 inf x ''; do
	"$PROBERUN" --attach "$name" --monitor="$seconds" >out 2>said && fail 'an interval' said
	grep -q "'$seconds': not a number of seconds from 0.1 to 3600" said ||
		fail 'what is said about an interval' said
done
TERM=nosuch script -qec "'$PROBERUN' --attach $name --monitor" /dev/null >out 2>&1 </dev/null
grep -q "does not know the terminal 'nosuch'" out || fail 'an unknown terminal' out
