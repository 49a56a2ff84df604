/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Reads a module's file: its sections, its name, and the name written over it. */
#include "fuzz.h"

#include "module/meta.h"
#include "module/module.h"
#include "records.h"
#include "version.h"

static void rename_it(struct module *m)
{
	static const char *const names[] = { "probec_1_1", "x", PRT_PLACEHOLDER };

	for (unsigned i = 0; i < 3; i++) {
		module_rename(m, names[i]);
		FUZZ_MUST(strcmp(m->name, names[i]) == 0);
		for (size_t k = 0; k < m->nname_at; k++)
			FUZZ_MUST(strncmp(m->image + m->name_at[k], names[i], PRT_NAME_LEN) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *image = fuzz_with_version(data, size);
	const char *why = NULL;
	struct module m;
	struct meta meta;
	char words[256];

	if (module_parse(image, size, &m, &why) == 0) {
		FUZZ_MUST(m.meta && m.meta >= m.image && m.meta_len <= size);
		FUZZ_MUST(m.name[0] && strlen(m.name) <= PRT_NAME_LEN);
		if (meta_parse(m.meta, m.meta_len, &meta, words, sizeof(words)) == 0)
			meta_deinit(&meta);
		if (m.has_placeholder)
			rename_it(&m);
	} else {
		FUZZ_MUST(why);
	}
	module_deinit(&m);
	return 0;
}
