/* SPDX-License-Identifier: GPL-2.0 */
/* For stack-steady.sh: before each write of two bytes, maps code of a file that nobody has seen. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILES = 60 };

static char self[1 << 22];

static __attribute__((noinline)) long deep(void)
{
	return write(1, "x\n", 2) + 1;
}

static __attribute__((noinline)) long outer(void)
{
	return deep() + 1;
}

int main(int argc, char **argv)
{
	int from = open(argv[0], O_RDONLY);
	ssize_t size = read(from, self, sizeof(self));

	if (argc != 2 || size <= 0)
		return 1;
	for (int i = 0; i < FILES; i++) {
		char name[256];
		void *code;
		int fd;

		snprintf(name, sizeof(name), "%s/%d", argv[1], i);
		fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0755);
		if (write(fd, self, size) != size)
			return 1;
		code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (code == MAP_FAILED || outer() != 4)
			return 1;
		munmap(code, 4096);
		close(fd);
	}
	return 0;
}
