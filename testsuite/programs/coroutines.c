/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two stacks that take turns within the same function: its calls do not return in the reverse of
 * their order. "ROUNDS" is the argument; it prints the number of calls that returned and the sum of
 * what they returned. vm/user-returns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static long rounds, calls, sum;
static ucontext_t contexts[3];
static long turns[2];

__attribute__((noinline)) long step(long who, long n)
{
	long before = n;

	turns[who]++;
	swapcontext(&contexts[who], &contexts[!who]);
	__asm__ volatile("" : "+r"(before));
	return before * 10 + who;
}

static void coroutine(int who)
{
	for (long i = 0; i < rounds; i++)
		calls++, sum += step(who, i);
}

static void coroutines(void)
{
	for (int who = 0; who < 2; who++) {
		getcontext(&contexts[who]);
		contexts[who].uc_stack.ss_sp = malloc(65536);
		contexts[who].uc_stack.ss_size = 65536;
		contexts[who].uc_link = &contexts[2];
		makecontext(&contexts[who], (void (*)(void))coroutine, 1, who);
	}
	swapcontext(&contexts[2], &contexts[0]);
	/* The other one waits within its last call. */
	contexts[1].uc_link = &contexts[2];
	swapcontext(&contexts[2], &contexts[1]);
}


/* Ends in a jump. */
__attribute__((noinline)) long step_jump(long who, long n)
{
	return step(who, n + 1);
}

int main(int argc, char **argv)
{
	rounds = argc > 1 ? atol(argv[1]) : 1;
	if (argc > 2)
		step_jump(0, 1);
	coroutines();
	printf("%ld %ld\n", calls, sum);
	return 0;
}
