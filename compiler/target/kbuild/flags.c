/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kbuild records each command that it ran in a file .NAME.cmd beside the result. Only these files
 * show the exact flags of a kernel, which depend on its configuration, its compiler and its
 * version. The same holds for objtool, which runs on each object (6.1) or on the linked one (6.12).
 *
 * A script gets all flags that change code. Include paths and definitions are stored separately,
 * because only a script with embedded C includes kernel headers. The results of the runtime's
 * feature tests (PRT_HAVE_...) go to every script. Left out are warnings, debug information, and
 * the calls of ftrace at the beginning of functions: a handler must not be traced itself.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/file.h"
#include "target/kbuild/kbuild.h"
#include "records.h"
#include "state.h"

#define FILE_MAGIC "probec-runtime 4"
#define LISTS 6

static const struct range nowhere;

/* ---- one command to words ---- */

/* Reads a character or a quoted run. Returns the rest. */
static const char *take_quoted(const char *p, struct buf *word)
{
	char quote = *p;

	if (quote == '\\' && p[1]) {
		buf_putc(word, p[1]);
		return p + 2;
	}
	if (quote == '\'' || quote == '"') {
		for (p++; *p && *p != quote; p++) {
			if (quote == '"' && *p == '\\' && p[1])
				p++;
			buf_putc(word, *p);
		}
		return *p ? p + 1 : p;
	}
	if (p[0] == '$' && p[1] == '$') {
		buf_putc(word, '$');
		return p + 2;
	}
	if (strncmp(p, "$(pound)", 8) == 0) {
		buf_putc(word, '#');
		return p + 8;
	}
	buf_putc(word, *p);
	return p + 1;
}

void kbuild_flags_split(struct state *s, const char *text, struct kbuild_words *ret)
{
	struct buf word;

	buf_init(&word);
	buf_puts(&word, "");
	for (const char *p = text; *p && *p != '\n';) {
		if (*p == ' ' || *p == '\t') {
			p++;
			continue;
		}
		if (*p == ';') {
			kbuild_word(s, ret, ";");
			p++;
			continue;
		}
		word.len = 0;
		while (*p && !strchr(" \t\n;", *p))
			p = take_quoted(p, &word);
		kbuild_word(s, ret, arena_strndup(s->arena, word.s, word.len));
	}
	buf_deinit(&word);
}

/* Reads the command that made @object, from .NAME.cmd in its directory. */
static int read_cmd(struct state *s, const char *object, struct kbuild_words *ret)
{
	const char *slash = strrchr(object, '/');
	const char *name = slash ? slash + 1 : object;
	const char *path = arena_printf(s->arena, "%.*s.%s.cmd", (int)(name - object), object,
					name);
	struct buf b;
	int err;

	buf_init(&b);
	err = file_read(path, &b);
	if (!err) {
		char *sep = b.s ? strstr(b.s, " := ") : NULL;

		if (sep && (strncmp(b.s, "cmd_", 4) == 0 || strncmp(b.s, "savedcmd_", 9) == 0))
			kbuild_flags_split(s, sep + 4, ret);
		else
			err = -EINVAL;
	}
	buf_deinit(&b);
	if (err)
		diag_error(s->diag, nowhere, E_BUILD,
			   "can't find out from '%s' how the kernel is built: %s",
			   path, strerror(-err));
	return err ? -1 : 0;
}

/* ---- choosing words ---- */

static bool starts(const char *word, const char *with)
{
	return strncmp(word, with, strlen(with)) == 0;
}

static bool changes_code(const char *word)
{
	static const char *const dropped[] = {
		"-I", "-D", "-U", "-W", "-g", "-M", "-O", "-pg", "-mfentry", "-mrecord-mcount",
		"-mnop-mcount", "-fmacro-prefix-map", "-ffile-prefix-map", "-fdebug-prefix-map",
		/* Optimisation when the kernel is linked, for which an object has no code. */
		"-flto", "-fno-lto", "-fsplit-lto-unit",
	};

	if (word[0] != '-' || strcmp(word, "-c") == 0)
		return false;
	/* Results of the runtime's feature tests. */
	if (starts(word, "-DPRT_"))
		return true;
	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
		if (starts(word, dropped[i]))
			return false;
	return true;
}

