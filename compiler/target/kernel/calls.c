/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers by which a kernel calls the functions of system calls. Its build generates a file for
 * each of its interfaces, which is included where the calls are made. Each line is one of
 *
 *     __SYSCALL(0, sys_read)
 *     __SYSCALL_NORETURN(60, sys_exit)
 *     __SYSCALL_WITH_COMPAT(5, sys_open, compat_sys_open)    a 64-bit kernel calls the second one
 */
#include "target/kernel/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "shared/file.h"
#include "target/kernel/private.h"
#include "state.h"

struct kernel_calls {
	int error;
	struct kernel_call_list all;
};

/* Reads the @len bytes of a line at @s. */
static bool read_line(struct arena *a, const char *s, size_t len, struct kernel_call *ret)
{
	const char *open = memchr(s, '(', len), *end = s + len, *name;
	char *after;
	unsigned long number;

	if (!open || strncmp(s, "__SYSCALL", strlen("__SYSCALL")) != 0 || end[-1] != ')')
		return false;
	number = strtoul(open + 1, &after, 10);
	if (after == open + 1 || *after != ',' || number > KERNEL_CALLS_LAST)
		return false;
	for (name = end - 1; words_is_part(name[-1]);)
		name--;
	ret->number = (unsigned)number;
	ret->function = arena_strndup(a, name, (size_t)(end - 1 - name));
	return *ret->function && (name[-1] == ' ' || name[-1] == ',');
}

static int read_text(struct arena *a, const struct buf *b, struct kernel_call_list *ret)
{
	const char *p = b->s, *end = b->s + b->len;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		struct kernel_call call = { 0 };

		if (!nl)
			nl = end;
		if (nl > p && !read_line(a, p, (size_t)(nl - p), &call))
			return -EINVAL;
		if (nl > p)
			vec_push(a, &ret->v, call);
		p = nl + 1;
	}
	return ret->v.n ? 0 : -EINVAL;
}

static struct kernel_calls *read_calls(struct state *s, struct kernel *k, const char *file)
{
	struct kernel_calls *ret = NEW(k->arena, struct kernel_calls);
	const char *path = arena_printf(k->arena, "%s/%s", k->build_tree, file);
	struct buf b;

	buf_init(&b);
	ret->error = file_read(path, &b);
	if (!ret->error) {
		ret->error = read_text(k->arena, &b, &ret->all);
		vec_push(s->arena, &s->files_read, path);
	}
	buf_deinit(&b);
	return ret;
}

int kernel_calls(struct state *s, struct kernel *k, const char *file,
		 const struct kernel_call_list **ret)
{
	struct kernel_calls *calls;

	if (!k->build_tree)
		return -ENOENT;
	if (!k->read_calls)
		map_init(&k->calls, k->arena);
	k->read_calls = true;
	calls = map_get(&k->calls, file);
	if (!calls) {
		calls = read_calls(s, k, file);
		map_set(&k->calls, file, calls);
	}
	*ret = &calls->all;
	return calls->error;
}
