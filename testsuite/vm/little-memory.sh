# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: 5.10 6.1 6.12
# On a machine of 192 MB a session takes less by itself; what does not fit is refused with an error,
# and the kernel kills no process for it.
probe='probe kernel.function("vfs_read") { '
end='} probe timer.ms(200) { exit() } probe end { println("end ", @count(n) > 0) }'
build() { # NAME SCRIPT
	"$PROBEC" -p4 -r "$TARGET" -e "$2" >module 2>said || fail "$1 does not build" said
	cp "$(cat module)" "$1.ko"
}
build small "global n, a $probe a[execname()] = pid(); n <<< a[execname()] $end"
# A timer adds to it, so that it has all of its memory at once.
build large "global n, a[2000000] $probe a[execname()] = pid(); n <<< a[execname()] $end
	probe timer.s(9) { a[\"timer\"] = 1 }"
cat >guest <<'SH'
cat /etc/hostname >/dev/null
"$PROBERUN" small.ko; echo "small: $?"
"$PROBERUN" large.ko; echo "large: $?"
"$PROBERUN" -s 128 small.ko; echo "rings: $?"
"$PROBERUN" small.ko; echo "again: $?"
dmesg | grep -i 'out of memory\|oom-kill'
grep '^probec_' /proc/modules
exit 0
SH
"$TOP/lab/run" --memory 192M "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest >said 2>&1 ||
	fail "status $?" said
for what in small again; do grep -qx "$what: 0" said || fail "$what was refused" said; done
for what in large rings; do grep -qx "$what: 1" said || fail "$what was not refused" said; done
[ "$(grep -c '\[E_NO_MEMORY\]' said)" = 2 ] || fail 'not two refusals for memory' said
! grep -qi 'oom-kill\|out of memory:\|^probec_' said ||
	fail 'somebody was killed, or something is left' said
