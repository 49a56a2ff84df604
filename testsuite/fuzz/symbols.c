/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Reads the symbols of a program, or a map of code made at run time, and asks for addresses: a name
 * has no control characters, has the address in its range, and is the same when it is asked for
 * again. The first byte of the input tells which of both; the rest is the file. */
#include "fuzz.h"

#include <ctype.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unwind/symbols.h"

enum { STEPS = 256 };

static void check(const struct symbols *s, uint64_t address)
{
	struct symbol found, again;
	size_t n;

	if (!symbols_find(s, address, &found))
		return;
	FUZZ_MUST(address >= found.start);
	FUZZ_MUST(!found.size || address - found.start < found.size);
	n = strlen(found.name);
	for (size_t i = 0; i < n; i++)
		FUZZ_MUST(!iscntrl((unsigned char)found.name[i]));
	FUZZ_MUST(symbols_find(s, address, &again) && again.name == found.name &&
		  again.start == found.start && again.size == found.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct symbols *s;
	uint64_t word;

	if (!size)
		return 0;
	if (fd < 0)
		fd = memfd_create("program", 0);
	FUZZ_MUST(ftruncate(fd, 0) == 0 &&
		  pwrite(fd, data + 1, size - 1, 0) == (ssize_t)size - 1);
	s = data[0] % 2 ? symbols_read_perf_map(fd) : symbols_read(fd, "/none/program");
	if (!s)
		return 0;
	for (uint64_t i = 0; i < STEPS; i++)
		check(s, i * 64);
	check(s, UINT64_MAX);
	/* Any number of the file may be an address. */
	for (size_t at = 1; at + sizeof(word) <= size && at < 4096; at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		check(s, word);
	}
	symbols_free(s);
	return 0;
}
