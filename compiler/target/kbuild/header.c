/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles headers that a script names for their types: a C file that only includes them, with
 * debug information of unused types. The object is read and never linked. Headers of the kernel are
 * compiled as its modules are, others as for any program.
 *
 * Macros that are numbers become constants of an enum in such a file, each on a line of its own.
 * Those that the compiler refuses there are no constant numbers, and are left out.
 */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/packages.h"
#include "base/subprocess.h"
#include "shared/file.h"
#include "target/kbuild/kbuild.h"
#include "target/kernel/kernel.h"
#include "state.h"

/* Writes "<a.h><b.h>" as lines of C. Returns false for any other text, which the compiler must not
 * see. */
static bool write_includes(const char *headers, struct buf *b)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-+./";

	for (const char *p = headers; *p;) {
		size_t len = *p == '<' ? strspn(p + 1, allowed) : 0;

		if (!len || p[len + 1] != '>')
			return false;
		buf_printf(b, "#include %.*s\n", (int)len + 2, p);
		p += len + 2;
	}
	return b->len != 0;
}

/* Reads the make rule of -MD: a cached module depends on all of these files. */
static void note_files(struct state *s, const char *path)
{
	struct buf b;
	char *rest, *word;

	buf_init(&b);
	if (!file_read(path, &b)) {
		rest = b.s;
		while ((word = strsep(&rest, " \n")))
			if (*word == '/' && word[strlen(word) - 1] != ':')
				vec_push(s->arena, &s->files_read, arena_strdup(s->arena, word));
	}
	buf_deinit(&b);
}

/* The first error of the compiler, without the position in our file. */
static const char *first_error(struct state *s, const struct buf *log)
{
	static const char mark[] = "error: ";
	const char *at = log->s ? strstr(log->s, mark) : NULL;

	at = at ? at + sizeof(mark) - 1 : "the compiler fails";
	return arena_strndup(s->arena, at, strcspn(at, "\n"));
}

static int compiler_of(struct state *s, bool of_kernel, struct kbuild_words *ret,
		       const char **why)
{
	struct kbuild_runtime rt;

	if (!of_kernel) {
		kbuild_word(s, ret, "gcc");
		*why = arena_printf(s->arena, "gcc is not installed: %s",
				    packages_hint(s->arena, "gcc libc6-dev"));
		return subprocess_find(s->arena, "gcc") ? 0 : -ENOENT;
	}
	*why = arena_printf(s->arena, "no build tree for the kernel %s: %s",
			    kernel_release(s->kernel), kbuild_how_to_get_tree(s));
	if (!kernel_build_tree(s->kernel))
		return -ENOENT;
	*why = "the runtime is needed to know how the kernel is compiled";
	if (kbuild_runtime_get(s, &rt))
		return -ENOENT;
	vec_each(word, &rt.cc.w)
		kbuild_word(s, ret, *word);
	vec_each(word, &rt.headers.w)
		kbuild_word(s, ret, *word);
	return 0;
}

/* One object of headers: its files are in the temporary directory. */
struct compilation {
	struct state *s;
	enum kbuild_headers of;
	const char *stem, *path; /* of all files, without and with the directory */
	struct buf includes, log;
	const char **why;
};

static int begin(struct state *s, const char *headers, enum kbuild_headers of, const char **why,
		 struct compilation *ret)
{
	*ret = (struct compilation){ .s = s, .of = of, .why = why };
	ret->stem = arena_printf(s->arena, "header%zu", s->files_read.n);
	ret->path = arena_printf(s->arena, "%s/%s", s->tmp_dir ? s->tmp_dir : "", ret->stem);
	buf_init(&ret->includes);
	buf_init(&ret->log);
	*why = "a header is written as <linux/fs.h>";
	if (!write_includes(headers, &ret->includes))
		return -EINVAL;
	*why = "there is no temporary directory";
	return s->tmp_dir ? 0 : -ENOENT;
}

static void end(struct compilation *c)
{
	buf_deinit(&c->includes);
	buf_deinit(&c->log);
}

/* Adds @words, and what all files need. */
static void add_words(struct compilation *c, struct kbuild_words *cc, const char *const *words,
		      size_t n, const char *extension)
{
	for (size_t i = 0; i < n; i++)
		kbuild_word(c->s, cc, words[i]);
	if (c->of == KBUILD_OF_32BIT)
		kbuild_word(c->s, cc, "-m32");
	kbuild_word(c->s, cc, "-o");
	kbuild_word(c->s, cc, arena_printf(c->s->arena, "%s.%s", c->stem, extension));
	kbuild_word(c->s, cc, arena_printf(c->s->arena, "%s.c", c->stem));
}

static void flags(struct compilation *c, struct kbuild_words *cc)
{
	static const char *const words[] = {
		"-O2", "-g", "-fno-eliminate-unused-debug-types", "-w",
		"-fdiagnostics-color=never", "-MD", "-c",
	};

	add_words(c, cc, words, sizeof(words) / sizeof(*words), "o");
}

/* Compiles @text, with the words that @more adds to the compiler's. */
static int compile(struct compilation *c, const struct buf *text,
		   void (*more)(struct compilation *c, struct kbuild_words *cc))
{
	struct kbuild_words cc = { 0 };
	int err = compiler_of(c->s, c->of == KBUILD_OF_KERNEL, &cc, c->why);

	if (err)
		return err;
	more(c, &cc);
	*c->why = "the temporary directory can't be written";
	err = file_write(arena_printf(c->s->arena, "%s.c", c->path), text->s, text->len);
	if (err)
		return err;
	c->log.len = 0;
	err = kbuild_run(c->s, &cc, c->s->tmp_dir, &c->log);
	*c->why = first_error(c->s, &c->log);
	return err;
}

