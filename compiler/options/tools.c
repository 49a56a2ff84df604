/* SPDX-License-Identifier: GPL-2.0 */
/* Finds and lists tools. */
#include "options/tools.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options/private.h"
#include "parse/library_dirs.h"

struct tool {
	const char *name; /* without .kp */
	const struct library_dir *dir;
};

struct tool_list {
	struct library_dirs dirs;
	VEC(struct tool) v;
};

static bool is_tool(const char *file)
{
	size_t len = strlen(file);

	return len > 3 && strcmp(file + len - 3, ".kp") == 0 && file[0] != '.';
}

static bool can_open(struct state *s, const struct library_dir *dir, const char *file)
{
	int fd = library_open_tool(s, dir, file);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

const char *tools_find(struct state *s, const char *word)
{
	const char *file = is_tool(word) ? word : arena_printf(s->arena, "%s.kp", word);
	struct library_dirs dirs = { 0 };
	struct stat st;

	if (!*word || strchr(word, '/') || (!stat(word, &st) && !S_ISDIR(st.st_mode)))
		return NULL;
	library_tools(s, &dirs, true);
	vec_each(dir, &dirs.v) {
		if (can_open(s, dir, file))
			return arena_printf(s->arena, "%s/%s", dir->path, file);
	}
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct tool *)a)->name, ((const struct tool *)b)->name);
}

static bool has_tool(const struct tool_list *list, const char *name)
{
	vec_each(it, &list->v)
		if (strcmp(it->name, name) == 0)
			return true;
	return false;
}

/* Lists the tools by name. The first directory that has a name counts. */
static void list_tools(struct state *s, struct tool_list *list, bool warn)
{
	library_tools(s, &list->dirs, warn);
	vec_each(dir, &list->dirs.v) {
		DIR *d = opendir(dir->path);
		struct dirent *e;

		while (d && (e = readdir(d))) {
			struct tool tool = { .dir = dir };

			if (!is_tool(e->d_name))
				continue;
			tool.name = arena_strndup(s->arena, e->d_name, strlen(e->d_name) - 3);
			if (!has_tool(list, tool.name) && can_open(s, dir, e->d_name))
				vec_push(s->arena, &list->v, tool);
		}
		if (d)
			closedir(d);
	}
	if (list->v.n)
		qsort(list->v.v, list->v.n, sizeof(*list->v.v), by_name);
}

const char *tools_nearest(struct state *s, const char *word)
{
	VEC(const char *) names = { 0 };
	struct tool_list list = { 0 };
	const char *name = is_tool(word) ? arena_strndup(s->arena, word, strlen(word) - 3) : word;

	diag_hold(s->diag);
	list_tools(s, &list, false);
	diag_release(s->diag);
	vec_each(it, &list.v)
		vec_push(s->arena, &names, it->name);
	return diag_nearest(name, names.v, names.n);
}

/* The tool's description of itself in one line, or "". */
static const char *title(struct state *s, const struct tool *tool)
{
	const char *file = arena_printf(s->arena, "%s.kp", tool->name);
	int fd = library_open_tool(s, tool->dir, file);
	struct source *src = fd < 0 ? NULL : source_from_fd(s->arena, file, fd);
	const struct script_head *head = NULL;

	if (fd >= 0)
		close(fd);
	diag_hold(s->diag);
	if (src)
		head = script_head_read(s, src);
	diag_release(s->diag);
	return head && head->title ? head->title : "";
}

int tools_main(struct state *s, int argc, char **argv)
{
	struct tool_list list = { 0 };

	if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
		puts("Usage: probec tools\n"
		     "\n"
		     "Lists the tools, ready-made scripts that probec NAME runs, with what each\n"
		     "shows. They are also installed as NAME.kp; NAME.kp --help describes one.");
		return 0;
	}
	if (argc > 1) {
		wrong(s, "probec tools takes no arguments, not '%s'", argv[1]);
		diag_hint(s->diag, "probec NAME --help describes a tool");
		return 1;
	}
	list_tools(s, &list, true);
	vec_each(it, &list.v)
		printf("%-16s %s\n", it->name, title(s, it));
	return 0;
}
