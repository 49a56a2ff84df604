/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a run with a temporary directory, for the tests of compiler/build. */
#ifndef TMP_FIXTURE_H
#define TMP_FIXTURE_H

#include <unistd.h>
#include "unit.h"

#include "shared/file.h"
#include "state.h"

/* The path of a file in the temporary directory. */
static inline const char *tmp_in(struct state *s, const char *name)
{
	return arena_printf(s->arena, "%s/%s", s->tmp_dir, name);
}

static inline void tmp_put(struct state *s, const char *name, const char *text)
{
	assert_int_equal(file_write(tmp_in(s, name), text, strlen(text)), 0);
}

/* Makes a state with an arena, diagnostics and the directory; tmp_end() frees it. */
static inline struct state *tmp_begin(void)
{
	struct state *s = calloc(1, sizeof(*s));
	char dir[] = "/tmp/probec.unit.XXXXXX";

	s->arena = arena_create();
	s->diag = diag_create(s->arena, 0);
	s->tmp_dir = arena_strdup(s->arena, mkdtemp(dir));
	return s;
}

static inline int tmp_end(struct state *s)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s", s->tmp_dir);
	if (system(command))
		return -1;
	arena_destroy(s->arena);
	free(s);
	return 0;
}

#endif
