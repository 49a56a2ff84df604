/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Type inference, formats and storage of small scripts. The scripts have only begin, end and timer
 * probes; where a test needs a hot probe, begin(N) with N >= 100 is turned into one before the
 * check, so that no kernel is needed.
 */
#include "analyse/analyse.h"
#include "analyse/check/formats.h"
#include "parse/parse.h"
#include "program/program.h"
#include "shared/buf.h"
#include "state.h"
#include "unit.h"

#define HOT_ORDER 100

static struct state *open_state(void)
{
	struct arena *a = arena_create();
	struct state *s = NEW(a, struct state);

	s->arena = a;
	s->diag = diag_create(a, 0);
	s->opt.caps = (struct caps){ 512, 2048, 10000, 32, 0, 50, 50, 2, 5, 0, 16384, 5000 };
	s->tapset_dir = "tapsets";
	return s;
}

static int check_text(struct state *s, const char *text)
{
	struct source *src = source_from_text(s->arena, "test", text, strlen(text));
	struct analysis *a = analyse_begin(s);

	s->text = src;
	s->main = parse_source(s, src);
	if (!s->main || analyse_until(a, "unused"))
		return -1;
	vec_each(p, &s->program->probes)
		if ((*p)->kind == PK_BEGIN && (*p)->order >= HOT_ORDER)
			(*p)->kind = PK_ENTRY;
	return analyse_until(a, NULL);
}

static struct state *checked(const char *text)
{
	struct state *s = open_state();

	if (check_text(s, text))
		fail_msg("does not pass: %s", text);
	return s;
}

static void close_session(struct state *s)
{
	arena_destroy(s->arena);
}

static const struct symbol *global(struct state *s, const char *name)
{
	vec_each(g, &s->program->globals)
		if (strcmp((*g)->name, name) == 0)
			return *g;
	fail_msg("no global %s", name);
	return NULL;
}

/* ---- formats ---- */

TEST(formats_are_read)
{
	const char *text = "a%-08.3lx%%%*.*d%q%";
	struct format_iter it = { .s = text, .len = strlen(text) };
	struct format_conv c;

	assert_true(ast_format_next(&it, &c));
	assert_int_equal(c.start, 1);
	assert_int_equal(c.end, 9);
	assert_int_equal(c.conv, 'x');
	assert_int_equal(c.width_end - c.width, 1);
	assert_int_equal(c.prec_end - c.prec, 1);
	assert_false(c.bad);
	assert_true(ast_format_next(&it, &c));
	assert_int_equal(c.conv, '%');
	assert_false(c.bad);
	assert_true(ast_format_next(&it, &c));
	assert_int_equal(c.conv, 'd');
	assert_int_equal(c.stars, 2);
	assert_true(ast_format_next(&it, &c));
	assert_int_equal(c.conv, 'q');
	assert_true(c.bad);
	assert_true(ast_format_next(&it, &c));
	assert_true(c.bad);
	assert_false(ast_format_next(&it, &c));
}

TEST(prints_become_formats)
{
	static const struct {
		const char *statement, *format, *types;
	} rows[] = {
		{ "print(1, \"a\")", "%d%s", "ls" },
		{ "println(\"a\")", "%s\n", "s" },
		{ "printd(\"%\", 1, 2)", "%d%%%d", "ll" },
		{ "printdln(\", \", 1, \"b\", 2)", "%d, %s, %d\n", "lsl" },
		{ "print_char(65)", "%c", "l" },
		{ "printf(\"%ld %5lu %s\\n\", 1, 2, \"c\")", "%d %5u %s\n", "lls" },
		{ "printf(\"%4b%b%.2b\", 1, 2, 3)", "%.4b%b%.2b", "lll" },
		{ "printf(\"100%%\")", "100%%", "" },
		{ "printf(\"%*d\", 3, 4)", "%*d", "ll" },
		{ "print(@hist_log(st))", "%H", "H" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text), "global st probe begin { st <<< 1; %s; "
			 "println(@count(st)) }", rows[i].statement);

		struct state *s = checked(text);
		const struct print_statement *p = s->program->prints.v[0];

		assert_string_equal(p->format, rows[i].format);
		assert_int_equal(p->format_len, strlen(rows[i].format));
		assert_string_equal(p->types, rows[i].types);
		close_session(s);
	}
}

