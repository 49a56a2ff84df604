# SPDX-License-Identifier: GPL-2.0
# The names that -L lists, beside those that $$parms, $$locals and $$vars show, in the same order;
# parameters that are passed by value; single bytes as numbers or text, by their types.
#@ needs: target g++
# shellcheck shell=bash disable=SC2154,SC2016
unset PROBEC_DEBUGINFO
cat >shown.cc <<'E2'
#include <cstddef>
#include <cstdint>
struct Small { int a; char c; };
struct Large { long a, b, c; };
extern "C" __attribute__((noinline)) long
by_value(int n, Small s, Large l, double d, char c, unsigned char uc, signed char sc)
{
	int local = n + s.a;
	Small copy = s;
	__asm__ volatile("" : : "r"(&copy), "r"(local) : "memory");
	return local + l.a + (long)d + c + uc + sc;
}
struct Bytes {
	char text; signed char number; unsigned char byte; int8_t i8; uint8_t u8; bool flag;
	std::byte raw; char8_t utf; char name[4]; unsigned char other[4]; const unsigned char *p;
};
extern "C" __attribute__((noinline)) long bytes(const Bytes *b) { return b->text; }
int main() { Bytes b{}; return by_value(1, {2, 'a'}, {1, 2, 3}, 1.5, 'c', 4, 5) + bytes(&b) > 9; }
E2
for form in 'g++ -O0' 'g++ -O2' 'clang++ -O0' 'clang++ -O2'; do
	command -v ${form% *} >/dev/null || continue
	$form -std=c++20 -g -o shown shown.cc 2>log || fail "$form" log
	at="process(\"$PWD/shown\")"
	"$PROBEC" -r "$TARGET" -L "$at.function(\"by_value\").call" >listed 2>said ||
		fail "$form" said
	values=' $n:int $s:struct Small $l:struct Large $d:double $c:char $uc:unsigned char'
	grep -qF "$values" listed || fail "$form: by value" listed
	for which in parms locals vars; do
		"$PROBEC" -w -p3 -r "$TARGET" -e \
			"probe $at.function(\"by_value\") { println(\$\$$which, \$n) exit() }" \
			>emitted 2>said || fail "$form: \$\$$which" said
		sed -nE 's/.*PRT_LIT\("([a-z]+=[^"]*)"\).*/\1/p' emitted | head -n 1 |
			xargs -n 1 >$which
	done
	cat parms locals | cmp -s - vars || fail "$form: \$\$vars" parms locals vars
	sed 's/=.*//' vars >names
	# Locals that have no value yet are shown but not listed.
	grep -oE '\$[a-z]+:' listed | tr -d '$:' >list
	grep -Fxf list names | cmp -s - list || fail "$form: the order" list names
	! grep -vE '=\?$' vars | sed 's/=.*//' | grep -vFxf list ||
		fail "$form: not listed" list vars
done

# The kind of each item of a structure.
"$PROBEC" -w -p3 -r "$TARGET" -e \
	"probe $at.function(\"bytes\").call { println(\$b\$) exit() }" >emitted 2>said ||
	fail 'members' said
sed -nE 's/.*\{ "[^"]*\.([a-z0-9]+)=", .*PRT_SHOW_([A-Z]+).*/\1 \2/p' emitted | head -n 11 >got
cat >wanted <<'E2'
text CHAR
number SIGNED
byte UNSIGNED
i8 SIGNED
u8 UNSIGNED
flag UNSIGNED
raw UNSIGNED
utf CHAR
name CHARS
other CHARS
p STRING
E2
cmp -s got wanted || { diff -u wanted got >difference; fail 'single bytes:' difference; }
