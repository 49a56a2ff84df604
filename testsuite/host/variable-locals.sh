# SPDX-License-Identifier: GPL-2.0
# @var("name") in a probe is the parameter or local variable of that name, which hides that of the
# file, as in C; "name@file.c" is the latter. A wildcard's functions each have their own. A list of
# files means the first that has the variable. The program prints what is expected; its file is
# found in the current directory by its name alone. The probes run in user space.
#@ needs: target
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/traced.sh"
unset PROBEC_DEBUGINFO
traced_build

cat >hiding.c <<'C'
#include <stdio.h>
int probed_total = 7, probed_other = 9;
__attribute__((noinline)) int add(int probed_total)
{
	printf("add %d %d 7 41 0\n", probed_total, probed_other);
	__asm__ volatile("" : "+r"(probed_total));
	return probed_total + 1;
}
__attribute__((noinline)) int sub(int probed_x)
{
	printf("sub %d %d %d 1\nleave %d %d\n", probed_total, probed_total, probed_other,
		probed_x, probed_total);
	__asm__ volatile("" : "+r"(probed_x));
	return probed_x - probed_other;
}
int main(void)
{
	return add(41) + sub(5) == 42 - 4 ? 0 : 1;
}
C
gcc -O1 -g hiding.c -o hiding-program 2>log || fail 'the program' log
cat >hiding.kp <<KP
probe process("hiding-program").function("add") {
	print("add ", @var("probed_total"), " ", @var("probed_other"), " ")
	print(@var("probed_total@hiding.c"))
}
probe process("hiding-program").function("add"), process("hiding-program").function("sub") {
	if (@defined(@var("probed_x")))
		printf("sub %d %d %d", @var("probed_total"),
		       @var("probed_total", "/bin/false:$PWD/hiding-program"), @var("probed_other"))
	else
		print(" ", @var("probed_total"))
	println(" ", @defined(@var("probed_x")))
}
probe process("hiding-program").function("sub").return {
	println("leave ", @entry(@var("probed_x")), " ", @var("probed_total"))
}
KP
traced hiding.kp told seen ./hiding-program
[ -s told ] || fail 'the program printed nothing' seen
diff told seen >differ || fail 'the values are not those of the program' differ

# A name that is nowhere.
"$PROBEC" -p2 -r "$TARGET" -e 'probe process("no-such-program").begin { }' >said 2>&1 &&
	fail 'a program that does not exist' said
grep -q 'nor this directory have .no-such-program' said || fail 'the message' said
