# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# Messages of the C compiler about embedded C are shown in the script; -I directories need no -g.
# shellcheck shell=bash disable=SC2154
cat >bad.kp <<'K'
function f:long () %{
	int x = 1;
	nothing(x);
	STAP_RETURN(y);
%}
function g:long () %{ STAP_RETURN(z); %}
probe begin { println(f(), g(), %{ last %}) }
K
# gcc 14 prints the option of the warning that is an error without its "error=".
show "$PROBEC" -g -p4 -r "$TARGET" bad.kp 2>&1 |
	sed "s|$TARGET|TARGET|; /^building/d; s/\[-Wimplicit/[-Werror=implicit/"
[ ! -e bad.ko ] || fail 'a module is left'
# A result that is declared as a long and filled like a string would be an arbitrary address.
! "$PROBEC" -g -p4 -r "$TARGET" -e 'function f:long () %{ strlcpy(STAP_RETVALUE, "a", 2); %}
probe begin { println(f()) }' >said 2>&1 || fail 'a long is a pointer'
grep -q 'E_BUILD' said && grep -q 'makes pointer from integer' said || fail 'no reason' said
# -D of a name that is no limit reaches embedded C, and the last value counts.
cat >macro.kp <<'K'
%{
_Static_assert(COUNT == 7 && STP_LEGACY_PRINT, "-D");
%}
probe begin { println(1) }
K
"$PROBEC" -w -g -p4 -r "$TARGET" -D COUNT=6 -D COUNT=7 -DSTP_LEGACY_PRINT macro.kp >/dev/null \
	2>said ||
	fail 'a macro for embedded C' said
mkdir tap
cat >tap/c.stp <<'K'
function twice:long (n:long) %{ /* pure */ STAP_RETURN(2 * STAP_ARG_n); %}
K
"$PROBEC" -p3 -r "$TARGET" -I tap -e 'probe begin { println(twice(4)) }' >c.c || fail 'not compiled'
grep -q '^#include <linux/kernel.h>' c.c || fail 'a tapset without the kernel headers' c.c
