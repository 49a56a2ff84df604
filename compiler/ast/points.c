/* SPDX-License-Identifier: GPL-2.0 */
/* Probe points as patterns. They have few components, so a plain search is enough. */
#include "ast/points.h"

#include <fnmatch.h>
#include <string.h>

static bool match_from(const struct probe_point *pattern, size_t i, const struct probe_point *point,
		       size_t j, points_arg *same_arg)
{
	const struct pp_component *want, *have;

	if (i == pattern->parts.n || j == point->parts.n)
		return i == pattern->parts.n && j == point->parts.n;
	want = &pattern->parts.v[i];
	have = &point->parts.v[j];
	if (fnmatch(want->name, have->name, 0) || !same_arg(want, have))
		return false;
	if (match_from(pattern, i + 1, point, j + 1, same_arg))
		return true;
	return !strcmp(want->name, "**") && match_from(pattern, i, point, j + 1, same_arg);
}

bool points_match(const struct probe_point *pattern, const struct probe_point *point,
		  points_arg *same_arg)
{
	return match_from(pattern, 0, point, 0, same_arg);
}

bool points_is_any(const struct pp_component *part)
{
	return strpbrk(part->name, "*?[") != NULL;
}

bool points_is_pattern(const struct probe_point *pp)
{
	vec_each(part, &pp->parts)
		if (points_is_any(part))
			return true;
	return false;
}
