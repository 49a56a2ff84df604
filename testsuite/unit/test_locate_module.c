/* SPDX-License-Identifier: GPL-2.0 */
/* Probe points in modules of a captured target: sites, prototypes and messages. */
#include <errno.h>

#include "analyse/locate/locate.h"
#include "locate_fixture.h"
#include "unit.h"

static int open_symbols(void **state)
{
	*state = fixture_open(WITH_SYMBOLS);
	return 0;
}

static struct located *locate_one(struct state *s, const char *text)
{
	struct located_list list = {0};

	assert_int_equal(locate_probe_point(s, read_point(s, text), false, &list), 0);
	assert_int_equal(list.v.n, 1);
	return list.v.v[0];
}

static void expect_error(struct state *s, const char *text, int err, const char *says)
{
	struct located_list list = {0};
	struct capture c;

	capture_begin(&c);

	int got = locate_probe_point(s, read_point(s, text), false, &list);

	capture_end(&c);
	assert_int_equal(got, err);
	assert_says(&c, says);
}

FIXTURE_TEST(names)
{
	struct state *s = *state;
	struct located *l = locate_one(s, "module(\"ext4\").function(\"ext4_open\").return");

	assert_int_equal(l->kind, PK_RETURN);
	assert_false(l->from_wildcard);
	assert_int_equal(l->sites.n, 1);
	assert_string_equal(l->sites.v[0]->object, "ext4");
	assert_string_equal(l->sites.v[0]->symbol, "ext4_open");
	assert_string_equal(l->sites.v[0]->build_id, "00ff");
	assert_string_equal(l->sites.v[0]->pp, "module(\"ext4\").function(\"ext4_open\").return");
	assert_non_null(locate_prototype(l->sites.v[0]));
	/* '-' in a module's name means '_'. The build-id of this one is not known. */
	l = locate_one(s, "module(\"nf-x\").function(\"nf_add\")");
	assert_string_equal(l->sites.v[0]->object, "nf_x");
	assert_null(l->sites.v[0]->build_id);
	/* A name that two functions have, and one that the kernel has, too. */
	l = locate_one(s, "module(\"ext4\").function(\"ext4_same\")");
	assert_int_equal(l->sites.n, 2);
	assert_int_equal(l->sites.v[1]->namesake, 1);
	l = locate_one(s, "module(\"nf_x\").function(\"vfs_read\").return.maxactive(7)");
	assert_int_equal(l->maxactive, 7);
	assert_string_equal(l->sites.v[0]->object, "nf_x");
	assert_null(locate_prototype(l->sites.v[0]));
	l = locate_one(s, "kernel.function(\"vfs_read\")");
	assert_string_equal(l->sites.v[0]->object, "kernel");
}

FIXTURE_TEST(patterns)
{
	struct state *s = *state;
	struct located *l = locate_one(s, "module(\"ext4\").function(\"*\")");

	assert_true(l->from_wildcard);
	/* Neither init_module ... */
	assert_int_equal(l->sites.n, 4);
	/* ... nor symbols that are not whole functions. */
	l = locate_one(s, "module(\"*\").function(\"*a*\")");
	assert_int_equal(l->sites.n, 4);
	assert_string_equal(l->sites.v[0]->symbol, "ext4_same");
	assert_string_equal(l->sites.v[2]->symbol, "nf_add");
	assert_string_equal(l->sites.v[3]->symbol, "vfs_read");
	l = locate_one(s, "kprobe.module(\"n*\").function(\"ext4_two\")");
	assert_true(l->from_wildcard);
	assert_int_equal(l->sites.n, 1);
	assert_string_equal(l->sites.v[0]->pp, "kprobe.module(\"nf_x\").function(\"ext4_two\")");
	assert_null(locate_prototype(l->sites.v[0]));
	expect_error(s, "module(\"ext4\").function(\"q*\")", -ENOENT, "matches 'q*'");
	expect_error(s, "module(\"q*\").function(\"*\")", -ENOENT, "the modules that match 'q*'");
}

