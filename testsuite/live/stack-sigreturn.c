/* SPDX-License-Identifier: GPL-2.0 */
/* For stack-sigreturn.sh: a signal's handler returns to a function with callers of its own, until
 * the file that the argument names is there. */
#include <signal.h>
#include <unistd.h>

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
	int last = 0, wrong = 0;

	signal(SIGUSR1, handle);
	while (!last && !wrong) {
		last = argc < 2 || access(argv[1], F_OK) == 0;
		handled = 0;
		wrong = outer(argc) != SIGUSR1 + argc;
		usleep(1000);
	}
	return wrong;
}
