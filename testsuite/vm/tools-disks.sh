# SPDX-License-Identifier: GPL-2.0
#@ kernels: 6.1 6.12
# biolatency, biosnoop, biotop, bitesize: requests to a dedicated disk, compared with what dd asked
# for and with what the disk itself counted.
release=$("$TOP/lab/run" --release "$KERNEL")
modules=/
[ -d "/lib/modules/$release/kernel" ] || modules=${TARGET%/targets/*}/lab/$release/root
tools="biolatency biosnoop biotop bitesize"
for tool in $tools; do
	module=$("$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/$tool.kp" 2>said) ||
		fail "$tool does not compile" said
	cp "$module" "$tool.ko"
done
# Each request takes two milliseconds at least.
cat >guest <<'SH'
cd /run
modprobe -d "$1" null_blk nr_devices=1 gb=1 queue_mode=2 irqmode=2 completion_nsec=2000000 || exit
declare -A with=([biolatency]='by_op=1 only_disk=nullb0' [biosnoop]=only_disk=nullb0
	[biotop]='every=4 left=1' [bitesize]=only_name=dd) session
for tool in biolatency biosnoop biotop bitesize; do
	"$PROBERUN" -o "$tool" "$2/$tool.ko" ${with[$tool]} &
	session[$tool]=$!
done
until [ "$(grep -c '^probec' /proc/modules)" -ge 4 ] && [ -s biosnoop ]; do sleep 0.1; done
sleep 1
read -r reads _ read_sectors _ writes _ write_sectors _ </sys/block/nullb0/stat
dd if=/dev/zero of=/dev/nullb0 bs=4096 count=50 oflag=direct status=none || exit
dd if=/dev/nullb0 of=/dev/null bs=16384 count=30 iflag=direct status=none || exit
read -r reads_now _ read_sectors_now _ writes_now _ write_sectors_now _ </sys/block/nullb0/stat
wait "${session[biotop]}" || exit
kill -INT "${session[biolatency]}" "${session[biosnoop]}" "${session[bitesize]}"
wait "${session[biolatency]}" && wait "${session[biosnoop]}" && wait "${session[bitesize]}" || exit
echo "the disk: $((reads_now - reads)) $((read_sectors_now - read_sectors))" \
	"$((writes_now - writes)) $((write_sectors_now - write_sectors))"
for tool in biolatency biosnoop biotop bitesize; do sed "s/^/$tool: /" $tool; done
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$PWD/guest" "$modules" "$PWD" >out \
	2>said || fail 'in the guest' out said
[ ! -s said ] || fail messages said
grep -qx 'the disk: 30 960 50 400' out || fail 'not what dd asked for' out
sed -n 's/^biosnoop: //p' out >lines
awk '$3 == "dd" && $4 == "nullb0" && $8 >= 2000 { n[$5]++; sectors[$5] += $7 / 512
		if ($6 != 8 * at[$5]) bad = 1
		at[$5] += $7 / 4096 }
	END { exit bad || n["R"] != 30 || sectors["R"] != 960 ||
		n["W"] != 50 || sectors["W"] != 400 }' lines || fail 'biosnoop' out
# The same numbers, and no time below two milliseconds.
grep -qE '^biolatency: R: 30 requests, [2-9][0-9]{3,} microseconds on average$' out &&
	grep -qE '^biolatency: W: 50 requests, [2-9][0-9]{3,} microseconds on average$' out &&
	! grep -qE '^biolatency: +(512|256|128|64) \|@' out || fail 'biolatency' out
awk '$1 == "biotop:" && $3 == "dd" && $7 == "nullb0" && $10 >= 2000 { print $4, $8, $9 }' out |
	sort >got
printf '%s\n' 'R 30 480' 'W 50 200' | diff - got || fail 'biotop' out
sed -n 's/^bitesize: //p' out >lines
grep -qx 'dd: 80 requests, bytes:' lines && grep -qE '^ +4096 \|@+ +50$' lines &&
	grep -qE '^ *16384 \|@+ +30$' lines || fail 'bitesize' out