TEST(prints_are_numbered)
{
	struct state *s = checked("probe begin { println(sprint(1)); "
				    "println(sprintf(\"%d%s\", 1, \"x\")); println(2) }");

	assert_int_equal(s->program->prints.n, 3);
	assert_int_equal(s->program->sprints.n, 2);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(s->program->prints.v[i]->id, i);
	assert_string_equal(s->program->sprints.v[1]->types, "ls");
	assert_string_equal(s->program->prints.v[0]->types, "s");
	close_session(s);
}

/* ---- types ---- */

/* Only the last function determines the type, which must reach all the others. */
TEST(long_chains_settle)
{
	struct buf b;

	buf_init(&b);
	buf_puts(&b, "global g probe begin { x = f0(g); g = x; println(x) }\n");
	for (int i = 0; i < 100; i++)
		buf_printf(&b, "function f%d(a) { return f%d(a) }\n", i, i + 1);
	buf_puts(&b, "function f100(a) { return a . \"x\" }\n");

	struct state *s = checked(b.s);

	assert_int_equal(global(s, "g")->type, T_STRING);
	vec_each(f, &s->program->functions) {
		assert_int_equal((*f)->ret, T_STRING);
		assert_int_equal((*f)->params.v[0]->type, T_STRING);
	}
	close_session(s);
	buf_deinit(&b);
}

/* Every expression has its type before emit sees it. */
TEST(expressions_are_typed)
{
	struct state *s = checked("global a probe begin { x = 1 ? a[1] : \"s\"; a[1] = x . x; "
				    "println(x) }");
	const struct expr *e = s->program->probes.v[0]->body->u.block.v[0]->u.expr;

	assert_int_equal(e->type, T_STRING);
	assert_int_equal(e->u.assign.left->type, T_STRING);
	assert_int_equal(e->u.assign.right->type, T_STRING);
	assert_int_equal(e->u.assign.right->u.cond.c->type, T_LONG);
	assert_int_equal(e->u.assign.right->u.cond.a->type, T_STRING);
	close_session(s);
}

TEST(default_sort_of_aggregates_is_count)
{
	struct state *s = checked("global a probe begin { a[1] <<< 1; "
				    "foreach (k in a-) println(k) }");
	const struct foreach *f = &s->program->probes.v[0]->body->u.block.v[1]->u.foreach;

	assert_true(f->sort_has_agg);
	assert_int_equal(f->sort_agg, AGG_COUNT);
	assert_int_equal(global(s, "a")->stat_ops, 1u << AGG_COUNT);
	close_session(s);
}

/* ---- storage ---- */

TEST(storage_follows_use)
{
	static const struct {
		const char *text;
		enum storage storage;
		size_t locks;       /* of the first probe */
	} rows[] = {
		{ "probe begin(100) { x++ } probe end { println(x) }", STORE_PERCPU, 0 },
		{ "probe begin(100) { --x } probe end { println(x) }", STORE_PERCPU, 0 },
		{ "probe begin(100) { x += 2 } probe timer.s(1) { println(x); x = 0 }",
		  STORE_PERCPU, 0 },
		{ "probe begin(100) { x <<< 2 } probe end { println(@sum(x)); delete x }",
		  STORE_PERCPU, 0 },
		{ "probe begin(100) { x[1]++ } probe end { foreach (k in x) println(k) }",
		  STORE_PERCPU, 0 },
		{ "probe begin(100) { f() } function f() { x++ } probe end { println(x) }",
		  STORE_PERCPU, 0 },
		{ "probe begin(100) { for (i = 0; i < 2; x++) i++ } probe end { println(x) }",
		  STORE_PERCPU, 0 },
		{ "probe begin(100) { println(x++) } probe end { println(x) }", STORE_LOCKED, 1 },
		{ "probe begin(100) { y = x += 1; println(y) } probe end { println(x) }",
		  STORE_LOCKED, 1 },
		{ "probe begin(100) { x *= 2 } probe end { println(x) }", STORE_LOCKED, 1 },
		{ "probe begin(100) { x = 2 } probe end { println(x) }", STORE_LOCKED, 1 },
		{ "probe begin(100) { x .= \"a\" } probe end { println(x) }", STORE_LOCKED, 1 },
		{ "probe begin(100) { x++; f() } function f() { println(x) }", STORE_LOCKED, 1 },
		{ "probe begin(100) { x++; delete x } probe end { println(x) }", STORE_LOCKED, 1 },
		{ "probe begin(100) if (x) { println(1) } probe timer.s(1) { x = 1 }",
		  STORE_LOCKED, 1 },
		{ "probe begin(100) { println(1 in x) } probe timer.s(1) { x[1] = 1 }",
		  STORE_LOCKED, 1 },
		{ "probe begin(100) { println(x) } probe begin { x = 1 }", STORE_UNLOCKED, 0 },
		{ "probe begin(100) { println(x) } probe end { x++ }", STORE_UNLOCKED, 0 },
		{ "probe begin { x = 1 } probe timer.s(1) { println(x) }", STORE_UNLOCKED, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text), "global x %s", rows[i].text);

		struct state *s = checked(text);

		if (global(s, "x")->storage != rows[i].storage)
			fail_msg("%s: storage %d (%s)", text, global(s, "x")->storage,
				 global(s, "x")->storage_why);
		assert_int_equal(s->program->probes.v[0]->locks.n, rows[i].locks);
		assert_int_equal(s->program->nlocks, rows[i].storage == STORE_LOCKED);
		close_session(s);
	}
}