static bool takes_next(const char *word)
{
	return strcmp(word, "-include") == 0 || strcmp(word, "-isystem") == 0 ||
	       strcmp(word, "-o") == 0 || strcmp(word, "-I") == 0 || strcmp(word, "-imacros") == 0;
}

static const char *absolute(struct state *s, const char *tree, const char *path)
{
	if (*path == '/')
		return path;
	return arena_printf(s->arena, "%s/%s", tree, starts(path, "./") ? path + 2 : path);
}

/* Two options name a file of the tree, by which the members of structures are arranged at random
 * (RANDSTRUCT). */
static const char *absolute_option(struct state *s, const char *tree, const char *word)
{
	static const char *const options[] = { "-fplugin=", "-frandomize-layout-seed-file=" };

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (starts(word, options[i]))
			return arena_printf(s->arena, "%s%s", options[i],
					    absolute(s, tree, word + strlen(options[i])));
	return word;
}

static void keep_cc(struct state *s, const struct kbuild_words *cmd, const char *tree,
		    struct kbuild_words *ret)
{
	for (size_t i = 0; i < cmd->w.n && strcmp(cmd->w.v[i], ";") != 0; i++) {
		const char *word = cmd->w.v[i];

		if (i && takes_next(word)) {
			i++;
		} else if (strcmp(word, "--param") == 0 && i + 1 < cmd->w.n) {
			kbuild_word(s, ret, word);
			kbuild_word(s, ret, cmd->w.v[++i]);
		} else if (!i || changes_code(word)) {
			kbuild_word(s, ret, absolute_option(s, tree, word));
		}
	}
}

/* Stores the include paths, the headers that come before all others, and the definitions. */
static void keep_headers(struct state *s, const struct kbuild_words *cmd, const char *tree,
			 struct kbuild_words *ret)
{
	for (size_t i = 1; i < cmd->w.n && strcmp(cmd->w.v[i], ";") != 0; i++) {
		const char *word = cmd->w.v[i];

		if (takes_next(word) && strcmp(word, "-o") != 0 && i + 1 < cmd->w.n) {
			kbuild_word(s, ret, word);
			kbuild_word(s, ret, absolute(s, tree, cmd->w.v[++i]));
		} else if (strcmp(word, "-o") == 0) {
			i++;
		} else if (starts(word, "-I")) {
			kbuild_word(s, ret, arena_printf(s->arena, "-I%s",
							 absolute(s, tree, word + 2)));
		} else if (starts(word, "-D") || starts(word, "-U")) {
			kbuild_word(s, ret, word);
		}
	}
}

/* Stores "; ./tools/objtool/objtool --flags FILE" without FILE, if there is such a command. */
static void keep_objtool(struct state *s, const struct kbuild_words *cmd, const char *tree,
			 struct kbuild_words *ret)
{
	static const char tool[] = "/objtool";
	size_t i = 0;

	for (; i < cmd->w.n; i++) {
		size_t len = strlen(cmd->w.v[i]);

		if (len >= sizeof(tool) &&
		    strcmp(cmd->w.v[i] + len - (sizeof(tool) - 1), tool) == 0)
			break;
	}
	if (i == cmd->w.n)
		return;
	kbuild_word(s, ret, absolute(s, tree, cmd->w.v[i]));
	for (i++; i < cmd->w.n && cmd->w.v[i][0] == '-'; i++)
		kbuild_word(s, ret, cmd->w.v[i]);
}

static bool is_object(const char *word)
{
	size_t len = strlen(word);

	return len > 2 && strcmp(word + len - 2, ".o") == 0;
}

