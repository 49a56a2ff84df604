/* SPDX-License-Identifier: GPL-2.0 */
/* Sites are found in a kallsyms file made by hand: namesakes, offsets, modules, hidden
 * addresses. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/say.h"
#include "common/signals.h"
#include "machine/kallsyms.h"
#include "machine/symbol_file.h"
#include "module/meta.h"
#include "unit.h"

static const char symbols[] = "ffffffff81000000 T _text\n"
			      "ffffffff81000010 t show\n"
			      "ffffffff81000020 d show\n"
			      "ffffffff81000030 t show\n"
			      "ffffffff81000040 W weak\n"
			      "ffffffff81000050 T register_kprobe\n"
			      "ffffffff81000060 T vfs_read\n"
			      "ffffffff81000070 T show\n"
			      "ffffffffc0000000 t show\t[ext4]\n"
			      "ffffffffc0000010 t ext4_read\t[ext4]\n"
			      "ffffffffc0000020 t ext4_read\t[other]\n";

static void expect_same(const struct kallsyms *a, const struct kallsyms *b, const struct meta *m)
{
	assert_memory_equal(a->addresses, b->addresses, m->nsites * sizeof(*a->addresses));
	assert_memory_equal(a->data, b->data, m->nsites * sizeof(*a->data));
	if (m->nglobals) {
		assert_memory_equal(a->variables, b->variables,
				    m->nglobals * sizeof(*a->variables));
		assert_memory_equal(a->namesakes, b->namesakes,
				    m->nglobals * sizeof(*a->namesakes));
	}
	assert_int_equal(a->hidden, b->hidden);
	assert_int_equal(a->has_kprobes, b->has_kprobes);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Resolves again while the symbols are being cached, and from the cache if they were. */
static void resolve_kept(const char *path, const struct meta *m, const struct kallsyms *k)
{
	char dir[] = "/tmp/test_loader_kept.XXXXXX", kept[64];
	struct kallsyms again;

	assert_non_null(mkdtemp(dir));
	snprintf(kept, sizeof(kept), "%s/kallsyms", dir);
	assert_int_equal(kallsyms_resolve(path, kept, m, &again), 0);
	expect_same(k, &again, m);
	kallsyms_deinit(&again);
	if (access(kept, F_OK) == 0) {
		write_file(path, "0 D percpu\nffffffff81000000 T _text\n");
		assert_int_equal(kallsyms_resolve(path, kept, m, &again), 0);
		expect_same(k, &again, m);
		kallsyms_deinit(&again);
		/* Symbols that the kernel hides now are not taken from the cache. */
		write_file(path, "0 D percpu\n0 T _text\n");
		assert_int_equal(kallsyms_resolve(path, kept, m, &again), 0);
		assert_int_equal(again.hidden, 1);
		kallsyms_deinit(&again);
	}
	unlink(kept);
	assert_int_equal(rmdir(dir), 0);
}

static void resolve(const char *text, const struct meta *m, struct kallsyms *k)
{
	char path[] = "/tmp/test_loader_kallsyms.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(kallsyms_resolve(path, NULL, m, k), 0);
	resolve_kept(path, m, k);
	unlink(path);
}

static struct meta_site site(const char *object, const char *symbol, uint32_t namesake,
			     uint64_t offset, int wildcard)
{
	return (struct meta_site){ .object = object,
				   .symbol = symbol,
				   .namesake = namesake,
				   .offset = offset,
				   .wildcard = wildcard,
				   .pp = "pp" };
}

/* Since Linux 7.x, variables have the types of functions. */
TEST(leaves_variables_out)
{
	static const char variables[] = "ffffffff81000000 T _text\n"
					"ffffffff82000000 T _sdata\n"
					"ffffffff82000010 t show\n"
					"ffffffff82000020 T counter\n"
					"ffffffff82000030 T _edata\n"
					"ffffffff83000000 t show\n"
					"ffffffff83000010 T _einittext\n"
					"ffffffff83000020 t show\n";
	struct meta_site sites[] = {
		site("vmlinux", "show", 0, 0, 0), site("vmlinux", "show", 1, 0, 0),
		site("vmlinux", "show", 2, 0, 1), site("vmlinux", "counter", 0, 0, 1),
		site("vmlinux", "_sdata", 0, 0, 1), site("vmlinux", "_edata", 0, 0, 1),
		site("vmlinux", "counter", 0, 4, 0),
	};
	struct meta m = { .nsites = 7, .sites = sites };
	struct kallsyms k;

	sites[6].is_data = true;
	resolve(variables, &m, &k);
	assert_int_equal(k.addresses[0], 0xffffffff83000000);
	assert_int_equal(k.addresses[1], 0xffffffff83000020);
	for (int i = 2; i < 6; i++)
		assert_int_equal(k.addresses[i], 0);
	assert_int_equal(k.addresses[6], 0xffffffff82000024);
	kallsyms_deinit(&k);
}

