/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's image as a file: vmlinuz, which has vmlinux compressed, or vmlinux itself. What is
 * read of it stands there as the linker has made it, before anything is relocated or patched. */
#ifndef KERNEL_IMAGE_H
#define KERNEL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"

struct arena;
struct state;

/* A segment that is loaded, as far as the file has its bytes. */
struct image_part {
	uint64_t addr;       /* where the linker has put it */
	uint64_t size;       /* bytes */
	const uint8_t *data;
};

/* All zero: not open. */
struct image {
	VEC(struct image_part) parts;
	const char *build_id;  /* lower-case hex; NULL: it has none */
	const void *btf;       /* NULL: it has none */
	size_t btf_size;       /* bytes */
	/* Private: what holds the ELF file. */
	struct buf text;
	void *map;
	size_t map_size;
};

/**
 * image_open - read an image
 * @ret: image_close() frees it, also after a failure
 * @why: on failure, the reason; owned by the state's arena
 * returns 0, -ENOENT (can't be read), -EINVAL (not an image of x86_64)
 */
int image_open(struct state *s, const char *path, struct image *ret, const char **why);
void image_close(struct image *img);
/** image_at - @size bytes at an address of the kernel, or NULL: the file does not have them. */
const void *image_at(const struct image *img, uint64_t addr, uint64_t size);
/** image_word - the 8 bytes there as a number. */
bool image_word(const struct image *img, uint64_t addr, uint64_t *ret);

#endif
