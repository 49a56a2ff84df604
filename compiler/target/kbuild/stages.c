/* SPDX-License-Identifier: GPL-2.0 */
/*
 * gcc is a driver that starts the compiler proper (cc1) and the assembler, and takes 3 million
 * instructions and a process itself. "gcc -###" prints the commands that it would start. probec
 * reads them when it builds the runtime, and starts both itself when it compiles a script.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/kbuild/kbuild.h"
#include "state.h"

/* Whether the next word is a file name. */
static bool takes_file(const char *word)
{
	return strcmp(word, "-o") == 0 || strcmp(word, "-dumpdir") == 0 ||
	       strcmp(word, "-dumpbase") == 0 || strcmp(word, "-dumpbase-ext") == 0;
}

/* Whether @word is the path of a program @name, whose name may begin with the target's:
 * x86_64-linux-gnu-as. */
static bool is_program(const char *word, const char *name)
{
	size_t len = strlen(word), n = strlen(name);

	return len >= n && strcmp(word + len - n, name) == 0 &&
	       (len == n || word[len - n - 1] == '/' || word[len - n - 1] == '-');
}

/* Stores a line of the answer without the names of files, if it starts @name. */
static void keep_command(struct state *s, const char *line, const char *name,
			 struct kbuild_words *ret)
{
	struct kbuild_words words = { 0 };

	kbuild_flags_split(s, line, &words);
	if (ret->w.n || !words.w.n || !is_program(words.w.v[0], name))
		return;
	for (size_t i = 0; i < words.w.n; i++) {
		if (takes_file(words.w.v[i]))
			i++;
		else if (strcmp(words.w.v[i], KBUILD_STAGES_SOURCE) != 0 &&
			 strcmp(words.w.v[i], "|") != 0)
			kbuild_word(s, ret, words.w.v[i]);
	}
}

/* The user can make the driver look for its stages elsewhere. */
static bool environment_chooses_stages(void)
{
	return getenv("COMPILER_PATH") || getenv("GCC_EXEC_PREFIX");
}

bool kbuild_stages_known(const struct kbuild_runtime *rt)
{
	return rt->cc1.w.n && rt->as.w.n && !environment_chooses_stages();
}

void kbuild_stages_find(struct state *s, struct kbuild_runtime *rt)
{
	struct kbuild_words ask = { 0 };
	struct buf log;

	if (environment_chooses_stages())
		return;
	vec_each(word, &rt->cc.w)
		kbuild_word(s, &ask, *word);
	kbuild_word(s, &ask, "-###");
	/* With a pipe, no command names a temporary file. */
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
}
