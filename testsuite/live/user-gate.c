/* SPDX-License-Identifier: GPL-2.0 */
/* Three calls of lfind() from the same place of the stack. While the first one runs, the return
 * probe is disarmed; while the second one runs, it is armed again. Its breakpoints, at the entry
 * and at each return, come and go one by one: they are the bytes that differ from the library's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <err.h>
#include <fcntl.h>
#include <link.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char unprobed[4096];
static size_t size, when_armed;

static size_t breakpoints(void)
{
	const volatile unsigned char *code = (void *)(uintptr_t)lfind;
	size_t n = 0;

	for (size_t i = 0; i < size; i++)
		n += code[i] != unprobed[i];
	return n;
}

/* The part of the library that holds code is at the same place in the file and in memory. */
static void read_library(void)
{
	const ElfW(Sym) *symbol;
	Dl_info info;
	int fd;

	if (!dladdr1((void *)(uintptr_t)lfind, &info, (void **)&symbol, RTLD_DL_SYMENT))
		errx(1, "lfind() is not found");
	size = symbol->st_size;
	fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || size > sizeof(unprobed) ||
	    pread(fd, unprobed, size, (off_t)symbol->st_value) != (ssize_t)size)
		err(1, "%s", info.dli_fname);
	close(fd);
	when_armed = breakpoints();
	if (when_armed < 2 || when_armed > 16)
		errx(1, "lfind() has %zu breakpoints", when_armed);
}

static void wait_until(size_t n)
{
	for (int i = 0; breakpoints() != n; i++) {
		if (i == 6000)
			errx(1, "%zu breakpoints instead of %zu", breakpoints(), n);
		usleep(10000);
	}
}

static int compare(const void *key, const void *element)
{
	char text[] = "text";

	(void)element;
	if (key == (void *)1) {
		memfrob(text, 1);
		wait_until(0);
	} else if (key == (void *)2) {
		strfry(text);
		wait_until(when_armed);
	}
	return 0;
}

int main(void)
{
	char element = 0;

	read_library();
	for (uintptr_t key = 1; key <= 3; key++) {
		size_t n = 1;

		lfind((void *)key, &element, &n, 1, compare);
	}
	return 0;
}
