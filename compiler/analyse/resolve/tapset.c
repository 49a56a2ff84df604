/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tapset library. A script uses a few functions of hundreds of files, so files are only scanned
 * for names, and a file is parsed when a name in use needs it. The scan finds at least all
 * definitions: it skips comments, strings and embedded C, and takes the word after `function` and
 * the first component of a probe point with a "=" after it. A name in a branch that the
 * preprocessor drops costs a needless parse and nothing else.
 *
 * A table of aliases (rows.c) is loaded by rows.
 *
 * Directories come in the order of library_dirs(), and the files of one by name. The first file
 * that defines a name wins (functions.c takes the first one that fits).
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "parse/library_dirs.h"
#include "parse/parse.h"
#include "analyse/resolve/rows.h"
#include "analyse/resolve/tapset.h"

struct lib_file {
	struct source *src;
	struct rows *rows; /* NULL: not a table of aliases */
	bool loaded;
};

struct lib_name {
	VEC(struct lib_file *) files;
};

struct library {
	struct map functions; /* name -> struct lib_name */
	struct map aliases;   /* first component -> struct lib_name */
	struct map globals;   /* name -> struct lib_name; private ones are left out */
	VEC(struct lib_file *) printers; /* files that declare some */
	int nfiles;
};

/* ---- the scan ---- */

/* The sort of token that a character begins; the NUL at the end of a text begins none. */
enum beginning { B_OTHER, B_WORD, B_SPACE, B_SKIPPED };

static const unsigned char beginnings[256] = {
	['a' ... 'z'] = B_WORD, ['A' ... 'Z'] = B_WORD, ['0' ... '9'] = B_WORD,
	['_'] = B_WORD, ['$'] = B_WORD, ['@'] = B_WORD, ['*'] = B_WORD,
	['\t' ... '\r'] = B_SPACE, [' '] = B_SPACE,
	['"'] = B_SKIPPED, ['#'] = B_SKIPPED, ['/'] = B_SKIPPED, ['%'] = B_SKIPPED,
};

static bool begins(const char *p, enum beginning what)
{
	return beginnings[(unsigned char)*p] == what;
}

struct tapset_scan {
	const char *p, *end;
};

static const char *skip_to(const char *p, const char *end, const char *what)
{
	size_t n = strlen(what);

	for (; (p = memchr(p, what[0], (size_t)(end - p))); p++)
		if ((size_t)(end - p) >= n && memcmp(p, what, n) == 0)
			return p + n;
	return end;
}

