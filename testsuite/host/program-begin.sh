# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Where a program begins, there is no return address: its return is refused, or left out of a
# pattern. Its entry can be probed.
# shellcheck shell=bash disable=SC2154
echo 'int main(void) { return 0; }' >prog.c
gcc -g -o prog prog.c || fail 'prog.c does not compile'
readelf -s prog | grep -q ' _start$' || { echo 'no symbol _start'; exit 77; }
point="process(\"$PWD/prog\").function"
! "$PROBEC" -p2 -r "$TARGET" -e "probe $point(\"_start\").return { }" >said 2>&1 ||
	fail 'the return of _start' said
grep -q "the return of '_start' can't be probed: the program begins there.*E_NOT_PROBEABLE" said &&
	grep -q '^ *= ' said || fail 'not said' said
"$PROBEC" -p2 -r "$TARGET" -e "probe $point(\"_start\") { }" >said 2>&1 || fail _start said
"$PROBEC" -p2 -r "$TARGET" -e "probe $point(\"*\").return { }" >said 2>&1 || fail '*' said
grep -q ' main+0' said && ! grep -q ' _start+0' said || fail 'the pattern' said
