/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Macros that every script may use: the files .kpm and .stpm of the directories of library_dirs(),
 * where the first definition of a name counts. They are read when a script has an @word with no
 * other meaning.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "parse/library_dirs.h"
#include "parse/preprocess.h"
#include "state.h"

static int is_macro_file(const struct dirent *de)
{
	const char *dot = strrchr(de->d_name, '.');

	return dot && de->d_name[0] != '.' &&
	       (strcmp(dot, ".kpm") == 0 || strcmp(dot, ".stpm") == 0);
}

static void read_file(struct state *s, const struct library_dir *dir, const char *name)
{
	struct parser p = { .state = s, .arena = s->arena, .diag = s->diag };
	struct preprocess pp;
	struct token t;

	p.src = library_read(s, dir, name);
	if (!p.src)
		return;
	p.src->in_tapset = 1;
	p.src->id = (int)s->sources.n;
	vec_push(s->arena, &s->sources, p.src);
	preprocess_init(&pp, &p);
	preprocess_next(&pp, &t);
	if (t.kind) {
		parser_error(&p, t.range, E_PREPROC, "a file of macros has nothing but @define");
		diag_hint(s->diag, "functions and probes belong in a .kp file next to it");
	}
	map_each(it, &pp.macros)
		if (!map_get(s->library_macros, it->key))
			map_set(s->library_macros, it->key, it->value);
	preprocess_deinit(&pp);
}

static void read_dir(struct state *s, const struct library_dir *dir)
{
	struct dirent **list;
	int n = scandir(dir->path, &list, is_macro_file, alphasort);

	/* Errors of the directory are reported when its tapsets are searched. */
	for (int i = 0; i < n; i++) {
		read_file(s, dir, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

struct macro *library_macro(struct state *s, const char *name)
{
	struct library_dirs dirs = { 0 };

	if (!s->library_macros) {
		s->library_macros = NEW(s->arena, struct map);
		map_init(s->library_macros, s->arena);
		library_dirs(s, &dirs, false);
		vec_each(dir, &dirs.v)
			read_dir(s, dir);
	}
	return map_get(s->library_macros, name);
}
