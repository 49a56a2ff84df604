/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Coroutines that go on in another thread each time that they are resumed. Nothing in this file has
 * the name of a library for coroutines: the switch is its own. "ROUNDS [TURNS [COROUTINES]]": the
 * calls that each coroutine makes, the number of turns after which the threads end and new ones go
 * on (0: never), and the number of coroutines. It prints the number of calls of step() and the sum
 * of what they returned, and the same of nest(). vm/user-returns.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COROUTINES = 256, THREADS = 2, STACK = 65536 };

/* Saves the registers that a call must leave alone, and the stack pointer at *@save; goes on where
 * the call with @load as its *@save was. */
void go_on(void **save, void *load);
/* Where a coroutine begins: calls run() with the number that is in a saved register. */
void begin(void);

#ifdef __x86_64__
__asm__(".text\n.globl go_on\n.type go_on, @function\ngo_on:\n"
	" push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
	" mov %rsp, (%rdi)\n mov %rsi, %rsp\n"
	" pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n"
	" ret\n.size go_on, . - go_on\n"
	"begin:\n mov %rbx, %rdi\n call run\n ud2\n");
enum { NUMBER_AT = 5, RETURN_AT = 6, WORDS = 8 };
#else
__asm__(".text\n.globl go_on\n.type go_on, @function\ngo_on:\n"
	" sub sp, sp, #160\n"
	" stp x19, x20, [sp]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
	" stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n"
	" stp x29, x30, [sp, #80]\n"
	" stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n"
	" stp d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
	" mov x2, sp\n str x2, [x0]\n mov sp, x1\n"
	" ldp x19, x20, [sp]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
	" ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n"
	" ldp x29, x30, [sp, #80]\n"
	" ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n"
	" ldp d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n"
	" add sp, sp, #160\n ret\n.size go_on, . - go_on\n"
	"begin:\n mov x0, x19\n bl run\n brk #0\n");
enum { NUMBER_AT = 0, RETURN_AT = 11, WORDS = 20 };
#endif

struct count {
	long calls, sum;
};

static struct count steps, nests;
static long rounds, turns, coroutines;
static void *own[THREADS];           /* where the threads wait for the coroutine that they run */
static struct coroutine {
	void *at;                    /* where it waits */
	long thread;                 /* that runs it */
	int over;
} all[COROUTINES];
static pthread_barrier_t both;
static long first_turn;

static long counted(struct count *c, long value)
{
	__atomic_add_fetch(&c->calls, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&c->sum, value, __ATOMIC_RELAXED);
	return value;
}

static void wait_for_turn(long who)
{
	struct coroutine *c = &all[who];

	go_on(&c->at, own[c->thread]);
}

/* Returns in another thread than it was called in. */
__attribute__((noinline)) long step(long who, long n)
{
	long before = n;

	wait_for_turn(who);
	__asm__ volatile("" : "+r"(before));
	return before * 10 + who;
}

/* The same, with calls within calls of the same function. */
__attribute__((noinline)) long nest(long who, long n)
{
	long below = n % 3 ? counted(&nests, nest(who, n - 1)) : counted(&steps, step(who, n));

	__asm__ volatile("" : "+r"(below));
	return below + n;
}

void run(long who)
{
	for (long i = 0; i < rounds; i++) {
		counted(&steps, step(who, i));
		counted(&nests, nest(who, i));
	}
	all[who].over = 1;
	wait_for_turn(who);
}

static void make(long who)
{
	char *end = (char *)malloc(STACK) + STACK;
	void **at = (void **)((unsigned long)end & ~15ul) - WORDS;

	memset(at, 0, WORDS * sizeof(*at));
	at[NUMBER_AT] = (void *)who;
	at[RETURN_AT] = (void *)begin;
	all[who].at = at;
}

/* All coroutines are over; known to both threads at the same time. */
static int all_over(void)
{
	int over = 1;

	pthread_barrier_wait(&both);
	for (long who = 0; who < coroutines; who++)
		over &= all[who].over;
	pthread_barrier_wait(&both);
	return over;
}

static void *resume(void *data)
{
	long self = (long)data;

	for (long turn = first_turn; !turns || turn < first_turn + turns; turn++) {
		for (long who = 0; who < coroutines; who++) {
			if ((who + turn) % THREADS != self || all[who].over)
				continue;
			all[who].thread = self;
			go_on(&own[self], all[who].at);
		}
		if (all_over())
			return data;
	}
	return &turns;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	void *ret;

	rounds = argc > 1 ? atol(argv[1]) : 1;
	turns = argc > 2 ? atol(argv[2]) : 0;
	coroutines = argc > 3 ? atol(argv[3]) : 4;
	if (coroutines < 1 || coroutines > COROUTINES)
		return 2;
	pthread_barrier_init(&both, NULL, THREADS);
	for (long who = 0; who < coroutines; who++)
		make(who);
	do {
		for (long i = 0; i < THREADS; i++)
			if (pthread_create(&threads[i], NULL, resume, (void *)i))
				abort();
		for (long i = 0; i < THREADS; i++)
			pthread_join(threads[i], &ret);
		first_turn += turns;
	} while (ret == &turns);
	printf("%ld %ld %ld %ld\n", steps.calls, steps.sum, nests.calls, nests.sum);
	return 0;
}
