/* SPDX-License-Identifier: GPL-2.0 */
/* For syscall-interfaces.sh: makes calls by both interfaces, a different number of times each, and
 * prints what the script is to count. */
#include <stdio.h>

#define CALLS(X) \
	X(getpid, 39, 5, 20, 3) \
	X(sched_yield, 24, 2, 158, 7) \
	X(munlockall, 152, 0, 153, 1) \
	X(close, 3, 4, 6, 6) \
	X(lseek, 8, 2, 19, 5)

enum { FD = 12345 }; /* which nothing else closes */

static void call_64(long number)
{
	__asm__ volatile("syscall" : "+a"(number) : "D"(FD) : "rcx", "r11", "memory");
}

static void call_32(int number)
{
	__asm__ volatile("int $0x80" : "+a"(number) : "b"(FD)
			 : "r8", "r9", "r10", "r11", "memory");
}

int main(void)
{
	static const struct { const char *name; int number_64, times_64, number_32, times_32; }
	calls[] = {
#define ROW(name, ...) { #name, __VA_ARGS__ },
		CALLS(ROW)
	};

	for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		for (int n = 0; n < calls[i].times_64; n++)
			call_64(calls[i].number_64);
		for (int n = 0; n < calls[i].times_32; n++)
			call_32(calls[i].number_32);
		printf("syscall.%s %d %d\n", calls[i].name, calls[i].times_64, calls[i].times_64);
		printf("syscall32.%s %d %d\n", calls[i].name, calls[i].times_32,
		       calls[i].times_32);
	}
	return 0;
}
