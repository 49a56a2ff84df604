/* SPDX-License-Identifier: GPL-2.0 */
/* Patterns have few components, so a simple search is enough. */
#include "ast/points.h"

#include <fnmatch.h>
#include <string.h>

#include "shared/buf.h"

struct probe_point *points_new(struct arena *a, struct range r)
{
	struct probe_point *pp = NEW(a, struct probe_point);

	pp->range = r;
	return pp;
}

struct pp_component *points_add(struct arena *a, struct probe_point *pp, struct range r,
				const char *name, struct expr *arg)
{
	struct pp_component part = { .range = r, .name = name, .has_arg = arg, .arg = arg };

	vec_push(a, &pp->parts, part);
	return &pp->parts.v[pp->parts.n - 1];
}

const struct pp_component *points_part(const struct probe_point *pp, const char *name)
{
	vec_each(it, &pp->parts)
		if (strcmp(it->name, name) == 0)
			return it;
	return NULL;
}

bool points_crosses(const struct pp_component *part)
{
	return strstr(part->name, "**") != NULL;
}

static bool match_from(const struct probe_point *pattern, size_t i, const struct probe_point *point,
		       size_t j, points_arg *same_arg);

/* Whether component @i of @pattern matches one or more components of @point from @j on, with the
 * dots between them. */
static bool match_across(const struct probe_point *pattern, size_t i,
			 const struct probe_point *point, size_t j, points_arg *same_arg)
{
	const struct pp_component *want = &pattern->parts.v[i];
	bool ret = false;
	struct buf text;

	buf_init(&text);
	for (; !ret && j < point->parts.n && same_arg(want, &point->parts.v[j]); j++) {
		buf_printf(&text, "%s%s", text.len ? "." : "", point->parts.v[j].name);
		ret = !fnmatch(want->name, text.s, 0) &&
		      match_from(pattern, i + 1, point, j + 1, same_arg);
	}
	buf_deinit(&text);
	return ret;
}

static bool match_from(const struct probe_point *pattern, size_t i, const struct probe_point *point,
		       size_t j, points_arg *same_arg)
{
	const struct pp_component *want, *have;

	if (i == pattern->parts.n || j == point->parts.n)
		return i == pattern->parts.n && j == point->parts.n;
	want = &pattern->parts.v[i];
	if (points_crosses(want))
		return match_across(pattern, i, point, j, same_arg);
	have = &point->parts.v[j];
	return !fnmatch(want->name, have->name, 0) && same_arg(want, have) &&
	       match_from(pattern, i + 1, point, j + 1, same_arg);
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
