/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_COMPILER_H
#define TWIN_LINUX_COMPILER_H

#include <limits.h>
#include <stdint.h>

#define __weak          __attribute__((weak))
#define __aligned(n)    __attribute__((aligned(n)))
#define __read_mostly
#define __user
#define noinline        __attribute__((noinline))
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define likely(x)       __builtin_expect(!!(x), 1)
#define unlikely(x)     __builtin_expect(!!(x), 0)
#define BUILD_BUG_ON(x) _Static_assert(!(x), #x)
#define barrier()       __asm__ __volatile__("" ::: "memory")

/* READ_ONCE orders what is reached by the address that was read, and nothing else. Acquire is the
 * only way to say so here; a number orders nothing, so that TSan sees what a processor may do that
 * is less orderly than x86. */
#define READ_ONCE(x)     __atomic_load_n(&(x), __builtin_classify_type(x) == 5 ?               \
						       __ATOMIC_ACQUIRE : __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define READ_ONCE_NOCHECK(x) READ_ONCE(x)

#define U32_MAX UINT32_MAX
#define S64_MAX INT64_MAX
#define U64_MAX UINT64_MAX
#define S64_MIN INT64_MIN

#define current_stack_pointer ((unsigned long)__builtin_frame_address(0))

#define ALIGN(x, a)  (((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define IS_ERR(p)    ((unsigned long)(p) >= -4095ul)
#define PTR_ERR(p)   ((long)(p))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define check_mul_overflow(a, b, ret) __builtin_mul_overflow(a, b, ret)

#endif
