/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of programs and libraries to files. A library is looked for where ld.so would look for it
 * first: among what `ldconfig -p` lists, which is its cache. A program's own DT_RUNPATH comes
 * before that.
 */
#include "object/private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/subprocess.h"
#include "session.h"

static const char *real_path(struct session *s, const char *path)
{
	char *real = path ? realpath(path, NULL) : NULL;
	const char *copy = real ? arena_strdup(s->arena, real) : NULL;

	free(real);
	return copy;
}

const char *object_program(struct session *s, const char *name)
{
	if (!*name)
		return NULL;
	return real_path(s, strchr(name, '/') ? name : subprocess_find(s->arena, name));
}

/* Whether the file name @file is what @name means: "libc.so.6" for itself, for "libc.so", for
 * "libc". */
static bool is_library(const char *file, size_t len, const char *name)
{
	size_t n = strlen(name);

	if (len < n || memcmp(file, name, n) != 0)
		return false;
	return len == n || (len > n + 3 && memcmp(file + n, ".so", 3) == 0) ||
	       (file[n] == '.' && n > 3 && memcmp(name + n - 3, ".so", 3) == 0);
}

/* "\tlibc.so.6 (libc6,x86-64) => /lib/x86_64-linux-gnu/libc.so.6" */
static const char *in_line(struct session *s, const char *line, size_t len, const char *name)
{
	const char *text = arena_strndup(s->arena, line, len), *arrow = strstr(text, " => ");
	const char *kind;

	text += strspn(text, " \t");
	kind = strstr(text, " (");
	if (!arrow || !kind || !strstr(kind, "x86-64") ||
	    !is_library(text, (size_t)(kind - text), name))
		return NULL;
	return arrow + 4;
}

static const char *in_cache(struct session *s, const char *name)
{
	static const char *const tools[] = { "ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig" };
	const char *found = NULL;
	struct buf out, said;

	buf_init(&out);
	buf_init(&said);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools) && !out.len; i++) {
		const char *const argv[] = { tools[i], "-p", NULL };

		if (subprocess_run(argv, NULL, &out, &said) != 0)
			out.len = 0;
	}
	for (size_t at = 0; at < out.len && !found;) {
		const char *nl = memchr(out.s + at, '\n', out.len - at);
		size_t len = nl ? (size_t)(nl - out.s) - at : out.len - at;

		found = in_line(s, out.s + at, len, name);
		at += len + 1;
	}
	buf_deinit(&out);
	buf_deinit(&said);
	return found;
}

const char *object_library(struct session *s, const struct object *program, const char *name)
{
	(void)program;
	if (!*name)
		return NULL;
	return real_path(s, strchr(name, '/') ? name : in_cache(s, name));
}
