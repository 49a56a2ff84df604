/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_ATOMIC_H
#define TWIN_LINUX_ATOMIC_H

#include <linux/types.h>

typedef struct { int v; } atomic_t;

#define atomic_read(a)       __atomic_load_n(&(a)->v, __ATOMIC_RELAXED)
#define atomic_inc(a)        __atomic_add_fetch(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_add(n, a)     __atomic_add_fetch(&(a)->v, n, __ATOMIC_SEQ_CST)
#define atomic_dec(a)        __atomic_sub_fetch(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_inc_return(a) __atomic_add_fetch(&(a)->v, 1, __ATOMIC_SEQ_CST)
#define atomic_xchg(a, new)  __atomic_exchange_n(&(a)->v, new, __ATOMIC_SEQ_CST)

/* TSan does not know fences. */
#define smp_mb()                __asm__ __volatile__("mfence" ::: "memory")
#define xchg(p, new)            __atomic_exchange_n(p, new, __ATOMIC_SEQ_CST)
#define smp_load_acquire(p)     __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
/* One that fails orders nothing. */
#define cmpxchg(p, old, new)                                                                   \
	({                                                                                     \
		__typeof__(*(p)) old_ = (old);                                                 \
		__atomic_compare_exchange_n(p, &old_, new, false, __ATOMIC_SEQ_CST,            \
					    __ATOMIC_RELAXED);                                 \
		old_;                                                                          \
	})

#endif
