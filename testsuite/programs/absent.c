/* SPDX-License-Identifier: GPL-2.0 */
/*
 * absent ROUNDS [swap [WORD]...|FILE] - Calls a function whose data is not resident: before each
 * call, the program maps the data's file anew; or its memory is swapped out, with that of the last
 * WORD; or FILE, which it makes, is dropped from the page cache. At the end it prints how many
 * rounds it made, in how many of them no page was there, and the content of its first item; and
 * with a second argument, in how many rounds the call read from a disk.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 8

struct inner {
	int number;
	char name[32];
};

struct item {
	long id;
	char *text;
	struct inner *in;
	struct item *next;
	unsigned int part : 3;
};

__attribute__((noinline)) long take(char *text, struct item *item, long n)
{
	__asm__ volatile("" : : "r"(text), "r"(item) : "memory");
	return n;
}

static struct item *fill(char *at)
{
	struct item *first = (void *)(at + PAGE), *second = (void *)(at + 4 * PAGE - 16);
	struct inner *in = (void *)(at + 5 * PAGE);

	strcpy(at + 3 * PAGE - 4, "over the end of a page");
	strcpy(at + 7 * PAGE, "second");
	in->number = 7;
	strcpy(in->name, "inner");
	*first = (struct item){ 1, at + 3 * PAGE - 4, in, second, 5 };
	*second = (struct item){ 2, at + 7 * PAGE, in, NULL, 2 };
	return first;
}

static int none_there(int pagemap, const char *at)
{
	unsigned long entry[PAGES];

	if (pread(pagemap, entry, sizeof(entry), (long)at / PAGE * 8) != sizeof(entry))
		return 0;
	for (int i = 0; i < PAGES; i++)
		if (entry[i] >> 63)
			return 0;
	return 1;
}

/* Whether the kernel has a page of that memory, mapped here or not. */
static bool has_page(char *at, long size)
{
	unsigned char there[PAGES];

	if (mincore(at, size, there))
		return true;
	for (int i = 0; i < size / PAGE; i++)
		if (there[i] & 1)
			return true;
	return false;
}

/* A page that was brought in is in a list of that processor at first, and MADV_PAGEOUT empties only
 * the list of the one where it is called. */
static void change_processor(int i)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(i % (int)sysconf(_SC_NPROCESSORS_ONLN), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static bool swapped(char *at, long size)
{
	for (int i = 0; i < 1000 && has_page(at, size); i++) {
		change_processor(i);
		madvise(at, size, MADV_PAGEOUT);
		usleep(100);
	}
	return !has_page(at, size);
}

static bool dropped(int fd, char *at)
{
	madvise(at, PAGES * PAGE, MADV_DONTNEED);
	for (int i = 0; i < 1000 && has_page(at, PAGES * PAGE); i++) {
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		usleep(100);
	}
	return !has_page(at, PAGES * PAGE);
}

static long read_from_disk(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_majflt;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1, absent = 0, from_disk = 0, before;
	bool swaps = argc > 2 && strcmp(argv[2], "swap") == 0, drops = argc > 2 && !swaps;
	char name[] = "/tmp/absentXXXXXX";
	char *word = (char *)((long)argv[argc - 1] / PAGE * PAGE);
	int fd = drops ? open(argv[2], O_RDWR | O_CREAT, 0600) : mkstemp(name);
	int pagemap = open("/proc/self/pagemap", O_RDONLY);
	struct item *first;
	char *at;

	if (fd < 0 || pagemap < 0 || (!drops && unlink(name)) || ftruncate(fd, PAGES * PAGE))
		return 1;
	at = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
		  swaps ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE, swaps ? -1 : fd, 0);
	if (at == MAP_FAILED)
		return 1;
	first = fill(at);
	if (!swaps && (pwrite(fd, at, PAGES * PAGE, 0) != PAGES * PAGE || fsync(fd)))
		return 1;
	for (long i = 0; i < rounds; i++) {
		if (swaps)
			absent += (argc == 3 || swapped(word, PAGE)) && swapped(at, PAGES * PAGE);
		else if (drops)
			absent += dropped(fd, at);
		else if (mmap(at, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
			      fd, 0) != at)
			return 1;
		else
			absent += none_there(pagemap, at);
		before = read_from_disk();
		take(at + 3 * PAGE - 4, first, i);
		from_disk += read_from_disk() > before;
	}
	printf("%ld %ld %ld %u", rounds, absent, first->id, first->part);
	if (argc > 2)
		printf(" %ld", from_disk);
	printf("\n");
	return 0;
}