static void keep_ld(struct state *s, const struct kbuild_words *cmd, const char *tree,
		    struct kbuild_words *ld, struct kbuild_words *objects)
{
	for (size_t i = 0; i < cmd->w.n && strcmp(cmd->w.v[i], ";") != 0; i++) {
		const char *word = cmd->w.v[i];

		if (strcmp(word, "-o") == 0) {
			i++;
		} else if (strcmp(word, "-T") == 0 && i + 1 < cmd->w.n) {
			kbuild_word(s, ld, word);
			kbuild_word(s, ld, absolute(s, tree, cmd->w.v[++i]));
		} else if (is_object(word)) {
			kbuild_word(s, objects, absolute(s, tree, word));
		} else {
			kbuild_word(s, ld, word);
		}
	}
}

/* The object of the first source of the runtime. */
static const char *first_member(struct state *s, const char *dir)
{
	const char *path = arena_printf(s->arena, "%s/%s.mod", dir, PRT_PLACEHOLDER), *ret = NULL;
	struct buf b;

	buf_init(&b);
	if (!file_read(path, &b) && b.len)
		ret = arena_strndup(s->arena, b.s, strcspn(b.s, " \n"));
	buf_deinit(&b);
	if (!ret)
		diag_error(s->diag, nowhere, E_BUILD, "kbuild did not create '%s'", path);
	return ret;
}

int kbuild_flags_collect(struct state *s, const char *dir, const char *tree,
			 struct kbuild_runtime *rt, struct kbuild_words *objects)
{
	const char *stem = arena_printf(s->arena, "%s/%s", dir, PRT_PLACEHOLDER);
	const char *member = first_member(s, dir);
	struct kbuild_words compile = { 0 }, join = { 0 }, link = { 0 };

	/* Since 6.13 kbuild works in the module's directory, and names are relative to it. */
	if (member && *member != '/') {
		tree = dir;
		member = absolute(s, dir, member);
	}
	if (!member || read_cmd(s, member, &compile) ||
	    read_cmd(s, arena_printf(s->arena, "%s.o", stem), &join) ||
	    read_cmd(s, arena_printf(s->arena, "%s.ko", stem), &link))
		return -1;
	keep_cc(s, &compile, tree, &rt->cc);
	keep_headers(s, &compile, tree, &rt->headers);
	keep_objtool(s, &compile, tree, &rt->objtool);
	if (!rt->objtool.w.n)
		keep_objtool(s, &join, tree, &rt->objtool);
	keep_ld(s, &link, tree, &rt->ld, objects);
	return 0;
}

/* ---- as a file: the magic, then per list its length and one word a line ---- */

int kbuild_flags_save(const struct kbuild_runtime *rt, const char *path)
{
	const struct kbuild_words *lists[LISTS] = {
		&rt->cc, &rt->headers, &rt->objtool, &rt->ld, &rt->cc1, &rt->as,
	};
	struct buf b;
	int err;

	buf_init(&b);
	buf_puts(&b, FILE_MAGIC "\n");
	for (int l = 0; l < LISTS; l++) {
		buf_printf(&b, "%zu\n", lists[l]->w.n);
		for (size_t i = 0; i < lists[l]->w.n; i++)
			buf_printf(&b, "%s\n", lists[l]->w.v[i]);
	}
	err = file_write(path, b.s, b.len);
	buf_deinit(&b);
	return err;
}

int kbuild_flags_load(struct state *s, const char *path, struct kbuild_runtime *rt)
{
	struct kbuild_words *lists[LISTS] = {
		&rt->cc, &rt->headers, &rt->objtool, &rt->ld, &rt->cc1, &rt->as,
	};
	struct buf b;
	char *line, *rest;
	int err;

	buf_init(&b);
	err = file_read(path, &b);
	rest = b.s;
	line = rest ? strsep(&rest, "\n") : NULL;
	if (!err && (!line || strcmp(line, FILE_MAGIC) != 0))
		err = -EINVAL;
	for (int l = 0; l < LISTS && !err; l++) {
		line = strsep(&rest, "\n");
		for (long n = line ? strtol(line, NULL, 10) : 0; n > 0 && line; n--) {
			line = strsep(&rest, "\n");
			if (line)
				kbuild_word(s, lists[l], arena_strdup(s->arena, line));
		}
	}
	if (!err && (!rt->cc.w.n || !rt->ld.w.n))
		err = -EINVAL;
	buf_deinit(&b);
	return err;
}
