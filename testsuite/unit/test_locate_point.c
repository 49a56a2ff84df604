/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compiler/analyse/locate/points: probe points to kinds and sites, and the messages for invalid
 * ones.
 */
#include <errno.h>

#include "locate_fixture.h"
#include "target/btf/btf.h"
#include "analyse/locate/locate.h"
#include "unit.h"

/* Returns what a probe point means, which must be exactly one thing. */
static struct located *locate_one(struct state *s, const char *text)
{
	struct located_list list = {0};
	int err = locate_probe_point(s, read_point(s, text), false, &list);

	if (err || list.v.n != 1)
		fail_msg("%s: %d, %zu results", text, err, list.v.n);
	return list.v.v[0];
}

static void expect_error(struct state *s, const char *text, int want, const char *says)
{
	struct located_list list = {0};
	struct capture c;

	s->diag = diag_create(s->arena, 0); /* a diag shows 20 errors only */
	capture_begin(&c);

	int quiet = locate_probe_point(s, read_point(s, text), true, &list);

	capture_end(&c);
	assert_string_equal(c.text, "");
	capture_begin(&c);

	int err = locate_probe_point(s, read_point(s, text), false, &list);

	capture_end(&c);
	if (err != want || quiet != want)
		fail_msg("%s: %d and quietly %d, not %d: %s", text, err, quiet, want, c.text);
	assert_says(&c, says);
	assert_int_equal(list.v.n, 0);
}

FIXTURE_TEST(begin_end)
{
	struct state *s = *state;

	assert_int_equal(locate_one(s, "begin")->kind, PK_BEGIN);
	assert_int_equal(locate_one(s, "begin")->order, 0);
	assert_int_equal(locate_one(s, "begin(-5)")->order, -5);
	assert_int_equal(locate_one(s, "end(7)")->kind, PK_END);
	assert_int_equal(locate_one(s, "end(7)")->order, 7);
	assert_string_equal(locate_one(s, "end(7)")->pp, "end(7)");
	assert_int_equal(locate_one(s, "error")->kind, PK_ERROR);
	assert_int_equal(locate_one(s, "never")->kind, PK_NEVER);
	assert_int_equal(locate_one(s, "init")->kind, PK_BEGIN);
	assert_true(locate_one(s, "init")->order == INT64_MIN);
	expect_error(s, "oneshot", -ENOTSUP, "[E_NOT_SUPPORTED]");
	expect_error(s, "never(1)", -EINVAL, "'never' takes no argument");
	expect_error(s, "begin(\"x\")", -EINVAL, "[E_PROBE_POINT]");
	expect_error(s, "begi", -EINVAL, "did you mean 'begin'?");
	expect_error(s, "begin.x", -EINVAL, "'x' cannot follow 'begin'");
}

FIXTURE_TEST(timer)
{
	struct state *s = *state;
	struct located *l = locate_one(s, "timer.s(2)");

	assert_int_equal(l->kind, PK_TIMER);
	assert_int_equal(l->period_ns, 2000000000);
	assert_int_equal(l->randomize_ns, 0);
	assert_int_equal(l->sites.n, 0);
	l = locate_one(s, "timer.msec(250).randomize(50)");
	assert_int_equal(l->period_ns, 250000000);
	assert_int_equal(l->randomize_ns, 50000000);
	assert_string_equal(l->pp, "timer.msec(250).randomize(50)");
	assert_string_equal(locate_one(s, "tim*.sec(1)")->pp, "timer.sec(1)");
	expect_error(s, "timer.s(0)", -EINVAL, "from 1 to");
	expect_error(s, "timer.s(9223372036854775807)", -EINVAL, "hundred years");
	expect_error(s, "timer.ms(10).randomize(11)", -EINVAL, "between 0 and the period");
	assert_int_equal(locate_one(s, "timer.us(10)")->kind, PK_CLOCK);
	assert_int_equal(locate_one(s, "timer.hz(100)")->kind, PK_TIMER);
	assert_true(locate_one(s, "timer.profile")->each_cpu);
	assert_int_equal(locate_one(s, "timer.profile.freq.hz(1000)")->period_ns, 1000000);
	expect_error(s, "timer", -EINVAL, "what may follow: s, sec, ms");
	expect_error(s, "timer.s", -EINVAL, "'s' needs a number");
	expect_error(s, "timer.ms(\"1\")", -EINVAL, "'ms' needs a number");
	expect_error(s, "timer.mss(1)", -EINVAL, "did you mean 'ms");
}

