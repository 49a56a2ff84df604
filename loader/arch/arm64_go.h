/* SPDX-License-Identifier: GPL-2.0 */
/* Programs in Go: x86_64_go.h. Where functions for arm64 keep the return address depends on their
 * depth, which the reader of Go's tables does not know; so it reads none, and walks end at code in
 * Go that has no call frame information. */
#ifndef LOADER_ARCH_ARM64_GO_H
#define LOADER_ARCH_ARM64_GO_H

#include <stdbool.h>
#include <stddef.h>

enum { ARCH_GO_FRAMES = 0 };

static inline bool arch_go_links(const unsigned char *code, size_t size, int ret[4])
{
	(void)code;
	(void)size;
	(void)ret;
	return false;
}

static inline bool arch_go_switch(const unsigned char *code, size_t size, int at, size_t *from,
				  size_t *to)
{
	(void)code;
	(void)size;
	(void)at;
	(void)from;
	(void)to;
	return false;
}

#endif
