/* SPDX-License-Identifier: GPL-2.0 */
/* Commands of the kernel build: lists of words, and running them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/packages.h"
#include "base/subprocess.h"
#include "target/kbuild/kbuild.h"
#include "state.h"

static const struct range nowhere;

void kbuild_word(struct state *s, struct kbuild_words *w, const char *word)
{
	vec_push(s->arena, &w->w, word);
}

/* The words, and a NULL at the end. */
static const char *const *words_argv(struct state *s, const struct kbuild_words *w)
{
	const char **argv = arena_alloc(s->arena, (w->w.n + 1) * sizeof(*argv));

	for (size_t i = 0; i < w->w.n; i++)
		argv[i] = w->w.v[i];
	return argv;
}

int kbuild_run(struct state *s, const struct kbuild_words *w, const char *dir,
	       struct buf *log)
{
	const char *const *argv = words_argv(s, w);
	int status;

	if (s->opt.verbose >= 3) {
		for (size_t i = 0; i < w->w.n; i++)
			fprintf(stderr, "%s%c", argv[i], i + 1 < w->w.n ? ' ' : '\n');
	}
	status = subprocess_run(argv, dir, log, log);
	if (status >= 0)
		return status;
	diag_error(s->diag, nowhere, E_NO_COMPILER, "can't start '%s': %s", argv[0],
		   strerror(-status));
	if (status == -ENOENT)
		diag_hint(s->diag, "building modules needs gcc, make and binutils: %s",
			  packages_hint(s->arena, "gcc make binutils"));
	return -1;
}
