/* SPDX-License-Identifier: GPL-2.0 */
/* The files of a trace, from records made by hand, beside what CTF 1.8 demands of them.
 * live/ctf has a reader of such traces read what sessions write. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module/meta.h"
#include "record_writer.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "show/ctf.h"
#include "show/show.h"
#include "unit.h"

static struct meta_probe probes[] = { { .pp = "begin" }, { .pp = "kernel.function(\"a\\b\")" } };
static struct position places[] = { { .file = "/tmp/a.kp", .line = 7 } };
static struct meta_print prints[] = {
	{ .types = "slsd", .names = "\"l\"\n$return\n$return\nx", .format = "%s %d %s %f\n",
	  .srcloc = 0 },
	{ 0 }, /* a number that no print has */
	{ .types = "slH", .names = "key1\ncount\n@hist_log(a)", .global = "a", .format = "",
	  .srcloc = META_NO_SRCLOC },
	{ .types = "sl", .names = "name\nvalue", .format = "trace_counter %s: %d\n", .srcloc = 0 },
	{ .types = "l", .names = "limit", .format = "", .edge = META_BEGIN, .srcloc = 0 },
};
static const struct meta meta = { .release = "6.1 \"q\"", .script = "a.kp", .nprobes = 2,
	.probes = probes, .nprints = 5, .prints = prints, .nsrclocs = 1, .srclocs = places };

static struct record r;
static char folder[] = "/tmp/ctf.XXXXXX";
static int dir;

static struct ctf *start(void)
{
	struct ctf *t;

	strcpy(folder + sizeof(folder) - 7, "XXXXXX");
	assert_non_null(mkdtemp(folder));
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	assert_true(dir >= 0);
	assert_int_equal(ctf_create(dir, &meta, "web1", &t), 0);
	return t;
}

static void finish(struct ctf *t)
{
	ctf_destroy(t);
	close(dir);
	file_remove_tree(folder);
}

static void print(struct ctf *t, unsigned number, int cpu, uint64_t time, const char *text)
{
	const struct meta_print *p = &prints[number];
	const struct show_hit hit = { .cpu = cpu, .time = time, .number = 1 };
	struct buf all = { 0 };

	buf_puts(&all, text);
	for (size_t n = 0; n < r.len; n++)
		assert_false(ctf_print(t, &hit, p, (struct args){ p->types, r.bytes, r.bytes + n },
				       &all));
	assert_true(ctf_print(t, &hit, p, (struct args){ p->types, r.bytes, r.bytes + r.len },
			      &all));
	buf_deinit(&all);
	r.len = 0;
}

static void counter(struct ctf *t, int cpu, uint64_t time)
{
	put_text(&r, "n");
	put_long(&r, 5);
	print(t, 3, cpu, time, "x");
}

static void read_file(const char *name, struct buf *ret)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	ret->len = 0;
	assert_int_equal(file_read(path, ret), 0);
}

static bool has(const struct buf *b, const char *text)
{
	return strstr(b->s, text) != NULL;
}

TEST(metadata)
{
	struct buf b = { 0 };
	struct ctf *t = start(), *second;

	read_file("metadata", &b);
	assert_true(strncmp(b.s, "/* CTF 1.8 */", 13) == 0);
	assert_true(has(&b, "hostname = \"web1\";"));
	assert_true(has(&b, "kernel_release = \"6.1 \\\"q\\\"\";"));
	assert_true(has(&b, "\"kernel.function(\\\"a\\\\b\\\")\" = 1,"));
	assert_true(has(&b, "name = \"a.kp:7\";\n\tid = 0;\n\tstream_id = 1;\n"
			    "\tfields := struct {\n"
			    "\t\tstring _text;\n\t\tint64_t _return;\n\t\tstring _return_2;\n"
			    "\t\tdouble _x;\n\t};"));
	assert_true(has(&b, "name = \"a\";\n\tid = 2;\n\tstream_id = 0;\n\tfields := struct {\n"
			    "\t\tstring _key1;\n\t\tint64_t _count;\n"
			    "\t\tuint32_t __hist_log_a_length;\n"));
	assert_true(has(&b, "name = \"trace_counter\";"));
	assert_false(has(&b, "id = 1;\n\tstream_id"));
	assert_false(has(&b, "id = 4;"));
	/* A file that exists is never written to. */
	assert_int_equal(ctf_create(dir, &meta, "web2", &second), -EEXIST);
	buf_deinit(&b);
	finish(t);
}

