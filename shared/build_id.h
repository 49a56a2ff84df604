/* SPDX-License-Identifier: GPL-2.0 */
/* The GNU build-id in ELF notes: gABI, "Note Section"; <elf.h>, NT_GNU_BUILD_ID. */
#ifndef SHARED_BUILD_ID_H
#define SHARED_BUILD_ID_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** struct build_id_bytes - bytes within the notes that were searched. */
struct build_id_bytes {
	const unsigned char *v;
	size_t n;
};

/** build_id_find - find the build-id among the @size bytes of ELF notes at @notes, whose names and
 *  descriptions are padded to four bytes. Returns false if there is none, or none before a note
 *  that is cut off. */
static inline bool build_id_find(const void *notes, size_t size, struct build_id_bytes *ret)
{
	const unsigned char *p = notes;

	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr head;
		size_t desc, end;

		memcpy(&head, p, sizeof(head));
		desc = sizeof(head) + ((size_t)head.n_namesz + 3) / 4 * 4;
		end = desc + ((size_t)head.n_descsz + 3) / 4 * 4;
		if (end > size)
			return false;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    memcmp(p + sizeof(head), "GNU", 4) == 0) {
			*ret = (struct build_id_bytes){ p + desc, head.n_descsz };
			return true;
		}
		p += end;
		size -= end;
	}
	return false;
}

#endif
