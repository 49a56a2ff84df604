/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's image as a file: vmlinuz, which contains a compressed vmlinux, or vmlinux itself.
 * Its contents are as the linker wrote them, before relocation and patching. */
#ifndef KERNEL_IMAGE_H
#define KERNEL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "shared/buf.h"

struct arena;
struct state;

/* A loaded segment, as far as the file contains its bytes. */
struct image_part {
	uint64_t addr;       /* its address by the linker */
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
 * @why: the reason of a failure, owned by the state's arena
 *
 * returns 0, -ENOENT (can't be read), or -EINVAL (not an image of x86_64)
 */
int image_open(struct state *s, const char *path, struct image *ret, const char **why);
void image_close(struct image *img);
/** image_at - @size bytes at an address of the kernel. Returns NULL if the file does not contain
 *  them. */
const void *image_at(const struct image *img, uint64_t addr, uint64_t size);
/** image_word - the 8 bytes at an address as a number. Returns false if the file does not contain
 *  them. */
bool image_word(const struct image *img, uint64_t addr, uint64_t *ret);

#endif
