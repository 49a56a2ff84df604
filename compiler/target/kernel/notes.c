/* SPDX-License-Identifier: GPL-2.0 */
/* The build-id of a kernel or a module, from its ELF notes. */
#include "base/arena.h"
#include "target/kernel/private.h"
#include "shared/build_id.h"

const char *kernel_build_id_of_notes(struct arena *a, const char *notes, size_t size)
{
	struct build_id_bytes id;
	char *hex;

	if (!build_id_find(notes, size, &id))
		return NULL;
	hex = arena_alloc(a, 2 * id.n + 1);
	for (size_t i = 0; i < id.n; i++) {
		hex[2 * i] = "0123456789abcdef"[id.v[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[id.v[i] & 15];
	}
	return hex;
}
