# SPDX-License-Identifier: GPL-2.0
#@ kernels: 5.10 6.1 6.12
# ioblock.*: requests to a dedicated block device, one after the other without the page cache,
# compared with what dd requested and what the device itself counted.
modules=$(modules_root)
cat >blocks.kp <<'KP'
global begun, done, traced, ended, bytes, wrong
function other(name) { return name != "nullb0" }
probe ioblock.request {
	if (other(devname)) next
	wrong += size != 4096 || sector != 8 * begun[rw] || p_start_sect || ino != -1
	if (@defined($bio->bi_bdev)) wrong += bdev != bdev_contains
	wrong += bio_rw_num(opf) != rw || bio_rw_str(opf) != (rw == BIO_WRITE ? "W" : "R")
	begun[rw]++
	bytes[rw] += size
}
probe ioblock.end {
	if (other(devname)) next
	wrong += error != 0 || done[rw] + 1 != begun[rw] || size != 4096 || bytes_done != 4096
	done[rw]++
}
probe ioblock_trace.request {
	if (other(devname)) next
	wrong += sector != 8 * traced[rw] || size != 4096 || bytes_done != 4096 || !q
	traced[rw]++
}
probe ioblock_trace.end { if (!other(devname)) ended[rw, q != 0]++ }
probe end {
	foreach (rw+ in begun)
		printf("%s %d %d %d %d %d %d\n", rw == BIO_READ ? "read" : "write", begun[rw], done[rw], traced[rw], ended[rw, 1],
			bytes[rw] / 512, wrong)
}
KP
module=$("$PROBEC" -p4 -r "$TARGET" blocks.kp 2>said) || fail 'it does not compile' said
cp "$module" blocks.ko
# Requests that the device takes in parts only: every byte counts once, and some are resubmitted.
cat >large.kp <<'KP'
global bytes, traced, again, done
probe ioblock.request { if (devname == "nullb0") bytes += size }
probe ioblock_trace.request { if (devname == "nullb0") traced += size }
@define NAME %( @choose_defined($bio->bi_bdev->bd_device, $bio->bi_disk->part0->__dev)->kobj->name %)
probe kernel.function("submit_bio_noacct") {
	if (kernel_string(@NAME) == "nullb0")
		again += $bio->bi_iter->bi_size
}
probe ioblock.end { if (devname == "nullb0") done += bytes_done }
probe end { printf("large %d %d %d %d\n", bytes, traced, done, again > bytes) }
KP
module=$("$PROBEC" -p4 -r "$TARGET" large.kp 2>said) || fail 'it does not compile' said
cp "$module" large.ko
# A partition has a name and a beginning.
cat >part.kp <<'KP'
global seen, ended, same
probe ioblock.request {
	if (devname !~ "^nullb0") next
	seen[devname, p_start_sect] += size
	if (@defined($bio->bi_bdev)) same += bdev == bdev_contains
}
probe ioblock.end { if (devname =~ "^nullb0") ended[devname, p_start_sect] += bytes_done }
probe end {
	foreach ([name, start] in seen) printf("part %s %d %d\n", name, start, seen[name, start])
	foreach ([name, start] in ended) printf("ended %s %d %d\n", name, start, ended[name, start])
	if (same) println("not within another device")
}
KP
module=$("$PROBEC" -p4 -r "$TARGET" part.kp 2>said) || fail 'it does not compile' said
cp "$module" part.ko
cat >guest <<'SH'
modprobe -d "$1" null_blk nr_devices=1 gb=1 || exit
read -r reads _ read_sectors _ writes _ write_sectors _ </sys/block/nullb0/stat
"$PROBERUN" -c 'dd if=/dev/zero of=/dev/nullb0 bs=4096 count=50 oflag=direct status=none &&
	dd if=/dev/nullb0 of=/dev/null bs=4096 count=30 iflag=direct status=none' "$2/blocks.ko" || exit
read -r reads_now _ read_sectors_now _ writes_now _ write_sectors_now _ </sys/block/nullb0/stat
echo "the device: $((reads_now - reads)) $((read_sectors_now - read_sectors))" \
	"$((writes_now - writes)) $((write_sectors_now - write_sectors))"
echo 64 >/sys/block/nullb0/queue/max_sectors_kb || exit
"$PROBERUN" -c 'dd if=/dev/zero of=/dev/nullb0 bs=1M count=4 oflag=direct status=none' \
	"$2/large.ko" || exit
write_sectors=$write_sectors_now
read -r _ _ _ _ _ _ write_sectors_now _ </sys/block/nullb0/stat
echo "its sectors: $((write_sectors_now - write_sectors))"
addpart /dev/nullb0 1 2048 8192 || exit
"$PROBERUN" -c 'dd if=/dev/zero of=/dev/nullb0p1 bs=4096 count=7 oflag=direct status=none' \
	"$2/part.ko"
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash "$PWD/guest" "$modules" "$PWD" >out \
	2>said || fail 'in the guest' out said
# The requests of dd: numbers of requests and of sectors, and no errors. The end is not traced as a
# bio's, because the end of a request has another tracepoint.
# Before 5.12, what has ended is known by the whole device.
ended='nullb0p1 2048'
"$PROBEC" -w -p2 -r "$TARGET" -e 'probe ioblock.request { println(bdev) }' >log 2>&1 ||
	ended='nullb0 0'
printf '%s\n' 'read 30 30 30 0 240 0' 'write 50 50 50 0 400 0' 'the device: 30 240 50 400' \
	'large 4194304 4194304 4194304 1' 'its sectors: 8192' 'part nullb0p1 2048 28672' \
	"ended $ended 28672" | diff - out >said ||
	fail 'not what dd asked for' said
