# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ kernels: 6.1 6.12
# biolatency, biosnoop, biotop, bitesize: requests to a dedicated disk, compared with what dd asked
# for and with what the disk itself counted; and a disk with a sector that can't be read.
modules=$(modules_root)
tools="biolatency biosnoop biotop bitesize"
for tool in $tools; do
	module=$("$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/$tool.kp" 2>said) ||
		fail "$tool does not compile" said
	cp "$module" "$tool.ko"
done
# Each request takes two milliseconds at least. One disk is for options: a process whose id is known
# reads from it. Tables of intervals are added up, up to the interval after the one with the load.
cat >guest <<'SH'
cd /run
. "$TOP/testsuite/expect.sh"
modprobe -d "$1" null_blk nr_devices=2 gb=1 queue_mode=2 irqmode=2 completion_nsec=2000000 || exit
# Its sector 0x1234 is damaged; the driver reports a failed request in two parts.
modprobe -d "$1" scsi_debug dev_size_mb=8 opts=2 && modprobe -d "$1" sd_mod || exit
wait_for 'the damaged disk' [ -b /dev/sda ]
cp "$(command -v dd)" damaged
mkfifo go
bash -c 'read -r _ <go
	exec dd if=/dev/nullb1 of=/dev/null bs=8192 count=8 iflag=direct status=none' &
reader=$!
declare -A with=([biolatency]='biolatency by_op=1 only_disk=nullb0'
	[biosnoop]='biosnoop only_disk=nullb0' [biotop]='biotop every=2'
	[bitesize]='bitesize only_name=dd'
	[size-issuer]='bitesize only_disk=nullb0 issuer=1'
	[lat-disks]='biolatency by_disk=1 milliseconds=1'
	[lat-queued]='biolatency queued=1 only_disk=nullb1'
	[lat-twice]='biolatency argc=2 argv_1=1 argv_2=2'
	[snoop-pid]="biosnoop only_pid=$reader queued=1" [snoop-slow]='biosnoop least=2000'
	[snoop-slower]='biosnoop least=600000000' [snoop-damaged]='biosnoop only_disk=sda'
	[lat-damaged]='biolatency only_disk=sda'
	[top-pid]="biotop every=2 only_pid=$reader" [top-one]='biotop every=2 rows=1') session
for name in "${!with[@]}"; do
	set -- "$1" "$2" ${with[$name]}
	"$PROBERUN" -v -o $name "$2/$3.ko" "${@:4}" 2>$name.said &
	session[$name]=$!
done
wait_armed "${!with[@]}"
read -r reads _ read_sectors _ writes _ write_sectors _ </sys/block/nullb0/stat
dd if=/dev/zero of=/dev/nullb0 bs=4096 count=50 oflag=direct status=none || exit
dd if=/dev/nullb0 of=/dev/null bs=16384 count=30 iflag=direct status=none || exit
read -r reads_now _ read_sectors_now _ writes_now _ write_sectors_now _ </sys/block/nullb0/stat
echo >go
wait $reader || exit
./damaged if=/dev/sda of=/dev/null bs=512 skip=4656 count=8 iflag=direct 2>damaged.said
grep -qx '4+0 records in' damaged.said || { cat damaged.said; exit 1; }
tables() { grep -c '^PID' $1; }
later() { [ "$(tables $1)" -ge $2 ]; }
for name in biotop top-pid top-one; do
	wait_for "an interval of $name" later $name $(($(tables $name) + 2))
done
wait "${session[lat-twice]}" || exit
unset "session[lat-twice]"
kill -INT "${session[@]}"
for name in "${!session[@]}"; do wait "${session[$name]}" || exit; done
leave_out_steps "${!with[@]}"
echo "the disk: $((reads_now - reads)) $((read_sectors_now - read_sectors))" \
	"$((writes_now - writes)) $((write_sectors_now - write_sectors))"
for name in "${!with[@]}"; do
	cat $name.said >&2
	sed "s/^/$name: /" $name
