# SPDX-License-Identifier: GPL-2.0
# Variables of the function that contains an SDT marker, by debug information, compared with the
# marker's arguments and with each other. A name that is an argument is the argument.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) && cd "$folder" || exit 1
trap 'cd / && rm -r "$folder"' EXIT
build_program target -g
at="$PWD/target"
cat >variables.kp <<END
global n, wrong, squares, text
probe process("$at").mark("round") {
	n++
	squares += \$square
	if (\$square != \$arg1 || \$i * \$i != \$square || \$on_stack[0] != \$i + 1 ||
	    \$on_stack[1] != \$arg4 || \$arg4 != \$i + 2)
		wrong++
	text = user_string(\$text)
}
probe end { printf("%d %d %d %s\n", n, wrong, squares, text) }
END
"$PROBEC" -w -c "$at 10" variables.kp >got 2>said || fail 'variables at a marker' got said
grep -qx '10 0 285 marked' got || fail 'wrong values' got said
"$PROBEC" -w -c "$at 10" -e "global n; probe process(\"$at\").mark(\"round\") {
	if (@defined(\$nothing)) println(\"defined\") else n++ }
	probe end { println(n) }" >got 2>said || fail '@defined of no variable' said
grep -qx 10 got || fail 'a variable that is not there' got said

# Markers of one name may be in several functions, each of which has its variables elsewhere.
{
	sed -n '/^#define MARK/,/^$/p' target.c
	cat <<'END'
static void first(long n) { volatile long value = n; __asm__ volatile(MARK("spot", "0", "")); }
static void second(long n)
{
	volatile long room[9] = { 1 }, value = n * 2 + room[1];

	__asm__ volatile(MARK("spot", "0", ""));
}
int main(void) { first(21); second(21); }
END
} >spots.c
gcc -O0 -g -o spots spots.c 2>log || fail 'spots does not compile' log
at="$PWD/spots"
"$PROBEC" -w -c "$at" -e "probe process(\"$at\").mark(\"spot\") { println(\$value) }" >got 2>said ||
	fail 'variables of two functions' got said
[ "$(cat got)" = $'21\n42' ] || fail 'wrong values of two functions' got said