TEST(finds)
{
	struct meta_site sites[] = {
		site("vmlinux", "vfs_read", 0, 0, 0), site("vmlinux", "show", 0, 0, 0),
		site("vmlinux", "show", 1, 5, 0),     site("vmlinux", "show", 2, 0, 0),
		site("vmlinux", "show", 3, 0, 1),     site("vmlinux", "weak", 0, 0, 0),
		site("vmlinux", "vfs_read", 0, 1, 0), site("vmlinux", "nowhere", 0, 0, 1),
	};
	struct meta m = { .nsites = 8, .sites = sites };
	struct kallsyms k;

	resolve(symbols, &m, &k);
	assert_int_equal(k.addresses[0], 0xffffffff81000060);
	assert_int_equal(k.addresses[1], 0xffffffff81000010);
	assert_int_equal(k.addresses[2], 0xffffffff81000035);
	assert_int_equal(k.addresses[3], 0xffffffff81000070);
	assert_int_equal(k.addresses[4], 0);
	assert_int_equal(k.addresses[5], 0xffffffff81000040);
	assert_int_equal(k.addresses[6], 0xffffffff81000061);
	assert_int_equal(k.addresses[7], 0);
	assert_int_equal(k.has_kprobes, 1);
	assert_int_equal(k.hidden, 0);
	/* Only members of wildcards are missing. */
	assert_int_equal(kallsyms_report(&k, &m), 0);
	kallsyms_deinit(&k);
}

TEST(modules)
{
	struct meta_site sites[] = {
		site("ext4", "ext4_read", 0, 0, 0),
		site("other", "ext4_read", 0, 0, 0),
		site("ext4", "show", 0, 0, 0),
		site("vmlinux", "ext4_read", 0, 0, 0),
	};
	struct meta m = { .nsites = 4, .sites = sites };
	struct kallsyms k;

	resolve(symbols, &m, &k);
	assert_int_equal(k.addresses[0], 0xffffffffc0000010);
	assert_int_equal(k.addresses[1], 0xffffffffc0000020);
	assert_int_equal(k.addresses[2], 0xffffffffc0000000);
	assert_int_equal(k.addresses[3], 0);
	assert_int_equal(kallsyms_report(&k, &m), -1);
	kallsyms_deinit(&k);
}

TEST(hidden)
{
	struct meta_site sites[] = { site("vmlinux", "vfs_read", 0, 0, 0) };
	struct meta m = { .nsites = 1, .sites = sites };
	struct kallsyms k;

	resolve("0000000000000000 T _text\n0000000000000000 T vfs_read\n", &m, &k);
	assert_int_equal(k.hidden, 1);
	assert_int_equal(k.addresses[0], 0);
	assert_int_equal(kallsyms_report(&k, &m), -1);
	kallsyms_deinit(&k);
}

TEST(odd_lines)
{
	struct meta_site sites[] = { site("vmlinux", "f", 0, 0, 0) };
	struct meta m = { .nsites = 1, .sites = sites };
	struct kallsyms k;

	resolve("\nx\n \nffff\nffff \nffff T\nffff T \nffff T\tf\n12 T f\nff T g", &m, &k);
	assert_int_equal(k.addresses[0], 0x12);
	kallsyms_deinit(&k);
}

/* The file is longer than one read, with a wanted name at every position of the buffer. */
TEST(long_file)
{
	enum { LINES = 40000 };
	struct meta_site *sites = calloc(LINES, sizeof(*sites));

	char(*names)[16] = calloc(LINES, sizeof(*names));

	char *text = malloc(LINES * 64), *p = text;
	struct meta m = { .nsites = LINES, .sites = sites };
	struct kallsyms k;

	for (unsigned i = 0; i < LINES; i++) {
		snprintf(names[i], sizeof(names[i]), "f%u", i);
		sites[i] = site("vmlinux", names[i], 0, 0, 0);
		p += sprintf(p, "%x T %s\n", 0x1000 + i, names[i]);
	}
	resolve(text, &m, &k);
	for (unsigned i = 0; i < LINES; i++)
		assert_int_equal(k.addresses[i], 0x1000 + i);
	kallsyms_deinit(&k);
	free(text);
	free(names);
	free(sites);
}

static struct meta_global variable(const char *symbol)
{
	return (struct meta_global){ .name = "g", .symbol = symbol };
}

