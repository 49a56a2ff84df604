/* SPDX-License-Identifier: GPL-2.0 */
/* Growable arrays in an arena: VEC(struct expr *) args; vec_push(a, &args, e); args.v[i],
 * args.n. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#define VEC(T) struct { T *v; size_t n, cap; }

/** vec_grow_ - make room for another element of @elem bytes; used only by vec_push(). */
void vec_grow_(struct arena *a, void **v, size_t n, size_t *cap, size_t elem);

/** vec_push - append @x. The old storage remains valid and unused in the arena. */
#define vec_push(a, vec, x)                                                                    \
	do {                                                                                   \
		if ((vec)->n == (vec)->cap)                                                    \
			vec_grow_((a), (void **)&(vec)->v, (vec)->n, &(vec)->cap,              \
				  sizeof(*(vec)->v));                                          \
		(vec)->v[(vec)->n++] = (x);                                                    \
	} while (0)

/** vec_each - loop over pointers to the elements: vec_each(it, &args) use(*it); */
#define vec_each(it, vec)                                                                      \
	for (__typeof__((vec)->v + 0) it = (vec)->v; it && it < (vec)->v + (vec)->n; it++)

#endif
