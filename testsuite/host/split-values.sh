# SPDX-License-Identifier: GPL-2.0
#@ needs: target gcc g++
#@ seconds: 300
# Programs whose debug information is in .dwo files (-gsplit-dwarf) or in a .dwp package have the
# places, values and access paths of the same programs without them, and what is missing is said.
. "$TOP/testsuite/expect.sh"
unset PROBEC_DEBUGINFO DEBUGINFOD_URLS

cat >keys.h <<'END'
struct entry { const char *key; long value; struct entry *next; };
struct table { struct entry *rows[4]; int id; };
struct entry *lookup(struct table *in, const char *key, int flags);
int same(const char *a, const char *b);
END
cat >keys.c <<'END'
#include "keys.h"
static int compared;
static inline __attribute__((always_inline)) int both(int a, int b) { return a && a == b; }
int same(const char *a, const char *b)
{
	for (compared++; both(*a, *b); a++)
		b++;
	return *a == *b;
}
END
cat >main.c <<'END'
#include "keys.h"
struct table table = { { 0 }, 7 };
struct entry *lookup(struct table *in, const char *key, int flags)
{
	for (struct entry *e = in->rows[flags]; e; e = e->next)
		if (same(e->key, key) && e->value > flags)
			return e;
	return 0;
}
int main(int argc, char **argv)
{
	struct entry one = { "one", 1, 0 };

	table.rows[0] = &one;
	return argc > 1 && lookup(&table, argv[1], 0);
}
END
cat >classes.cc <<'END'
#include <cstdio>
namespace ns {
struct base { int x; };
struct derived : base {
	int y;
	__attribute__((noinline)) int sum(int more) { return x + y + half(more); }
	int half(int of) { return of / 2; }
};
}
int main(int argc, char **)
{
	ns::derived d;

	d.x = argc;
	d.y = 2;
	return printf("%d\n", d.sum(argc));
}
END