TEST(finds_variables)
{
	struct meta_global globals[] = { variable("jiffies"), variable(NULL), variable("rq"),
					 variable("vfs_read") };
	struct meta m = { .nglobals = 4, .globals = globals };
	struct kallsyms k;

	assert_int_equal(kallsyms_wanted(&m), 1);
	resolve("0000000000021a40 A rq\nffffffff81000060 T vfs_read\n"
		"ffffffff82000100 D jiffies\nffffffffc0000000 d jiffies\t[ext4]\n", &m, &k);
	assert_int_equal(k.variables[0], 0xffffffff82000100);
	assert_int_equal(k.variables[2], 0x21a40);
	assert_int_equal(k.variables[3], 0xffffffff81000060);
	assert_int_equal(kallsyms_report_variables(&k, &m), 0);
	kallsyms_deinit(&k);
}

/* A variable of a module is not taken from the kernel or from another module. */
TEST(finds_variables_of_modules)
{
	struct meta_global globals[] = { variable("ext4:count"), variable("count"),
					 variable("ext:count") };
	struct meta m = { .nglobals = 2, .globals = globals };
	struct kallsyms k;
	static const char text[] =
		"ffffffff81000060 T vfs_read\nffffffff82000100 D count\n"
		"ffffffffc0000000 d count\t[ext4]\nffffffffc0000010 d count\t[other]\n";

	resolve(text, &m, &k);
	assert_int_equal(k.variables[0], 0xffffffffc0000000);
	assert_int_equal(k.variables[1], 0xffffffff82000100);
	assert_int_equal(kallsyms_report_variables(&k, &m), 0);
	kallsyms_deinit(&k);
	m.nglobals = 3;
	resolve(text, &m, &k);
	assert_int_equal(kallsyms_report_variables(&k, &m), -1);
	kallsyms_deinit(&k);
}

/* An ambiguous variable is not guessed. */
TEST(refuses_variables)
{
	struct meta_global globals[] = { variable("jiffies") };
	struct meta m = { .nglobals = 1, .globals = globals };
	struct kallsyms k;
	static const char *const bad[] = {
		"ffffffff81000060 T vfs_read\n", /* absent */
		"ffffffff81000060 T vfs_read\nffffffff82000100 d jiffies\n"
		"ffffffff82000200 d jiffies\n", /* two of them */
		"0000000000000000 T vfs_read\n0000000000000000 D jiffies\n", /* hidden */
	};

	for (int i = 0; i < 3; i++) {
		resolve(bad[i], &m, &k);
		assert_int_equal(kallsyms_report_variables(&k, &m), -1);
		kallsyms_deinit(&k);
	}
	globals[0].symbol = NULL;
	assert_int_equal(kallsyms_wanted(&m), 0);
}

/* Writes a file and opens it as cached symbols. */
static int opens(const char *path, const char *text, size_t len, int mode)
{
	struct symbol_file k;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), is;

	assert_int_equal(write(fd, text, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
	is = symbol_file_open(path, &k);
	symbol_file_close(&k);
	unlink(path);
	return is;
}

/* A file of another boot, a truncated file, or a file that another user could have written is not
 * used. */
TEST(kept)
{
	char dir[] = "/tmp/test_loader_kept.XXXXXX", path[64], whole[1024];
	struct buf lines = { 0 };
	struct symbol_file k;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	assert_int_equal(symbol_file_open(path, &k), 0);
	buf_puts(&lines, "ff02 T b\nff01 T b\nff03 t a\n");
	symbol_file_write(path, &lines);
	buf_deinit(&lines);
	assert_int_equal(symbol_file_open(path, &k), 1);
	assert_int_equal(k.size, 27);
	assert_memory_equal(k.text, "ff03 t a\nff02 T b\nff01 T b\n", k.size);

	size_t len = k.map_size;

	memcpy(whole, k.map, len);
	symbol_file_close(&k);
	unlink(path);

	assert_int_equal(opens(path, whole, len, 0600), 1);
	assert_int_equal(opens(path, whole, len - 1, 0600), 0);
	assert_int_equal(opens(path, whole, 0, 0600), 0);
	assert_int_equal(opens(path, whole, 20, 0600), 0);
	assert_int_equal(opens(path, whole, len, 0620), 0);
	assert_int_equal(opens(path, whole, len, 0604), 0);
	whole[strlen("probec-kallsyms 2 ")] ^= 1;
	assert_int_equal(opens(path, whole, len, 0600), 0);
	assert_int_equal(rmdir(dir), 0);
}

/* The last test: signals are counted for the whole process. */
TEST(interrupted)
{
	char dir[] = "/tmp/test_loader_kept.XXXXXX", path[64], kept[64];
	struct meta m = { 0 };
	struct kallsyms k;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/symbols", dir);
	snprintf(kept, sizeof(kept), "%s/kallsyms", dir);
	write_file(path, symbols);
	signals_init();
	raise(SIGINT);
	assert_int_equal(kallsyms_resolve(path, kept, &m, &k), -EINTR);
	kallsyms_deinit(&k);
	assert_int_equal(access(kept, F_OK), -1);
	unlink(path);
	assert_int_equal(rmdir(dir), 0);
}
