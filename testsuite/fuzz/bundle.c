/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Reads the index of a bundle. If it is accepted, it has modules, all of them within the file. */
#include "fuzz.h"

#include "bundle/bundle.h"

enum { END = 1025 };

static void walk(const struct bundle_file *b)
{
	FUZZ_MUST(b->nmodules && b->script);
	for (unsigned i = 0; i < b->nmodules; i++) {
		const struct bundle_module *m = &b->modules[i];

		FUZZ_MUST(m->size && m->offset <= END && m->size <= END - m->offset);
	}
	for (unsigned i = 0; i < b->noptions; i++) {
		const struct bundle_option *o = &b->options[i];

		FUZZ_MUST(o->letter || *o->name);
		FUZZ_MUST(*o->global && !strpbrk(o->name, "=\t /") && o->help && o->value);
	}
	for (unsigned i = 0; i < b->narguments; i++)
		FUZZ_MUST(b->arguments[i] && strlen(b->arguments[i]) < 1 << 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bundle_file b = { .fd = -1 };
	char *index = malloc(size + 1);
	const char *wrong;

	memcpy(index, data, size);
	index[size] = '\0';
	wrong = bundle_parse(&b, index, size, END);
	if (!wrong)
		walk(&b);
	else
		FUZZ_MUST(*wrong);
	bundle_close(&b);
	return 0;
}