done
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash "$PWD/guest" "$modules" "$PWD" >out 2>said || fail 'in the guest' out said
sed -i '/\[E_NO_HITS\]$/,+1d' said # of tables that are to be empty
[ ! -s said ] || fail messages said
grep -qx 'the disk: 30 960 50 400' out || fail 'not what dd asked for' out
sed -n 's/^biosnoop: //p' out >lines
awk '$3 == "dd" && $4 == "nullb0" && $8 >= 2000 { n[$5]++; sectors[$5] += $7 / 512
		if ($6 != 8 * at[$5]) bad = 1
		at[$5] += $7 / 4096 }
	END { exit bad || n["R"] != 30 || sectors["R"] != 960 ||
		n["W"] != 50 || sectors["W"] != 400 }' lines || fail 'biosnoop' out
# The same numbers, and no time below two milliseconds.
for requests in 'R: 30' 'W: 50'; do
	us=$(sed -n "s/^biolatency: $requests requests, \([0-9]*\) microseconds on average/\1/p" \
		out)
	[ "${us:-0}" -ge 2000 ] || fail "biolatency: $requests" out
done
! grep -qE '^biolatency: +(512|256|128|64) \|@' out || fail 'biolatency' out
added() { # NAME
	awk -v name="$1:" '$1 == name && $3 == "dd" && $10 >= 2000 {
			io[$4 " " $7] += $8; kb[$4 " " $7] += $9 }
		END { for (k in io) print k, io[k], kb[k] }' out | sort
}
printf '%s\n' 'R nullb0 30 480' 'R nullb1 8 64' 'W nullb0 50 200' >wanted
added biotop | diff wanted - || fail 'biotop' out
sed -n 's/^bitesize: //p' out >lines
grep -qx 'dd: 88 requests, bytes:' lines && grep -qE '^ +4096 \|@+ +50$' lines &&
	grep -qE '^ +8192 \|@+ +8$' lines && grep -qE '^ *16384 \|@+ +30$' lines ||
	fail 'bitesize' out
[ "$(awk '$1 == "size-issuer:" && $4 == "requests," { n += $3 } END { print n }' out)" = 80 ] ||
	fail 'bitesize -i' out

# Options show a part of the same, or the same in other units.
added top-pid | diff <(grep nullb1 wanted) - || fail 'biotop -p' out
awk '$1 == "top-one:" && $2 == "PID" { n = 0 }
	$1 == "top-one:" && $2 ~ /^[0-9]+$/ && ++n > 1 { bad = 1 }
	$1 == "top-one:" && $7 == "nullb0" { found = 1 }
	END { exit bad || !found }' out || fail 'biotop -r 1' out
grep -qE '^lat-disks: nullb0: 80 requests, [0-9]+ milliseconds on average$' out &&
	grep -qE '^lat-disks: nullb1: 8 requests, [0-9]+ milliseconds on average$' out &&
	! grep -qE '^lat-disks: +[01] \|@' out ||
	fail 'biolatency -D -m' out
[ "$(grep -cE '^lat-twice: [0-2][0-9]:[0-5][0-9]:[0-5][0-9]$' out)" = 2 ] ||
	fail 'biolatency 1 2' out
# From when they were made: what biosnoop -Q shows in two columns.
mean=$(sed -nE 's/^lat-queued: 8 requests, ([0-9]+) microseconds on average$/\1/p' out)
awk -v mean="$mean" '$1 == "snoop-pid:" && $2 != "TIME" { n++; sum += $9 + $10
		if ($4 != "dd" || $5 != "nullb1" || $6 != "R" || $8 != 8192 || $9 < 0) bad = 1 }
	END { mine = sum / 8; d = mean - mine
		exit bad || n != 8 || d > 2000 + mine / 4 || -d > 2000 + mine / 4 }' out ||
	fail 'biosnoop -p -Q and biolatency -Q' out
# Four sectors, and the damaged one.
awk '$1 == "snoop-damaged:" && $4 == "damaged" { print $5, $6, $7, $8, $10 }' out >got
printf '%s\n' 'sda R 4656 512 ' 'sda R 4657 512 ' 'sda R 4658 512 ' 'sda R 4659 512 ' \
	'sda R 4660 512 ENODATA' | diff - got >difference ||
	fail 'biosnoop: a damaged disk' difference
grep -qE '^lat-damaged: 5 requests, ' out || fail 'biolatency: a damaged disk' out
[ "$(grep -c '^snoop-slow: .* dd ' out)" = 88 ] &&
	[ "$(grep -c '^snoop-slower: ' out)" = 1 ] || fail 'biosnoop -m' out