FIXTURE_TEST(functions)
{
	struct state *s = *state;
	struct located *l = locate_one(s, "kernel.function(\"vfs_read\")");

	assert_int_equal(l->kind, PK_ENTRY);
	assert_int_equal(l->sites.n, 1);
	assert_false(l->from_wildcard);
	assert_string_equal(l->sites.v[0]->object, "kernel");
	assert_string_equal(l->sites.v[0]->symbol, "vfs_read");
	assert_string_equal(l->sites.v[0]->pp, "kernel.function(\"vfs_read\")");
	assert_string_equal(locate_prototype(l->sites.v[0])->name, "vfs_read");
	assert_int_equal(btf_func_nparams(locate_prototype(l->sites.v[0])), 4);

	l = locate_one(s, "kernel.function(\"vfs_read\").call");
	assert_int_equal(l->kind, PK_ENTRY);
	assert_string_equal(l->sites.v[0]->pp, "kernel.function(\"vfs_read\").call");

	l = locate_one(s, "kernel.function(\"vfs_read\").return.maxactive(40)");
	assert_int_equal(l->kind, PK_RETURN);
	assert_int_equal(l->maxactive, 40);
	assert_string_equal(l->sites.v[0]->pp, "kernel.function(\"vfs_read\").return");
	assert_string_equal(l->pp, "kernel.function(\"vfs_read\").return.maxactive(40)");
	expect_error(s, "kernel.function(\"vfs_read\").return.maxactive(65536)", -EINVAL, "65535");

	l = locate_one(s, "kernel.function(\"no_btf\")");
	assert_null(locate_prototype(l->sites.v[0]));
	l = locate_one(s, "kernel.function(\"cloned.isra.0\")");
	assert_null(locate_prototype(l->sites.v[0]));
	l = locate_one(s, "kprobe.function(\"vfs_read\").return");
	assert_int_equal(l->kind, PK_RETURN);
	assert_null(locate_prototype(l->sites.v[0]));
	assert_string_equal(l->sites.v[0]->pp, "kprobe.function(\"vfs_read\").return");
}

FIXTURE_TEST(namesakes)
{
	struct state *s = *state;
	struct located *l = locate_one(s, "kernel.function(\"twin\")");

	assert_int_equal(l->sites.n, 2);
	assert_int_equal(l->sites.v[0]->namesake, 0);
	assert_int_equal(l->sites.v[1]->namesake, 1);
	assert_int_equal(locate_prototype(l->sites.v[0])->of, 2);
	/* Two equal prototypes count as one. */
	l = locate_one(s, "kernel.function(\"same\")");
	assert_int_equal(l->sites.n, 2);
	assert_int_equal(locate_prototype(l->sites.v[0])->of, 1);
}

/* Locates a point at functions with these symbols, separated by blanks. */
static struct located *locate_symbols(struct state *s, const char *point, const char *symbols)
{
	struct located *l = locate_one(s, point);
	struct buf found;

	buf_init(&found);
	vec_each(site, &l->sites)
		buf_printf(&found, found.len ? " %s" : "%s", (*site)->symbol);
	assert_string_equal(found.s, symbols);
	buf_deinit(&found);
	return l;
}

/* Functions that ThinLTO has renamed are found by their own names, whether the kernel's lists have
 * these or the symbols. */
