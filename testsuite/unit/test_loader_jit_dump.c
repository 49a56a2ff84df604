/* SPDX-License-Identifier: GPL-2.0 */
/* Names of code that was made at run time, in jitdump files made by hand, and where a process has
 * its own. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "unit.h"
#include "unwind/mappings.h"
#include "unwind/symbols.h"

enum { HEADER = 40, PREFIX = 16, PAGE = 4096 };

/* A file that grows. */
struct dump {
	int fd;
	off_t n;
};

static void put(struct dump *d, const void *bytes, size_t n)
{
	assert_int_equal(pwrite(d->fd, bytes, n, d->n), n);
	d->n += (off_t)n;
}

static void put_header(struct dump *d)
{
	/* A header may be longer than the one of version 1. */
	const uint32_t header[HEADER / 4 + 2] = { 0x4a695444, 1, HEADER + 8, ARCH_MACHINE };

	put(d, header, sizeof(header));
}

static void put_record(struct dump *d, uint32_t kind, const void *body, size_t n)
{
	const uint32_t prefix[PREFIX / 4] = { kind, (uint32_t)(PREFIX + n) };

	put(d, prefix, sizeof(prefix));
	put(d, body, n);
}

/* @code: bytes of it that the record has. */
static void put_load(struct dump *d, uint64_t address, uint64_t size, uint64_t number,
		     const char *name, size_t code)
{
	const uint64_t fixed[] = { 0, address, address, size, number };
	size_t n = strlen(name) + 1, all = sizeof(fixed) + n + code;
	char *bytes = calloc(1, all);

	memcpy(bytes, fixed, sizeof(fixed));
	memcpy(bytes + sizeof(fixed), name, n);
	put_record(d, 0, bytes, all);
	free(bytes);
}

static void put_move(struct dump *d, uint64_t from, uint64_t to, uint64_t size, uint64_t number)
{
	const uint64_t body[] = { 0, to, from, to, size, number };

	put_record(d, 1, body, sizeof(body));
}

static void expect_name(const struct symbols *s, uint64_t at, const char *name, uint64_t start)
{
	struct symbol found;
	bool is_found = symbols_find(s, at, &found);

	assert_int_equal(is_found, name != NULL);
	if (!is_found)
		return;
	assert_string_equal(found.name, name);
	assert_int_equal(found.start, start);
}

static struct dump new_dump(void)
{
	struct dump d = { .fd = memfd_create("dump", MFD_CLOEXEC) };

	assert_true(d.fd >= 0);
	put_header(&d);
	return d;
}

TEST(records)
{
	struct dump d = new_dump();
	struct symbols *s;
	char *name = calloc(1, 100001);

	memset(name, 'x', 100000);
	put_load(&d, 0x1000, 0x100, 1, "first", 0x100);
	put_record(&d, 2, "lines of the source", 20);
	put_load(&d, 0x2000, 0x20, 2, "_ZN5space4nameEv", 0);
	put_record(&d, 99, "", 0);
	/* Larger than what is read at once. */
	put_load(&d, 0x3000, 0x40, 3, "long", 300000);
	put_load(&d, 0x4000, 0x40, 4, "after", 1);
	put_load(&d, 0x1080, 0x10, 5, "replaces", 8);
	put_load(&d, 0x5000, 0, 6, "empty", 0);
	put_load(&d, 0x6000, 0x10, 7, "", 16);
	put_load(&d, UINT64_MAX - 4, 0x10, 8, "beyond", 0);
	put_load(&d, 0x7000, 0x10, 9, name, 16);
	s = symbols_read_perf_map(d.fd);
	expect_name(s, 0x1000, NULL, 0);
	expect_name(s, 0x108f, "replaces", 0x1080);
	expect_name(s, 0x201f, "space::name()", 0x2000);
	expect_name(s, 0x2020, NULL, 0);
	expect_name(s, 0x3000, "long", 0x3000);
	expect_name(s, 0x403f, "after", 0x4000);
	expect_name(s, 0x5000, NULL, 0);
	expect_name(s, 0x6000, NULL, 0);
	expect_name(s, UINT64_MAX - 2, NULL, 0);
	name[32768] = '\0';
	expect_name(s, 0x7000, name, 0x7000);
	symbols_free(s);
	free(name);
	close(d.fd);
}