# compile NAME COMPILER OPTION...: makes NAME.whole/program and NAME.split/program; linked: options
# for that.
linked=()
compile() {
	local folder source split
	for folder in "$1.whole" "$1.split"; do
		mkdir "$folder" && cp keys.h keys.c main.c classes.cc "$folder" && cd "$folder" ||
			exit 1
		split=()
		[ "$folder" = "$1.whole" ] || split=(-gsplit-dwarf)
		if [[ $2 == *++* ]]; then
			source=(classes)
		else
			source=(keys main)
		fi
		for each in "${source[@]}"; do
			"${@:2}" "${split[@]}" -c -o "$each.o" "$each".c* 2>../log ||
				fail "$*" ../log
		done
		"$2" "${linked[@]}" -o program ./*.o 2>../log || fail "$*" ../log
		rm -- *.o
		cd .. || exit 1
	done
}

# said_of FOLDER: all that is known of its program.
said_of() {
	local point program
	program="process(\"$PWD/$1/program\")"
	for point in 'function("*")' 'function("*").call' 'function("*").return' \
		'function("*").inline' 'function("*").callees' 'function("ns::*")' \
		'statement("*@*.c*:*")' 'function("lookup")' 'function("same")'; do
		"$PROBEC" -L "$program.$point"
	done
	while read -r point; do
		"$PROBEC" -w -p2 -e "probe $program.${point//PROGRAM/$PWD/$1/program}"
	done <<'END'
function("lookup") { println($in$$, $key, $flags, $in->rows[2]->next->value) }
function("lookup").return { println($return->key, $return$$) }
statement("*@main.c:*") { println($$vars) }
function("same") { println(@var("compared"), @var("table")->id) }
function("same") { println(@cast($a, "entry", "PROGRAM")->key) }
function("both").inline { println($$vars) }
function("ns::derived::sum") { println($this$$, $more, $this->x) }
statement("*@classes.cc:*") { println($$vars) }
END
}

judged() { # NAME: the two programs of compile
	said_of "$1.whole" >wanted 2>&1
	said_of "$1.split" 2>&1 | sed 's/\.split/.whole/g' >found
	cmp -s wanted found || { diff wanted found | head -40 >log; fail "$1" log; }
	grep -q '\$[a-z]*:' wanted || fail "$1: no values" wanted
}

for cc in gcc g++ clang clang++; do
	command -v $cc >/dev/null || continue
	for version in 4 5; do
		compile $cc.$version $cc -O2 -g -gdwarf-$version
		judged $cc.$version
		# Skeletons that have functions as well.
		[[ $cc != clang* ]] || {
			compile $cc.$version.inlining $cc -O2 -g -gdwarf-$version \
				-fsplit-dwarf-inlining
			judged $cc.$version.inlining
		}
	done
done
compile gcc.unoptimised gcc -g
judged gcc.unoptimised
compile g++.types g++ -g -fdebug-types-section
judged g++.types
# Compressed sections, of the program and of the files.
linked=(-gz=zlib)
for cc in g++ clang++; do
	command -v $cc >/dev/null || continue
	compile $cc.packed $cc -g -gz=zlib -O2
	readelf -SW $cc.packed.split/program | grep -q ' \.debug_.* C ' ||
		fail "$cc: nothing is compressed"
	judged $cc.packed
done
linked=()

# Packages. dwp of binutils 2.40 makes those of DWARF 4, llvm-dwp both.
package() { # NAME COMMAND...: collects the .dwo files
	cp -r "$1.whole" "$1.$2.whole" && cp -r "$1.split" "$1.$2.split" && cd "$1.split" || exit 1
	timeout 60 "$2" -e program -o "../$1.$2.split/program.dwp" >../log 2>&1
	cd .. || exit 1
	[ -s "$1.$2.split/program.dwp" ] || return 1
	mv "$1.split" gone
	rm "$1.$2.split"/*.dwo
	judged "$1.$2"
	mv gone "$1.split"
}
packages=0
for command in dwp llvm-dwp; do
	command -v $command >/dev/null || continue
	for name in gcc.4 g++.4 g++.5; do
		package $name $command && packages=$((packages + 1))
	done
done
[ $packages -gt 0 ] || ! command -v dwp >/dev/null || fail 'no package' log

# The types of a package's type units are in the .dwo files alone.
if command -v dwp >/dev/null; then
	compile g++.types4 g++ -g -gdwarf-4 -fdebug-types-section
	(cd g++.types4.split && dwp -e program -o program.dwp) >log 2>&1 || fail 'type units' log
	judged g++.types4
	there=$PWD/g++.types4.split/program
	mkdir left && mv g++.types4.split/*.dwo left
	refused E_NO_DEBUGINFO 'a type' "$PROBEC" -p2 -e \
		"probe begin { println(@cast(1, \"ns::derived\", \"$there\")->y) }"
	refused E_BAD_ACCESS 'a member' "$PROBEC" -p2 -e \
		"probe process(\"$there\").function(\"ns::derived::sum\").call {
			println(\$this->y) }"
	grep -q "'struct derived' is only declared in debug information" said &&
		grep -q 'which are not read' said || fail 'a member: what it says' said
fi

# Moved beside the program, and to a directory that --debuginfo names.
cp -r gcc.5.split moved && mv gcc.5.split gone
"$PROBEC" -L "process(\"$PWD/moved/program\").function(\"same\")" >said 2>&1
grep -q '\$a:const char\*' said || fail 'beside the program' said
mkdir apart && mv moved/*.dwo apart
"$PROBEC" --debuginfo="$PWD/apart" -L "process(\"$PWD/moved/program\").function(\"same\")" \
	>said 2>&1
grep -q '\$a:const char\*' said || fail '--debuginfo' said

# A file that is missing, another's, damaged, or no file.
probe() { "$PROBEC" -p2 -e "probe process(\"$PWD/moved/program\").$1"; }
cp apart/main.dwo moved
lacking() {
	refused E_NO_DEBUGINFO "$1: a value" probe 'function("same").call { println($a) }'
	grep -q 'keys.dwo' said || fail "$1: the file is not named" said
	refused E_NO_DEBUGINFO "$1: a line" probe 'statement("*@keys.c:7") { }'
	refused E_NO_DEBUGINFO "$1: copies" probe 'function("both").inline { }'
	refused E_NO_DEBUGINFO "$1: a variable" \
		probe 'function("lookup") { println(@var("compared")) }'
	probe 'function("*") { }' >said 2>&1 || fail "$1: a pattern" said
	grep -q '1 of 2 units lacks its debug information' said || fail "$1: nothing said" said
	probe 'function("same").call { println($arg1) }' >said 2>&1 || fail "$1: an entry" said
	probe 'function("lookup") { println($key) }' >said 2>&1 || fail "$1: another unit" said
}
lacking missing
cp apart/main.dwo moved/keys.dwo
lacking "another unit's"
grep -q 'damaged or of another build' said || probe 'statement("*@keys.c:7") { }' 2>&1 |
	grep -q 'damaged or of another build' || fail 'not called so'
head -c 300 apart/keys.dwo >moved/keys.dwo
lacking 'cut off'
rm moved/keys.dwo && mkfifo moved/keys.dwo
lacking 'a pipe'

# Changed bytes are refused or change what is listed, and nothing else.
rm moved/keys.dwo
python3 - apart/keys.dwo <<'END'
import random, sys
random.seed(9)
with open(sys.argv[1], 'rb') as f:
    whole = f.read()
for turn in range(40):
    data = bytearray(whole)
    for _ in range(random.choice([1, 5, 40])):
        data[random.randrange(64, len(data))] = random.randrange(256)
    with open(f'damaged.{turn}', 'wb') as f:
        f.write(data)
END
for file in damaged.*; do
	cp "$file" moved/keys.dwo
	for point in 'function("*")' 'statement("*@keys.c:*")'; do
		timeout 60 "$PROBEC" -L "process(\"$PWD/moved/program\").$point" >listed 2>&1
		[ $? -le 1 ] || fail "$file: $point" listed
	done
done

# A module with such files is refused by a message that says so.
cat >spot.c <<'END'
static const char name[] __attribute__((section(".modinfo"), used)) = "name=spot";
volatile int seen;
static inline __attribute__((always_inline)) void spot_copied(int x) { seen = x; }
int spot_run(int n);
int spot_run(int n) { spot_copied(n); return n; }
END
gcc -g -O1 -gsplit-dwarf -c -o spot.ko spot.c || fail 'spot.ko'
refused E_NO_DEBUGINFO 'a module' "$PROBEC" -r "$TARGET" -p2 \
	-e "probe module(\"$PWD/spot.ko\").function(\"spot_copied\").inline { }"
grep -q 'spot.ko is in .dwo files, as spot.dwo, which are read for programs only' said ||
	fail 'a module' said
