# SPDX-License-Identifier: GPL-2.0
# Debug information of a program may have any text as the name of a constant. Such a name becomes no
# code of the script's module: it is left out, and the number is shown.
#@ needs: target
# shellcheck shell=bash disable=SC2154,SC2016
. "$TOP/testsuite/expect.sh"
unset PROBEC_DEBUGINFO
cat >enums.c <<'E2'
enum kind { FIRST, SECOND };
__attribute__((noinline)) int paint(enum kind k) { return k + 1; }
int main(void) { return paint(FIRST) - 1; }
E2
gcc -g -O0 -S enums.c || fail 'gcc'
sed -i 's/"SECOND"/"\\" : \\"\\") %{ named_code(); %} s = (v == 1 ? \\""/' enums.s
grep -q named_code enums.s || fail 'the name'
gcc -o enums enums.s || fail 'as'
for value in '@enumname($k)'; do
	"$PROBEC" -w -p3 -r "$TARGET" \
		-e "probe process(\"$PWD/enums\").function(\"paint\") { println($value) }" \
		>emitted 2>said || fail "$value" said
	grep -q FIRST emitted || fail "$value has no names" emitted
	! grep named_code emitted || fail "$value has code of a name"
done
