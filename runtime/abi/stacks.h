/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks as values; script.h includes it. A value of type stack is an s64, a handle of an entry in
 * the session's table of stacks (runtime/stacks.h). Equal stacks have equal handles, so that
 * emitted code keeps and compares them as longs. 0 is the empty stack. All functions: any context.
 *
 * A handle that prt_stack_take() could not enter into a full table has PRT_STACK_HERE: it names the
 * stack that its context took last, and is good for printing and comparing within the hit.
 * Whatever outlives the hit is passed through prt_stacks_kept() first, which makes of such a handle
 * the lost stack, and counts it.
 */
#ifndef PRT_STACKS_H
#define PRT_STACKS_H

#define PRT_STACK_NAMED (1ll << 32) /* shown with names: PRT_STACK_WITH_NAMES */
#define PRT_STACK_HERE  (1ll << 33)

/** prt_stack_take - the kernel's stack at the hit, innermost frame first, at most @most frames
 *  (< 0: all that the table takes, PRT_STACK_FRAMES). @returning: in a return probe, first the
 *  function that returns. The empty stack where there are no registers. Spends steps by its
 *  depth. */
s64 prt_stack_take(struct prt_ctx *c, s64 most, bool returning, u32 srcloc);
/** prt_user_stack_take - the stack of the current process, at most @most frames: from the hit on if
 *  that was in its program, else from where it entered the kernel. The empty stack where there is
 *  no process. Spends steps by its depth. */
s64 prt_user_stack_take(struct prt_ctx *c, s64 most, u32 srcloc);
/** prt_user_stack_joined - the kernel's stack at the hit, and behind it that of the process, all
 *  frames. @returning: as for prt_stack_take(). */
s64 prt_user_stack_joined(struct prt_ctx *c, bool returning, u32 srcloc);
/** prt_user_stack_at - address number @n (0..) of the process's stack; 0: there are not so many.
 *  Spends steps. */
s64 prt_user_stack_at(struct prt_ctx *c, s64 n, u32 srcloc);
/** prt_stacks_parse - the stack whose text @s is: addresses in hexadecimal, separated by blanks. */
s64 prt_stacks_parse(struct prt_ctx *c, struct prt_str s);
/** prt_stacks_text - @stack as text into @buf of MAXSTRINGLEN bytes: "0xADDRESS 0xADDRESS", or a
 * line per frame with its name. If it does not fit, "..." replaces the rest, which is counted.
 * Spends steps by the names. */
struct prt_str prt_stacks_text(struct prt_ctx *c, char *buf, s64 stack, u32 srcloc);
/** prt_stacks_cmp - <0, 0, >0 in the order of their addresses. @c may be NULL where neither has
 *  PRT_STACK_HERE. */
s64 prt_stacks_cmp(struct prt_ctx *c, s64 a, s64 b);
/** prt_stacks_lost - the lost stack in place of @stack, counted. */
s64 prt_stacks_lost(s64 stack);

/** prt_stacks_named - the same stack, shown with names. */
PRT_INLINE s64 prt_stacks_named(s64 stack) { return stack ? stack | PRT_STACK_NAMED : 0; }
PRT_INLINE s64 prt_stacks_kept(s64 stack)
{
	return unlikely(stack & PRT_STACK_HERE) ? prt_stacks_lost(stack) : stack;
}
PRT_INLINE bool prt_stacks_same(struct prt_ctx *c, s64 a, s64 b)
{
	return a == b || (unlikely((a | b) & PRT_STACK_HERE) && !prt_stacks_cmp(c, a, b));
}

/** prt_stacks_room / prt_put_stack - bytes of @stack in a record, and @stack written there. */
u32 prt_stacks_room(struct prt_ctx *c, s64 stack);
char *prt_put_stack(struct prt_ctx *c, char *p, s64 stack);

#endif
