/* SPDX-License-Identifier: GPL-2.0 */
/* Analyses a script on the made-up kernel of locate_fixture.h, with a tapset of its own. */
#ifndef RESOLVE_FIXTURE_H
#define RESOLVE_FIXTURE_H


#include "locate_fixture.h"

#include "analyse/analyse.h"
#include "ast/print.h"
#include "parse/parse.h"

struct analysed {
	struct analysis *all; /* its phases up to "unused" have run */
	struct state *s;
	struct program *p;
	int rc;
	struct capture said;
};

/* Makes a directory with one tapset file; analysed_end() removes it. */
static inline const char *tapset_of(struct state *s, const char *text)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(s->arena, "%s/probec-tapset-XXXXXX", tmp ? tmp : "/tmp");

	assert_non_null(mkdtemp(dir));

	FILE *f = fopen(arena_printf(s->arena, "%s/one.kp", dir), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return dir;
}

static inline struct analysed analyse_with(const char *tapset, const char *text)
{
	struct analysed a = { .s = fixture_open(WITH_ALL) };
	struct state *s = a.s;

	if (tapset)
		s->tapset_dir = tapset_of(s, tapset);
	capture_begin(&a.said);
	s->main = parse_source(s, source_from_text(s->arena, "t.kp", text, strlen(text)));
	a.all = analyse_begin(s);
	a.rc = s->main ? analyse_until(a.all, "unused") : -1;
	capture_end(&a.said);
	a.p = s->program;
	return a;
}

static inline struct analysed analyse(const char *text)
{
	return analyse_with(NULL, text);
}

static inline void analysed_end(struct analysed *a)
{
	if (a->s->tapset_dir) {
		unlink(arena_printf(a->s->arena, "%s/one.kp", a->s->tapset_dir));
		rmdir(a->s->tapset_dir);
	}
	fixture_close(a->s);
}

/* Checks that a script is accepted without a message. */
#define assert_quiet(a)                                                                           \
	do {                                                                                      \
		if ((a)->rc || (a)->said.text[0])                                                 \
			fail_msg("status %d:\n%s", (a)->rc, (a)->said.text);                      \
	} while (0)

/* Checks that a script gets one certain message. */
static inline void refused(const char *text, const char *says)
{
	struct analysed a = analyse(text);

	if (!a.rc)
		fail_msg("accepted: %s", text);
	assert_says(&a.said, says);
	analysed_end(&a);
}

static inline const char *body_text(struct analysed *a, struct stmt *body)
{
	struct buf b;

	buf_init(&b);
	print_stmt(&b, body, 0);

	const char *text = arena_strdup(a->s->arena, b.s ? b.s : "");

	buf_deinit(&b);
	return text;
}

#define assert_body(a, st, what)                                                                  \
	do {                                                                                      \
		if (!strstr(body_text((a), (st)), (what)))                                        \
			fail_msg("expected \"%s\" in:\n%s", (what), body_text((a), (st)));        \
	} while (0)

#define assert_no_body(a, st, what)                                                               \
	do {                                                                                      \
		if (strstr(body_text((a), (st)), (what)))                                         \
			fail_msg("unexpected \"%s\" in:\n%s", (what), body_text((a), (st)));      \
	} while (0)

#endif
