/* SPDX-License-Identifier: GPL-2.0 */
#include "program/site.h"

static const struct {
	const char *word, *mechanism;
} kinds[] = {
#define KIND(NAME, word, type, site, mechanism) [PK_##NAME] = { word, mechanism },
	PRT_KINDS(KIND)
#undef KIND
};

const char *site_kind_word(enum probe_kind kind)
{
	return kinds[kind].word;
}

const char *site_kind_mechanism(enum probe_kind kind)
{
	return kinds[kind].mechanism;
}
