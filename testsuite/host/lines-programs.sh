# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# --lines of a program: its lines with their text, from where the compiler ran, as a probe takes
# them.
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO
mkdir source elsewhere
cat >source/twice.c <<'EOF'
#include <stdlib.h>

__attribute__((noinline)) static int twice(int n)
{
	/* No code. */
	if (n > 1000)
		abort();
	return n * 2;
}

int main(int argc, char **argv)
{
	return twice(argc) + twice(argv != NULL);
}
EOF
# A relative path in the debug information: the text is found from another directory.
(cd source && gcc -O1 -g -o ../elsewhere/twice twice.c) || fail 'the program'
program=$PWD/elsewhere/twice

"$PROBEC" -r "$TARGET" --lines "$program:twice" >lines 2>said || fail --lines said
[ "$(head -n 1 lines)" = "$PWD/source/twice.c" ] || fail 'the file' lines
sed 1d lines | grep -qx ' *[0-9]*  *	return n \* 2;' || fail 'a line with code' lines
sed 1d lines | grep -qx '  *	/\* No code. \*/' || fail 'a line without code' lines
sed -n '2,$s/^ *\([0-9][0-9]*\) .*/\1/p' lines >numbers
# The judge: the line table, as objdump reads it.
objdump --dwarf=decodedline elsewhere/twice |
	awk '$1 == "twice.c" && $2 >= 4 && $2 <= 9 { print $2 }' | sort -nu >judge
while read -r number; do
	grep -qx "$number" judge || fail "line $number has no code" lines judge
	"$PROBEC" -r "$TARGET" -p2 -e \
		"probe process(\"$program\").statement(\"twice@twice.c:$number\") { }" >said 2>&1 ||
		fail "a probe at line $number" said
done <numbers
grep -qx 8 numbers || fail 'the return' lines

"$PROBEC" -r "$TARGET" --format json --lines "elsewhere/twice:*@twice.c" >json 2>said ||
	fail 'json' said
grep -q '"file":"twice.c","line":8,"function":"twice","text":"\\u0009return n \* 2;"' json ||
	fail 'json' json
grep -q '"function":"main"' json || fail 'a pattern' json

# Without the source the numbers alone; without debug information what to do.
mv source gone
"$PROBEC" -r "$TARGET" --lines "$program:twice" >bare 2>said || fail 'without the source' said
head -n 1 bare | grep -qx 'twice.c  (its source is not available)' || fail 'without the source' bare
sed -n '2,$s/ //gp' bare | cmp - numbers || fail 'other lines without the source' bare
strip elsewhere/twice
refused E_NO_DEBUGINFO 'stripped' "$PROBEC" -r "$TARGET" --lines "$program:twice"