const char *kbuild_header(struct state *s, const char *headers, enum kbuild_headers of,
			  const char **why)
{
	struct compilation c;
	int err = begin(s, headers, of, why, &c);

	if (!err)
		err = compile(&c, &c.includes, flags);
	if (!err)
		note_files(s, arena_printf(s->arena, "%s.d", c.path));
	end(&c);
	return err ? NULL : arena_printf(s->arena, "%s.o", c.path);
}

/* ---- macros ---- */

struct header_macro {
	const char *name;
	bool alias;  /* it is defined as another name */
	bool refused;
};

struct macros { VEC(struct header_macro) v; };

/* As most programs, which want the names that Linux has beside those of standards. */
static void define_gnu(struct compilation *c, struct kbuild_words *cc)
{
	if (c->of != KBUILD_OF_KERNEL)
		kbuild_word(c->s, cc, "-D_GNU_SOURCE");
}

static void list_flags(struct compilation *c, struct kbuild_words *cc)
{
	static const char *const words[] = {
		"-O2", "-w", "-fdiagnostics-color=never", "-E", "-dM",
	};

	define_gnu(c, cc);
	add_words(c, cc, words, sizeof(words) / sizeof(*words), "macros");
}

static void check_flags(struct compilation *c, struct kbuild_words *cc)
{
	define_gnu(c, cc);
	kbuild_word(c->s, cc, "-fmax-errors=0");
	flags(c, cc);
}

/* "#define NAME TEXT", without parameters. */
static void add_macro(struct state *s, char *line, const char *pattern, struct macros *ret)
{
	static const char define[] = "#define ";
	struct header_macro m = { 0 };
	char *text;

	if (strncmp(line, define, sizeof(define) - 1) != 0)
		return;
	m.name = line + sizeof(define) - 1;
	text = (char *)m.name + strcspn(m.name, " (");
	if (*text != ' ' || !text[1])
		return;
	*text++ = '\0';
	if (fnmatch(pattern, m.name, 0) != 0)
		return;
	m.alias = isalpha((unsigned char)*text) || *text == '_';
	m.name = arena_strdup(s->arena, m.name);
	vec_push(s->arena, &ret->v, m);
}

static int by_name(const void *a, const void *b)
{
	const struct header_macro *ma = a, *mb = b;

	return ma->alias != mb->alias ? ma->alias - mb->alias : strcmp(ma->name, mb->name);
}

/* The macros that match, those that are defined as another name last. */
static int list(struct compilation *c, const char *pattern, struct macros *ret)
{
	int err = compile(c, &c->includes, list_flags);
	char *rest, *line;
	struct buf b;

	if (err)
		return err;
	buf_init(&b);
	*c->why = "the compiler's list of macros can't be read";
	err = file_read(arena_printf(c->s->arena, "%s.macros", c->path), &b);
	rest = b.s;
	while (!err && rest && (line = strsep(&rest, "\n")))
		add_macro(c->s, line, pattern, ret);
	buf_deinit(&b);
	if (!err && ret->v.n)
		qsort(ret->v.v, ret->v.n, sizeof(*ret->v.v), by_name);
	return err;
}

/* Notes which of the macros the compiler named in its log. Returns their number. */
static size_t refuse(struct compilation *c, struct macros *m)
{
	size_t n = 0;

	for (const char *p = c->log.s; p && (p = strstr(p, KBUILD_MACROS_FILE ":"));) {
		size_t nr = strtoul(p + sizeof(KBUILD_MACROS_FILE), NULL, 10);

		p += sizeof(KBUILD_MACROS_FILE);
		if (nr && nr <= m->v.n && !m->v.v[nr - 1].refused) {
			m->v.v[nr - 1].refused = true;
			n++;
		}
	}
	return n;
}

/* Compiles constants of the macros' values, without those that are refused. */
static int constants(struct compilation *c, struct macros *m)
{
	struct buf text;
	int err;

	do {
		buf_init(&text);
		buf_write(&text, c->includes.s, c->includes.len);
		for (size_t i = 0; i < m->v.n; i++)
			if (!m->v.v[i].refused)
				buf_printf(&text, "#line %zu \"" KBUILD_MACROS_FILE "\"\n"
					   "enum probec_%zu { " KBUILD_MACRO_PREFIX "%s = "
					   "(unsigned long long)(%s) };\n",
					   i + 1, i, m->v.v[i].name, m->v.v[i].name);
		err = compile(c, &text, check_flags);
		buf_deinit(&text);
	} while (err > 0 && refuse(c, m));
	return err;
}

const char *kbuild_macros(struct state *s, const char *headers, enum kbuild_headers of,
			  const char *pattern, struct kbuild_macros *ret, const char **why)
{
	struct compilation c;
	struct macros m = { 0 };
	int err = begin(s, headers, of, why, &c);

	if (!err)
		err = list(&c, pattern, &m);
	if (!err)
		err = constants(&c, &m);
	if (!err)
		note_files(s, arena_printf(s->arena, "%s.d", c.path));
	end(&c);
	vec_each(it, &m.v)
		if (!it->refused)
			vec_push(s->arena, &ret->v, it->name);
	return err ? NULL : arena_printf(s->arena, "%s.o", c.path);
}