static const char *skip_string(const char *p, const char *end)
{
	for (; p < end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p < end ? p + 1 : end;
}

/* The end of the comment, string or embedded C that begins at @p, or @p. */
static const char *skip_one(const char *p, const char *end)
{
	if (*p == '"')
		return skip_string(p + 1, end);
	if (*p == '#' || (*p == '/' && p[1] == '/'))
		return skip_to(p, end, "\n");
	if (*p == '/' && p[1] == '*')
		return skip_to(p + 2, end, "*/");
	if (*p == '%' && p[1] == '{')
		return skip_to(p + 2, end, "%}");
	return p;
}

static const char *skip_all(const char *p, const char *end)
{
	const char *after = p;

	do {
		for (p = after; begins(p, B_SPACE); p++)
			;
		after = begins(p, B_SKIPPED) ? skip_one(p, end) : p;
	} while (after != p);
	return p;
}

/* The next word (returns 'a' and its length in *len) or other character; 0 at the end. */
static char next_token(struct tapset_scan *sc, const char **tok, size_t *len)
{
	const char *p = skip_all(sc->p, sc->end);

	*tok = p;
	while (begins(p, B_WORD))
		p++;
	*len = (size_t)(p - *tok);
	sc->p = *len || !*p ? p : p + 1;
	return *len ? 'a' : *p;
}

static bool word_is(const char *tok, size_t len, const char *what)
{
	return strlen(what) == len && memcmp(tok, what, len) == 0;
}

static void note_name(struct resolver *r, struct map *m, struct lib_file *f, const char *tok,
		      size_t len)
{
	const char *name = arena_strndup(r->s->arena, tok, len);
	struct lib_name *ln = map_get(m, name);

	if (!ln) {
		ln = NEW(r->s->arena, struct lib_name);
		map_set(m, name, ln);
	}
	if (!ln->files.n || ln->files.v[ln->files.n - 1] != f)
		vec_push(r->s->arena, &ln->files, f);
}

static void note_printers(struct resolver *r, struct lib_file *f)
{
	size_t n = r->lib->printers.n;

	if (!n || r->lib->printers.v[n - 1] != f)
		vec_push(r->s->arena, &r->lib->printers, f);
}

/* The previous token, as far as it decides how the next word is read. */
enum tapset_seen { OTHER, FUNCTION, PROBE, POINT, PRIVATE, GLOBALS, GLOBAL, PRINTER };

static enum tapset_seen visit_keyword(enum tapset_seen before, const char *tok, size_t len)
{
	if (word_is(tok, len, "function"))
		return FUNCTION;
	if (word_is(tok, len, "probe"))
		return PROBE;
	if (word_is(tok, len, "private"))
		return PRIVATE;
	if (word_is(tok, len, "global"))
		return before == PRIVATE ? OTHER : GLOBALS;
	if (word_is(tok, len, "printer"))
		return PRINTER;
	/* A number is the value of a global, or its size. */
	return *tok >= '0' && *tok <= '9' ? before : OTHER;
}

static void scan_file(struct resolver *r, struct lib_file *f)
{
	struct tapset_scan sc = { f->src->text, f->src->text + f->src->len };
	const char *tok = NULL, *point = NULL;
	size_t len = 0, point_len = 0;
	enum tapset_seen seen = OTHER;
	char c;

	while ((c = next_token(&sc, &tok, &len))) {
		bool word = c == 'a';

		if (c == '{') {
			seen = OTHER;
		} else if (seen == OTHER || seen == PRIVATE || (word && seen == GLOBAL)) {
			if (word)
				seen = visit_keyword(seen, tok, len);
		} else if (seen == PRINTER) {
			if (word)
				note_printers(r, f);
			seen = OTHER;
		} else if (word && seen == FUNCTION) {
			note_name(r, &r->lib->functions, f, tok, len);
			seen = OTHER;
		} else if (word && seen == PROBE) {
			point = tok;
			point_len = len;
			seen = POINT;
		} else if (word && seen == GLOBALS) {
			note_name(r, &r->lib->globals, f, tok, len);
			seen = GLOBAL;
		} else if (c == ',' && seen == GLOBAL) {
			seen = GLOBALS;
		} else if (c == '=' && seen == POINT) {
			note_name(r, &r->lib->aliases, f, point, point_len);
			seen = PROBE;
		} else if (c == ',' && seen == POINT) {
			seen = PROBE;
		}
	}
}

/* ---- directories ---- */

static bool ends_in(const char *name, const char *extension)
{
	const char *dot = strrchr(name, '.');

	return dot && strcmp(dot, extension) == 0;
}

static int is_tapset(const struct dirent *de)
{
	return de->d_name[0] != '.' && (ends_in(de->d_name, ".kp") || ends_in(de->d_name, ".stp"));
}

/* The library has tables as well. */
static int is_library_file(const struct dirent *de)
{
	return is_tapset(de) || (de->d_name[0] != '.' && ends_in(de->d_name, ".rows"));
}

struct noted_file {
	struct resolver *r;
	struct lib_file *f;
};

static void note_row_alias(const char *name, size_t len, void *data)
{
	struct noted_file *noted = data;

	note_name(noted->r, &noted->r->lib->aliases, noted->f, name, len);
}

static void scan_rows(struct resolver *r, struct lib_file *f)
{
	struct noted_file noted = { r, f };

	f->rows = rows_read(r->s->arena, f->src);
	rows_names(f->rows, note_row_alias, &noted);
}

static void scan_dir(struct resolver *r, const struct library_dir *dir)
{
	struct state *s = r->s;
	struct dirent **list;
	int n = scandir(dir->path, &list, dir->in_tapset > 1 ? is_library_file : is_tapset,
			alphasort);

	if (n < 0) {
		diag_error(s->diag, (struct range){ 0 }, E_IO,
			   "cannot read the tapset directory '%s': %s", dir->path,
			   strerror(errno));
		return;
	}
	for (int i = 0; i < n; i++) {
		struct lib_file *f = NEW(s->arena, struct lib_file);

		f->src = library_read(s, dir, list[i]->d_name);
		free(list[i]);
		if (!f->src)
			continue;
		f->src->in_tapset = dir->in_tapset;
		f->src->library_order = ++r->lib->nfiles;
		if (ends_in(f->src->name, ".rows"))
			scan_rows(r, f);
		else
			scan_file(r, f);
	}
	free(list);
}

struct library *tapset_index(struct resolver *r)
{
	struct library_dirs dirs = { 0 };
	struct state *s = r->s;

	r->lib = NEW(s->arena, struct library);
	map_init(&r->lib->functions, s->arena);
	map_init(&r->lib->aliases, s->arena);
	map_init(&r->lib->globals, s->arena);
	library_dirs(s, &dirs, true);
	vec_each(dir, &dirs.v)
		scan_dir(r, dir);
	return r->lib;
}

/* ---- loading ---- */

/* Loads the files; of a table, the rows of aliases that match @alias whose names match @row (NULL:
 * all). */
static void load_rows(struct resolver *r, struct lib_name *ln, const char *alias, const char *row)
{
	vec_each(it, &ln->files) {
		struct lib_file *f = *it;
		struct script *sc;

		if (f->loaded)
			continue;
		f->loaded = !f->rows;
		sc = f->rows ? rows_load(r->s, f->rows, alias, row) : parse_source(r->s, f->src);
		if (sc)
			resolve_load(r, sc);
	}
}

static void load(struct resolver *r, struct lib_name *ln)
{
	load_rows(r, ln, NULL, NULL);
}

void tapset_need_function(struct resolver *r, const char *name)
{
	struct lib_name *ln = map_get(&r->lib->functions, name);

	if (ln)
		load(r, ln);
}

void tapset_need_global(struct resolver *r, const char *name)
{
	struct lib_name *ln = map_get(&r->lib->globals, name);

	if (ln)
		load(r, ln);
}

void tapset_need_alias(struct resolver *r, const char *pattern, const char *second)
{
	map_each(it, &r->lib->aliases) {
		if (strcmp(pattern, it->key) == 0 || !fnmatch(pattern, it->key, 0))
			load_rows(r, it->value, it->key, second);
	}
}

static void add_printers(struct resolver *r, const struct script *sc)
{
	vec_each(it, &sc->printers)
		vec_push(r->s->arena, &r->s->printers->v, *it);
}

/* The printers of the user's scripts come first, then those of the library's files, in order. */
static void load_printers(void *data)
{
	struct resolver *r = data;

	vec_each(sc, &r->scripts)
		if (!(*sc)->src->in_tapset)
			add_printers(r, *sc);
	vec_each(it, &r->lib->printers) {
		struct lib_file *f = *it;
		struct lib_name one = { 0 };

		vec_push(r->s->arena, &one.files, f);
		load(r, &one);
		vec_each(sc, &r->scripts)
			if ((*sc)->src == f->src)
				add_printers(r, *sc);
	}
}

void tapset_offer_printers(struct resolver *r)
{
	r->s->printers = NEW(r->s->arena, struct printer_list);
	r->s->printers->load = load_printers;
	r->s->printers->data = r;
}

void tapset_need_all(struct resolver *r)
{
	map_each(it, &r->lib->functions)
		load(r, it->value);
	map_each(it, &r->lib->aliases)
		load(r, it->value);
}

void tapset_function_names(struct resolver *r, bool internal, struct suggestions *ret)
{
	map_each(it, &r->lib->functions) {
		if ((it->key[0] == '_') == internal)
			vec_push(r->s->arena, &ret->v, it->key);
	}
}

void tapset_alias_names(struct resolver *r, struct suggestions *ret)
{
	map_each(it, &r->lib->aliases)
		vec_push(r->s->arena, &ret->v, it->key);
}
