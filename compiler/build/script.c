/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The script's C to an object: the kernel's own compiler and flags, then objtool as the kernel
 * uses it. What the compiler says about embedded C goes back to the line of the script.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/file.h"
#include "target/arch/names.h"
#include "build/private.h"
#include "program/program.h"
#include "state.h"

/*
 * -O2 takes a third more time than -O1 and these, and makes no better hits (bench/starts,
 * bench/hits). From this number of handlers on -Og, which takes another third off, and adds 10 to
 * 20 instructions to a hit.
 */
#define MANY_HANDLERS 20

static const struct range nowhere;

/* ---- the compiler's answers ---- */

static struct source *source_named(struct state *s, const char *name, size_t len)
{
	vec_each(src, &s->sources)
		if (strlen((*src)->name) == len && strncmp((*src)->name, name, len) == 0)
			return *src;
	return NULL;
}

/* "FILE:LINE:COL: error: TEXT" where FILE is a script or tapset. */
static bool report_line(struct state *s, const char *line, size_t len)
{
	static const char mark[] = ": error: ";
	const char *text = memmem(line, len, mark, sizeof(mark) - 1);
	const char *colon = memchr(line, ':', len);
	struct source *src = text && colon ? source_named(s, line, colon - line) : NULL;
	struct linecol at = { .col = 1 };
	struct range r = { .src = src };
	char *end;

	if (!src)
		return false;
	at.line = (uint32_t)strtoul(colon + 1, &end, 10);
	if (*end == ':')
		at.col = (uint32_t)strtoul(end + 1, NULL, 10);
	if (!source_offset(src, at, &r.start))
		return false;
	r.end = r.start + 1;
	text += sizeof(mark) - 1;
	diag_error(s->diag, r, E_BUILD, "%.*s", (int)(line + len - text), text);
	return true;
}

/* @status: as of subprocess_run(), not 0 */
static void report(struct state *s, const char *tool, int status, const struct buf *log)
{
	bool mapped = false;

	if (status > 128) {
		diag_error(s->diag, nowhere, E_BUILD, "%s was killed by signal %d (%s)", tool,
			   status - 128, strsignal(status - 128));
		diag_hint(s->diag, "a handler may be too long for it: move parts into functions; "
				   "or memory may be low");
		fwrite(log->s, 1, log->len, stderr);
		return;
	}

	for (const char *p = log->s; p && *p;) {
		size_t len = strcspn(p, "\n");

		mapped |= report_line(s, p, len);
		p += len + (p[len] == '\n');
	}
	if (mapped) {
		diag_hint(s->diag, "this is the C compiler's message about the embedded C");
		return;
	}
	diag_error(s->diag, nowhere, E_BUILD, "%s rejects the C code of this script", tool);
	diag_hint(s->diag, s->opt.guru ? "this is a bug in probec, or in embedded C"
				       : "this is a bug in probec; -p3 shows the C");
	fwrite(log->s, 1, log->len, stderr);
}

/* ---- the two tools ---- */

static bool wants_headers(const struct state *s)
{
	return s->program && s->program->kernel_headers;
}

static void add_optimisation(struct state *s, const struct kbuild_runtime *rt,
			     struct kbuild_words *cc)
{
	static const char *const small[] = {
		"-O1", "-freorder-blocks-and-partition", "-fexpensive-optimizations",
		"-fpeephole2", "-fstore-merging",
		/* These passes take 6 % of cc1's instructions, and change no hit of bench/. */
		"-fno-tree-pta", "-fno-tree-ccp", "-fno-ipa-pure-const", "-fno-ipa-reference",
		"-fno-ipa-profile",
	};

	/* The kernel's headers can be compiled only with -O2. For clang, which does not know these
	 * words, it takes a tenth more time than -O1. */
	if (wants_headers(s) || kbuild_is_clang(rt->cc.w.v[0])) {
		kbuild_word(s, cc, "-O2");
	} else if (s->program && s->program->probes.n >= MANY_HANDLERS) {
		kbuild_word(s, cc, "-Og");
	} else {
		for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++)
			kbuild_word(s, cc, small[i]);
	}
}