FIXTURE_TEST(promoted)
{
	struct state *s = *state;
	struct located *l = locate_symbols(s, "kernel.function(\"promoted\")",
					   "promoted.llvm.123");

	assert_string_equal(l->sites.v[0]->function, "promoted");
	assert_string_equal(l->sites.v[0]->pp, "kernel.function(\"promoted\")");
	assert_int_equal(btf_func_nparams(locate_prototype(l->sites.v[0])), 1);
	/* Another file has a function of that name, which is called there only. */
	l = locate_symbols(s, "kernel.function(\"part\").return", "part part.llvm.7");
	assert_null(l->sites.v[0]->function);
	assert_int_equal(l->sites.v[1]->namesake, 0);
	/* Patterns match the names of functions. */
	l = locate_symbols(s, "kernel.function(\"*omoted\")", "promoted.llvm.123");
	assert_string_equal(l->sites.v[0]->function, "promoted");
	locate_symbols(s, "kernel.function(\"p*t*\")",
		       "paint part part.llvm.7 promoted.llvm.123");
}

FIXTURE_TEST(wildcards)
{
	struct state *s = *state;
	/* Cold parts, padding, data and functions that ftrace does not list are left out. */
	struct located *l = locate_symbols(s, "kernel.function(\"*vfs_*\")", "vfs_read vfs_write");

	assert_true(l->from_wildcard);
	assert_string_equal(l->sites.v[1]->pp, "kernel.function(\"vfs_write\")");
	assert_string_equal(l->pp, "kernel.function(\"*vfs_*\")");
	/* kprobes do not need ftrace, but respect the blacklist. */
	locate_symbols(s, "kprobe.function(\"vfs_*\")", "vfs_asm vfs_read vfs_write");
	locate_symbols(s, "kprobe.function(\"[bu][ln]*\")", "untraced");
	locate_symbols(s, "kernel.function(\"t?in\").return", "twin twin");
	expect_error(s, "kernel.function(\"nope_*\")", -ENOENT, "[E_NO_MATCH]");
	expect_error(s, "kernel.function(\"bla*\")", -ENOENT, "1 match that the kernel");
}

FIXTURE_TEST(no_function)
{
	struct state *s = *state;

	expect_error(s, "kernel.function(\"vfs_raed\")", -ENOENT, "did you mean 'vfs_read'?");
	expect_error(s, "kernel.function(\"vfs_raed\")", -ENOENT, "[E_NO_MATCH]");
	expect_error(s, "kernel.function(\"cloned\")", -ENOENT, "the clone 'cloned.isra.0'");
	expect_error(s, "kernel.function(\"ext4_open\")", -ENOENT,
		     "it belongs to a module: module(\"ext4\").function(\"ext4_open\")");
	expect_error(s, "kprobe.function(\"what_is_this\")", -ENOENT, "inlined");
	expect_error(s, "kernel.function(\"\")", -ENOENT, "[E_NO_MATCH]");
	expect_error(s, "kernel.function(\"black\")", -ENOENT, "[E_NOT_PROBEABLE]");
	expect_error(s, "kprobe.function(\"black\")", -ENOENT, "blacklist");
	expect_error(s, "kernel.function(\"untraced\")", -ENOENT, "kprobe.function(\"untraced\")");
	assert_int_equal(locate_one(s, "kprobe.function(\"untraced\")")->sites.n, 1);
}

FIXTURE_TEST(refused)
{
	static const char *const points[] = {
		"kernel.function(\"a\").callee(\"b\").callee(\"c\").callee(\"d\")"
		".callee(\"e\").callee(\"f\")",
		"process(\"/bin/ls\").cpu", "process.thread", "process(1).insn",
		"java(\"x\").class(\"y\").method(\"z\")", "python3.module(\"m\").function(\"f\")",
		"debuginfod.process(\"x\")", "kernel.lsm(\"file_open\")", "kernel.mark(\"x\")",
	};

	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		expect_error(*state, points[i], -ENOTSUP, "[E_NOT_SUPPORTED]");
	expect_error(*state, points[0], -ENOTSUP, "four calls in a row can be named");
}

