/* SPDX-License-Identifier: GPL-2.0 */
/* For syscall-32bit.sh: calls of the 32-bit interface between two calls of getpgrp() by the 64-bit
 * one, and what they are according to the kernel's headers. */
#include <asm/unistd_32.h>
#include <stdio.h>

#define CALLS(X) \
	X(getpid) X(read) X(getuid) X(getuid32) X(getpgrp) X(lchown32) X(gettid) X(fadvise64_64) \
	X(clock_gettime64) X(pidfd_open)

enum { GETPID_64 = 39, GETPGRP_64 = 111 };

static long call_64(long number)
{
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "a"(number) : "rcx", "r11", "memory");
	return result;
}

static int call_32(int number)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result)
			 : "a"(number), "b"(-1), "c"(0), "d"(0), "S"(0), "D"(0)
			 : "r8", "r9", "r10", "r11", "memory");
	return result;
}

int main(void)
{
	static const struct { const char *name; int number; } calls[] = {
#define ROW(name) { #name, __NR_##name },
		CALLS(ROW)
	};
	enum { N = sizeof(calls) / sizeof(*calls) };
	int results[N];
	long getpid_64;

	call_64(GETPGRP_64);
	for (int i = 0; i < N; i++)
		results[i] = call_32(calls[i].number);
	getpid_64 = call_64(GETPID_64);
	call_64(GETPGRP_64);
	for (int i = 0; i < N; i++)
		printf("%s %d %d\n", calls[i].name, calls[i].number, results[i]);
	printf("getpid %d %ld\n", GETPID_64, getpid_64);
	return 0;
}