FIXTURE_TEST(unknown)
{
	struct state *s = *state;

	expect_error(s, "module(\"ext4\").function(\"ext4_opem\")", -ENOENT,
		     "did you mean 'ext4_open'?");
	expect_error(s, "module(\"ext4\").function(\"vfs_write\")", -ENOENT,
		     "kernel.function(\"vfs_write\")");
	expect_error(s, "kprobe.module(\"ext4\").function(\"nothing\")", -ENOENT,
		     "the module 'ext4' has no function 'nothing'");
	expect_error(s, "module(\"ext5\").function(\"f\")", -ENOENT, "did you mean 'ext4'?");
	expect_error(s, "module(\"ext5\").function(\"f\")", -ENOENT,
		     "kprobe.module(\"ext5\").function(\"f\") waits for it");
	expect_error(s, "module(\"/nowhere/x.ko\").function(\"f\")", -ENOENT,
		     "/nowhere/x.ko: No such file");
	expect_error(s, "module(\"ext4\").function(\"f@x.c:1\")", -ENODATA, "debug information");

	/* A point in an unknown module, in a probe that uses no $variables. */
	struct located *l = locate_one(s, "kprobe.module(\"far-away\").function(\"f\").return");

	assert_int_equal(l->sites.n, 1);
	assert_string_equal(l->sites.v[0]->object, "far_away");
	assert_false(l->from_wildcard);
	expect_error(s, "kprobe.module(\"far\").function(\"f*\")", -ENOENT, "[E_NO_MATCH]");
}

static const struct access *path_of(struct state *s, const char *point, const char *text)
{
	struct located *l = locate_one(s, point);
	struct expr *e = read_context(s, text);

	assert_int_equal(locate_context(s, l->sites.v[0], l->kind, e, false), 0);
	return e->u.context.access;
}

FIXTURE_TEST(context)
{
	struct state *s = *state;
	const struct access *a;

	/* A type of the kernel, and one of the module. */
	a = path_of(s, "module(\"ext4\").function(\"ext4_open\")", "$file->fd");
	assert_int_equal(a->base, AB_REG_ARG);
	assert_int_equal(a->n, 0);
	assert_string_equal(a->type_name, "int");
	a = path_of(s, "module(\"ext4\").function(\"ext4_open\")", "$own->flags");
	assert_int_equal(a->n, 1);
	assert_int_equal(a->steps.v[0].add, 4);
	a = path_of(s, "module(\"ext4\").function(\"ext4_open\")", "$own");
	assert_string_equal(a->type_name, "struct ext4_own *");

	/* The same name and ids in another module are another function. */
	struct located *l = locate_one(s, "module(\"*\").function(\"ext4_two\")");

	assert_int_equal(l->sites.n, 2);
	assert_false(same_meaning(l->sites.v[0], l->sites.v[1], PK_ENTRY, "$o", false));
	/* Both functions get a pointer. */
	assert_true(same_meaning(l->sites.v[0], l->sites.v[1], PK_ENTRY, "$o", true));
	a = path_of(s, "module(\"nf_x\").function(\"ext4_two\")", "$o");
	assert_string_equal(a->type_name, "struct nf_own *");
}

static void expect_no_value(struct state *s, const char *point, const char *says)
{
	struct located *l = locate_one(s, point);
	struct expr *e = read_context(s, "$file");
	struct capture c;

	capture_begin(&c);

	int err = locate_context(s, l->sites.v[0], l->kind, e, false);

	capture_end(&c);
	assert_true(err < 0);
	assert_says(&c, says);
}

FIXTURE_TEST(no_context)
{
	struct state *s = *state;

	expect_no_value(s, "kprobe.module(\"ext4\").function(\"ext4_open\")",
			"use module(\"ext4\").function(\"ext4_open\")");
	expect_no_value(s, "module(\"nf_x\").function(\"vfs_read\")",
			"BTF has no prototype of 'vfs_read'");
}

TEST_WITH(no_btf, open_symbols, fixture_teardown)
{
	struct state *s = *state;
	struct located *l = locate_one(s, "module(\"ext4\").function(\"ext4_open\")");

	assert_null(locate_prototype(l->sites.v[0]));
	expect_no_value(s, "module(\"ext4\").function(\"ext4_open\")",
			"'$file' needs the BTF or the debug information of the module ext4");
}
