# SPDX-License-Identifier: GPL-2.0
# Debug information of a program may have any text as the name of a constant. Such a name becomes no
# code of the script's module: it is left out, and the number is shown.
#@ needs: target
# shellcheck shell=bash disable=SC2154,SC2016
. "$TOP/testsuite/expect.sh"
unset PROBEC_DEBUGINFO
cat >enums.c <<'E2'
enum kind { FIRST, SECOND };
enum bits { FIRST_BIT = 1, OTHER_BIT = 2 };
__attribute__((noinline)) int paint(enum kind k, enum bits b) { return k + b; }
int main(void) { return paint(FIRST, FIRST_BIT) - 1; }
E2
gcc -g -O0 -S enums.c || fail 'gcc'
sed -i 's/"SECOND"/"\\" : \\"\\") %{ named_code(); %} s = (v == 1 ? \\""/
	s/"OTHER_BIT"/"x\\" } }; named_code(); { char *x[] = { \\""/' enums.s
[ "$(grep -c named_code enums.s)" = 2 ] || fail 'the names'
gcc -o enums enums.s || fail 'as'
for value in '@enumname($k)' '@flags($b)' '$k$' '$b$'; do
	"$PROBEC" -w -p3 -r "$TARGET" \
		-e "probe process(\"$PWD/enums\").function(\"paint\") { println($value) }" \
		>emitted 2>said || fail "$value" said
	grep -q FIRST emitted || fail "$value has no names" emitted
	! grep named_code emitted || fail "$value has code of a name"
done
