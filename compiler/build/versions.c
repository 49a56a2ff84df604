/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the kernel's symbols that a script's embedded C uses. For a kernel with MODVERSIONS, kbuild
 * writes into a module a checksum of each symbol that it takes from the kernel; the runtime has its
 * own, and here the script gets those of the build tree's Module.symvers:
 * "0xCRC SYMBOL MODULE EXPORT NAMESPACE", with tabs between.
 */
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "build/private.h"
#include "shared/file.h"
#include "target/kernel/kernel.h"
#include "state.h"

#define NAME_ROOM 56 /* of struct modversion_info: 64 bytes with the checksum */

static const struct range nowhere;

struct exports {
	struct state *s;
	struct map lines; /* symbol -> its line, divided into fields by NULs */
};

static const char *field(const char *line, int n)
{
	for (; n; n--)
		line += strlen(line) + 1;
	return line;
}

static int read_exports(struct exports *x)
{
	const char *path = arena_printf(x->s->arena, "%s/Module.symvers",
					kernel_build_tree(x->s->kernel));
	struct buf b;
	int err;

	buf_init(&b);
	err = file_read(path, &b);
	for (char *p = b.s, *nl; !err && p && (nl = strchr(p, '\n')); p = nl + 1) {
		/* Older kernels have no namespace field, which is empty then. */
		char *line = arena_printf(x->s->arena, "%.*s%c%c%c%c", (int)(nl - p), p, 0, 0, 0,
					  0);

		for (char *tab = line; (tab = strchr(tab, '\t')); tab++)
			*tab = 0;
		map_set(&x->lines, field(line, 1), line);
	}
	buf_deinit(&b);
	if (err)
		diag_error(x->s->diag, nowhere, E_IO, "can't read '%s': %s", path, strerror(-err));
	return err ? -1 : 0;
}

/* Whether a symbol belongs to the runtime or to the code that kbuild adds to every module. */
static bool is_own(const char *symbol)
{
	return strncmp(symbol, "prt_", 4) == 0 || strcmp(symbol, "__this_module") == 0;
}

/* Reads lines "SYMBOL U ..." of nm. Returns false if a symbol is not known. */
static bool write_entries(struct exports *x, const char *listed, struct buf *c)
{
	bool summed = kernel_config(x->s, "CONFIG_MODVERSIONS"), found = true;

	for (const char *p = listed, *nl; p && (nl = strchr(p, '\n')); p = nl + 1) {
		const char *symbol = arena_strndup(x->s->arena, p, strcspn(p, " \n"));
		const char *line = map_get(&x->lines, symbol);

		if (is_own(symbol))
			continue;
		if (!line || (summed && strlen(symbol) >= NAME_ROOM)) {
			diag_error(x->s->diag, nowhere, E_BUILD,
				   "the kernel has no '%s' for modules: it does not export it",
				   symbol);
			diag_hint(x->s->diag, "embedded C can call only what the kernel exports");
			found = false;
			continue;
		}
		if (summed)
			buf_printf(c, "VERSION(%s, \"%s\")\n", field(line, 0), symbol);
		if (*field(line, 4))
			buf_printf(c, "NAMESPACE(%s, \"%s\")\n", symbol, field(line, 4));
	}
	return found;
}

static int run(struct state *s, struct kbuild_words *w, const char *what)
{
	struct buf log;
	int ret;

	buf_init(&log);
	ret = kbuild_run(s, w, s->tmp_dir, &log);
	if (ret > 0) {
		diag_error(s->diag, nowhere, E_BUILD, "%s", what);
		diag_hint(s->diag, "this is a bug in probec; -k keeps the files");
		fwrite(log.s, 1, log.len, stderr);
	}
	buf_deinit(&log);
	return ret;
}

/* Compiles the table and joins it with the script's object. */
static const char *join(struct state *s, const struct kbuild_runtime *rt, const struct buf *c)
{
	static const char failed[] = "the symbols of embedded C can't be listed";
	const char *path = arena_printf(s->arena, "%s/versions.c", s->tmp_dir);
	struct kbuild_words cc = { 0 }, ld = { 0 };
	int err = file_write(path, c->s, c->len);

	if (err) {
		diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", path, strerror(-err));
		return NULL;
	}
	vec_each(word, &((struct kbuild_runtime *)rt)->cc.w)
		kbuild_word(s, &cc, *word);
	for (const char *const *w = (const char *const[]){ "-O2", "-c", "-o", "versions.o",
							   "versions.c", NULL }; *w; w++)
		kbuild_word(s, &cc, *w);
	for (const char *const *w = (const char *const[]){
			kbuild_key_tool(s, "ld"), "-r", "-o", "both.o", "script.o",
							   "versions.o", NULL }; *w; w++)
		kbuild_word(s, &ld, *w);
	if (run(s, &cc, failed) || run(s, &ld, failed))
		return NULL;
	return arena_printf(s->arena, "%s/both.o", s->tmp_dir);
}

const char *build_versions_add(struct state *s, const struct kbuild_runtime *rt,
			       const char *object)
{
	struct exports x = { .s = s };
	struct kbuild_words nm = { 0 };
	const char *ret = NULL;
	struct buf log, c;
	size_t nothing;

	map_init(&x.lines, s->arena);
	buf_init(&log);
	buf_init(&c);
	buf_puts(&c, "struct version { unsigned long crc; char name[56]; };\n"
		 "#define VERSION(sum, symbol) static const struct version \\\n"
		 "\t__attribute__((used, section(\"__versions\"))) PASTE(v, __COUNTER__) = "
		 "{ sum, symbol };\n"
		 "#define PASTE(a, b) PASTE_(a, b)\n#define PASTE_(a, b) a##b\n"
		 "#define NAMESPACE(symbol, name) static const char \\\n"
		 "\t__attribute__((used, section(\".modinfo\"))) ns_##symbol[] = "
		 "\"import_ns=\" name;\n");
	nothing = c.len;
	for (const char *const *w = (const char *const[]){
			kbuild_key_tool(s, "nm"), "-u", "--format=posix", object,
							   NULL }; *w; w++)
		kbuild_word(s, &nm, *w);
	if (!read_exports(&x) && !kbuild_run(s, &nm, s->tmp_dir, &log) &&
	    write_entries(&x, log.s, &c))
		ret = c.len == nothing ? object : join(s, rt, &c);
	buf_deinit(&log);
	buf_deinit(&c);
	return ret;
}
