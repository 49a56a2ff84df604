/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks as values; script.h includes it. A value of type stack is an s64, a handle of an entry in
 * the session's table of stacks (runtime/stacks.h). Equal stacks have equal handles, so that
 * emitted code keeps and compares them as longs. 0 is the empty stack. All functions: any context.
 *
 * If the table is full, prt_stack_take() returns a handle with PRT_STACK_HERE. It stands for the
 * last stack that its context took, and can be printed and compared within the hit. A handle that
 * outlives the hit must be passed through prt_stacks_kept(), which replaces it by the lost stack,
 * and counts that.
 */
#ifndef PRT_STACKS_H
#define PRT_STACKS_H

#define PRT_STACK_HERE  (1ll << 32)
#define PRT_STACK_STYLE_SHIFT 33
#define PRT_STACK_STYLE (7ll << PRT_STACK_STYLE_SHIFT) /* enum prt_stack_style: how it is shown */

/** prt_stack_take - take the kernel's stack at the hit, innermost frame first, of at most @most
 *  frames (< 0: PRT_STACK_FRAMES). @returning: in a return probe, the function that returns comes
 *  first. The empty stack if the hit has no registers. Spends steps for each frame. */
s64 prt_stack_take(struct prt_ctx *c, s64 most, bool returning, u32 srcloc);
/** prt_task_stack_take - take the kernel's stack of @task, another one, which is off its processor
 *  during the whole walk. PRT_E_BAD_VALUE with the reason: there is no such task, it is on a
 *  processor, or went on to run meanwhile. Spends steps. */
s64 prt_task_stack_take(struct prt_ctx *c, s64 task, u32 srcloc);
/** prt_user_stack_take - take the stack of the current process, of at most @most frames. It begins
 *  at the hit if that was in the program, else where the process entered the kernel. The empty
 *  stack in a kernel thread. Spends steps for each frame. */
s64 prt_user_stack_take(struct prt_ctx *c, s64 most, u32 srcloc);
/** prt_user_stack_scripts - take the frames of scripts alone that the current process has, at most
 *  @most. The empty stack if it runs none, or in a kernel thread. Spends steps for each frame. */
s64 prt_user_stack_scripts(struct prt_ctx *c, s64 most, u32 srcloc);
/** prt_user_stack_script_object - the same of the innermost frame alone, without the place in its
 *  function. */
s64 prt_user_stack_script_object(struct prt_ctx *c, u32 srcloc);
/** prt_user_stack_script_at - the same of frame number @n (from 0) alone. */
s64 prt_user_stack_script_at(struct prt_ctx *c, s64 n, u32 srcloc);
/** prt_user_stack_script_frame - a number that frame number @n (from 0) of scripts has as long as
 *  it is active, and no other frame of the thread; 0: there is no such frame. Spends steps. */
s64 prt_user_stack_script_frame(struct prt_ctx *c, s64 n, u32 srcloc);
/** prt_user_stack_joined - take the kernel's stack at the hit, followed by the stack of the
 *  process. @returning: as for prt_stack_take(). */
s64 prt_user_stack_joined(struct prt_ctx *c, bool returning, u32 srcloc);
/** prt_user_stack_at - address number @n (from 0) of the stack of the process; 0: it has fewer
 *  frames. Spends steps. */
s64 prt_user_stack_at(struct prt_ctx *c, s64 n, u32 srcloc);
/** prt_stacks_address - a stack of one frame, the kernel's address @addr.
 *  prt_user_stack_address - the same of an address of the current process. Spend steps. */
s64 prt_stacks_address(struct prt_ctx *c, s64 addr, u32 srcloc);
s64 prt_user_stack_address(struct prt_ctx *c, s64 addr, u32 srcloc);
/** prt_stacks_parse - parse a stack from text: hexadecimal addresses separated by blanks. */
s64 prt_stacks_parse(struct prt_ctx *c, struct prt_str s);
/** prt_stacks_text - format @stack into @buf of MAXSTRINGLEN bytes: as "0xADDRESS 0xADDRESS", or
 * with names, one line for each frame. If it does not fit, "..." replaces the rest, and the stack
 * is counted as cut. Spends steps for the names. */
struct prt_str prt_stacks_text(struct prt_ctx *c, char *buf, s64 stack, u32 srcloc);
/** prt_stacks_frame - address number @n (from 0) of @stack, as its text has them; 0: it has fewer
 *  frames. In a stack of a process, the address is that in the file; that of a script's frame is a
 *  number. */
s64 prt_stacks_frame(struct prt_ctx *c, s64 stack, s64 n);
/** prt_stacks_cmp - compare two stacks by their addresses: less than, equal to or greater than 0.
 *  @c may be NULL if neither handle has PRT_STACK_HERE. */
s64 prt_stacks_cmp(struct prt_ctx *c, s64 a, s64 b);
/** prt_stacks_lost - count @stack as lost, and return the handle of the lost stack. */
s64 prt_stacks_lost(s64 stack);

/** prt_stacks_as - the same stack, shown in that style. Source lines are the loader's: in text that
 *  the kernel makes, a stack has names at most. */
PRT_INLINE s64 prt_stacks_as(s64 stack, enum prt_stack_style style)
{
	return stack ? (stack & ~PRT_STACK_STYLE) | (s64)style << PRT_STACK_STYLE_SHIFT : 0;
}
/** prt_stacks_named - the same stack, shown with names. */
PRT_INLINE s64 prt_stacks_named(s64 stack) { return prt_stacks_as(stack, PRT_STACK_WITH_NAMES); }
PRT_INLINE s64 prt_stacks_kept(s64 stack)
{
	return unlikely(stack & PRT_STACK_HERE) ? prt_stacks_lost(stack) : stack;
}
PRT_INLINE bool prt_stacks_same(struct prt_ctx *c, s64 a, s64 b)
{
	return a == b || (unlikely((a | b) & PRT_STACK_HERE) && !prt_stacks_cmp(c, a, b));
}

/** prt_stacks_room - the number of bytes that @stack takes in a record. prt_put_stack - write it at
 *  @p; returns the byte after it. */
u32 prt_stacks_room(struct prt_ctx *c, s64 stack);
char *prt_put_stack(struct prt_ctx *c, char *p, s64 stack);

#endif
