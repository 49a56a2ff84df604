/* SPDX-License-Identifier: GPL-2.0 */
/* Prints what a process sees while write-values.kp changes what the kernel does for it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static char page[8192];

/* Reads 16 bytes of a file and prints the result, and what lies behind it in the buffer up to
 * @width. */
static void reads(const char *name, int width)
{
	char text[40] = "";
	int fd = open(name, O_RDWR | O_CREAT, 0600);
	ssize_t n;

	n = write(fd, "0123456789abcdef", 16);
	lseek(fd, 0, SEEK_SET);
	memset(text, '.', 28);
	n = read(fd, text, 16);
	printf("%s: %zd %.*s %s\n", name, n, width, text, n < 0 ? strerror(errno) : "");
	close(fd);
}

static void maps(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0600);
	char *p;

	memset(page, 'a', 4096);
	memset(page + 4096, 'b', 4096);
	if (write(fd, page, sizeof(page)) != sizeof(page))
		perror(name);
	p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	printf("%s: %c\n", name, p == MAP_FAILED ? '?' : *p);
	close(fd);
}

int main(void)
{
	struct stat st;
	char name[16];

	/* Kernels before 5.17 leave the bytes of an older name behind the end of a name. */
	prctl(PR_SET_NAME, "wv1");
	reads("wv-none", 16);
	reads("wv-shorter", 16);
	reads("wv-compound", 16);
	reads("wv-pointer", 16);
	reads("wv-register", 16);
	reads("wv-functions", 28);
	reads("wv-fails", 16);
	maps("wv-mapped");
	reads("wv-owner", 16);
	stat("wv-owner", &st);
	printf("owner %u\n", st.st_uid);
	printf("policy %#x\n", sched_getscheduler(0));
	printf("policy %#x\n", sched_getscheduler(0));
	prctl(PR_GET_NAME, name);
	printf("name %s\n", name);
	return 0;
}
