# SPDX-License-Identifier: GPL-2.0
# Elements get their histograms when they are first used: a session begins with a small part of what
# all of them would take, and none is lost while they come. The same holds for the buckets of a
# scalar's exponential histogram.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
cat >available <<'WORK'
sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
WORK
cat >work <<'WORK'
. ./available
for n in {0..24}; do dd if=/dev/zero of=/dev/null bs=$((4479 + n)) count=40 status=none; done
WORK
. ./available >before
"$PROBERUN" -v "$MODULE" -o o -c 'exec bash work >during' 2>e || fail "status $?" o e
grep -qx 'elements 10000 and 10000 of 10000' o || fail 'elements are missing' o e
grep -qx 'values 10000 of 10000' o || fail 'the scalar' o e
! grep -q 'only by powers of two' e || fail 'values without a bucket' e
! grep -q E_ARRAY_FULL e || fail 'an element was lost' e
# All of them would be 30 MB for each processor, and as much for the totals.
read -r before <before
read -r first <during
[ $((before - first)) -lt 40000 ] || fail "$((before - first)) KiB at first" e
