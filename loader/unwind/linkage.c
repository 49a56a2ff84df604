/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/linkage.h"

#include <stdlib.h>

#include "arch/x86_64.h"

static bool begins_entry(const struct image_part *part, size_t at)
{
	uint64_t word;

	return arch_plt_word(part->bytes + at, part->size - at, part->address + at, &word);
}

/* An entry has one or two slots, and its jump is in the first one. */
static bool is_jumps_only(const struct image_part *part)
{
	bool may_go_on = false;

	for (size_t at = 0; at < part->size; at += ARCH_PLT_SHORT_ENTRY) {
		bool begins = begins_entry(part, at);

		if (!begins && !may_go_on)
			return false;
		may_go_on = begins;
	}
	return part->address && part->address <= UINT64_MAX - part->size;
}

size_t linkage_find(const struct image *f, struct linkage *ret)
{
	static const char *const names[LINKAGE_MAX] = { ".plt", ".plt.got", ".plt.sec" };
	struct image_part part;
	size_t n = 0;

	for (size_t i = 0; i < LINKAGE_MAX; i++) {
		if (!image_section(f, names[i], &part))
			continue;
		if (is_jumps_only(&part))
			ret[n++] = (struct linkage){ part.address, part.address + part.size };
		free(part.bytes);
	}
	return n;
}
