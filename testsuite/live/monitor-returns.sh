# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ needs: tmux
# --monitor: a probe of returns that is switched off and on in the middle of calls counts those
# that began after it was switched on.
. "$TOP/testsuite/expect.sh"
. "$TOP/testsuite/monitor.sh"

switch_returns() { # STATE: the second probe
	key p
	see '^kernel.function("\(anon_\)\?pipe_read'
	switch 1 "$1"
	key g
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
start --monitor=0.2 "$MODULE"
see 'q detach'
./pipe_reader <pipe >/dev/null &
see '^begun{execname="pipe_reader"} *1 '
call 1
call 2
# It ends while the probe is off.
switch_returns off
call 2
# It began while the probe was off.
switch_returns on
call 2
call 3
# It began before the probe was off, and ends when it is on again: its point was disarmed between.
switch_returns off
switch_returns on
call 3
call 4
key q
see '^status 0$'
exit 0
