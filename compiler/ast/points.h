/* SPDX-License-Identifier: GPL-2.0 */
/* Makes probe points, and compares them with patterns. */
#ifndef AST_POINTS_H
#define AST_POINTS_H

#include "ast/ast.h"

/** points_new - a probe point at @r without components. */
struct probe_point *points_new(struct arena *a, struct range r);
/** points_add - append a component at @r; @arg NULL: without an argument. The component is valid
 *  until the next one is added. */
struct pp_component *points_add(struct arena *a, struct probe_point *pp, struct range r,
				const char *name, struct expr *arg);

/** points_part - the first component of that name, or NULL. */
const struct pp_component *points_part(const struct probe_point *pp, const char *name);

/**
 * points_match - whether the names of @point match @pattern: * ? [] match characters of a name, and
 * a component with ** matches one or more components, with dots
 * @same_arg: compares the argument of a component with that of the pattern; either may have none
 */
typedef bool points_arg(const struct pp_component *want, const struct pp_component *have);
bool points_match(const struct probe_point *pattern, const struct probe_point *point,
		  points_arg *same_arg);
/** points_is_pattern - whether a name of @pp is a pattern; points_is_any - whether @name is one;
 *  points_crosses - whether it has a **. */
bool points_is_pattern(const struct probe_point *pp);
bool points_is_any(const struct pp_component *part);
bool points_crosses(const struct pp_component *part);

#endif
