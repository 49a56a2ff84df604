/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that return in many ways: vm/user-returns. "MODE ROUNDS". At its end the program prints
 * the sums that probes at the returns should see.
 *
 *   plain    several instructions that return, a switch, calls nested up to 300 times; in four
 *            threads
 *   left     calls that are left by longjmp at all depths up to 300, and one that returns
 *            behind each
 *   bare     a function whose first instruction is the one that returns
 *   seccomp  a filter kills the program at any system call but write and exit_group
 *   sleep    sleeps within a function, so often that somebody may come to kill the session
 */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long rounds, calls, sum;

static void count(long value)
{
	__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&sum, value, __ATOMIC_RELAXED);
}

/* Returns early, from a switch, and at the end. */
__attribute__((noinline)) long choose(long n)
{
	__asm__ volatile("" : "+r"(n));
	if (n < 0)
		return -n;
	switch (n) {
	case 0: return 11;
	case 1: __asm__ volatile("" : "+r"(n)); return n * 13;
	case 2: __asm__ volatile("nop" : "+r"(n)); return n * n + 5;
	case 3: return 17;
	case 4: __asm__ volatile("" : "+r"(n)); return n - 100;
	case 5: return 19;
	case 6: __asm__ volatile("nop" : "+r"(n)); return n << 4;
	}
	__asm__ volatile("" : "+r"(n));
	return n + 1;
}

/* Ends in a jump to choose(). */
__attribute__((noinline)) long jump(long n)
{
	__asm__ volatile("" : "+r"(n));
	return choose(n + 1);
}

__attribute__((noinline)) long deep(long n)
{
	long below = n ? deep(n - 1) : 0;

	__asm__ volatile("" : "+r"(below));
	return below + n;
}

/* The same, but its last call is a jump where n is even. */
__attribute__((noinline)) long deep_jump(long n)
{
	long below = n > 0 ? deep_jump(n - 1) : 0;

	__asm__ volatile("" : "+r"(below));
	if (n % 2)
		return below + n;
	return choose(-1 - below);
}

static long deep_sum(long n)
{
	return n * (n + 1) / 2;
}

static void *plain(void *data)
{
	for (long i = 0; i < rounds; i++) {
		count(choose(i % 9 - 1));
		count(jump(i % 9 - 1));
	}
	for (long i = 0; i < rounds / 100 + 1; i++)
		if (deep(300) != deep_sum(300))
			abort();
	deep_jump(200);
	return data;
}

static __thread jmp_buf back;

__attribute__((noinline)) long leave(long n, long at)
{
	long below;

	if (n == at)
		longjmp(back, 1);
	below = n ? leave(n - 1, at) : 0;
	__asm__ volatile("" : "+r"(below));
	return below + n;
}

static void left(void)
{
	for (volatile long i = 0; i < rounds; i++) {
		if (!setjmp(back))
			leave(i % 300, i % 7);
		count(leave(i % 50, -1));
	}
}

void bare(long n);

__asm__(".text\n.globl bare\n.type bare, @function\nbare: ret\n.size bare, . - bare\n");

static void returns_at_once(void)
{
	for (long i = 1; i <= rounds; i++) {
		bare(i);
		count(i);
	}
}

static void seccomp(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	setvbuf(stdout, malloc(4096), _IOFBF, 4096);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		abort();
	for (long i = 0; i < rounds; i++) {
		count(choose(i % 9 - 1));
		count(jump(i % 9 - 1));
	}
}

__attribute__((noinline)) long doze(long n)
{
	struct timespec time = { 0, 20000000 };

	nanosleep(&time, NULL);
	return n + 1;
}

/* The same, by a jump. */
__attribute__((noinline)) long doze_jump(long n)
{
	struct timespec time = { 0, 20000000 };

	nanosleep(&time, NULL);
	return choose(n);
}

static void *sleeper(void *data)
{
	for (long i = 0; i < rounds; i++) {
		count(doze(i));
		count(doze_jump(i % 7));
	}
	return data;
}

static void threads(void *(*run)(void *))
{
	pthread_t all[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&all[i], NULL, run, NULL))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "plain";

	rounds = argc > 2 ? atol(argv[2]) : 1;
	if (strcmp(mode, "plain") == 0)
		threads(plain);
	else if (strcmp(mode, "left") == 0)
		left();
	else if (strcmp(mode, "bare") == 0)
		returns_at_once();
	else if (strcmp(mode, "seccomp") == 0)
		seccomp();
	else
		threads(sleeper);
	printf("%ld %ld\n", calls, sum);
	fflush(stdout);
	_exit(0);
}
