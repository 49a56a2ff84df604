/* SPDX-License-Identifier: GPL-2.0 */
/* compiler/target/kernel: captured targets, symbols, lists, BTF of a kernel that is not the running
 * one. */
#include <errno.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "shared/file.h"
#include "target/kernel/private.h"
#include "locate_fixture.h"
#include "unit.h"

TEST(target)
{
	struct state *s = fixture_open(WITH_ALL);
	const char *const *names, *why;
	size_t size;

	assert_string_equal(kernel_release(s->kernel), "6.6.6-test");
	assert_string_equal(kernel_build_id(s->kernel), "0123abcd");
	assert_null(kernel_build_tree(s->kernel));
	assert_true(kernel_symbols_known(s->kernel));
	assert_int_equal(kernel_symbol_count(s->kernel, "vfs_read"), 1);
	assert_int_equal(kernel_symbol_count(s->kernel, "twin"), 2);
	assert_int_equal(kernel_symbol_count(s->kernel, "say"), 1);
	assert_int_equal(kernel_symbol_count(s->kernel, "vfs_data"), 0);
	assert_int_equal(kernel_symbol_count(s->kernel, "vfs"), 0);
	assert_int_equal(kernel_symbol_count(s->kernel, ""), 0);
	assert_int_equal(kernel_symbols_match(s, s->kernel, "vfs_[rw]*", &names), 3);
	assert_string_equal(names[0], "vfs_read");
	assert_string_equal(names[1], "vfs_write");
	assert_string_equal(names[2], "vfs_write.cold");
	assert_int_equal(kernel_symbols_match(s, s->kernel, "t?in", &names), 1);
	assert_int_equal(kernel_symbols_match(s, s->kernel, "nope*", &names), 0);
	assert_null(kernel_forbids(s->kernel, "vfs_read"));
	assert_non_null(strstr(kernel_forbids(s->kernel, "black"), "blacklist"));
	assert_non_null(strstr(kernel_forbids(s->kernel, "untraced"), "traced"));
	assert_non_null(kernel_btf_data(s->kernel, &size, &why));
	assert_true(size > 100);
	assert_null(why);
	fixture_close(s);
}

/* The list of functions that ftrace knows has one name for each address. */
TEST(aliases)
{
	struct state *s = fixture_open(WITH_ALL);

	assert_null(kernel_forbids(s->kernel, "alias_a"));
	assert_null(kernel_forbids(s->kernel, "alias_listed"));
	assert_null(kernel_forbids(s->kernel, "alias_b"));
	assert_non_null(kernel_forbids(s->kernel, "alias_none"));
	assert_true(kernel_symbols_is_second(s->kernel, "alias_a", "alias_*"));
	assert_true(kernel_symbols_is_second(s->kernel, "alias_b", "alias_[ab]"));
	assert_false(kernel_symbols_is_second(s->kernel, "alias_a", "alias_[ab]"));
	assert_false(kernel_symbols_is_second(s->kernel, "alias_listed", "alias_*"));
	assert_false(kernel_symbols_is_second(s->kernel, "alias_b", "alias_b*"));
	fixture_close(s);
}

TEST(sections_missing)
{
	struct state *s = fixture_open(0);
	const char *why;
	size_t size;

	assert_false(kernel_symbols_known(s->kernel));
	assert_int_equal(kernel_symbol_count(s->kernel, "vfs_read"), 0);
	assert_null(kernel_forbids(s->kernel, "black"));
	assert_null(kernel_btf_data(s->kernel, &size, &why));
	assert_non_null(strstr(why, "CONFIG_DEBUG_INFO_BTF"));
	fixture_close(s);
}

static void expect_refused(const char *content, const char *says)
{
	struct state *s = fixture_session();
	struct capture c;
	char path[] = "/tmp/probec.bad.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	close(fd);
	capture_begin(&c);

	int err = kernel_open(s, path, &s->kernel);

	capture_end(&c);
	unlink(path);
	assert_int_equal(err, -ENOENT);
	assert_says(&c, says);
	fixture_close(s);
}

