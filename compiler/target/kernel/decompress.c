/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compression tools are installed wherever compressed modules are, so they are used. lz4's legacy
 * format (lz4's doc/lz4_Frame_format.md and lz4_Block_format.md) is a magic number and blocks of up
 * to 8 MiB, each after its compressed size.
 */
#include "target/kernel/decompress.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/packages.h"
#include "base/subprocess.h"
#include "shared/buf.h"

#define LZ4_MAGIC 0x184c2102u

enum { LZ4_MAGIC_SIZE = 4, LZ4_BLOCK = 8 << 20, LZ4_LONG = 15, LZ4_MIN_MATCH = 4 };

int decompress_by_tool(struct arena *a, const char *tool, const char *path, struct buf *b,
		       const char **why)
{
	const char *const argv[] = { tool, "-dc", "--", path, NULL };
	struct buf said;

	buf_init(&said);

	int status = subprocess_run(argv, NULL, b, &said);

	buf_deinit(&said);
	if (status == 0)
		return 0;
	if (status < 0)
		*why = arena_printf(a, "it is compressed and '%s' is not installed (%s)", tool,
				    packages_hint(a, strcmp(tool, "xz") == 0 ? "xz-utils" : tool));
	else
		*why = arena_printf(a, "'%s' could not decompress it", tool);
	return -ENOENT;
}

/* ---- lz4 ---- */

struct lz4 {
	const uint8_t *p, *end; /* the rest of the block */
	struct buf *to;
	size_t start;           /* where the output of this block begins in @to */
};

/* A length whose first four bits are @nibble; if all are set, more bytes follow. */
static bool read_length(struct lz4 *z, unsigned nibble, size_t *ret)
{
	uint8_t byte = 255;

	*ret = nibble;
	for (; nibble == LZ4_LONG && byte == 255; *ret += byte) {
		if (z->p == z->end)
			return false;
		byte = *z->p++;
	}
	return *ret <= LZ4_BLOCK;
}

static bool copy_literals(struct lz4 *z, unsigned nibble)
{
	size_t n;

	if (!read_length(z, nibble, &n) || n > (size_t)(z->end - z->p))
		return false;
	buf_write(z->to, z->p, n);
	z->p += n;
	return true;
}

/* Copies earlier output, which may overlap with the copy. */
static bool copy_match(struct lz4 *z, unsigned nibble)
{
	size_t offset, n;

	if (z->end - z->p < 2)
		return false;
	offset = z->p[0] | (size_t)z->p[1] << 8;
	z->p += 2;
	if (!read_length(z, nibble, &n) || !offset || offset > z->to->len - z->start)
		return false;
	for (n += LZ4_MIN_MATCH; n; n--)
		buf_putc(z->to, z->to->s[z->to->len - offset]);
	return true;
}

static bool read_block(struct lz4 *z)
{
	while (z->p < z->end) {
		uint8_t token = *z->p++;

		if (!copy_literals(z, token >> 4))
			return false;
		/* The last sequence has literals only. */
		if (z->p < z->end && !copy_match(z, token & 15))
			return false;
		if (z->to->len - z->start > LZ4_BLOCK)
			return false;
	}
	return true;
}

int decompress_lz4(const void *data, size_t size, struct buf *b)
{
	const uint8_t *p = data, *end = p + size;
	uint32_t n;

	if (size < LZ4_MAGIC_SIZE)
		return -EINVAL;
	memcpy(&n, p, sizeof(n));
	if (n != LZ4_MAGIC)
		return -EINVAL;
	for (p += LZ4_MAGIC_SIZE; p < end; p += n) {
		struct lz4 z = { .to = b, .start = b->len };

		if (end - p < (ptrdiff_t)sizeof(n))
			return -EINVAL;
		memcpy(&n, p, sizeof(n));
		p += sizeof(n);
		if (n > (size_t)(end - p))
			return -EINVAL;
		z.p = p;
		z.end = p + n;
		if (!read_block(&z))
			return -EINVAL;
	}
	return 0;
}
