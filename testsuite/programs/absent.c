/* SPDX-License-Identifier: GPL-2.0 */
/*
 * absent ROUNDS - Calls a function whose data is not resident: the program maps the data's file
 * anew before each call. At the end it prints how many rounds it made, in how many of them
 * /proc/self/pagemap said that no page was there, and the content of its first item.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1, absent = 0;
	char name[] = "/tmp/absentXXXXXX";
	int fd = mkstemp(name), pagemap = open("/proc/self/pagemap", O_RDONLY);
	struct item *first;
	char *at;

	if (fd < 0 || pagemap < 0 || unlink(name) || ftruncate(fd, PAGES * PAGE))
		return 1;
	at = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		return 1;
	first = fill(at);
	if (pwrite(fd, at, PAGES * PAGE, 0) != PAGES * PAGE)
		return 1;
	for (long i = 0; i < rounds; i++) {
		if (mmap(at, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd,
			 0) != at)
			return 1;
		absent += none_there(pagemap, at);
		take(at + 3 * PAGE - 4, first, i);
	}
	printf("%ld %ld %ld %u\n", rounds, absent, first->id, first->part);
	return 0;
}
