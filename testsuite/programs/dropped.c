/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of which a compiler may drop parameters, or make them constants, without renaming them.
 * The comments "= FUNCTION NAME=VALUE" are as in passing.cc; NAME=- has no value. */
#include <stdio.h>

#define APART static __attribute__((noinline))

/*= charge unused=- who=*112 cents=100 fixed=7 */
APART int charge(int unused, const char *who, int cents, int fixed)
{
	return printf("charge %s %d %d\n", who, cents, fixed);
}

/*= replaced unused=- a=- b=5 */
APART int replaced(int unused, int a, int b)
{
	a = b * 3;
	return printf("replaced %d %d\n", a, b);
}

/*= after unused=- a=11 b=21 */
APART int after(int unused, int a, int b)
{
	return printf("after %d %d\n", a, b);
}

int main(int argc, char **argv)
{
	charge(argc, "p\0\0", argc * 100, 7);
	charge(argc + 1, argv[0], argc * 101, 7);
	replaced(argc, 1, argc + 4);
	replaced(argc, 2, argc + 5);
	after(argc, argc + 10, argc + 20);
	after(argc, argc + 11, argc + 21);
	return 0;
}
