/* SPDX-License-Identifier: GPL-2.0 */
/*
 * runtime/thread_memory.c in user space, on this process itself: body.c is that file without its
 * includes, table.h the table that probec emits. What it finds is compared with glibc's own answer
 * (dlinfo), in threads that have used a library and in others. Arguments: a library with the static
 * model, two with the dynamic one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- what the file needs of the kernel and the runtime ---- */

typedef uint8_t u8;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;

#define U64_MAX UINT64_MAX
#define NOKPROBE_SYMBOL(name)
#define PF_KTHREAD 1
#define AT_VECTOR_SIZE 80
#define scnprintf snprintf

struct mm { unsigned long saved_auxv[AT_VECTOR_SIZE]; } mm;
struct task { struct mm *mm; int flags; } own = { &mm, 0 }, *current = &own;

enum { PRT_BUILD_ID_MOST = 64, PRT_MAP_DYNAMIC = 16 };
enum { PRT_E_BAD_ADDRESS = 1, PRT_E_THREAD_LOCAL };
struct prt_ctx { int err; };
struct prt_str { const char *s; u32 len; };
struct prt_thread_layout {
	const char *library, *loader, *build_id;
	u32 build_id_size;
	u64 build_id_at, list;
	u32 list_len, list_next, list_slots, slot_size, slot_map, slot_generation;
	u32 map_distance, vector, entry_size, entry_counter, entry_block;
};
#include "table.h"
struct { const struct prt_thread_layout *threads; } prt_script = { threads };

static u64 prt_arch_thread_base(void)
{
	u64 ret;

	__asm__("mov %%fs:0, %0" : "=r"(ret));
	return ret;
}

static void prt_error(struct prt_ctx *c, int err, u32 srcloc, struct prt_str text)
{
	c->err = c->err ? c->err : err;
}

static void prt_bad_address(struct prt_ctx *c, u64 at, u32 srcloc)
{
	prt_error(c, PRT_E_BAD_ADDRESS, srcloc, (struct prt_str){ "", 0 });
}

static long prt_fetch(struct prt_ctx *c, void *to, u64 at, u32 n, bool user)
{
	struct iovec here = { to, n }, there = { (void *)at, n };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n ? 0 : -1;
}

static s64 prt_read_user(struct prt_ctx *c, u64 at, u32 n, bool is_signed, u32 srcloc)
{
	s64 v = 0;

	if (prt_fetch(c, &v, at, n, true))
		prt_bad_address(c, at, srcloc);
	return c->err ? 0 : v;
}

#include "body.c"

/* ---- the comparison ---- */

static int wrong;

static void compare(const char *what, void *handle, int wanted)
{
	struct prt_ctx c = { 0 };
	struct link_map *map;
	void *block = NULL;
	u64 found;

	dlinfo(handle, RTLD_DI_LINKMAP, &map);
	dlinfo(handle, RTLD_DI_TLS_DATA, &block);
	found = prt_thread_block(&c, 0, (u64)map->l_ld, 0);
	if (found == (u64)block && c.err == (block ? 0 : PRT_E_THREAD_LOCAL) && wanted == !!block)
		return;
	printf("%s: %#lx, error %d; glibc has %p\n", what, found, c.err, block);
	wrong = 1;
}

/* A list whose only piece has no slots and is followed by itself ends in an error. */
static void circle(void)
{
	struct prt_thread_layout damaged = *threads;
	struct prt_ctx c = { 0 };
	u64 words[64] = { 0 }, *first = &words[1];

	words[0] = first[damaged.list_next / 8] = (u64)first;
	damaged.list = (u64)words - loader_base();
	prt_script.threads = &damaged;
	if (!prt_thread_block(&c, 0, 1, 0) && c.err == PRT_E_THREAD_LOCAL)
		return;
	printf("a circle: error %d\n", c.err);
	wrong = 1;
}

static const char *names[3]; /* of libraries: static, dynamic, dynamic */
static void *fixed, *first, *second;
static pthread_barrier_t barrier;

static void use(void *handle)
{
	((void (*)(int, int))dlsym(handle, "work"))(1, 1);
}

static void *user(void *data)
{
	compare("static", fixed, 1);
	compare("libc", dlopen("libc.so.6", RTLD_NOLOAD | RTLD_NOW), 1);
	compare("dynamic, unused", first, 0);
	use(first);
	compare("dynamic, used", first, 1);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	/* It has the number of the first one, whose memory this thread still has. */
	compare("with the number of another, unused", second, 0);
	use(second);
	compare("with the number of another, used", second, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	FILE *f = fopen("/proc/self/auxv", "r");
	pthread_t t;

	if (!f || !fread(mm.saved_auxv, sizeof(*mm.saved_auxv), AT_VECTOR_SIZE, f))
		return 1;
	memcpy(names, argv + 1, sizeof(names));
	fixed = dlopen(names[0], RTLD_NOW);
	first = dlopen(names[1], RTLD_NOW);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&t, NULL, user, NULL);
	pthread_barrier_wait(&barrier);
	dlclose(first);
	second = dlopen(names[2], RTLD_NOW);
	pthread_barrier_wait(&barrier);
	pthread_join(t, NULL);
	compare("in the first thread", second, 0);
	circle();
	return wrong;
}