static void add_headers(struct state *s, const struct kbuild_runtime *rt, struct kbuild_words *cc)
{
	vec_each(word, &((struct kbuild_runtime *)rt)->headers.w)
		kbuild_word(s, cc, *word);
}

static int compile(struct state *s, const struct kbuild_runtime *rt, struct buf *log)
{
	/* With the kernel's headers, the compiler is called as kbuild calls it. */
	const bool driver = wants_headers(s) || !kbuild_stages_known(rt);
	const struct kbuild_words *from = driver ? &rt->cc : &rt->cc1;
	struct kbuild_words cc = { 0 }, as = { 0 };
	int ret;

	for (size_t i = 0; i < from->w.n; i++)
		kbuild_word(s, &cc, from->w.v[i]);
	if (wants_headers(s))
		add_headers(s, rt, &cc);
	add_optimisation(s, rt, &cc);
	/* Otherwise it would be noticed only when the module is loaded. */
	kbuild_word(s, &cc, "-Werror=implicit-function-declaration");
	/* Embedded C that takes a long for a string writes to an arbitrary address. */
	kbuild_word(s, &cc, "-Werror=int-conversion");
	kbuild_word(s, &cc, "-fdiagnostics-color=never");
	kbuild_word(s, &cc, "-I");
	kbuild_word(s, &cc, arena_printf(s->arena, "%s/abi", s->runtime_dir));
	if (driver) {
		kbuild_word(s, &cc, "-pipe");
		kbuild_word(s, &cc, "-c");
	}
	kbuild_word(s, &cc, "-o");
	kbuild_word(s, &cc, driver ? "script.o" : "script.s");
	kbuild_word(s, &cc, KBUILD_STAGES_SOURCE);
	ret = kbuild_run(s, &cc, s->tmp_dir, log);
	if (ret || driver)
		return ret;
	for (size_t i = 0; i < rt->as.w.n; i++)
		kbuild_word(s, &as, rt->as.w.v[i]);
	kbuild_word(s, &as, "-o");
	kbuild_word(s, &as, "script.o");
	kbuild_word(s, &as, "script.s");
	return kbuild_run(s, &as, s->tmp_dir, log);
}

static int check_object(struct state *s, const struct kbuild_runtime *rt, struct buf *log)
{
	struct kbuild_words objtool = { 0 };

	if (!rt->objtool.w.n)
		return 0;
	for (size_t i = 0; i < rt->objtool.w.n; i++)
		kbuild_word(s, &objtool, rt->objtool.w.v[i]);
	kbuild_word(s, &objtool, "script.o");
	/* Debian's objtool chooses the real one by variables that kbuild exports. */
	setenv("SRCARCH", arch_names->folder, 1);
	return kbuild_run(s, &objtool, s->tmp_dir, log);
}

const char *build_script_object(struct state *s, const struct kbuild_runtime *rt,
				const struct buf *c_text)
{
	const char *path = arena_printf(s->arena, "%s/script.c", s->tmp_dir), *tool = rt->cc.w.v[0];
	struct buf log;
	int ret = file_write(path, c_text->s, c_text->len);

	if (ret) {
		diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", path, strerror(-ret));
		return NULL;
	}
	buf_init(&log);
	ret = compile(s, rt, &log);
	if (!ret) {
		log.len = 0;
		tool = "objtool";
		ret = check_object(s, rt, &log);
	}
	if (ret > 0)
		report(s, tool, ret, &log);
	buf_deinit(&log);
	path = arena_printf(s->arena, "%s/script.o", s->tmp_dir);
	if (!ret && wants_headers(s))
		path = build_versions_add(s, rt, path);
	return ret ? NULL : path;
}
