# SPDX-License-Identifier: GPL-2.0
# signal.send reports what the receiver of the signal is told: sent by kill(), tgkill() and
# sigqueue(), by timers of both kinds, for an invalid address, for one that cannot be valid, for a
# pipe without a reader, and when a child ends.
# Each: the kernel's functions and tracepoints differ.
. "$TOP/testsuite/expect.sh"
cc -std=gnu11 -o /tmp/tap-signal-send tap-signal-send.c || exit 1
"$PROBERUN" -o /tmp/sent -c 'cd /tmp; exec ./tap-signal-send >received' "$MODULE" 2>/tmp/said ||
	fail 'the session' /tmp/said
[ "$(wc -l </tmp/received)" = 9 ] || fail 'the program did not get its signals' /tmp/received
# The second bad address is one that x86-64 refuses before it looks for a page.
case $(uname -m) in x86_64) refused=128 ;; *) refused=1 ;; esac
[ "$(cut -d ' ' -f 1-2 /tmp/received | tr '\n' ,)" = \
	"10 0,12 -6,35 -1,14 128,10 -2,11 1,11 $refused,13 0,17 1," ] ||
	fail 'what it got' /tmp/received
diff /tmp/received /tmp/sent || fail 'what was sent is not what was received'
