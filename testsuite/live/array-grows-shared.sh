# SPDX-License-Identifier: GPL-2.0
# Arrays that all processors share, and those of the session's thread, begin with a part of their
# memory, and no element is lost when they get more: in hits, in a begin probe, in a timer. The
# table of `hot` would be 25 MB, and that of `names` 13 MB.
. "$TOP/testsuite/expect.sh"
cd "$(mktemp -d -p /run)" || exit 1
cat >work <<'WORK'
for _ in {1..25}; do dd if=/dev/zero of=/dev/null bs=4479 count=40 status=none; done
until grep -q ticked o; do sleep 0.1; done
WORK
: >o
"$PROBERUN" -v "$MODULE" -c 'exec bash work' >o 2>e || fail "status $?" o e
grep -qx 'missing 0 0 0 0, wrong 0' o && grep -qx 'writes 1000' o || fail 'elements are missing' o e
! grep -q E_ARRAY_FULL e || fail 'an element was lost' e
kib=$(sed -n 's/.*set up: .*, \([0-9]*\) KiB of tables.*/\1/p' e)
[ "${kib:-99999}" -lt 12000 ] || fail "${kib:-no} KiB of tables" e
