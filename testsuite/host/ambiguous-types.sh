# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# A module without BTF, two files of which have different types and constants of one name.
# shellcheck shell=bash disable=SC2154
mkdir -p include/uapi/linux
echo 'struct open { int a; };' >include/uapi/linux/open.h
cat >a.c <<'EOC'
#include "include/uapi/linux/open.h"
struct closed { int a; };
enum { LIMIT = 1 };
static volatile int level = 3;
int of_a(struct closed *p, struct open *q) { return p->a + q->a + level + LIMIT; }
const char info[] __attribute__((section(".modinfo"))) = "name=two";
EOC
cat >b.c <<'EOC'
struct open { long before; int a; };
struct closed { long before; int a; };
enum { LIMIT = 2 };
static volatile long level = 4;
int of_b(struct closed *p, struct open *q) { return p->a + q->a + level + LIMIT; }
EOC
gcc -O2 -g -fno-pie -c a.c && gcc -O2 -g -fno-pie -c b.c && ld -r a.o b.o -o two.ko ||
	fail 'no module is made'
point="module(\"$PWD/two.ko\").function"
compile() { "$PROBEC" -r "$TARGET" --debuginfo= "$@"; }

# The next step is one that can be taken. @defined() has no answer, and says the same.
while IFS='|' read -r value hint; do
	for asked in "$value" "@defined($value)"; do
		refused E_AMBIGUOUS "$asked" compile -p2 -e \
			"probe $point(\"of_*\"), begin { println($asked) }"
		grep -qF "$hint" said || fail "$asked: no hint with '$hint'" said
		[ "$(grep -c 'error:' said)" = 1 ] || fail "$asked: it is said again" said
	done
done <<'END'
@cast(0, "struct open", "two")->a|you mean: "kernel<linux/open.h>"
@cast(0, "struct closed", "two")->a|a $parameter of a function in the right source file
@enum("LIMIT", "two")|write the number
@var("level", "two")|name the file: @var("level@FILE")
END
# As the hint says, the type is that of the function's own file.
for f in a b; do
	compile -p3 -e "probe $point(\"of_$f\") { println(\$p->a) }" >$f.out 2>said ||
		fail "of_$f" said
done
grep -qF 'prt_read(c, prt_arg_reg(c, 0), 4,' a.out || fail 'another member is read in a.c' a.out
grep -qF 'prt_read(c, prt_arg_reg(c, 0) + 8, 4,' b.out || fail 'another member is read in b.c' b.out
# A name that no file has is decided.
compile -p2 -e "probe $point(\"of_a\") {
	println(@defined(@cast(0, \"struct nowhere\", \"two\")->a) ? \$nothing : 20) }" \
	>out 2>said || fail 'a name that nothing has' said
