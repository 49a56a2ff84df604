/* SPDX-License-Identifier: GPL-2.0 */
/*
 * load calls N SECONDS: N processes call getpid() all the time. load leaps N SECONDS: a function
 * that ends in a jump to another one, so that only a uretprobe sees its returns. load faults
 * SECONDS: calls two functions whose first or second instruction is a page fault that takes the
 * kernel long, and a third between that takes no time. All print how many calls there were, of all
 * processes.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, PAGES = 8, BETWEEN = 10 };

void first(char *p);
void second(char *p);
void nothing(void);
void leap(void);

__asm__(".text\n"
	".globl first, second, nothing, leap\n"
	".type first, @function; .type second, @function; .type nothing, @function\n"
	".type leap, @function; .type landed, @function\n"
	"first: movb $1, (%rdi); ret; .size first, . - first\n"
	"second: nop; movb $1, (%rdi); ret; .size second, . - second\n"
	"nothing: nop; ret; .size nothing, . - nothing\n"
	"leap: nop; jmp landed; .size leap, . - leap\n"
	"landed: ret; .size landed, . - landed\n");

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long calls(double end)
{
	long n = 0;
	int i;

	while (seconds() < end)
		for (i = 0; i < 100; i++, n++)
			getpid();
	return n;
}

static long leaps(double end)
{
	long n = 0;
	int i;

	while (seconds() < end)
		for (i = 0; i < 100; i++, n++)
			leap();
	return n;
}

static long faults(double end)
{
	char *p = mmap(NULL, (PAGES + 1) * HUGE_PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long n = 0;
	int i, k;

	p += HUGE_PAGE - (unsigned long)p % HUGE_PAGE;
	madvise(p, PAGES * HUGE_PAGE, MADV_HUGEPAGE);
	while (seconds() < end) {
		for (i = 0; i < PAGES; i++, n++) {
			(i % 2 ? first : second)(p + i * HUGE_PAGE);
			for (k = 0; k < BETWEEN; k++, n++)
				nothing();
		}
		madvise(p, PAGES * HUGE_PAGE, MADV_DONTNEED);
	}
	return n;
}

int main(int argc, char **argv)
{
	atomic_long *sum = mmap(NULL, sizeof(*sum), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double end = seconds() + atof(argv[argc - 1]);
	int n = strcmp(argv[1], "faults") == 0 ? 0 : atoi(argv[2]), i;

	for (i = 0; i < n; i++) {
		if (fork() == 0) {
			*sum += strcmp(argv[1], "calls") == 0 ? calls(end) : leaps(end);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	if (!n)
		*sum = faults(end);
	printf("%ld\n", *sum);
	return 0;
}
