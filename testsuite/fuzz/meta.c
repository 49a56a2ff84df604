/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Parses a module's self-description. A description that is accepted must be consistent. */
#include "fuzz.h"

#include "module/meta.h"
#include "version.h"

static void text(const char *s)
{
	FUZZ_MUST(s && strlen(s) < 1u << 30);
}

static void srcloc(const struct meta *m, uint32_t nr)
{
	FUZZ_MUST(nr == META_NO_SRCLOC || (nr < m->nsrclocs && m->srclocs[nr].file));
}

static void walk(const struct meta *m)
{
	text(m->compiler);
	text(m->release);
	text(m->build_id);
	text(m->script);
	for (uint32_t i = 0; i < m->nprobes; i++) {
		text(m->probes[i].kind);
		text(m->probes[i].pp);
		srcloc(m, m->probes[i].srcloc);
	}
	for (uint32_t i = 0; i < m->nsites; i++) {
		FUZZ_MUST(m->sites[i].probe < m->nprobes);
		text(m->sites[i].object);
		text(m->sites[i].symbol);
		text(m->sites[i].pp);
	}
	for (uint32_t i = 0; i < m->nprints; i++) {
		if (!m->prints[i].format)
			continue;
		text(m->prints[i].types);
		FUZZ_MUST(!m->prints[i].types[strspn(m->prints[i].types, "lsH")]);
		FUZZ_MUST(!m->prints[i].format[m->prints[i].format_len]);
		srcloc(m, m->prints[i].srcloc);
	}
	for (uint32_t i = 0; i < m->nsrclocs; i++) {
		if (!m->srclocs[i].file)
			continue;
		text(m->srclocs[i].file);
		text(m->srclocs[i].text);
	}
	for (uint32_t i = 0; i < m->nglobals; i++)
		text(m->globals[i].name);
	for (uint32_t i = 0; i < m->nmodules; i++)
		text(m->modules[i].name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *description = fuzz_with_version(data, size);
	struct meta m;
	char why[64];

	if (meta_parse(description, size, &m, why, sizeof(why)) == 0) {
		walk(&m);
		meta_deinit(&m);
	} else {
		FUZZ_MUST(*why && strlen(why) < sizeof(why));
	}
	free(description);
	return 0;
}
