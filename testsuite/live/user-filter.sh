# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc unshare nsenter
# Conditions on the process keep breakpoints out of processes that can't meet them: each process
# reads the first byte of the probed functions in its own memory. No call that a condition accepts
# is lost, whenever and however its process came into the container.
. "$TOP/testsuite/expect.sh"
gcc -std=gnu11 -O1 -pthread -o /tmp/user-filter user-filter.c || exit 1
mkdir /tmp/filter && cd /tmp/filter || exit 1
started= name=none
cleanup() {
	exec 2>/dev/null
	"$PROBERUN" --stop "$name"
	for pid in $started; do kill -9 "$pid"; done
	wait
	rm -r /tmp/filter /tmp/user-filter
}
trap cleanup EXIT

start() { # NAME COMMAND...: sets $NAME to the process id of the program
	"${@:2}" >"$1" 2>>log &
	wait_for "$1" test -s "$1"
	printf -v "$1" %s "$(head -n 1 "$1")"
	started="$started ${!1}"
}
calls() { # NAME: lets it call both functions
	local before
	before=$(grep -c called "$1")
	kill -USR1 "${!1}"
	for _ in $(seq 200); do
		[ "$(grep -c called "$1")" = "$before" ] || return 0
		sleep 0.05
	done
	fail "$1 does not call" "$1" log
}
# The first byte of a breakpoint: int3, or brk #5.
breakpoint=cc
[ "$(uname -m)" != aarch64 ] || breakpoint=a0
bytes() { # NAME: whether it has seen breakpoints, as "strfry memfrob"
	tail -n 2 "$1" | sed -n 's/^\(..\) \(..\)$/\1 \2/p' |
		sed "s/$breakpoint/breakpoint/g; s/\<..\>/-/g"
}
has() { # NAME WANTED
	calls "$1"
	[ "$(bytes "$1")" = "$2" ] || fail "$1: $(bytes "$1") instead of $2" "$1"
}
session() { # PID
	name=$("$PROBERUN" -F -x "$1" "$MODULE" 2>said) || fail 'the session' said
}
gives() { # WANTED
	"$PROBERUN" --stop "$name" >out 2>said || fail 'its end' said
	[ "$(cat out)" = "$1" ] || fail "instead of $1" out said
}

start mine unshare --pid --fork /tmp/user-filter 5
start other unshare --pid --fork /tmp/user-filter 7
start outside /tmp/user-filter 9
start enters /tmp/user-filter 3 enter "$mine"
session "$mine"
has mine 'breakpoint breakpoint'
has other '- -'
# It could fork a process into the container, as the next one does.
has outside 'breakpoint -'
has enters 'breakpoint -'
start later nsenter --target "$mine" --pid /tmp/user-filter 4
has later 'breakpoint -'
start later_other nsenter --target "$other" --pid /tmp/user-filter 8
has later_other '- -'
gives '5 in target()
5 in 1
3 in 2
4 in 3'
for name in mine other outside later; do has $name '- -'; done

# A process whose first thread has ended.
start leader /tmp/user-filter 6 leader
session "$leader"
has leader 'breakpoint breakpoint'
has mine '- -'
gives "6 in target()
6 in $leader"
