/* SPDX-License-Identifier: GPL-2.0 */
#include "dump/symbols.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "machine/debug_directories.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/search.h"

/* More than any System.map has. */
#define FILE_MAX ((size_t)256 << 20)

static int by_address(const void *a, const void *b)
{
	const struct dump_symbol *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Takes a line "ADDRESS TYPE NAME", which ends with a NUL. */
static bool take_line(char *line, struct dump_symbol *ret)
{
	char *name;

	ret->at = strtoull(line, &name, 16);
	if (name == line || name[0] != ' ' || !name[1] || name[2] != ' ' || !name[3])
		return false;
	ret->name = name + 3;
	return true;
}

static size_t count_lines(const struct buf *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->len; i++)
		n += t->s[i] == '\n';
	return n;
}

bool dump_symbols_parse(struct dump_symbols *ret, struct buf text, uint64_t loops_per_jiffy)
{
	char *line = text.s, *end;
	bool known = false;
	uint64_t shift = 0;

	*ret = (struct dump_symbols){ .v = memory_zeroed(count_lines(&text) + 1, sizeof(*ret->v)) };
	for (; line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
		struct dump_symbol *s = &ret->v[ret->n];

		*end = '\0';
		if (!take_line(line, s))
			continue;
		if (strcmp(s->name, "loops_per_jiffy") == 0) {
			shift = loops_per_jiffy - s->at;
			known = true;
		}
		ret->n++;
	}
	if (!known) {
		dump_symbols_close(ret);
		return false;
	}
	for (size_t i = 0; i < ret->n; i++)
		ret->v[i].at += shift;
	qsort(ret->v, ret->n, sizeof(*ret->v), by_address);
	ret->text = text;
	return true;
}

struct wanted_map {
	struct dump_symbols *ret;
	const char *release;
	uint64_t loops_per_jiffy;
};

static bool try_file(const struct wanted_map *w, const char *directory, const char *middle,
		     const char *end)
{
	struct buf text = { 0 };
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s%s%s", directory, middle, w->release, end);
	if (file_read_limited(path, FILE_MAX, &text) == 0 &&
	    dump_symbols_parse(w->ret, text, w->loops_per_jiffy)) {
		say_step("names of functions: %s", path);
		return true;
	}
	buf_deinit(&text);
	return false;
}

static bool try_directory(void *wanted, const char *directory)
{
	return try_file(wanted, directory, "/boot/System.map-", "");
}

bool dump_symbols_open(struct dump_symbols *ret, const char *release, uint64_t loops_per_jiffy,
		       const char *directories)
{
	struct wanted_map w = { ret, release, loops_per_jiffy };

	/* It becomes a part of a path. */
	if (strchr(release, '/'))
		return false;
	return (directories && debug_directories_search(directories, try_directory, &w)) ||
	       try_directory(&w, "/usr/lib/debug") || try_directory(&w, "") ||
	       try_file(&w, "/lib/modules/", "", "/System.map");
}

int dump_symbols_name(void *symbols, struct prt_symbol_get *get)
{
	const struct dump_symbols *s = symbols;
	size_t i;

	search_first(i, s->n, s->v[i].at <= get->address);
	/* After the last symbol there are modules, or nothing. */
	if (i == 0 || i == s->n)
		return -1;
	snprintf(get->text, sizeof(get->text), "%s+0x%" PRIx64 "/0x%" PRIx64, s->v[i - 1].name,
		 get->address - s->v[i - 1].at, s->v[i].at - s->v[i - 1].at);
	return 0;
}

void dump_symbols_close(struct dump_symbols *s)
{
	free(s->v);
	buf_deinit(&s->text);
	*s = (struct dump_symbols){ 0 };
}
