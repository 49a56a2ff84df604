/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --lines: the source lines of a function at which it can be probed. If the sources are installed,
 * all lines are shown, with numbers at those that have code of their own; otherwise only numbers.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"
#include "list/list.h"
#include "list/private.h"
#include "analyse/locate/locate.h"
#include "parse/parse.h"

enum { LONGEST = 5000 }; /* most lines of a function that are shown as text */

struct code_line {
	const char *file, *function;
	unsigned line;
	bool of_program;
	/* in a program: the directory of a relative @file; NULL: not known */
	const char *directory;
};

typedef VEC(struct code_line) code_lines;

/* "FUNCTION[@FILE]", "MODULE:FUNCTION[@FILE]", "PROGRAM:FUNCTION[@FILE]", where a path with a '/'
 * is a program or library. */
static struct probe_point *statement_of(struct state *s, const char *what)
{
	const char *colon = strchr(what, ':'), *function = colon ? colon + 1 : what;
	const char *lines = strchr(function, '@') ? ":*" : "@*:*";
	int before = colon ? (int)(colon - what) : 0;
	const char *kind = memchr(what, '/', (size_t)before) ? "process" : "module";
	const char *object = !colon ? "kernel" :
			     arena_printf(s->arena, "%s(\"%.*s\")", kind, before, what);
	const char *text = arena_printf(s->arena, "probe %s.statement(\"%s%s\") { }", object,
					function, lines);
	struct source *src = source_from_text(s->arena, "<lines>", text, strlen(text));
	const struct script *sc = parse_source(s, src);

	return sc && sc->probes.n == 1 ? sc->probes.v[0]->points.v[0] : NULL;
}

static int compare(const void *x, const void *y)
{
	const struct code_line *a = x, *b = y;
	int order = strcmp(a->file, b->file);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

static void collect(struct state *s, const struct located_list *list, code_lines *ret)
{
	vec_each(it, &list->v) {
		vec_each(site, &(*it)->sites) {
			const struct dwarf_place *p = (*site)->place;

			if (p && p->file && p->line)
				vec_push(s->arena, ret, ((struct code_line){
					p->file, p->function, p->line, (*site)->user != NULL,
					(*site)->user ? dwarf_place_directory(p) : NULL }));
		}
	}
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), compare);
}

/* Opens a source file of the kernel below one of the directories where its sources may be. Returns
 * NULL if there is none. */
static struct source *open_kernel_source(struct state *s, const char *file)
{
	const char *release = kernel_release(s->kernel), *tree = kernel_build_tree(s->kernel);
	size_t number = strspn(release, "0123456789"), minor = 0;
	struct arena *a = s->arena;

	if (release[number] == '.')
		minor = number + 1 + strspn(release + number + 1, "0123456789");

	const char *const dirs[] = {
		arena_printf(a, "/lib/modules/%s/source", release),
		arena_printf(a, "/usr/src/linux-source-%.*s", (int)minor, release),
		arena_printf(a, "/usr/src/linux-%s", release),
		tree ? tree : "/lib/modules",
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		const char *path = arena_printf(a, "%s/%s", dirs[i], file);

		if (access(path, R_OK) == 0)
			return source_from_file(a, path);
	}
	return NULL;
}

/* Returns NULL if the file is not on this machine. */
static struct source *open_source(struct state *s, const struct code_line *l)
{
	if (!l->of_program)
		return open_kernel_source(s, l->file);

	const char *path = *l->file == '/' || !l->directory ? l->file :
			   arena_printf(s->arena, "%s/%s", l->directory, l->file);

	return access(path, R_OK) == 0 ? source_from_file(s->arena, path) : NULL;
}

static void put_json(struct buf *out, const struct code_line *l, const char *text, size_t len)
{
	buf_puts(out, "{\"file\":");
	list_json_text(out, l->file);
	buf_printf(out, ",\"line\":%u,\"function\":", l->line);
	list_json_text(out, l->function);
	if (text) {
		struct buf line;

		buf_init(&line);
		buf_write(&line, text, len);
		buf_puts(out, ",\"text\":");
		list_json_text(out, line.s);
		buf_deinit(&line);
	}
	buf_puts(out, "}\n");
}

/* Prints the @n places in one file from @l on; several may be on one line. */
static void put_file(struct state *s, struct buf *out, const struct code_line *l, size_t n)
{
	struct source *src = open_source(s, l);
	bool json = s->opt.format && strcmp(s->opt.format, "json") == 0;
	unsigned first = l->line, last = l[n - 1].line;
	bool between = src && !json && last - first < LONGEST;

	if (!json)
		buf_printf(out, "%s%s\n", src ? src->name : l->file,
			   src ? "" : "  (its source is not available)");
	for (size_t i = 0; i < n; i++) {
		const char *text = NULL;
		size_t len = 0;

		for (unsigned line = i ? l[i - 1].line + 1 : first; between && line < l[i].line;
		     line++) {
			text = source_line(src, line, &len);
			buf_printf(out, "        %.*s\n", (int)len, text);
		}
		if (i && l[i].line == l[i - 1].line)
			continue;
		text = src ? source_line(src, l[i].line, &len) : NULL;
		if (json)
			put_json(out, &l[i], text, len);
		else
			buf_printf(out, "%6u%s%.*s\n", l[i].line, len ? "  " : "", (int)len, text);
	}
}

int source_lines_run(struct state *s, struct buf *out)
{
	struct probe_point *pp = statement_of(s, s->opt.list_what);
	struct located_list list = { 0 };
	code_lines lines = { 0 };

	if (!pp || locate_probe_point(s, pp, false, &list) < 0)
		return 1;
	collect(s, &list, &lines);
	for (size_t i = 0, n; i < lines.n; i += n) {
		for (n = 1; i + n < lines.n && strcmp(lines.v[i + n].file, lines.v[i].file) == 0;)
			n++;
		put_file(s, out, &lines.v[i], n);
	}
	return 0;
}
