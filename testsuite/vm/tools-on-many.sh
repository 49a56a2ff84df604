# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 900
# Newer kernels count as possible only processors that firmware marks as "online capable", which
# that of this QEMU does not.
#@ kernels: 6.1
# Every tool starts on a machine with 2 processors of 240 possible ones and 2 GB, as virtual
# machines announce them, and takes at most a tenth of its memory. A tool is left out only where it
# needs a program that this machine lacks.
mkdir modules
for file in "$TOP"/tools/*.kp; do
	name=${file##*/} name=${name%.kp}
	case $name in
	args | trace) words=(ksys_write '$count') ;;
	count | flow | latency | stack) words=(ksys_write) ;;
	mallocs | mallocsites | memleak | mutexes) words=(-c 'bash available') ;;
	funcslower) words=(libc clock_nanosleep 1000) ;;
	perlslow | pyslow) words=(100) ;;
	pg*) words=(0) ;;
	*) words=() ;;
	esac
	if "$PROBEC" -w -p4 -r "$TARGET" "$file" "${words[@]}" >module 2>said; then
		cp "$(cat module)" "modules/$name.ko"
	else
		grep -q 'E_NO_FILE\|E_NO_PROCESS\|E_NOT_FOUND' said ||
			fail "$name does not build" said
		echo "$name is left out: $(head -n 1 said)"
	fi
done
cat >available <<'SH'
sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
SH
cat >guest <<'SH'
cd "$1" || exit 1
echo "possible $(cat /sys/devices/system/cpu/possible)"
for module in modules/*.ko; do
	before=$(bash available)
	timeout 60 "$PROBERUN" -o /dev/null -c 'bash available >during' "$module" 2>errors
	echo "${module##*/} $? $((before - $(cat during)))"
	cat errors
	rm -f during
done
grep '^probec_' /proc/modules || true
SH
"$TOP/lab/run" --smp 2,maxcpus=240 --memory 2G "$KERNEL" -- env PROBERUN="$PROBERUN" \
	bash ./guest "$PWD" >said 2>&1 || fail "status $?" said
grep -qx 'possible 0-239' said || fail 'not so many processors' said
for module in modules/*.ko; do
	name=${module##*/}
	read -r _ status kib < <(grep "^$name " said) || fail "$name did not run" said
	[ "$status" = 0 ] || fail "$name: status $status" said
	[ "$kib" -lt 200000 ] || fail "$name takes $kib KiB" said
	echo "$name: $kib KiB"
done
[ "$(wc -l < <(ls modules))" -gt 70 ] || fail 'few tools'
! grep -q '^probec_' said || fail 'something is left' said
