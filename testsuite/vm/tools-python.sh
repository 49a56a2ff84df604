# SPDX-License-Identifier: GPL-2.0
# pyimports: the tree of the modules that Python imports, compared with that of `python3 -X
# importtime`.
[ -x /usr/bin/python3 ] && readelf -n "$(readlink -f /usr/bin/python3)" |
	grep -q import__find__load__start ||
	{ echo 'python3 has no markers here'; exit 77; }
"$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/pyimports.kp" >module 2>said ||
	fail 'it does not compile' said
cp "$(cat module)" pyimports.ko
cat >program.py <<'PY'
import json, decimal, xml.dom.minidom
try:
    import no_such_module
except ImportError:
    pass
PY
cat >guest <<'SH'
cd "$1" || exit 1
"$PROBERUN" -o seen -c '/usr/bin/python3 -X importtime program.py 2>told' pyimports.ko || exit 1
# "import time:       self [us] | cumulative | imported package", and two blanks for each level.
sed -n 's/^import time: *[0-9]* | *[0-9]* | //p' told >wanted
# It names those that were not found as well.
awk 'NR > 1 { sub(/ \(not found\)$/, ""); print substr($0, 33) }' seen >got
cmp -s got wanted || { diff -u wanted got; exit 1; }
grep -q '  no_such_module (not found)$' seen || { cat seen; exit 1; }
[ "$(grep -c '^  ' got)" -ge 20 ] || { echo 'few modules'; cat got; exit 1; }
# Python reads its clock before the first marker and after the second: it says no less.
paste -d' ' <(awk 'NR > 1 { print $2, $3 }' seen) \
	<(sed -n 's/^import time: *\([0-9]*\) | *\([0-9]*\) | .*/\1 \2/p' told) |
	awk '$2 > $4 + 1 || $1 > $2 { print; bad = 1 } END { exit bad }' || exit 1
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >said 2>&1 ||
	fail "status $?" said
[ ! -s said ] || fail 'it says' said