TEST(damaged_targets)
{
	expect_refused("", "empty");
	expect_refused("\x7f" "ELF", "not a captured target");
	expect_refused("something\n", "not a captured target");
	expect_refused("probec-target 1\nrelease x\nend\n", "reads 'probec-target 2'");
	expect_refused("probec-target 2\nrelease x\n", "truncated after line 2");
	expect_refused("probec-target 2\nend\n", "no release");
	expect_refused("probec-target 2\nrelease x\nsection symbols 9\nT a\n\nend\n", "truncated");
	expect_refused("probec-target 2\nrelease x\nsection symbols\nend\n", "truncated");
	expect_refused("probec-target 2\nrelease x\nsection btf 99999999999999999999\nend\n",
		       "truncated");
	expect_refused("probec-target 2\nrelease x\nmachine riscv64\nend\n", "[E_NOT_SUPPORTED]");
}

TEST(unknown)
{
	struct state *s = fixture_session();
	struct capture c;

	capture_begin(&c);
	assert_int_equal(kernel_open(s, "0.0.1-nowhere", &s->kernel), -ENOENT);
	assert_int_equal(kernel_open(s, "/nonexistent/kernel", &s->kernel), -ENOENT);
	assert_int_equal(kernel_open(s, "/proc", &s->kernel), -ENOENT);
	capture_end(&c);
	assert_says(&c, "'0.0.1-nowhere' [E_NO_HEADERS]");
	assert_says(&c, "linux-headers-0.0.1-nowhere");
	assert_says(&c, "proberun --describe");
	assert_says(&c, "'/nonexistent/kernel' as a kernel");
	assert_says(&c, "'/proc' is not the build tree of a kernel");
	fixture_close(s);
}

/* A build tree, and a captured target found by its release. */
TEST(places)
{
	struct state *s = fixture_session();
	char dir[] = "/tmp/probec.places.XXXXXX";

	assert_non_null(mkdtemp(dir));

	const char *tree = arena_printf(s->arena, "%s/tree", dir);
	const char *targets = arena_printf(s->arena, "%s/targets", dir);
	const char *include = arena_printf(s->arena, "%s/include", tree);
	const char *generated = arena_printf(s->arena, "%s/generated", include);
	const char *header = arena_printf(s->arena, "%s/utsrelease.h", generated);
	const char *kept = arena_printf(s->arena, "%s/6.6.6-test", targets);

	assert_int_equal(mkdir(tree, 0700) | mkdir(include, 0700) | mkdir(generated, 0700), 0);
	assert_int_equal(mkdir(targets, 0700), 0);

	FILE *f = fopen(header, "w");

	fputs("#define UTS_RELEASE \"6.6.6-test\"\n", f);
	fclose(f);

	assert_int_equal(kernel_open(s, tree, &s->kernel), 0);
	assert_string_equal(kernel_release(s->kernel), "6.6.6-test");
	assert_string_equal(kernel_build_tree(s->kernel), tree);
	assert_false(kernel_symbols_known(s->kernel));

	const char *before = kernel_identity(s, s->kernel);

	kernel_close(s->kernel);

	assert_int_equal(rename(fixture_target(s->arena, WITH_ALL), kept), 0);
	s->cache_dir = dir;
	assert_int_equal(kernel_open(s, tree, &s->kernel), 0);
	assert_true(kernel_symbols_known(s->kernel));
	assert_string_not_equal(kernel_identity(s, s->kernel), before);
	kernel_close(s->kernel);
	assert_int_equal(kernel_open(s, "6.6.6-test", &s->kernel), 0);
	assert_string_equal(kernel_build_id(s->kernel), "0123abcd");

	unlink(kept);
	unlink(header);
	rmdir(generated);
	rmdir(include);
	rmdir(tree);
	rmdir(targets);
	rmdir(dir);
	fixture_close(s);
}