/* Takes a number of @size bytes. */
static uint64_t take(const char **p, size_t size)
{
	uint64_t n = 0;

	memcpy(&n, *p, size);
	*p += size;
	return n;
}

/* Reads the head of a packet; returns its bytes. */
static size_t take_head(const char **p, uint64_t class, uint64_t from, uint64_t to, uint64_t lost)
{
	uint64_t content;

	assert_int_equal(take(p, 4), 0xc1fc1fc1);
	*p += 16;
	assert_int_equal(take(p, 4), class);
	assert_int_equal(take(p, 8), from);
	assert_int_equal(take(p, 8), to);
	content = take(p, 8);
	assert_int_equal(take(p, 8), content);
	assert_int_equal(take(p, 8), lost);
	*p += class ? 0 : 4;
	return content / 8;
}

TEST(packets)
{
	struct ctf *t = start();
	struct buf b = { 0 };
	const char *p;

	counter(t, 2, 100);
	counter(t, 2, 100);
	counter(t, -1, 150);
	assert_int_equal(ctf_flush(t), 0);
	assert_int_equal(ctf_flush(t), 0);
	ctf_dropped(t, 2, 3, 170);
	ctf_dropped(t, 1, 0, 170);
	counter(t, 2, 160); /* times never decrease */
	assert_int_equal(ctf_flush(t), 0);
	ctf_dropped(t, 2, 3, 180);
	assert_int_equal(ctf_flush(t), 0);

	read_file("cpu2", &b);
	p = b.s;
	assert_int_equal(take_head(&p, 0, 100, 100, 0), 68 + 2 * 26);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(take(&p, 4), 3);
		assert_int_equal(take(&p, 8), 100);
		assert_int_equal(take(&p, 2), 1);
		assert_memory_equal(p, "x\0n\0\5\0\0\0\0\0\0\0", 12);
		p += 12;
	}
	assert_int_equal(take_head(&p, 0, 170, 170, 3), 68 + 26);
	assert_int_equal(p + 26 - b.s, b.len);
	read_file("session", &b);
	p = b.s;
	assert_int_equal(take_head(&p, 1, 150, 150, 0), b.len);
	read_file("metadata", &b);
	assert_int_equal(faccessat(dir, "cpu1", F_OK, 0), -1);
	buf_deinit(&b);
	finish(t);
}

TEST(values)
{
	const struct prt_hist_data h = { .n = 0 };
	const uint64_t none = 0;
	struct ctf *t = start();
	struct buf b = { 0 };

	put_text(&r, "l");
	put_long(&r, -1);
	put_string(&r, "a\0\xff\xc3\xa9", 5);
	put_long(&r, 0x3ff8000000000000); /* 1.5 */
	print(t, 0, 0, 1, "t");
	put_text(&r, "k");
	put_long(&r, 4);
	put_hist(&r, &h, &none);
	print(t, 2, 0, 2, "not shown");
	assert_int_equal(ctf_flush(t), 0);
	read_file("cpu0", &b);
	assert_int_equal(b.len, 68 + 14 + 28 + 14 + 14);
	assert_memory_equal(b.s + 68 + 14,
			    "t\0\377\377\377\377\377\377\377\377"
			    "a\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\0\0\0\0\0\0\0\370\77", 28);
	assert_memory_equal(b.s + 68 + 14 + 28 + 14, "k\0\4\0\0\0\0\0\0\0\0\0\0\0", 14);
	buf_deinit(&b);
	finish(t);
}

/* The files of a session that another process goes on with. */
TEST(continued)
{
	struct ctf *t = start();
	struct buf b = { 0 };
	pid_t other;
	int status;

	counter(t, 0, 1);
	assert_int_equal(ctf_flush(t), 0);
	other = fork();
	if (!other) {
		counter(t, 0, 2);
		_exit(ctf_flush(t) != 0);
	}
	assert_int_equal(waitpid(other, &status, 0), other);
	assert_int_equal(status, 0);
	read_file("cpu0", &b);
	assert_int_equal(b.len, 2 * (68 + 26));
	assert_memory_equal(b.s, b.s + 68 + 26, 24);
	buf_deinit(&b);
	finish(t);
}