FIXTURE_TEST(no_debuginfo)
{
	static const char *const points[] = {
		"kernel.function(\"vfs_read\").inline", "kernel.function(\"vfs_read\").exported",
		"kernel.function(\"vfs_read\").label(\"out\")",
		"kernel.function(\"vfs_read\").callees",
		"kernel.function(\"vfs_read\").callees(32)",
		"module(\"ext4\").function(\"a\").callee(\"b\").callee(\"c\")",
		"kernel.function(\"vfs_read\").callee(\"x\").return",
		"kernel.function(\"a\").callee(\"b\").callee(\"c\").return.maxactive(3)",
		"kernel.function(\"a\").callees.call", "kernel.function(\"a\").callees(2).return",
		"kernel.function(\"vfs_read@fs/read_write.c:450\")", "kernel.function(4660)",
		"kernel.function(4660).return", "kernel.function(\"vfs_read+4\")",
		"kernel.statement(\"*@fs/read_write.c:450\")", "kernel.statement(4660)",
		"module(\"ext4\").function(\"*\").inline", "module(\"ext4\").statement(\"x\")",
	};
	struct state *s = *state;

	s->opt.debuginfo = "";
	for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
		expect_error(s, points[i], -ENODATA, "[E_NO_DEBUGINFO]");
	expect_error(s, "kernel.statement(4660).absolute", -EINVAL, "[E_GURU]");
	s->opt.guru = true;

	struct located *l = locate_one(s, "kprobe.statement(4660).absolute");

	assert_int_equal(l->kind, PK_PLACE);
	assert_string_equal(l->sites.v[0]->symbol, "");
	assert_int_equal(l->sites.v[0]->offset, 4660);
}

FIXTURE_TEST(unknown_form)
{
	struct state *s = *state;

	expect_error(s, "kernl.function(\"x\")", -EINVAL, "did you mean 'kernel'?");
	expect_error(s, "kernel.functoin(\"x\")", -EINVAL, "did you mean 'function'?");
	expect_error(s, "kernel.function(\"vfs_read\").retrun", -EINVAL, "did you mean 'return'?");
	expect_error(s, "kernel.function", -EINVAL, "'function' needs a string");
	expect_error(s, "kernel", -EINVAL, "what may follow: function");
	expect_error(s, "kernel(1).function(\"x\")", -EINVAL, "'kernel' takes no argument");
	expect_error(s, "zzz", -EINVAL, "unknown probe point 'zzz'");
	assert_true(locate_is_builtin(read_point(s, "kernel.anything")));
	assert_true(locate_is_builtin(read_point(s, "never")));
	assert_false(locate_is_builtin(read_point(s, "vfs.read")));
	assert_false(locate_is_builtin(read_point(s, "kern.read")));
}

TEST(what_is_missing)
{
	struct state *s = fixture_open(WITH_BTF);
	struct located *l = locate_one(s, "kernel.function(\"vfs_*\")");

	assert_int_equal(l->sites.n, 2);
	assert_non_null(locate_prototype(l->sites.v[0]));
	expect_error(s, "kernel.function(\"vfs_asm\")", -ENOENT, "[E_NO_MATCH]");
	fixture_close(s);

	s = fixture_open(WITH_SYMBOLS);
	l = locate_one(s, "kernel.function(\"vfs_*\")");
	assert_int_equal(l->sites.n, 3);
	assert_null(locate_prototype(l->sites.v[1]));
	assert_int_equal(locate_one(s, "kernel.function(\"black\")")->sites.n, 1);
	fixture_close(s);

	s = fixture_open(0);
	expect_error(s, "kernel.function(\"vfs_read\")", -ENODATA, "[E_NO_BTF]");
	assert_int_equal(locate_one(s, "begin")->kind, PK_BEGIN);
	fixture_close(s);
}
