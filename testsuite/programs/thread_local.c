/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thread-local variables, and what they contain: of a program, with -DLIBRARY=NAME of a library. In
 * each thread, a function is called at which a probe reads the variables, and then the program
 * prints them. "-" stands for those for which the thread has no memory yet.
 *
 * Arguments of the program: libraries that it uses from the start, "+" before those that it opens
 * when it runs. It opens the last two one after the other, and closes the first of them.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

struct pair { int a; long b; };

#ifdef LIBRARY

static __thread struct pair own = { 1, 2 };
__thread long zero __attribute__((visibility("hidden")));

__attribute__((noinline)) static void library_look(int n)
{
	__asm__ volatile("" : : "r"(n) : "memory");
}

void work(int n, int has_none)
{
	library_look(n);
	if (has_none)
		printf(TEXT(LIBRARY) " -\n");
	else
		printf(TEXT(LIBRARY) " %d %ld %ld\n", own.a, own.b, zero);
	fflush(stdout);
	own.a += n;
	own.b += 10 * n;
	zero += 100 * n;
}

#else

#define MARK                                                                              \
	"990: nop\n"                                                                      \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                                      \
	".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                    \
	"991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                      \
	"993: .8byte 990b, 0, 0\n .asciz \"program\"\n .asciz \"mark\"\n"                 \
	".asciz \"-4@%%fs:counter@tpoff -8@%1 8@%%fs:(%2) -2@%%fs:list@tpoff+4\"\n"       \
	"994: .balign 4\n .popsection\n"

__thread int counter = 40;
static __thread long calls;
static __thread short list[4] = { 1, 2, 3, 4 };
static __thread struct pair aligned __attribute__((aligned(64))) = { 7, 8 };

static void *base(void)
{
	void *ret;

	__asm__("mov %%fs:0, %0" : "=r"(ret));
	return ret;
}

__attribute__((noinline)) void look(int n)
{
	static __thread unsigned char inner = 3;

	counter += n;
	calls -= n;
	inner += n;
	list[2] += n;
	aligned.b += n;
#if defined(__x86_64__) && !defined(__PIE__)
	__asm__ volatile(MARK : : "i"(0), "m"(calls),
			 "r"((char *)&aligned.b - (char *)base()) : "memory");
#endif
	printf("program %d %ld %d %d %ld\n", counter, calls, inner, list[2], aligned.b);
	fflush(stdout);
}

static int libraries;
static char **names;
static void *handles[10];

static void use(void *handle, int n, int has_none)
{
	((void (*)(int, int))dlsym(handle, "work"))(n, has_none);
}

static void *thread(void *data)
{
	int n = (int)(long)data, i;

	look(n);
	look(n);
	for (i = 0; i < libraries - 2; i++) {
		use(handles[i], n, *names[i] == '+');
		use(handles[i], n, 0);
	}
	return NULL;
}

/* The second library gets the number that the first one had. */
static void reuse(const char *first, const char *second)
{
	void *handle = dlopen(first + 1, RTLD_NOW);

	use(handle, 1, 1);
	use(handle, 1, 0);
	dlclose(handle);
	handle = dlopen(second + 1, RTLD_NOW);
	use(handle, 2, 1);
	use(handle, 2, 0);
}

int main(int argc, char **argv)
{
	pthread_t t;
	long i;

	libraries = argc - 1;
	names = argv + 1;
	for (i = 0; i < libraries - 2; i++)
		handles[i] = dlopen(names[i] + (*names[i] == '+'), RTLD_NOW);
	for (i = 1; i <= 3; i++) {
		pthread_create(&t, NULL, thread, (void *)i);
		pthread_join(t, NULL);
	}
	thread((void *)9L);
	if (libraries)
		reuse(names[libraries - 2], names[libraries - 1]);
	return 0;
}

#endif
