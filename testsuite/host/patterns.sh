# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# A pattern finds what the plain name finds, with the same values, whichever form a compiler writes
# names in: clang gives each its number in a table of DWARF 5. Each compiler that is installed.
. "$TOP/testsuite/expect.sh"
unset PROBEC_DEBUGINFO DEBUGINFOD_URLS

cat >keys.h <<'END'
struct entry { const char *key; long value; struct entry *next; };
struct entry *lookup_key(struct entry *in, const char *key, int flags);
struct entry *lookup_key_read(struct entry *in, const char *key);
int same(const char *a, const char *b);
END
cat >keys.c <<'END'
#include "keys.h"
static inline __attribute__((always_inline)) int both(int a, int b) { return a && a == b; }
int same(const char *a, const char *b)
{
	while (both(*a, *b))
		a++, b++;
	return *a == *b;
}
struct entry *lookup_key_read(struct entry *in, const char *key)
{
	return lookup_key(in, key, 1);
}
END
cat >main.c <<'END'
#include "keys.h"
static long hits;
struct entry *lookup_key(struct entry *in, const char *key, int flags)
{
	for (struct entry *e = in; e; e = e->next)
		if (same(e->key, key) && ++hits > flags)
			return e;
	return 0;
}
int main(int argc, char **argv)
{
	struct entry one = { "one", 1, 0 };

	return argc > 1 && lookup_key_read(&one, argv[1]) && hits;
}
END

listed() { # POINT: what -L says about it in ./program; nothing if there is no such place
	"$PROBEC" -L "process(\"./program\").$1" 2>said | sort
}

same_by_pattern() { # BUILD NAME PATTERN
	local end
	for end in '' .call .return .inline .exported '.callees' '.label("*")'; do
		listed "function(\"$2\")$end" >plain
		listed "function(\"$3\")$end" >pattern
		cmp -s plain pattern || fail "$1: $3$end is not as $2" plain pattern
	done
	listed "statement(\"$2@*.c:*\")" >plain
	listed "statement(\"$3@*.c:*\")" >pattern
	cmp -s plain pattern || fail "$1: lines of $3" plain pattern
}

found=0
for cc in gcc clang clang-14 clang-16; do
	command -v $cc >/dev/null || continue
	found=$((found + 1))
	ways=('-gdwarf-4 -O0' '-gdwarf-5 -O0' '-gdwarf-5 -O2 -ffunction-sections')
	# For a program as a whole, gcc names a function in another unit than that of its code.
	[ $cc != gcc ] || ways+=('-gdwarf-5 -O2 -flto -fno-inline -fno-ipa-cp -fno-ipa-sra')
	for options in "${ways[@]}"; do
		# shellcheck disable=SC2086
		$cc $options -o program keys.c main.c 2>log || fail "$cc $options" log
		for name in lookup_key lookup_key_read same both main; do
			same_by_pattern "$cc $options" $name "${name%?}[${name: -1}]"
		done
		listed 'function("lookup_*")' >pattern
		{ grep 'lookup_key@main.c:3")' pattern | grep -q '\$key:const char\* \$flags:int' &&
			grep -q 'lookup_key_read@keys.c:9")' pattern; } ||
			fail "$cc $options: no values by a pattern" pattern
		[[ $options != *-O2* ]] || listed 'function("bot*").inline' | grep -q '\$b:int' ||
			fail "$cc $options: no copies by a pattern" said
	done
done
[ $found -gt 0 ]

# A file that has no code is named, with the one that is meant.
refused E_NO_MATCH 'a file that is elsewhere' \
	"$PROBEC" -p2 -e 'probe process("./program").function("*@src/keys.c") { }'
grep -q 'did you mean the file keys\.c?' said || fail 'the file that is meant' said
refused E_NO_MATCH 'no such file' \
	"$PROBEC" -p2 -e 'probe process("./program").function("*@nosuch.c") { }'
grep -q 'has no code of nosuch\.c; -l ' said || fail 'no such file' said
