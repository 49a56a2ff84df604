# SPDX-License-Identifier: GPL-2.0
# switch_file() with -o and -S begins a file after the line; without -S nothing happens.
. "$TOP/testsuite/expect.sh"
mkdir /run/switch-file && cd /run/switch-file || exit 1
trap 'rm -rf /run/switch-file' EXIT
"$PROBERUN" -o o -S 1 "$MODULE" >said 2>&1 || fail '-S 1' said
[ ! -s said ] || fail messages said
for i in 1 2 3 4 5; do
	[ "$(cat o.$((i - 1)))" = "line $i ended" ] || fail "o.$((i - 1))" o.*
done
[ ! -e o.5 ] || fail 'a file without a line' o.5
rm -f o.*
"$PROBERUN" -o o -S 1,2 "$MODULE" >said 2>&1 || fail '-S 1,2' said
[ "$(echo o.*)" = 'o.3 o.4' ] || fail "-S 1,2 keeps: $(echo o.*)"
"$PROBERUN" -o whole "$MODULE" >said 2>&1 || fail '-o alone' said
[ ! -s said ] && [ "$(wc -l <whole)" = 5 ] || fail 'without -S' whole
