# SPDX-License-Identifier: GPL-2.0
#@ slow
# Programs of 32 bits (testsuite/programs/bits32.c): parameters, results, structures, markers,
# lines, stacks, system calls and events, compared with what the program prints. It needs no
# library, and so is made where there are none of 32 bits.
flags=(-m32 -nostdlib -static -ffreestanding -fno-stack-protector -fno-pie -no-pie)
unset PROBEC_DEBUGINFO
# values NAME TEXT COMPILER OPTION...: all values, by debug information; TEXT: that of the parameter
# of only(), which has no location at the entry of code that is not optimised. clang's optimised
# code has registers at the entry only.
values() {
	local at="process(\"$PWD/$1\")" fast registers
	fast="statement(\"*@bits32.c:${lines[fast]}\")"
	registers="statement(\"*@bits32.c:${lines[registers]}\")"
	case $3$4 in
	clang*-O[12s]) fast='function("fast")' registers='function("registers")' ;;
	esac
	cp "$TOP/testsuite/programs/bits32.c" . &&
		"$3" -std=gnu11 "${flags[@]}" -g "${@:4}" -o "$1" bits32.c 2>log || fail "$1" log
	names+=("$1")
	build "$1" "
probe $at.function(\"plain\") { printf(\"plain %x %x %s %x\\n\", \$a, \$b, user_string(\$s), \$c) }
probe $at.function(\"plain\").return { printf(\"plain = %x\\n\", \$return) }
probe $at.function(\"wide\") { printf(\"wide %x %x %x %x\\n\", \$a, \$b, \$c, \$d) }
probe $at.function(\"wide\").return {
	printf(\"wide = %x\\n\", \$b == @entry(\$b) && returnval() == \$return ? \$return : 0) }
probe $at.function(\"only\") { printf(\"only %x\\n\", $2) }
probe $at.function(\"only\").return { printf(\"only = %x\\n\", \$return) }
probe $at.function(\"deep\") {
	printf(\"deep %x %s %x %x %x\\n\", \$p->next->id, user_string(\$p->next->name),
	       \$p->next->big, @cast(\$p, \"struct item\")->next->small, \$n) }
probe $at.function(\"deep\").return { printf(\"deep = %x\\n\", \$return - \$n + @entry(\$n)) }
probe $at.function(\"make\") { printf(\"make %x %x\\n\", \$a, \$b) }
probe $at.function(\"make\").return { printf(\"make = %x %x\\n\", \$return->a, \$return->b) }
probe $at.function(\"by_value\") { printf(\"by_value %x %x %x %x %x\\n\", \$q, \$p->id, \$p->big,
	\$p->next->id, \$r) }
probe $at.function(\"by_value\").return { printf(\"by_value = %x\\n\", \$return) }
probe $at.function(\"cleans\") { printf(\"cleans %x %x\\n\", \$a, \$b) }
probe $at.function(\"cleans\").return {
	printf(\"cleans = %x\\n\", @entry(\$a) != \$a ? 0 :
	       @defined(\$return) ? \$return : returnval()) }
probe $at.$fast { printf(\"fast %x %x %x\\n\", \$a, \$b, \$c) }
probe $at.function(\"fast\").return { printf(\"fast = %x\\n\", returnval()) }
probe $at.$registers {
	printf(\"registers %x %x %x %x\\n\", \$a, \$b, \$c, \$d) }
probe $at.function(\"registers\").return { printf(\"registers = %x\\n\", \$return) }
probe $at.function(\"own\") { printf(\"own %x %x\\n\", \$a, \$b) }
probe $at.function(\"own\").return {
	printf(\"own = %x\\n\", @defined(\$return) ? \$return : returnval()) }
probe $at.function(\"name_of\").return { printf(\"name_of = %s\\n\", user_string(\$return)) }
probe $at.mark(\"mark\") { printf(\"marked %x %x %x\\n\", \$arg1, \$arg2, \$arg3) }
probe $at.function(\"marked\").return { printf(\"marked = %x\\n\", \$return) }
probe $at.function(\"outer\").return { printf(\"outer = %x\\n\", \$return) }
probe $at.function(\"hops\") { printf(\"hops %x %x\\n\", \$n, \$m) }
probe $at.function(\"hops\").return { printf(\"hops = %x %x\\n\", \$return, @entry(\$n)) }
probe $at.function(\"copies\").call {
	printf(\"copies %x %x\\n\", \$n, \$k)
	if (@defined(\$m)) printf(\"maybe copies %x\\n\", \$m) }
probe $at.function(\"early\").call { printf(\"early %x %x %x\\n\", \$n, \$m, \$k) }"
}
# The line of the statement with each word.
declare -A lines
for word in fast registers; do
	lines[$word]=$(grep -n "/\* $word \*/" "$TOP/testsuite/programs/bits32.c" | cut -d : -f 1)
done
names=()
# shellcheck disable=SC2016
values unoptimised '@defined($a) ? $a : 0' gcc -O0
# shellcheck disable=SC2016
values optimised '$a' gcc -O2
for clang in clang clang-16; do
	command -v "$clang" >/dev/null || continue
	for level in O1 O2 Os; do
		# shellcheck disable=SC2016
		values "$clang-$level" '$a' "$clang" -$level
	done
	# shellcheck disable=SC2016
	values "$clang-unoptimised" '@defined($a) ? $a : 0' "$clang" -O0
	# shellcheck disable=SC2016
	values "$clang-frames" '@defined($a) ? $a : 0' "$clang" -O2 -fno-omit-frame-pointer
done

# Without debug information, beside a program of 64 bits that has a function of the same name.
build_program bits32 "${flags[@]}" && mv bits32 bits_32
cat >bits_64.c <<'END'
#include <stdio.h>
__attribute__((noinline)) long plain(long a, long b, const char *s, long c)
{
	__asm__ volatile("" : : "r"(s) : "memory");
	return a + b + c;
}
int main(void)
{
	printf("%lx\n", plain(-7000000000, 8, "other", 9000000000));
	return 0;
}
END
gcc -O2 -o bits_64 bits_64.c 2>log || fail bits_64 log
build plain "
probe process(\"$PWD/bits_*\").function(\"plain\") {
	printf(\"%x %x %s %x %x\\n\", \$arg1, \$arg2, user_string(\$arg3), \$arg4, long_arg(1)) }
probe process(\"$PWD/bits_*\").function(\"plain\").return {
	printf(\"= %x %x\\n\", \$return, returnval()) }
probe process(\"$PWD/bits_32\").function(\"wide\") {
	printf(\"%x %x %x\\n\", int_arg(1), uint_arg(2), uint_arg(3)) }
probe process(\"$PWD/bits_32\").syscall {
	if (\$syscall == 20) printf(\"%x %x %x\\n\", \$arg1, \$arg2, \$arg3) }
probe process(\"$PWD/bits_32\").begin { println(\"begin \", execname()) }
probe process(\"$PWD/bits_32\").end { println(\"end\") }"
build stacks "
probe process(\"$PWD/optimised\").function(\"leaf\") { print_ubacktrace() }
probe process(\"$PWD/unoptimised\").function(\"leaf\") { print_ubacktrace() }
probe process(\"$PWD/optimised\").function(\"middle\").return { print_ubacktrace() }"

# Frames of signals, where a C library of 32 bits is installed.
cp "$TOP/testsuite/programs/signals32.c" . || fail signals32
! gcc -m32 -O2 -o signals signals32.c 2>log ||
	build signals "probe process(\"$PWD/signals\").function(\"leaf\") { print_ubacktrace() }"

cat >guest <<'SH'
cd "$1" || exit
same() { # WHAT
	diff printed said || echo "$1: what the program prints, and what the probes have, differ"
}
for name in "${@:2}"; do
	"$PROBERUN" -o said $name.ko -c "./$name >printed" || echo "$name: status $?"
	grep -q '^maybe' said || sed -i '/^maybe/d' printed
	if [ $name = unoptimised ]; then
		grep -qx 'only 0' said || echo 'the parameter of only() is not refused'
	fi
	! grep -qx 'only 0' said || sed -i '/^only [^=]/d' printed said
	same $name
done
"$PROBERUN" -o said plain.ko -c './bits_64 >/dev/null; ./bits_32 >/dev/null' ||
	echo "plain: status $?"
cat >printed <<'END'
fffffffe5ec47a00 8 other 218711a00 fffffffe5ec47a00
= 77359408 77359408
begin bits_32
ffffffffffffffff 7 hello c8 ffffffffffffffff
= ce ce
1 d5fa0e00 fffffffe
1234 fffffffb 7fffffff
fffffffffffffffc 7 hello c8 fffffffffffffffc
= cb cb
1 d5fa0dfd fffffffe
1237 fffffffb 7fffffff
end
END
same plain
"$PROBERUN" -o stacks stacks.ko -c './unoptimised >/dev/null; ./optimised >/dev/null' ||
	echo "stacks: status $?"
# run() may be a part of go().
sed -n 's/^ .* : \([a-z_]*\).*/\1/p' stacks |
	awk '{ line = line (line ? " " : "") $1 } $1 == "_start" { print line; line = "" }' |
	sed 's/run //' | sort | uniq -c | sed 's/^ *//' >said
cat >printed <<'END'
4 leaf middle outer go _start
2 outer go _start
END
same stacks
[ -e signals.ko ] || exit 0
"$PROBERUN" -o stacks signals.ko -c ./signals || echo "signals: status $?"
# The kernel and the library have frames between a handler and raise().
sed -n 's/^ .* : \([a-z_]*\).*/\1/p' stacks |
	awk '/^(leaf|handle|handle_info|raise|middle|outer|trap|main)$/ { line = line " " $1 }
		$1 == "main" { print substr(line, 2); line = "" }' >said
cat >printed <<'END'
leaf handle raise middle outer main
leaf handle_info raise middle outer main
leaf handle_info raise middle outer main
leaf handle_info trap main
END
same signals
SH
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" "${names[@]}" >said 2>&1 ||
	fail "status $?" said
[ ! -s said ] || fail 'it says' said
