/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles headers that a script names for their types: a C file that only includes them, with
 * debug information of unused types. The object is read and never linked. Headers of the kernel are
 * compiled as its modules are, others as for any program.
 */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/packages.h"
#include "base/subprocess.h"
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

static void flags(struct state *s, struct kbuild_words *cc, const char *stem, bool of_32bit)
{
	static const char *const words[] = {
		"-O2", "-g", "-fno-eliminate-unused-debug-types", "-w",
		"-fdiagnostics-color=never", "-MD", "-c",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		kbuild_word(s, cc, words[i]);
	if (of_32bit)
		kbuild_word(s, cc, "-m32");
	kbuild_word(s, cc, "-o");
	kbuild_word(s, cc, arena_printf(s->arena, "%s.o", stem));
	kbuild_word(s, cc, arena_printf(s->arena, "%s.c", stem));
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

const char *kbuild_header(struct state *s, const char *headers, enum kbuild_headers of,
			  const char **why)
{
	const char *stem = arena_printf(s->arena, "header%zu", s->files_read.n);
	const char *path = arena_printf(s->arena, "%s/%s", s->tmp_dir ? s->tmp_dir : "", stem);
	struct kbuild_words cc = { 0 };
	struct buf text, log;
	int err = -EINVAL;

	buf_init(&text);
	buf_init(&log);
	*why = "a header is written as <linux/fs.h>";
	if (write_includes(headers, &text)) {
		*why = "there is no temporary directory";
		err = s->tmp_dir ? compiler_of(s, of == KBUILD_OF_KERNEL, &cc, why) : -ENOENT;
	}
	if (!err) {
		flags(s, &cc, stem, of == KBUILD_OF_32BIT);
		err = file_write(arena_printf(s->arena, "%s.c", path), text.s, text.len);
		*why = "the temporary directory can't be written";
	}
	if (!err) {
		err = kbuild_run(s, &cc, s->tmp_dir, &log);
		*why = first_error(s, &log);
	}
	if (!err)
		note_files(s, arena_printf(s->arena, "%s.d", path));
	buf_deinit(&text);
	buf_deinit(&log);
	return err ? NULL : arena_printf(s->arena, "%s.o", path);
}
