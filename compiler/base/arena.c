/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compiler's memory: a list of blocks, which are filled from the front and freed together. It
 * is limited, so a script whose macros and aliases multiply can't exhaust the machine's memory.
 */
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"

enum { BLOCK_BYTES = 64 * 1024, ALIGN = _Alignof(max_align_t), MOST_MB = 768 };

struct block {
	struct block *next;
	size_t used, size; /* bytes of data */
	_Alignas(max_align_t) char data[];
};

struct arena {
	struct block *head; /* the block that is being filled */
	size_t bytes;       /* total size of all blocks */
};

struct arena *arena_create(void)
{
	return memory_zeroed(1, sizeof(struct arena));
}

void arena_destroy(struct arena *a)
{
	if (!a)
		return;
	while (a->head) {
		struct block *next = a->head->next;

		free(a->head);
		a->head = next;
	}
	free(a);
}

static void end_of_room(void)
{
	fprintf(stderr, "probec: error: the script takes more than %d MB to compile [E_LIMIT]\n"
		"      = use fewer or smaller macros, aliases and wildcards\n", MOST_MB);
	exit(1);
}

static struct block *block_add(struct arena *a, size_t size)
{
	size_t data = size > BLOCK_BYTES / 4 ? size : BLOCK_BYTES;
	struct block *b;

	if (data > ((size_t)MOST_MB << 20) - a->bytes)
		end_of_room();
	b = memory_zeroed(1, sizeof(*b) + data);
	a->bytes += data;
	b->size = data;
	if (a->head && data != BLOCK_BYTES) {
		/* A large object gets a block of its own after the one that is being filled. */
		b->next = a->head->next;
		a->head->next = b;
	} else {
		b->next = a->head;
		a->head = b;
	}
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct block *b = a->head;
	void *p;

	if (size > (size_t)-1 - ALIGN)
		memory_lacks(NULL);
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!b || size > b->size - b->used)
		b = block_add(a, size);
	p = b->data + b->used;
	b->used += size;
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);

	memcpy(copy, s, n);
	return copy;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *s;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		n = 0;
	s = arena_alloc(a, (size_t)n + 1);
	vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}
