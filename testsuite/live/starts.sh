# SPDX-License-Identifier: GPL-2.0
# A machine that lacks something: sessions run if they can; otherwise the error names what is
# missing and the next step, and nothing is left.
. "$TOP/testsuite/expect.sh"
. ./lacking
good 'nothing missing' "${session[@]}"

# Missing mounts.
good 'no debugfs, no tracefs' apart 'umount -l /sys/kernel/debug /sys/kernel/tracing' \
	"${session[@]}"
refused_clean E_IO 'no /sys' 'mount -t sysfs' apart 'mount -t tmpfs tmpfs /sys' "${session[@]}"
refused_clean E_IO 'no /proc' 'mount -t proc' apart 'mount -t tmpfs tmpfs /proc' "${session[@]}"
good 'an empty /dev' apart 'mount -t tmpfs tmpfs /dev' "${session[@]}"
good 'a read-only /dev' apart 'mount -t tmpfs -o ro tmpfs /dev' "${session[@]}"
refused_clean E_LOAD 'nowhere to make a node' 'make device nodes' apart 'cp /run/starts.ko "$PROBERUN" /mnt
	for d in /dev /run /tmp; do mount -t tmpfs -o ro tmpfs $d; done' /mnt/proberun /mnt/starts.ko
refused_clean E_LOAD 'nodes of no effect' 'Permission denied' apart 'cp /run/starts.ko "$PROBERUN" /mnt
	for d in /dev /run /tmp; do mount -t tmpfs -o nodev tmpfs $d; done' /mnt/proberun /mnt/starts.ko

# A loader killed without /dev/null.
: >said
apart 'mount -t tmpfs tmpfs /dev' "$PROBERUN" /run/starts.ko >said 2>&1 &
wait_for 'a session' grep -q begin said
{ kill -KILL $! && wait $!; } 2>/dev/null
nothing_left 'killed without /dev/null'

# Missing rights.
refused_clean E_SYMBOL 'no CAP_SYSLOG' 'CAP_SYSLOG' setpriv --bounding-set=-syslog "${session[@]}"
refused_clean E_LOCKDOWN 'no CAP_SYS_MODULE' 'CAP_SYS_MODULE' setpriv --bounding-set=-sys_module \
	"${session[@]}"
refused_clean E_LOAD 'no CAP_MKNOD and no node' 'Operation not permitted' \
	apart 'mount -t tmpfs tmpfs /dev' setpriv --bounding-set=-mknod "${session[@]}"

good 'all is there again' "${session[@]}"
