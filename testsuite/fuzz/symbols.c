/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Reads the symbols of a program, or a map of code made at run time, and asks for addresses: a name
 * has no control characters, has the address in its range, and is the same when it is asked for
 * again. The kernel half's table has the same names. The first byte of the input tells which of
 * the two files it is; the rest is the file. */
#include "fuzz.h"

#include <ctype.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unwind/symbols.h"
#include "unwind/symbols_private.h"

enum { STEPS = 256 };

/* Symbols that are too far from the first one are not in the table. */
static void check_row(const struct prt_name_table *t, const struct symbol *found, bool has,
		      uint64_t address)
{
	const struct prt_name_row *row = prt_name_find(t, address);

	FUZZ_MUST(!row || (has && strcmp(prt_name_text(t) + row->name, found->name) == 0));
	FUZZ_MUST(!row || t->base + row->start == found->start);
	FUZZ_MUST(!row || row->size == (uint32_t)found->size);
	FUZZ_MUST(row || !has || found->start < t->base || found->start - t->base > UINT32_MAX ||
		  address - t->base > UINT32_MAX);
}

static void check(const struct symbols *s, const struct prt_name_table *t, uint64_t address)
{
	struct symbol found, again;
	bool has = symbols_find(s, address, &found);
	size_t n;

	check_row(t, &found, has, address);
	if (!has)
		return;
	FUZZ_MUST(address >= found.start);
	FUZZ_MUST(!found.size || address - found.start < found.size);
	n = strlen(found.name);
	for (size_t i = 0; i < n; i++)
		FUZZ_MUST(!iscntrl((unsigned char)found.name[i]));
	FUZZ_MUST(symbols_find(s, address, &again) && again.name == found.name &&
		  again.start == found.start && again.size == found.size);
}

/* Changes some words of the table. If it is still taken for one, what is found is inside. */
static void damage(struct prt_name_table *t, const uint8_t *data, size_t size)
{
	uint64_t bytes = t->size;

	for (size_t i = 0; i + 8 <= size && i < 1024; i += 8) {
		const struct prt_name_row *row;
		uint32_t at, word;

		memcpy(&at, data + i, 4);
		memcpy(&word, data + i + 4, 4);
		memcpy((char *)t + at % (bytes - 3), &word, 4);
		if (!prt_name_ok(t, bytes))
			return;
		row = prt_name_find(t, t->base + word);
		FUZZ_MUST(!row || strlen(prt_name_text(t) + row->name) < bytes);
	}
}

/* A map that is there by half when it is read first. */
static struct symbols *read_twice(int fd, const uint8_t *data, size_t size)
{
	struct symbols *s = symbols_read_perf_map(fd);
	struct symbol one;

	FUZZ_MUST(s && pwrite(fd, data, size / 2, 0) == (ssize_t)(size / 2));
	symbols_find(s, 0, &one);
	FUZZ_MUST(pwrite(fd, data, size, 0) == (ssize_t)size);
	s->next = 0;
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct prt_name_table *t;
	struct symbols *s;
	uint64_t word;

	if (!size)
		return 0;
	if (fd < 0)
		fd = memfd_create("program", 0);
	FUZZ_MUST(ftruncate(fd, 0) == 0);
	if (data[0] % 2) {
		s = read_twice(fd, data + 1, size - 1);
	} else {
		FUZZ_MUST(pwrite(fd, data + 1, size - 1, 0) == (ssize_t)size - 1);
		s = symbols_read(fd, "/none/program");
	}
	if (!s)
		return 0;
	t = symbols_table(s);
	FUZZ_MUST(prt_name_ok(t, t->size));
	for (uint64_t i = 0; i < STEPS; i++)
		check(s, t, i * 64);
	check(s, t, UINT64_MAX);
	/* Any number of the file may be an address. */
	for (size_t at = 1; at + sizeof(word) <= size && at < 4096; at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		check(s, t, word);
	}
	damage(t, data, size);
	free(t);
	symbols_free(s);
	return 0;
}
