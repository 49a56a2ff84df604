/* SPDX-License-Identifier: GPL-2.0 */
#include "program/site.h"

const struct site_kind *site_kind(enum probe_kind kind)
{
	static const struct site_kind kinds[] = {
#define KIND(NAME, word, type, site, runs, values, mechanism) \
		[PK_##NAME] = { word, mechanism, PRT_SITE_##site, PRT_RUNS_##runs, \
				PRT_VALUES_##values },
		PRT_KINDS(KIND)
#undef KIND
	};

	return &kinds[kind];
}