TEST(wrapping_arrays_are_locked)
{
	struct state *s = checked("global x%[10] probe begin(100) { x[1]++ } "
				    "probe end { foreach (k in x) println(k) }");

	assert_int_equal(global(s, "x")->storage, STORE_LOCKED);
	close_session(s);
}

TEST(locks_are_ascending)
{
	struct state *s = checked("global a, b, c probe begin(100) { c = 1; f(); a = b } "
				    "function f() { b = 2 } probe timer.s(1) { println(a, c) }");
	const struct probe *hot = s->program->probes.v[0], *timer = s->program->probes.v[1];

	assert_int_equal(s->program->nlocks, 3);
	assert_int_equal(hot->locks.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(hot->locks.v[i]->lock, i);
	assert_int_equal(timer->locks.n, 2);
	assert_string_equal(timer->locks.v[1]->name, "c");
	close_session(s);
}

TEST(readers_of_banks_are_known)
{
	struct state *s = checked("global n, m probe begin(100) { n++; m++ } "
				    "probe timer.s(1) { n++ } probe timer.s(2) { f() } "
				    "probe end { println(n) } function f() { m = 0 }");

	assert_false(s->program->probes.v[0]->reads_percpu);
	assert_false(s->program->probes.v[1]->reads_percpu);
	assert_true(s->program->probes.v[2]->reads_percpu);
	assert_true(s->program->probes.v[3]->reads_percpu);
	close_session(s);
}

/* ---- what a hit costs ---- */

TEST(bounds_are_known)
{
	struct state *s = checked(
		"global a function f() { println(1); println(2) } "
		"function r(n) { if (n) r(n - 1) } "
		"probe begin { f(); f() } "
		"probe end { while (1) break } "
		"probe error { r(3) } "
		"probe timer.s(1) { a[1] = 1; foreach (k in a) { foreach (l in a) g() } } "
		"function g() { foreach (m in a) println(m) }");
	struct program *p = s->program;

	assert_true(p->probes.v[0]->bounded);
	assert_true(p->probes.v[0]->steps >= 6);
	assert_false(p->probes.v[1]->bounded);
	assert_false(p->probes.v[2]->bounded);
	assert_false(p->probes.v[3]->bounded);
	assert_int_equal(p->iter_depth, 3);
	assert_int_equal(p->hot_iter_depth, 0);
	assert_false(p->has_hot);
	close_session(s);
}

/* ---- -p2 ---- */

TEST(reasons_are_shown_with_v)
{
	struct state *s = open_state();
	struct buf b;

	s->opt.verbose = 1;
	assert_int_equal(check_text(s, "global n[7], st, last "
		"probe begin(100) { n[\"a\", 1]++; st <<< 1; last = 2 } "
		"probe end { println(@avg(st), last, [\"b\", 2] in n) }"), 0);
	buf_init(&b);
	analyse_print(s, &b);
	assert_string_equal(b.s,
		"# globals\n"
		"n[string,long]: long per-cpu size 7  # only ++ and += in hot probes\n"
		"st: stats per-cpu avg  # only <<< in hot probes\n"
		"last: long locked  # assigned or deleted in hot probes\n"
		"# functions\n"
		"# probes\n"
		"entry: begin(100)\n"
		"\torder 100\n"
		"\tlock last\n"
		"\tat most 3 steps\n"
		"end: end\n"
		"\treads per-cpu globals\n"
		"\tat most 1 step\n");
	buf_deinit(&b);
	close_session(s);
}
