/* SPDX-License-Identifier: GPL-2.0 */
/* For stack-young.sh: maps a library shortly after it has begun, and writes through it. With
 * -DLIBRARY, that library. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef LIBRARY
void through(void (*call)(void))
{
	static volatile int calls;

	call();
	calls++;
}
#else
static volatile ssize_t written;

static void inside(void)
{
	usleep(40000);
	written = write(STDOUT_FILENO, "inside\n", 7);
}

int main(int argc, char **argv)
{
	void *library;
	void (*through)(void (*)(void));

	written = write(STDOUT_FILENO, "before\n", 7);
	usleep(3000);
	library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		return 1;
	*(void **)&through = dlsym(library, "through");
	through(inside);
	return 0;
}
#endif
