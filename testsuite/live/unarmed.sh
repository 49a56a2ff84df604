# Points of which the kernel turns out to forbid a probe only when it is to be armed: compiled for this machine without
# its list of them, as on one without debugfs. A named one is an error; those of a wildcard are left out with one
# warning that counts them; when there is no other, that is an error.
. "$TOP/testsuite/expect.sh"
cd /tmp
unshare -m sh -c 'mount -t tmpfs tmpfs /sys/kernel/debug && exec "$0" --describe' "$PROBERUN" >target || fail 'no target'
build() { # NAME SCRIPT
	"$PROBEC" -p4 -r ./target -e "$2" >module 2>said || fail "$1 does not build" said
	cp "$(cat module)" "$1.ko"
}
end='probe error { println("error probe") } probe end { println("end") }'
build named "global n probe kprobe.function(\"vfs_read\"), kprobe.function(\"exc_int3\") { n <<< 1 } $end"
build wild "global n probe kprobe.function(\"exc_int3*\"), kprobe.function(\"vfs_read\") { n <<< 1 } probe timer.ms(50) { exit() } $end"
build none "global n probe kprobe.function(\"exc_int3*\") { n <<< 1 } $end"
remember

refused E_ARM 'a named point' "$PROBERUN" -T 10 named.ko
grep -q "'exc_int3' could not be armed: Invalid argument" said && grep -q blacklist said || fail 'a named point: not said' said
grep -qx 'error probe' said && ! grep -qx end said || fail 'a named point: error probes are for that' said
ended_clean 'a named point'

"$PROBERUN" wild.ko >out 2>said || fail 'a wildcard' said
grep -q '^end' out || fail 'a wildcard: not to its end' out
[ "$(grep -c '\[E_ARM\]' said)" = 1 ] && grep -qE '[1-9][0-9]* functions of wildcards could not be armed' said || fail 'a wildcard: one warning' said
ended_clean 'a wildcard'

refused E_ARM 'none' "$PROBERUN" -T 10 none.ko
grep -q 'none of the [1-9][0-9]* functions could be armed' said || fail 'none: not said' said
ended_clean 'none'

"$PROBERUN" -c 'cat /etc/hostname >/dev/null' "$MODULE" >out 2>said && [ "$(cat out)" = 'end 1' ] || fail 'a good one' said
