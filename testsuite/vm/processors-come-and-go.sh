# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# 32 processors go off and come back while four programs write: no hit is lost, in counters, arrays,
# histograms and returns. First all of them are online when the session begins; then 6, so that the
# others get their part when they come. The judge is the number of writes that the programs made.
cat >writes.kp <<'KP'
global n, by, sizes, returns, lines
probe kernel.function("vfs_write") {
	if ($count == 4479) {
		n++
		by[cpu()]++
		sizes[execname(), cpu()] <<< $count
	}
}
probe kernel.function("vfs_write").return { if (@entry($count) == 4479) returns <<< 1 }
probe timer.ms(50) { lines += @count(returns) < 0 }
probe end {
	foreach ([name, c] in sizes) {
		k += @count(sizes[name, c])
		h += @hist_log(sizes[name, c])[64 + 13]
	}
	foreach (c in by) { b += by[c]; used++ }
	printf("counted %d %d %d %d %d\n", n, b, k, h, @count(returns))
	printf("processors %d\n", used)
}
KP
"$PROBEC" -p4 -r "$TARGET" writes.kp >module 2>said || fail 'it does not build' said
cp "$(cat module)" writes.ko
cat >work <<'SH'
cpus=/sys/devices/system/cpu
for program in 1 2 3 4; do
	while [ ! -e over ]; do
		dd if=/dev/zero of=/dev/null bs=4479 count=500 status=none &&
			echo 500 >>"made.$program"
	done &
done
for round in 1 2; do
	for nr in {1..31}; do
		echo $((1 - $(cat $cpus/cpu$nr/online))) >$cpus/cpu$nr/online || exit 1
	done
done
touch over
wait
SH
cat >guest <<'SH'
cd "$1" || exit 1
once() { # NAME
	rm -f over made.*
	"$PROBERUN" -c 'bash work' writes.ko
	echo "$1: status $?, made $(cat made.* | awk '{ n += $1 } END { print n }')"
}
once all
for nr in {6..31}; do echo 0 >/sys/devices/system/cpu/cpu$nr/online; done
once few
grep '^probec_' /proc/modules || true
SH
"$TOP/lab/run" --smp 32 --memory 2G "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" \
	>said 2>&1 || fail "status $?" said
! grep -q 'warning\|error' said || fail 'messages' said
! grep -q '^probec_' said || fail 'something is left' said
for name in all few; do
	made=$(sed -n "s/^$name: status 0, made //p" said)
	[ "${made:-0}" -gt 10000 ] || fail "$name: the programs made ${made:-no} writes" said
	grep -qx "counted $made $made $made $made $made" said || fail "$name: not $made" said
	echo "$name: $made writes"
done
[ "$(grep -c '^processors [12][0-9]$\|^processors 3[0-9]$' said)" = 2 ] ||
	fail 'few processors were used' said
