/* SPDX-License-Identifier: GPL-2.0 */
/*
 * loop CALL [N] - prints what one system call costs in ticks of the processor's clock, or makes N
 * calls; a CALL user_... is of a function here that begins with that instruction, or with the SDT
 * marker `loop:mark`, which has a semaphore; user_framed has two callers, and user_store writes to
 * the variable `watched`. The call `spawn` makes a child, which ends at once, and waits for it. In
 * a guest that runs with -icount the clock counts instructions, so the figure is exact and
 * repeatable; the minimum of several rounds excludes rounds in which an interrupt or another
 * process ran.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#include "loop_x86.h"
#elif defined(__aarch64__)
#include "loop_arm64.h"
#endif

#define FUNCTION(name, code)                                                                   \
	long name(const char *text, long n);                                                   \
	__asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"          \
		".cfi_startproc\n" code "\nret\n.cfi_endproc\n"                              \
		".size " #name ", .-" #name "\n.balign 16\n")
FUNCTION(user_push, CODE_PUSH);
FUNCTION(user_mov, CODE_MOV);
FUNCTION(user_sub, CODE_SUB);
FUNCTION(user_test, CODE_TEST);
FUNCTION(user_framed, CODE_FRAMED);
FUNCTION(user_multiply, CODE_MULTIPLY);

/* Two callers with frame pointers, which all tracers can follow. */
static __attribute__((noinline, optimize("no-omit-frame-pointer"))) long caller(const char *text,
										long n)
{
	return user_framed(text, n) + 1;
}

static __attribute__((noinline, optimize("no-omit-frame-pointer"))) long outer(const char *text,
									       long n)
{
	return caller(text, n) + 1;
}

/* A variable that is watched. */
volatile long watched;
static __attribute__((noinline)) long user_store(const char *text, long n)
{
	(void)text;
	watched = n;
	return n;
}

/* A marker as <sys/sdt.h> writes it. */
static volatile unsigned short mark_users __attribute__((section(".probes"), used));
FUNCTION(user_mark, "990: nop\n"
	 ".pushsection .note.stapsdt,\"\",\"note\"\n"
	 ".balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
	 "991: .asciz \"stapsdt\"\n992: .balign 4\n"
	 "993: .8byte 990b, 0, mark_users\n"
	 ".asciz \"loop\"\n.asciz \"mark\"\n.asciz \"" MARK_ARGUMENT "\"\n"
	 "994: .balign 4\n.popsection");

static long spawn(const char *text, long n)
{
	pid_t pid = vfork();
	int status;

	(void)text;
	(void)n;
	if (!pid)
		_exit(0);
	return waitpid(pid, &status, 0);
}

enum { ROUNDS = 7, CALLS = 5000 };

int main(int argc, char **argv)
{
	static char path[] = "/none/a/file", text[] = "twelve bytes";
	const struct {
		const char *name;
		long number, first, second, third;
		long (*function)(const char *, long);
	} known[] = {
		{ .name = "getppid", .number = SYS_getppid },
		/* The id does not exist: the call changes nothing. */
		{ .name = "setfsuid", .number = SYS_setfsuid, .first = -1 },
		/* Refused for its flags: nothing is looked up. */
		{ "openat", SYS_openat, AT_FDCWD, (long)path, O_TMPFILE | O_RDONLY, NULL },
		{ .name = "user_push", .function = user_push },
		{ .name = "user_mov", .function = user_mov },
		{ .name = "user_sub", .function = user_sub },
		{ .name = "user_test", .function = user_test },
		{ .name = "user_framed", .function = outer },
		{ .name = "user_multiply", .function = user_multiply },
		{ .name = "user_mark", .function = user_mark },
		{ .name = "user_store", .function = user_store },
		{ .name = "spawn", .function = spawn },
	}, *call = known;
	long calls = argc > 2 ? atol(argv[2]) : CALLS;
	int rounds = argc > 2 ? 1 : ROUNDS;
	uint64_t best = UINT64_MAX;

	path[0] = '/'; /* so that its page is resident */
	text[0] = 'T';
	for (size_t i = 0; argc > 1 && i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(argv[1], known[i].name) == 0)
			call = &known[i];
	}
	/* On arm64, a process that has used SVE, as the C library does to compare strings, pays for
	 * that at each system call until another one has run while it was in one. */
	spawn(text, 0);
	/* The stacks of a process are walked by tables that are made when it is first hit, and once
	 * more when the kernel has mapped its page for uprobes. */
	for (int i = 0; i < 2 && call->function && call->function != spawn; i++) {
		call->function(text, 0);
		usleep(200000);
	}
	for (int round = 0; round < rounds; round++) {
		uint64_t start = ticks(), spent;

		for (long i = 0; i < calls && call->function; i++)
			call->function(text, i);
		for (long i = 0; i < calls && !call->function; i++)
			syscall(call->number, call->first, call->second, call->third);
		spent = ticks() - start;
		if (spent < best)
			best = spent;
	}
	fprintf(stderr, "ticks %llu\n",
		(unsigned long long)((best + (uint64_t)calls / 2) / (uint64_t)calls));
	return 0;
}
