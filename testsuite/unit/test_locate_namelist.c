/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compiler/target/kernel/namelist: binary search finds the names that are in the list, and no
 * others.
 */
#include "base/arena.h"
#include "shared/buf.h"
#include "target/kernel/namelist.h"
#include "unit.h"

static const char text[] = "read\nvfs_read\nf\nf.isra.0\nf.b\nfg\naaaa\nread\nf.b\nlast";

/* A sorted list in exactly as many bytes as it needs: nothing lies behind it. */
static struct namelist sorted(const char *names)
{
	struct namelist l;
	struct buf b;
	char *exact;

	buf_init(&b);
	buf_puts(&b, names);
	namelist_sort(&b);
	exact = malloc(b.len);
	memcpy(exact, b.s, b.len);
	l = (struct namelist){ exact, b.len };
	buf_deinit(&b);
	return l;
}

TEST(sort)
{
	struct namelist l = sorted(text);

	assert_int_equal(l.size, sizeof(text));
	assert_memory_equal(l.text, "aaaa\nf\nf.b\nf.b\nf.isra.0\nfg\nlast\nread\nread\nvfs_read\n",
			    l.size);
	free((void *)l.text);
}

TEST(counts)
{
	static const struct { const char *name; unsigned n; } names[] = {
		{ "read", 2 }, { "re", 0 }, { "ad", 0 }, { "reads", 0 }, { "vfs_read", 1 },
		{ "aaaa", 1 }, { "aaa", 0 }, { "a", 0 }, { "f", 1 }, { "f.b", 2 }, { "f.", 0 },
		{ "last", 1 }, { "zz", 0 }, { "", 0 },
	};
	struct namelist l = sorted(text), unended = l, none = { 0 };

	unended.size--;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		assert_int_equal(namelist_count(&l, names[i].name), names[i].n);
		assert_int_equal(namelist_count(&unended, names[i].name), names[i].n);
		assert_int_equal(namelist_count(&none, names[i].name), 0);
	}
	free((void *)l.text);
}

/* Each name is found, and nothing between two of them, in lists of every length. */
TEST(every_length)
{
	struct buf b;

	buf_init(&b);
	for (int n = 1; n < 40; n++) {
		buf_printf(&b, "%0*d\n", 1 + n % 5, 2 * n);

		struct namelist l = sorted(b.s);
		char name[16];

		for (int i = 1; i <= n; i++) {
			snprintf(name, sizeof(name), "%0*d", 1 + i % 5, 2 * i);
			assert_int_equal(namelist_count(&l, name), 1);
			snprintf(name, sizeof(name), "%0*d", 1 + i % 5, 2 * i + 1);
			assert_int_equal(namelist_count(&l, name), 0);
		}
		free((void *)l.text);
	}
	buf_deinit(&b);
}

static void expect_match(const struct namelist *l, const char *pattern, const char *names)
{
	struct arena *a = arena_create();
	const char *const *found;
	size_t n = namelist_match(l, a, pattern, &found);
	struct buf b;

	buf_init(&b);
	buf_puts(&b, "");
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s ", found[i]);
	assert_string_equal(b.s, names);
	buf_deinit(&b);
	arena_destroy(a);
}

TEST(promoted)
{
	static const char names[] = "f\nf.isra.0\nf.llvm.1\nf.llvm.1.cold\nf.llvm.23\n"
				    "f.llvm.23\nf.llvm.x\nff.llvm.4\n";
	struct namelist l = sorted(names), without = sorted(text), none = { 0 };
	struct arena *a = arena_create();
	const char *const *found;

	assert_int_equal(namelist_promoted(&l, a, "f", &found), 2);
	assert_string_equal(found[0], "f.llvm.1");
	assert_string_equal(found[1], "f.llvm.23");
	assert_int_equal(namelist_promoted(&l, a, "f*", &found), 3);
	assert_int_equal(namelist_promoted(&l, a, "g", &found), 0);
	assert_int_equal(namelist_promoted(&none, a, "f", &found), 0);
	assert_true(namelist_has_promoted(&l));
	assert_false(namelist_has_promoted(&without));
	assert_false(namelist_has_promoted(&none));
	assert_string_equal(namelist_unpromoted(a, "f.llvm.23"), "f");
	assert_string_equal(namelist_unpromoted(a, "f.llvm.x"), "f.llvm.x");
	assert_string_equal(namelist_unpromoted(a, "f.isra.0"), "f.isra.0");
	assert_null(namelist_clone_suffix("f.llvm.23"));
	assert_null(namelist_clone_suffix("f"));
	assert_string_equal(namelist_clone_suffix("f.llvm.23.cold"), ".llvm.23.cold");
	assert_string_equal(namelist_clone_suffix("f.isra.0.llvm.23"), ".isra.0.llvm.23");
	assert_null(namelist_clone_suffix("_ZN1n1fERNS_1m8._anon_4E"));
	assert_string_equal(namelist_clone_suffix("_ZN1n1fERNS_1m8._anon_4E.isra.0"), ".isra.0");
	free((void *)l.text);
	free((void *)without.text);
	arena_destroy(a);
}

TEST(match)
{
	struct namelist l = sorted(text), none = { 0 };

	expect_match(&l, "f.*", "f.b f.isra.0 ");
	expect_match(&l, "f*", "f f.b f.isra.0 fg ");
	expect_match(&l, "*read", "read vfs_read ");
	expect_match(&l, "[lr]*", "last read ");
	expect_match(&l, "read", "read ");
	expect_match(&l, "z*", "");
	expect_match(&none, "*", "");
	free((void *)l.text);
}

TEST(of_length)
{
	struct arena *a = arena_create();
	struct namelist l = sorted(text), none = { 0 };
	const char *const *found;

	assert_int_equal(namelist_of_length(&l, a, 4, 7, &found), 4);
	assert_string_equal(found[0], "aaaa");
	assert_string_equal(found[3], "read");
	assert_int_equal(namelist_of_length(&none, a, 0, 9, &found), 0);
	free((void *)l.text);
	arena_destroy(a);
}