TEST(moves)
{
	struct dump d = new_dump();
	struct symbols *s;

	put_load(&d, 0x1000, 0x40, 1, "one", 4);
	put_load(&d, 0x2000, 0x40, 2, "two", 4);
	put_move(&d, 0x1000, 0x3000, 0x40, 1);
	put_move(&d, 0x3000, 0x4000, 0x40, 1);
	/* None of these is what was loaded. */
	put_move(&d, 0x2000, 0x5000, 0x40, 7);
	put_move(&d, 0x2010, 0x6000, 0x40, 2);
	put_load(&d, 0x3000, 0x40, 3, "in its place", 4);
	s = symbols_read_perf_map(d.fd);
	expect_name(s, 0x1000, NULL, 0);
	expect_name(s, 0x2000, "two", 0x2000);
	expect_name(s, 0x3000, "in its place", 0x3000);
	expect_name(s, 0x403f, "one", 0x4000);
	expect_name(s, 0x5000, NULL, 0);
	expect_name(s, 0x6000, NULL, 0);
	symbols_free(s);
	close(d.fd);
}

TEST(growing_file)
{
	const struct timespec pause = { 0, 110000000 };
	struct dump d = new_dump();
	struct symbols *s;
	off_t whole;

	put_load(&d, 0x1000, 0x10, 1, "one", 16);
	put_load(&d, 0x2000, 0x10, 2, "two", 16);
	whole = d.n;
	assert_int_equal(ftruncate(d.fd, whole - 1), 0);
	s = symbols_read_perf_map(d.fd);
	expect_name(s, 0x1000, "one", 0x1000);
	expect_name(s, 0x2000, NULL, 0);
	nanosleep(&pause, NULL);
	assert_int_equal(ftruncate(d.fd, whole), 0);
	expect_name(s, 0x2000, "two", 0x2000);
	symbols_free(s);
	close(d.fd);
}

TEST(damaged_files)
{
	static const uint32_t sizes[] = { 0, 15, 16, 17, 55, 56, 57, 0xffffffff };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct dump d = new_dump();
		const uint32_t prefix[PREFIX / 4] = { i % 2, sizes[i] };
		struct symbols *s;

		put_load(&d, 0x1000, 0x10, 1, "one", 16);
		put(&d, prefix, sizeof(prefix));
		s = symbols_read_perf_map(d.fd);
		expect_name(s, 0x1000, "one", 0x1000);
		expect_name(s, 0x2000, NULL, 0);
		symbols_free(s);
		close(d.fd);
	}
}

/* The file that the mapping at @at has. */
static const struct mapped_file *file_at(struct mapped_files *files, const void *at)
{
	const struct mapping *it;
	const struct mapped_file *ret;
	struct mappings m;
	int fd = mappings_open(getpid());

	assert_true(fd >= 0);
	assert_int_equal(mappings_read(files, getpid(), fd, &m), 0);
	it = mappings_find(&m, (uintptr_t)at);
	ret = it ? it->file : NULL;
	mappings_deinit(&m);
	return ret;
}

/* Maps a file of that number as perf's programs do. Returns its descriptor. */
static int map_dump(const char *folder, int number, void **at)
{
	char path[128];
	struct dump d = { 0 };

	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, number);
	d.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(d.fd >= 0);
	put_header(&d);
	put_load(&d, 0x1000, 0x10, 1, "made", 16);
	*at = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, d.fd, 0);
	assert_true(*at != MAP_FAILED);
	return d.fd;
}

static void remove_dump(const char *folder, int number)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/jit-%d.dump", folder, number);
	unlink(path);
}

TEST(mapped_by_its_process)
{
	char folder[] = "/tmp/dumps.XXXXXX";
	struct mapped_files files = { 0 };
	const struct mapped_file *f;
	void *code, *other, *own;
	struct symbols *s;
	struct stat st;
	int fd;

	assert_non_null(mkdtemp(folder));
	code = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(code != MAP_FAILED);
	assert_null(file_at(&files, code));
	/* This is one of the parent. */
	close(map_dump(folder, getppid(), &other));
	assert_null(file_at(&files, code));
	fd = map_dump(folder, getpid(), &own);
	assert_int_equal(fstat(fd, &st), 0);
	f = file_at(&files, code);
	assert_non_null(f);
	assert_true(f->is_map);
	assert_int_equal(f->inode, st.st_ino);
	assert_ptr_equal(file_at(&files, code), f);
	assert_null(file_at(&files, own));
	s = symbols_read_perf_map(f->fd);
	expect_name(s, 0x1008, "made", 0x1000);
	symbols_free(s);
	mappings_free_files(&files);
	remove_dump(folder, getpid());
	remove_dump(folder, getppid());
	munmap(code, PAGE);
	munmap(other, PAGE);
	munmap(own, PAGE);
	close(fd);
	rmdir(folder);
}
