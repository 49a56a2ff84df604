/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gcc is a driver, which starts the compiler proper (cc1) and the assembler, and takes time of its
 * own: 3 million instructions, two processes more. "gcc -###" prints the commands that it would
 * start. They are read when the runtime is built, and scripts then start the two themselves.
 */
#include <stdio.h>
#include <string.h>

#include "kbuild/kbuild.h"
#include "state.h"

/* Whether the next word is the name of a file. */
static bool names_file(const char *word)
{
	return strcmp(word, "-o") == 0 || strcmp(word, "-dumpdir") == 0 ||
	       strcmp(word, "-dumpbase") == 0 || strcmp(word, "-dumpbase-ext") == 0;
}

static bool is_program(const char *word, const char *name)
{
	size_t len = strlen(word), n = strlen(name);

	return len >= n && strcmp(word + len - n, name) == 0 &&
	       (len == n || word[len - n - 1] == '/');
}

/* One line of the answer: the command for @name without files. */
static void keep_command(struct state *s, const char *line, const char *name,
			 struct kbuild_words *ret)
{
	struct kbuild_words words = { 0 };

	kbuild_flags_split(s, line, &words);
	if (ret->w.n || !words.w.n || !is_program(words.w.v[0], name))
		return;
	for (size_t i = 0; i < words.w.n; i++) {
		if (names_file(words.w.v[i]))
			i++;
		else if (strcmp(words.w.v[i], KBUILD_STAGES_SOURCE) != 0 &&
			 strcmp(words.w.v[i], "|") != 0)
			kbuild_word(s, ret, words.w.v[i]);
	}
}

void kbuild_stages(struct state *s, struct kbuild_runtime *rt)
{
	struct kbuild_words ask = { 0 };
	struct buf log;

	vec_each(word, &rt->cc.w)
		kbuild_word(s, &ask, *word);
	kbuild_word(s, &ask, "-###");
	/* Then no command names a temporary file. */
	kbuild_word(s, &ask, "-pipe");
	kbuild_word(s, &ask, "-c");
	kbuild_word(s, &ask, KBUILD_STAGES_SOURCE);
	buf_init(&log);
	if (!kbuild_run(s, &ask, s->tmp_dir, &log)) {
		for (const char *p = log.s; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
			if (*p != ' ')
				continue;
			keep_command(s, p, "cc1", &rt->cc1);
			keep_command(s, p, "as", &rt->as);
		}
	}
	buf_deinit(&log);
	/* Another compiler, which is called by its own name. */
	if (!rt->cc1.w.n || !rt->as.w.n)
		rt->cc1.w.n = rt->as.w.n = 0;
}