TEST(running)
{
	struct state *s = fixture_session();
	struct utsname uts;

	uname(&uts);
	assert_int_equal(kernel_open(s, NULL, &s->kernel), 0);
	assert_string_equal(kernel_release(s->kernel), uts.release);
	if (access("/sys/kernel/notes", R_OK) == 0) {
		assert_non_null(kernel_build_id(s->kernel));
		assert_int_equal(strspn(kernel_build_id(s->kernel), "0123456789abcdef"),
				 strlen(kernel_build_id(s->kernel)));
	}
	fixture_close(s);
}

/* ---- cached lists of the running kernel ---- */

/* Makes a state for the running kernel with its cache in @dir. */
static struct state *running(const char *dir)
{
	struct state *s = fixture_session();

	s->cache_dir = dir;
	assert_int_equal(kernel_open(s, NULL, &s->kernel), 0);
	return s;
}

static const char *boot_id(struct arena *a)
{
	struct buf b = {0};

	assert_int_equal(file_read("/proc/sys/kernel/random/boot_id", &b), 0);

	const char *id = arena_strndup(a, b.s, strcspn(b.s, "\n"));

	buf_deinit(&b);
	return id;
}

/* Writes a list to the cache, with @boot as its boot, cuts @cut bytes off, and queries its one
 * name. */
static int kept_names(const char *dir, const char *kind, const char *boot, size_t cut)
{
	static const char list[] = "only_in_the_cache\n";
	struct state *s = running(dir);
	enum kernel_names_of which = strcmp(kind, "symbols") == 0 ? KERNEL_SYMBOLS :
								    KERNEL_TRACEABLE;
	struct cache_file at = kernel_cache_file(s->kernel, kind,
				     arena_printf(s->arena, "probec-names 2 %s", boot));
	const char *path = arena_printf(s->arena, "%s/%s", at.dir, at.name);

	cache_file_write(s->arena, &at, list, sizeof(list) - 1);

	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - (off_t)cut), 0);

	int n = (int)namelist_count(kernel_names(s->kernel, which), "only_in_the_cache");

	unlink(path);
	fixture_close(s);
	return n;
}

TEST(kept)
{
	char dir[] = "/tmp/probec.running.XXXXXX";

	assert_non_null(mkdtemp(dir));

	struct state *s = running(dir);

	if (!kernel_symbols_known(s->kernel) || !kernel_build_id(s->kernel)) {
		rmdir(dir);
		fixture_close(s);
		skip();
	}

	int n = kernel_symbol_count(s->kernel, "vfs_read");
	const char *subdir = arena_printf(s->arena, "%s/symbols", dir);
	const char *kept = arena_printf(s->arena, "%s/%s.symbols", subdir,
					kernel_build_id(s->kernel));

	assert_int_equal(access(kept, R_OK), 0);
	assert_null(s->kernel->names[KERNEL_SYMBOLS].kept.map);

	struct state *again = running(dir);

	assert_int_equal(kernel_symbol_count(again->kernel, "vfs_read"), n);
	assert_non_null(again->kernel->names[KERNEL_SYMBOLS].kept.map);
	fixture_close(again);

	/* The list of functions that ftrace knows is valid during one boot only, and only if the
	 * user may read the kernel's own list. */
	int can_trace = access("/sys/kernel/tracing/available_filter_functions", R_OK) == 0;

	assert_int_equal(kept_names(dir, "symbols", "-", 0), 1);
	assert_int_equal(kept_names(dir, "symbols", "-", 1), 0);
	assert_int_equal(kept_names(dir, "traceable", boot_id(s->arena), 0), can_trace);
	assert_int_equal(kept_names(dir, "traceable", "-", 0), 0);
	assert_int_equal(kept_names(dir, "traceable", "00000000-0000-0000-0000-000000000000", 0),
			 0);
	unlink(kept);
	rmdir(subdir);
	rmdir(dir);
	fixture_close(s);
}
