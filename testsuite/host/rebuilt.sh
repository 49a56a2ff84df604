# SPDX-License-Identifier: GPL-2.0
# Functions of a stripped program, found by their code in another build (--symbols): each that is
# found is at the address that the symbols of the unstripped program say, functions with equal code
# are refused, and so is one that was changed: testsuite/programs/rebuilt.c.
#@ needs: target
# shellcheck shell=bash disable=SC2154
[ "$(uname -m)" = x86_64 ] || { echo 'code is compared for x86-64 only'; exit 77; }
cp "$TOP/testsuite/programs/rebuilt.c" .

# compare STRIPPED UNSTRIPPED OTHER: asks for the name at each function's address. None is wrong.
compare() {
	local point="process(\"$PWD/$1\").statement" address name
	nm -S --defined-only "$2" | awk 'NF == 4 && $3 ~ /^[tTwW]$/ { print $1, $4 }' |
		sort >symbols
	cut -d' ' -f1 symbols | sort -u | while read -r address; do
		echo "probe $point(0x$address) { }"
	done >script.kp
	"$PROBEC" -r "$TARGET" --symbols="$1=$3" --explain script.kp >explained 2>said ||
		fail "$1" said
	sed -n 's/^  at \(.*\)+0x\([0-9a-f]*\) of .*/\2 \1/p' explained >names
	cut -d' ' -f1 symbols | sort -u | paste -d' ' - names |
		awk '$2 == "0" && $3 != "" { print $1, $3 }' | sort >found
	comm -23 found symbols >wrong
	[ ! -s wrong ] || fail "$1: names that are wrong:" wrong
}

build_both() { # OPTION...: first, and later without its symbols
	for part in 1 2; do
		gcc -fno-inline "$@" -g -DPART=$part -c -o first.$part.o rebuilt.c 2>log &&
			gcc -fno-inline "$@" -DLATER -DPART=$part -c -o later.$part.o rebuilt.c \
				2>log || fail "$*" log
	done
	gcc "$@" -o first first.1.o first.2.o 2>log || fail "$*" log
	gcc "$@" -Wl,--build-id=0x1234 -o unstripped later.2.o later.1.o 2>log || fail "$*" log
	strip -o later unstripped
}
at="process(\"$PWD/later\").function"
locate() { "$PROBEC" -r "$TARGET" --symbols="$PWD/later=./first" -p2 -e "probe $at(\"$1\") { }"; }
for options in -O1 -O0 '-O1 -no-pie' '-O1 -fcf-protection -fno-plt' '-O1 -static'; do
	# shellcheck disable=SC2086
	build_both $options
	compare later unstripped first
	for name in copy_of log_first log_second serve; do
		grep -q " $name\$" found || fail "$options: $name is not found" found
	done
	refused E_NO_MATCH "$options: equal code" locate get_first
	grep -q '= ./first has it\|= .*/first has it; .* [23] have the same code: 0x' said ||
		fail "$options: two matches" said
	refused E_NO_MATCH "$options: a changed function" locate counter_of
	grep -q 'none has the same code: it was changed' said || fail "$options: changed" said
done

# One of two functions with equal code was left out: the code that is there may be of either.
cat >pair.c <<'END'
#define FUNCTION(name, of) \
	static int of[64]; \
	int name(int n) \
	{ \
		int i, k = 1; \
		for (i = 0; i < 64; i++) { \
			of[i] += n * i; \
			k = k * 31 + of[i ^ 5]; \
		} \
		return k; \
	}
FUNCTION(first_of, a)
#ifdef LATER
int (*volatile const table[])(int) = { first_of };
#else
FUNCTION(second_of, b)
int (*volatile const table[])(int) = { first_of, second_of };
#endif
int main(int argc, char **argv) { return table[argc & 0](argc); }
END
gcc -O1 -fno-inline -o pair pair.c 2>log &&
	gcc -O1 -fno-inline -DLATER -Wl,--build-id=0x1235 -o one pair.c 2>log || fail pair log
strip one
for name in first_of second_of; do
	refused E_NO_MATCH "equal code: $name" "$PROBEC" -r "$TARGET" --symbols="$PWD/one=./pair" \
		-p2 -e "probe process(\"$PWD/one\").function(\"$name\") { }"
	grep -q 'other functions of the other build have the same code' said ||
		fail "$name: another reason" said
done

# Types come from the other build, too.
build_both -O1
env -u PROBEC_DEBUGINFO "$PROBEC" -r "$TARGET" --symbols="$PWD/later=./first" -p2 -e "
probe $at(\"serve\") {
	printf(\"%s %d\", user_string(@cast(\$arg1, \"client\", \"$PWD/first\")->name),
		@cast(\$arg1, \"client\", \"$PWD/first\")->n) }" >out 2>said || fail 'types' said

# Names of C++ are found as in a program that has its symbols.
cat >names.cc <<'END'
#include <cstdio>
namespace shop {
struct item { int id; item *next; long price; };
__attribute__((noinline)) long sum(const item *i, int times)
{
	long n = 0;
	for (; i; i = i->next)
		n += i->price * i->id + printf("%d\n", times);
	return n;
}
}
int main(int argc, char **)
{
	shop::item second{ argc, nullptr, 7 }, first{ 2, &second, 9 };
	return (int)shop::sum(&first, argc);
}
#ifndef STRIPPED
int added(int n) { return printf("%d", n * 3); }
#endif
END
if command -v g++ >/dev/null; then
	g++ -O1 -DSTRIPPED -o shop names.cc 2>log && g++ -O1 -g -o shop.build names.cc 2>log ||
		fail names.cc log
	cp shop unstripped && strip shop
	compare shop unstripped shop.build
	grep -q ' _ZN4shop3sum' found || fail 'shop::sum is not found' found
	for name in sum shop::sum 'shop::sum(shop::item const*, int)' 'shop::*'; do
		"$PROBEC" -r "$TARGET" --symbols="$PWD/shop=./shop.build" -p2 \
			-e "probe process(\"$PWD/shop\").function(\"$name\") { }" >out 2>said ||
			fail "$name" said
		grep -q 'site .* _ZN4shop3sum' out || fail "$name" out
	done
fi

# Without the option, nothing is found, although a module is in the cache.
"$PROBEC" -r "$TARGET" --symbols="$PWD/later=./first" -p4 -m with \
	-e "probe $at(\"serve\") { }" >out 2>said || fail 'a module' said
refused E_NO_MATCH 'without the option' "$PROBEC" -r "$TARGET" -p4 -m without \
	-e "probe $at(\"serve\") { }"

refused E_OPTION 'no build' "$PROBEC" --symbols=later -p2 -e 'probe begin { }'
refused E_NO_MATCH 'no such build' "$PROBEC" -r "$TARGET" --symbols=later=./absent -p2 \
	-e "probe $at(\"serve\") { }"
grep -q 'there is no such file' said || fail 'no such build' said
strip -o bare first
refused E_NO_MATCH 'a build without symbols' "$PROBEC" -r "$TARGET" --symbols=later=./bare -p2 \
	-e "probe $at(\"serve\") { }"
