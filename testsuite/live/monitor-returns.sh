#@ needs: tmux
# --monitor: a probe of returns that is switched off and on in the middle of calls counts those
# that began after it was switched on.
. "$TOP/testsuite/expect.sh"
PATH=/usr/bin:/bin:/usr/sbin:/sbin
. "$TOP/testsuite/terminal.sh"
dir=/run/monitor.test
clean() {
	tmux kill-server
	kill "$reader"
	wait
	rm -rf "$dir"
}
reader=
trap 'clean >/dev/null 2>&1' EXIT
mkdir "$dir" && cd "$dir" || exit 1
export LC_ALL=C.UTF-8 TERM=screen

switch() { # STATE: the probe of returns, which is the second one
	key p
	see '^kernel.function("pipe_read'
	key Home
	key Down
	key Enter
	wait_for "the returns are $1" is "$1"
	key g
}
is() { # on|off
	local word
	tmux capture-pane -p -t m >screen
	word=$(sed -n 4p screen | cut -c58-68 | tr -d ' ')
	[ "$1" = off ] && [ "$word" = off ] || { [ "$1" = on ] && [ -n "${word##off}" ]; }
}
# A call that waits gets a byte, and so ends; the next one begins.
calls=1
call() { # ENDED: so many have ended with the probe on
	printf x >&9
	calls=$((calls + 1))
	see "^begun{execname=\"pipe_reader\"} *$calls "
	see "^ended{execname=\"pipe_reader\"} *$1 "
}

mkfifo pipe
ln -s /bin/cat pipe_reader
exec 9<>pipe
open_terminal "\"$PROBERUN\"" --monitor=0.2 "$MODULE"
see 'q detach'
./pipe_reader <pipe >/dev/null &
reader=$!
see '^begun{execname="pipe_reader"} *1 '
call 1
call 2
# It ends while the probe is off.
switch off
call 2
# It began while the probe was off.
switch on
call 2
call 3
# It began before the probe was off, and ends when it is on again: its point was disarmed between.
switch off
switch on
call 3
call 4
key q
see '^status 0$'
exit 0
