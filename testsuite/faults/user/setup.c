/* SPDX-License-Identifier: GPL-2.0 */
/*
 * setup DEVICE N - Sets up the session of a loaded module while the kernel lets the Nth allocation
 * fail, then the one after it, and so on until a call succeeds: a failed SETUP must leave the
 * session as it was. Prints the number behind the last one, or "end" when no allocation was left to
 * fail.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "records.h"

static int fail_nth(int n)
{
	char text[16];
	int fd = open("/proc/thread-self/fail-nth", O_RDWR), left = -1;
	ssize_t len;

	if (fd < 0)
		return -1;
	if (n >= 0) {
		len = snprintf(text, sizeof(text), "%d", n);
		left = write(fd, text, (size_t)len) == len ? 0 : -1;
	} else {
		len = read(fd, text, sizeof(text) - 1);
		text[len > 0 ? len : 0] = 0;
		left = len > 0 ? atoi(text) : -1;
	}
	close(fd);
	return left;
}

int main(int argc, char **argv)
{
	struct prt_setup set = { .ring_size = 64 << 10, .session_ring_size = 64 << 10,
				 .threads = 50 };
	int n = argc > 2 ? atoi(argv[2]) : 0, fd = n ? open(argv[1], O_RDWR) : -1;
	int failed, err, left;

	if (fd < 0) {
		fprintf(stderr, "setup: no device\n");
		return 1;
	}
	do {
		if (fail_nth(n)) {
			fprintf(stderr, "setup: no fail-nth\n");
			return 1;
		}
		failed = ioctl(fd, PRT_IOC_SETUP, &set);
		err = errno;
		left = fail_nth(-1);
		if (failed && (err != ENOMEM || left)) {
			fprintf(stderr, "setup: %s at %d\n", strerror(err), n);
			return 1;
		}
		n++;
	} while (failed);
	/* A remaining count means that SETUP made fewer allocations. */
	if (left)
		puts("end");
	else
		printf("%d\n", n);
	return 0;
}
