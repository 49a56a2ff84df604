/* SPDX-License-Identifier: GPL-2.0 */
/*
 * forks ROUNDS - Calls that return twice: in the process that made them, and in a child that it
 * forks during the call. work() and its caller outer() return by instructions that can be known,
 * jump() does not. The child then makes nested calls of its own. Prints how many calls of work(),
 * outer(), jump() and nest() ended in the process that made them, then how many of the first three
 * ended in a child.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static struct counts {
	long work, outer, jump, nest;
} *own, *inherited;
static pid_t maker; /* of the call that is under way */

static struct counts *where(void)
{
	return getpid() == maker ? own : inherited;
}

static void twice(void)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (pid > 0 && waitpid(pid, NULL, 0) != pid)
		exit(1);
}

KEPT int work(int n)
{
	if (n > 0)
		twice();
	return n * 10;
}

KEPT int outer(int n)
{
	int ret = work(n);

	where()->work++;
	return ret + 1;
}

KEPT int jump(int n)
{
	static const void *const to[] = { &&even, &&odd };

	twice();
	goto *to[n & 1];
even:
	return n * 2;
odd:
	return n * 3;
}

KEPT int nest(int n)
{
	int ret = n > 0 ? nest(n - 1) + 1 : 0;

	own->nest++;
	return ret;
}

static void in_child(void)
{
	if (getpid() == maker)
		return;
	maker = getpid();
	nest(29);
	outer(-1);
	own->outer++;
	_exit(0);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (own == MAP_FAILED)
		return 1;
	inherited = own + 1;
	maker = getpid();
	for (int i = 1; i <= rounds; i++) {
		outer(i);
		where()->outer++;
		in_child();
		jump(i);
		where()->jump++;
		in_child();
	}
	printf("%ld %ld %ld %ld\n%ld %ld %ld\n", own->work, own->outer, own->jump, own->nest,
	       inherited->work, inherited->outer, inherited->jump);
	return 0;
}
