# SPDX-License-Identifier: GPL-2.0
# A large array begins with a part of its memory, and gets more while elements come: none is lost.
# Where the session may take no more memory, the array is full, and the message says why.
. "$TOP/testsuite/expect.sh"
cd /run || exit 1
cat >available <<'WORK'
sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo
WORK
cat >work <<'WORK'
. ./available
for _ in {1..25}; do dd if=/dev/zero of=/dev/null bs=4479 count=40 status=none; done
WORK
. ./available >before
"$PROBERUN" -v "$MODULE" -o o -c 'exec bash work >during' 2>e || fail "status $?" o e
grep -qx 'elements 20000 of 20000' o || fail 'elements are missing' o e
! grep -q E_ARRAY_FULL e || fail 'an element was lost' e
# All of it would be 35 MB for each processor, and as much for the totals.
read -r before <before
read -r first <during
[ $((before - first)) -lt 80000 ] || fail "$((before - first)) KiB at first" e
kib=$(sed -n 's/.*set up: .*, \([0-9]*\) KiB of tables.*/\1/p' e)
[ "${kib:-99999}" -lt 40000 ] || fail "${kib:-no} KiB of tables" e

# At most 1 MB more than it begins with.
refused E_NO_MEMORY 'too little --memory' "$PROBERUN" --memory 1 "$MODULE"
least=$(sed -n 's/.* would take \([0-9]*\) KiB of kernel memory.*/\1/p' said)
"$PROBERUN" --memory $((${least:-0} / 1024 + 1)) "$MODULE" -o o -c 'exec bash work >during' 2>e ||
	fail 'status with --memory' o e
read -r _ stored _ all <o
[ "$all" = 20000 ] && [ "$stored" -gt 2300 ] && [ "$stored" -lt 20000 ] ||
	fail 'with --memory' o e
lost="$((all - stored)) new elements were not stored"
grep -q "'n' is full before its size, as the session may take no more memory: $lost" e ||
	fail 'no reason' e
grep -q '= a larger --memory' e || fail 'no next step' e
