/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols that are not in the file itself, where gdb looks for them: "MiniDebugInfo" in its manual,
 * and debug_file.h.
 */
#include <elf.h>
#include <lzma.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/machine.h"
#include "unwind/debug_file.h"
#include "unwind/symbols_private.h"

enum {
	BLOCK = 1 << 16,           /* bytes */
	UNPACK_MEMORY = 128 << 20, /* bytes that liblzma may use for .gnu_debugdata, */
	UNPACK_SHARE = 16,         /* and at most one in so many of the machine's memory */
};

static uint64_t unpack_memory(void)
{
	return machine_memory_part(UNPACK_SHARE, UNPACK_MEMORY);
}

/* Unpacks to a file in memory; -1: it is damaged, or too large. */
static int unpack(const struct image_part *part)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	unsigned char bytes[BLOCK];
	int fd = memfd_create("symbols", MFD_CLOEXEC);
	lzma_ret state = LZMA_OK;

	if (fd < 0 || lzma_stream_decoder(&stream, unpack_memory(), 0) != LZMA_OK) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	stream.next_in = part->bytes;
	stream.avail_in = part->size;
	while (state == LZMA_OK) {
		size_t n;

		stream.next_out = bytes;
		stream.avail_out = sizeof(bytes);
		state = lzma_code(&stream, LZMA_FINISH);
		n = sizeof(bytes) - stream.avail_out;
		if (stream.total_out > image_part_max() || file_write_all(fd, bytes, n) != 0)
			state = LZMA_DATA_ERROR;
	}
	lzma_end(&stream);
	if (state == LZMA_STREAM_END)
		return fd;
	close(fd);
	return -1;
}

static void read_packed(const struct image *f, struct found_symbols *ret)
{
	struct image_part part;
	struct image unpacked;
	const char *why;
	int fd;

	if (!image_section(f, ".gnu_debugdata", &part))
		return;
	fd = unpack(&part);
	free(part.bytes);
	if (fd < 0)
		return;
	if (image_open(fd, &unpacked, &why) == 0)
		symbols_read_table(&unpacked, SHT_SYMTAB, ret);
	image_close(&unpacked);
	close(fd);
}

static bool take_symbols(const struct image *f, int fd, void *ret)
{
	(void)fd;
	return symbols_read_table(f, SHT_SYMTAB, ret);
}

void symbols_read_separate(const struct image *f, const char *path, const char *root,
			   struct found_symbols *ret)
{
	if (!debug_file_find(f, path, root, take_symbols, ret))
		read_packed(f, ret);
}
