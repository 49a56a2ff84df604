/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compiler's memory rule: everything that a run builds is in one arena, which main() frees as a
 * whole. Nothing is freed earlier, so nothing can dangle.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/** arena_create - a new, empty arena. Never returns NULL: if memory runs out, or the 768 MB that a
 *  script may use, the program ends with a message and status 1, here and in every arena_* call. */
struct arena *arena_create(void);

/** arena_destroy - free everything in @a; accepts NULL. */
void arena_destroy(struct arena *a);

/** arena_alloc - @size zeroed bytes, aligned for any type. Owned by @a. */
void *arena_alloc(struct arena *a, size_t size);

/** arena_strdup / arena_strndup - a copy with a NUL; @n is in bytes. Owned by @a. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);

/** arena_printf / arena_vprintf - formatted text of any length. Owned by @a. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

/** NEW - one zeroed object of type @T from arena @a. */
#define NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))

#endif
