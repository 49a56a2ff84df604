/* SPDX-License-Identifier: GPL-2.0 */
/* Sites beside the kernel's list of kprobes: by address, by name, with every mark, with none, and
 * with kprobes of others. */
#include <unistd.h>

#include "machine/kprobes.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "unit.h"

/* The list in the kernel's format, not sorted: one place twice, one in a module, one behind
 * endbr64. */
static const char list[] =
	"ffffffff81000200  k  second+0x0    [DISABLED]\n"
	"ffffffff81000104  k  first+0x4    [FTRACE]\n"
	"ffffffffc0001010  r  inside+0x10  [ext4] [OPTIMIZED]\n"
	"ffffffffc0001010  k  inside+0x10  [ext4] [OPTIMIZED]\n"
	"ffffffffc0001014  k  start+0x4  [ext4] [FTRACE]\n"
	"ffffffffc0002010  k  inside+0x10  [ext] [GONE]\n"
	"ffffffff81000300  r  third+0x30    \n"
	"ffffffff81000300  k  third+0x30    [DISABLED][OPTIMIZED]\n"
	"ffffffff81000400  k  fourth+0x30    [DISABLED][OPTIMIZED]\n"
	"no line\n";

static void expect(const char *text, struct meta_site site, uint64_t address, unsigned want)
{
	char path[] = "/tmp/test_loader_kprobes.XXXXXX";
	struct meta m = { .nsites = 1, .sites = &site };
	uint8_t marks = 0xff;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(kprobes_marks(path, &m, &address, &marks), 0);
	assert_int_equal(marks, want);
	unlink(path);
}

TEST(by_address)
{
	struct meta_site start = { .object = "kernel", .symbol = "f" }, middle = start;

	middle.offset = 0x30;
	expect(list, start, 0xffffffff81000200, KPROBES_DISABLED);
	expect(list, start, 0xffffffff81000100, KPROBES_FTRACE);
	/* Only the beginning of a function has an endbr64. */
	expect(list, middle, 0xffffffff81000100, 0);
	/* One of the two is disabled. */
	expect(list, middle, 0xffffffff81000300, KPROBES_OPTIMIZED);
	expect(list, middle, 0xffffffff81000400, KPROBES_DISABLED | KPROBES_OPTIMIZED);
	expect(list, start, 0xffffffff810001ff, 0);
	expect("", start, 0xffffffff81000200, 0);
}

TEST(by_name)
{
	struct meta_site inside = { .object = "ext4", .symbol = "inside", .offset = 0x10 };
	struct meta_site start = { .object = "ext4", .symbol = "start" };

	expect(list, inside, 0, KPROBES_OPTIMIZED);
	expect(list, start, 0, KPROBES_FTRACE);
	inside.object = "ext";
	expect(list, inside, 0, KPROBES_GONE);
	inside.object = "kernel";
	expect(list, inside, 0, 0);
	inside.object = "ext4";
	inside.offset = 1;
	expect(list, inside, 0, 0);
}

TEST(no_list)
{
	struct meta_site site = { .object = "kernel", .symbol = "f" };
	struct meta m = { .nsites = 1, .sites = &site };
	uint64_t address = 1;
	uint8_t marks = 0xff;

	assert_true(kprobes_marks("/nonexistent", &m, &address, &marks) < 0);
	assert_int_equal(marks, 0);
}

TEST(words)
{
	struct buf t = { 0 };

	kprobes_words(KPROBES_OPTIMIZED | KPROBES_GONE, &t);
	assert_string_equal(t.s, "[OPTIMIZED][GONE]");
	buf_deinit(&t);
}
