# SPDX-License-Identifier: GPL-2.0
# Each site's state in the kernel, by -v, -t and the JSON stream, compared with the kernel's own
# list while the probes are armed.
# Each: what arms these probes differs between kernels.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
"$PROBERUN" -v -t "$MODULE" -c 'sleep 0.5; cat /sys/kernel/debug/kprobes/list >/run/list' >said \
	2>&1 || fail 'the session' said
grep -q 'site kernel vfs_write+0x0: armed, by ftrace \[FTRACE\]$' said || fail 'an entry' said

# A kprobe has the marks that the list has.
[ -s list ] || fail 'the list has nothing'
while read -r _ _ place marks; do
	grep -E "site kernel ${place%+*}\+0x0: armed, by k(ret)?probe " said |
		grep -qF "probe $marks" ||
		fail "$place: not '$marks'" said
	[ -z "$marks" ] || grep -qF "    the kernel's marks: ${marks%%]*}]" said ||
		fail "-t does not say '$marks'" said
done <list
grep -q ' vfs_write+' list || fail 'no return' list
grep -Eq '^ +[0-9]+ instances for calls in flight, grown [0-9]+ times' said ||
	fail 'no account' said

"$PROBERUN" -t --format json "$MODULE" -c 'cat /etc/passwd >/dev/null' >json 2>said ||
	fail 'json' said
grep -q '"type":"timing".*"sites":\[{"probe":0,"object":"kernel","symbol":"' json ||
	fail 'no sites' json
grep -q '"symbol":"vfs_write","offset":0,"state":"armed","by":"ftrace","kernel":\["FTRACE"\]}' \
	json || fail 'an entry in json' json

# The return pool has room for every thread that exists.
threads=$(find /proc/[0-9]*/task -maxdepth 1 -name '[0-9]*' 2>/dev/null | wc -l)
grep -Eq '"by":"kretprobe","instances":[0-9]+,"grown":[0-9]+,"timed"' json ||
	fail 'no account in json' json
[ "$(sed -n 's/.*"instances":\([0-9]*\).*/\1/p' json)" -ge "$threads" ] ||
	fail "fewer instances than $threads threads" json

# Another owner's kprobe is disabled at the place of ours: the list marks only that one. It is
# after endbr64.
events=/sys/kernel/tracing/kprobe_events
[ -e $events ] || { echo "this kernel's tracing has no kprobe events"; exit 77; }
echo 'p:other vfs_write' >$events || fail 'no event'
"$PROBERUN" -v "$MODULE" -c 'sleep 0.5; cat /sys/kernel/debug/kprobes/list >/run/list' >said 2>&1 ||
	fail 'beside another' said
echo >$events
grep -q ' vfs_write+.*\[DISABLED\]' list || fail 'the other is not switched off' list
# Only kprobes of x86-64 use ftrace's call.
mark='\[FTRACE\]'
[ "$(uname -m)" = x86_64 ] || mark=
grep -q "site kernel vfs_write+0x0: armed, by kretprobe $mark\$" said ||
	fail 'beside another that is switched off' said list
