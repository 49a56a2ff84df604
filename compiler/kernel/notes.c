/* SPDX-License-Identifier: GPL-2.0 */
/* The build-id of a kernel or a module, from its ELF notes. */
#include <elf.h>
#include <string.h>

#include "base/arena.h"
#include "kernel/private.h"

/* The GNU build-id in ELF notes: {namesz, descsz, type}, then name and description, each padded
 * to 4. */
const char *kernel_build_id_of_notes(struct arena *a, const char *notes, size_t size)
{
	while (size >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr head;

		memcpy(&head, notes, sizeof(head));

		size_t name = sizeof(head), desc = name + ((size_t)head.n_namesz + 3) / 4 * 4;
		size_t next = desc + ((size_t)head.n_descsz + 3) / 4 * 4;

		if (desc + head.n_descsz > size)
			return NULL;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    memcmp(notes + name, "GNU", 4) == 0) {
			char *hex = arena_alloc(a, 2 * (size_t)head.n_descsz + 1);

			for (size_t i = 0; i < head.n_descsz; i++) {
				unsigned char byte = (unsigned char)notes[desc + i];

				hex[2 * i] = "0123456789abcdef"[byte >> 4];
				hex[2 * i + 1] = "0123456789abcdef"[byte & 15];
			}
			return hex;
		}
		if (next >= size)
			return NULL;
		notes += next;
		size -= next;
	}
	return NULL;
}
