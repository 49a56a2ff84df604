/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that compilers at run time write for `perf inject --jit`:
 * linux/tools/perf/Documentation/jitdump-specification.txt. Its records have the code as well, of
 * which nothing is read. They may say that code was moved, but not that it is gone, so that later
 * code may be where earlier code was.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/memory.h"
#include "unwind/symbols_private.h"

enum {
	BLOCK = 1 << 16,             /* bytes that are read at once */
	RECORDS_MAX = SYMBOLS_MAX,
	NAMES_MAX = 64 << 20,        /* bytes */
	LOOKS_MAX = 1 << 24,         /* at code that may be the one that was moved */
};

static const uint32_t magic = 0x4a695444; /* "JiTD", in the byte order of the machine */

struct dump_header {
	uint32_t magic, version, size, machine, unused, pid;
	uint64_t time, flags;
};

enum dump_kind { DUMP_LOAD = 0, DUMP_MOVE = 1 };

struct dump_record {
	uint32_t kind, size;         /* size: of all, with this */
	uint64_t time;
};

/* These follow in a record of each kind; after that of DUMP_LOAD come the name, a NUL, the code. */
struct dump_load {
	uint32_t pid, tid;
	uint64_t unused, address, size, number;
};

struct dump_move {
	uint32_t pid, tid;
	uint64_t unused, from, to, size, number;
};

/* A file that is being read. */
struct jit_dump {
	int fd;
	uint64_t size;               /* of the file, when the reading began */
	uint64_t start;              /* offset of `block` */
	size_t n;                    /* bytes that are in it */
	char block[BLOCK];
	struct found_symbols *found;
	uint64_t *numbers;           /* of the code, for each of `found` */
	size_t room;                 /* of `numbers` */
	uint32_t looks;
};

/* Returns @size bytes at @offset, until the next call; NULL: the file has fewer, or an error. */
static const char *bytes_at(struct jit_dump *d, uint64_t offset, size_t size)
{
	ssize_t n;

	if (size > BLOCK || offset > d->size || size > d->size - offset)
		return NULL;
	if (offset < d->start || offset - d->start > d->n || size > d->n - (offset - d->start)) {
		do
			n = pread(d->fd, d->block, BLOCK, (off_t)offset);
		while (n < 0 && errno == EINTR);
		d->start = offset;
		d->n = n < 0 ? 0 : (size_t)n;
	}
	return size <= d->n - (offset - d->start) ? d->block + (offset - d->start) : NULL;
}

static void add_code(struct jit_dump *d, uint64_t start, uint64_t size, uint32_t name,
		     uint64_t number)
{
	const struct found_symbol one = { .start = start, .end = start + size, .name = name };
	size_t n = d->found->n;

	if (!size || size > UINT64_MAX - start)
		return;
	symbols_add(d->found, &one);
	if (d->found->n == n)
		return;
	memory_grow(d->numbers, n, d->room, 256);
	d->numbers[n] = number;
}

static void read_load(struct jit_dump *d, uint64_t at, size_t size)
{
	struct dump_load load;
	const char *bytes = size < sizeof(load) ? NULL : bytes_at(d, at, sizeof(load));
	size_t most = size - sizeof(load);
	uint32_t name;

	if (!bytes)
		return;
	memcpy(&load, bytes, sizeof(load));
	if (most > SYMBOLS_NAME_MAX)
		most = SYMBOLS_NAME_MAX;
	bytes = bytes_at(d, at + sizeof(load), most);
	if (bytes && most && *bytes &&
	    symbols_add_names(d->found, bytes, strnlen(bytes, most), &name))
		add_code(d, load.address, load.size, name, load.number);
}

/* Code that was moved is mostly what was made last. */
static void read_move(struct jit_dump *d, uint64_t at, size_t size)
{
	struct dump_move move;
	const char *bytes = size < sizeof(move) ? NULL : bytes_at(d, at, sizeof(move));
	struct found_symbol *it;

	if (!bytes)
		return;
	memcpy(&move, bytes, sizeof(move));
	for (size_t i = d->found->n; i-- && d->looks < LOOKS_MAX; d->looks++) {
		it = &d->found->v[i];
		if (d->numbers[i] != move.number || it->start != move.from ||
		    it->start == it->end)
			continue;
		it->end = it->start;
		add_code(d, move.to, move.size, it->name, move.number);
		return;
	}
}

/* Code that was moved is empty where it was. */
static void drop_empty(struct found_symbols *f)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].start != f->v[i].end)
			f->v[kept++] = f->v[i];
	f->n = kept;
}

bool symbols_is_dump(int fd)
{
	uint32_t first;

	return pread(fd, &first, sizeof(first), 0) == sizeof(first) && first == magic;
}

void symbols_read_dump(int fd, struct found_symbols *ret)
{
	struct jit_dump *d = memory_zeroed(1, sizeof(*d));
	struct dump_header header = { 0 };
	struct dump_record record;
	const char *bytes;
	struct stat st;
	uint64_t at;

	d->fd = fd;
	d->found = ret;
	d->n = d->start = d->room = d->looks = 0;
	d->numbers = NULL;
	d->size = fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;
	bytes = bytes_at(d, 0, sizeof(header));
	if (bytes)
		memcpy(&header, bytes, sizeof(header));
	at = header.size < sizeof(header) ? d->size : header.size;
	for (uint32_t n = 0; n < RECORDS_MAX && ret->names_size < NAMES_MAX; n++) {
		bytes = bytes_at(d, at, sizeof(record));
		if (!bytes)
			break;
		memcpy(&record, bytes, sizeof(record));
		/* The last one may not be complete yet. */
		if (record.size < sizeof(record) || record.size > d->size - at)
			break;
		if (record.kind == DUMP_LOAD)
			read_load(d, at + sizeof(record), record.size - sizeof(record));
		else if (record.kind == DUMP_MOVE)
			read_move(d, at + sizeof(record), record.size - sizeof(record));
		at += record.size;
	}
	drop_empty(ret);
	free(d->numbers);
	free(d);
}
