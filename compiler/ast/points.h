/* SPDX-License-Identifier: GPL-2.0 */
/* Probe points: making them, and taking them as patterns for others. */
#ifndef AST_POINTS_H
#define AST_POINTS_H

#include "ast/ast.h"

/** points_new - a probe point at @r without components. */
struct probe_point *points_new(struct arena *a, struct range r);
/** points_add - add a component at @r as the last one; @arg NULL: it has no argument. The component
 *  is valid until the next one is added. */
struct pp_component *points_add(struct arena *a, struct probe_point *pp, struct range r,
				const char *name, struct expr *arg);

/**
 * points_match - whether the names of @point match @pattern: * ? [] match characters,
 * ** also for dots: a component with it for one component or more
 * @same_arg: decides what one's argument says of the other's, has_arg or not
 */
typedef bool points_arg(const struct pp_component *want, const struct pp_component *have);
bool points_match(const struct probe_point *pattern, const struct probe_point *point,
		  points_arg *same_arg);
/** points_is_pattern - whether any name in it is a pattern; points_is_any - that this one is;
 *  points_crosses - that this one has a **. */
bool points_is_pattern(const struct probe_point *pp);
bool points_is_any(const struct pp_component *part);
bool points_crosses(const struct pp_component *part);

#endif
