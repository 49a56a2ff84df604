# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# Points that must not be probed, compiled for this machine without its blacklist, as on a machine
# without debugfs. If the loader has the blacklist, it refuses them, also those that ftrace would
# accept; otherwise the kernel refuses them when they are armed. A named point is an error; matches
# of a wildcard, and optional points, are left out with one warning that counts them; if none is
# left, that is an error.
. "$TOP/testsuite/expect.sh"
cd /tmp
blind() { # COMMAND...: without debugfs
	unshare -m sh -c 'mount -t tmpfs tmpfs /sys/kernel/debug && exec "$0" "$@"' "$@"
}
blind "$PROBERUN" --describe >target || fail 'no target'
build() { # NAME SCRIPT
	"$PROBEC" -p4 -r ./target -e "$2" >module 2>said || fail "$1 does not build" said
	cp "$(cat module)" "$1.ko"
}
end='probe error { println("error probe") } probe end { println("end") }'
build named \
	"global n probe kprobe.function(\"vfs_read\"), kprobe.function(\"do_int3\"), kprobe.function(\"exc_int3\") { n <<< 1 } $end"
build wild \
	"global n probe kprobe.function(\"*_int3\"), kprobe.function(\"vfs_read\") { n <<< 1 } probe timer.ms(50) { exit() } $end"
build optional \
	"global n probe kprobe.function(\"exc_int3\")?, kprobe.function(\"vfs_read\")? { n <<< 1 }
probe timer.ms(50) { exit() } $end"
build none "global n probe kprobe.function(\"exc_int3*\") { n <<< 1 } $end"
remember

refused E_ARM 'a named point' blind "$PROBERUN" -T 10 named.ko
grep -q "'exc_int3' could not be armed: Invalid argument" said && grep -q blacklist said ||
	fail 'a named point: not said' said
grep -qx 'error probe' said && ! grep -qx end said ||
	fail 'a named point: error probes are for that' said
ended_clean 'a named point'

refused E_NOT_PROBEABLE 'a listed point' "$PROBERUN" -T 10 named.ko
for f in do_int3 exc_int3; do
	grep -q "'$f' can't be probed: it is on the kernel's blacklist" said ||
		fail "$f: not said" said
done
! grep -q "'vfs_read'\|error probe\|^end" said || fail 'a listed point: the session began' said
ended_clean 'a listed point'

blind "$PROBERUN" wild.ko >out 2>said || fail 'a wildcard' said
grep -q '^end' out || fail 'a wildcard: not to its end' out
[ "$(grep -c '\[E_ARM\]' said)" = 1 ] &&
	grep -qE '[1-9][0-9]* probe points? of wildcards, or with [?], could not be armed' said ||
	fail 'a wildcard: one warning' said
ended_clean 'a wildcard'

"$PROBERUN" wild.ko >out 2>said || fail 'listed ones of a wildcard' said
grep -q '^end' out || fail 'listed ones of a wildcard: not to its end' out
[ "$(grep -c warning: said)" = 1 ] &&
	grep -qE "[1-9][0-9]* probe points? of wildcards, .* are on the kernel's blacklist" said ||
	fail 'listed ones of a wildcard: one warning' said
ended_clean 'listed ones of a wildcard'

for how in blind ''; do
	$how "$PROBERUN" optional.ko >out 2>said || fail "an optional point $how" said
	grep -q '^end' out || fail "an optional point $how: not to its end" out
	[ "$(grep -c warning: said)" = 1 ] &&
		grep -q "1 probe point of wildcards, or with ?, .*'exc_int3'" said ||
		fail "an optional point $how: one warning" said
	ended_clean "an optional point $how"
done

for how in blind ''; do
	refused E_ARM "none $how" $how "$PROBERUN" -T 10 none.ko
	grep -q 'the only probe point could not be armed' said ||
		fail "none $how: not said" said
	ended_clean "none $how"
done

"$PROBERUN" -c 'cat /etc/hostname >/dev/null' "$MODULE" >out 2>said && [ "$(cat out)" = 'end 1' ] ||
	fail 'a good one' said
