/* SPDX-License-Identifier: GPL-2.0 */
/* For stack-sigreturn.sh: a signal's handler returns to a function with callers of its own. */
#include <signal.h>

static volatile int handled;

static void handle(int number)
{
	handled += number;
}

__attribute__((noinline)) static int inner(int n)
{
	return raise(SIGUSR1) + n;
}

__attribute__((noinline)) static int outer(int n)
{
	return inner(n) + handled;
}

int main(int argc, char **argv)
{
	(void)argv;
	signal(SIGUSR1, handle);
	return outer(argc) != SIGUSR1 + 1;
}
