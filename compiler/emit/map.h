/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays: their elements, slices and iterators. map.c. */
#ifndef EMIT_MAP_H
#define EMIT_MAP_H

#include "emit/unit.h"
#include "emit/value.h"

/** emit_map_keys - the operands of the keys, an array in the arena; @last as for
 *  emit_expr_list(). */
struct emit_val *emit_map_keys(struct emit *e, struct expr **keys, size_t n, struct expr *last);
/** emit_map_target - the same for the element @x that is about to be made, if necessary: for
 *  emit_map_get() alone. */
struct emit_val *emit_map_target(struct emit *e, struct expr *x, struct expr *last);
/** emit_map_find / emit_map_get - the name of a temporary that points to the element. With
 *  emit_map_find() it may be NULL; emit_map_get() makes the element, or fails. */
const char *emit_map_find(struct emit *e, const struct symbol *sym, struct emit_val *keys);
const char *emit_map_get(struct emit *e, const struct symbol *sym, struct emit_val *keys,
			 struct range r);
/** emit_map_share - begin the evaluation of expressions @v in which emit_map_find() looks up each
 *  element once. Returns false, with no effect, if something in them may change an array, or if
 *  they are part of such expressions already. emit_map_share_end - end it; @begun: the result. */
bool emit_map_share(struct emit *e, struct expr **v, size_t n);
void emit_map_share_end(struct emit *e, bool begun);
/** emit_map_add - a[k] <<< v, by a function that all uses of the array share. */
void emit_map_add(struct emit *e, const struct symbol *sym, struct emit_val *keys,
		  struct emit_val v, struct range r);
/** emit_map_read - a[k]; emit_map_in - [k] in a; emit_map_delete - delete a[k] or a, also for
 *  slices. */
struct emit_val emit_map_read(struct emit *e, struct expr *x);
struct emit_val emit_map_in(struct emit *e, struct expr *x);
void emit_map_delete(struct emit *e, struct expr *x);
/** emit_map_slice_keys - the keys of a[*, k] (NULL: "*"), held while the slice is searched. */
struct emit_val *emit_map_slice_keys(struct emit *e, struct expr **keys, size_t n);
/** emit_map_mismatch - a C condition: the element of the iterator is not in the slice. NULL if all
 *  elements are. */
const char *emit_map_mismatch(struct emit *e, const struct symbol *sym, const char *it,
			      struct expr **keys, const struct emit_val *v);
/** emit_map_iter_start / emit_map_iter_end - open and close an iterator; @sort: "key, dir, agg". */
const char *emit_map_iter_start(struct emit *e, const struct symbol *sym, const char *sort,
				const char *limit, struct range r);
void emit_map_iter_end(struct emit *e, const char *it);

#endif
