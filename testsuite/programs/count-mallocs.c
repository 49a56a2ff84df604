/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A library for LD_PRELOAD that counts the blocks that a program allocates and frees: it takes the
 * place of malloc() and its relatives and calls those of the C library. At its end, a process
 * writes a line to file descriptor 9: PID ALLOCATED FREED LEFT BYTES. realloc() frees a block and
 * allocates one; a child process has none of its parent's blocks.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

enum { SLOTS = 1 << 20 };
static struct {
	uintptr_t address;
	size_t size;
	pid_t owner; /* 0: it is free */
} slots[SLOTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t process;
static long allocated, freed, left, bytes;

static size_t slot_of(uintptr_t address)
{
	size_t at = (address >> 4) * 0x9e3779b97f4a7c15u >> 44;

	while (slots[at].address && slots[at].address != address)
		at = (at + 1) % SLOTS;
	return at;
}

static size_t enter(void *p)
{
	pthread_mutex_lock(&lock);
	if (process != getpid()) {
		process = getpid();
		allocated = freed = left = bytes = 0;
	}
	return slot_of((uintptr_t)p);
}

static void *added(void *p, size_t n)
{
	size_t at;

	if (!p)
		return NULL;
	at = enter(p);
	slots[at].address = (uintptr_t)p;
	slots[at].size = n;
	slots[at].owner = process;
	allocated++;
	left++;
	bytes += (long)n;
	pthread_mutex_unlock(&lock);
	return p;
}

/* @returns the size of the block and 1, or 0 if it is not known. */
static size_t removed(void *p)
{
	size_t at = enter(p), known = 0;

	if (p && slots[at].owner == process) {
		slots[at].owner = 0;
		freed++;
		left--;
		bytes -= (long)slots[at].size;
		known = slots[at].size + 1;
	}
	pthread_mutex_unlock(&lock);
	return known;
}

/* A block that realloc() left as it was. */
static void restored(void *p, size_t n)
{
	added(p, n);
	pthread_mutex_lock(&lock);
	allocated--;
	freed--;
	pthread_mutex_unlock(&lock);
}

static void *real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

void *malloc(size_t n) { return added(__libc_malloc(n), n); }
void *calloc(size_t n, size_t size) { return added(__libc_calloc(n, size), n * size); }

void free(void *p)
{
	removed(p);
	__libc_free(p);
}

void *realloc(void *old, size_t n)
{
	size_t known = removed(old);
	void *p = __libc_realloc(old, n);

	if (!p && known && n)
		restored(old, known - 1);
	return added(p, n);
}

void *reallocarray(void *old, size_t n, size_t size) { return realloc(old, n * size); }

void *memalign(size_t align, size_t n)
{
	return added(((void *(*)(size_t, size_t))real("memalign"))(align, n), n);
}

void *aligned_alloc(size_t align, size_t n)
{
	return added(((void *(*)(size_t, size_t))real("aligned_alloc"))(align, n), n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	int err = ((int (*)(void **, size_t, size_t))real("posix_memalign"))(p, align, n);

	if (!err)
		added(*p, n);
	return err;
}

void *valloc(size_t n) { return added(((void *(*)(size_t))real("valloc"))(n), n); }

__attribute__((destructor)) static void tell(void)
{
	char line[100];
	int n;

	enter(NULL);
	n = snprintf(line, sizeof(line), "%d %ld %ld %ld %ld\n", process, allocated, freed, left,
		     bytes);
	if (write(9, line, (size_t)n) != n)
		_exit(99);
	pthread_mutex_unlock(&lock);
}
