/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trampolines that x86_trampoline.S explains, for arm64. On entry, x9 is the return address of
 * the function's caller and x30 the address in the function, both not signed. The trampoline pushes
 * a frame record of its caller, so that an unwinder sees an ordinary function that the caller has
 * called, and enters the function by a return, whose target needs no mark (BTI).
 *
 * x10 is the trampoline. Calls are counted by whatever processor the addition happens on; only the
 * sums matter. A call that is seen to be out is seen to be in.
 */
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>

#include "../direct/direct.h"

#define TRAMPOLINE_SIZE	32
#define TRAMPOLINE_USER	0
#define TRAMPOLINE_CALLS	8
#define CALLS_IN	0
#define CALLS_OUT	8

/* struct stack_frame */
#define CALL_FRAME_SIZE	(PT_REGS_SIZE + 96)
#define FRAME_X(n)	(S_X0 + 8 * (n))
#define FRAME_TRAMPOLINE	PT_REGS_SIZE
#define FRAME_SECOND	(PT_REGS_SIZE + 8)
#define FRAME_WANTED	(PT_REGS_SIZE + 16)
#define FRAME_DATA	(PT_REGS_SIZE + 24)
#define FRAME_FLAGS	(PT_REGS_SIZE + 88) /* behind it */

	.text

/* Adds one to a counter of the trampoline in x10. Changes x12 to x15. */
.macro COUNT counter:req, store:req
	ldr	x12, [x10, #TRAMPOLINE_CALLS]
	get_this_cpu_offset x13
	add	x12, x12, x13
	.if	\counter
	add	x12, x12, #\counter
	.endif
9998:	ldxr	x14, [x12]
	add	x14, x14, #1
	\store	w15, x14, [x12]
	cbnz	w15, 9998b
.endm

/* Calls the user's function, with interrupts off. The flags are in the frame at @flags. */
.macro CALL_USER function:req, flags:req
	mrs	x12, daif
	str	x12, [sp, #\flags]
	msr	daifset, #3
	ldr	x0, [x10, #TRAMPOLINE_USER]
	ldr	x12, [x0, #\function]
	blr	x12
.endm

.macro RESTORE flags:req
	ldr	x12, [sp, #\flags]
	msr	daif, x12
.endm

/* Nothing is done at the entry. */
SYM_CODE_START_LOCAL(call_bare)
	mov	x11, x30
	mov	x30, x9
	stp	x29, x30, [sp, #-48]!
	mov	x29, sp
	str	x10, [sp, #16]
	COUNT	CALLS_IN, stxr
	adr	x30, 1f
	ret	x11
1:	ldr	x10, [sp, #16]
	stp	x0, x1, [sp, #32]
	mov	x3, x0
	CALL_USER PRT_DIRECT_USER_LEAVE, 24
	ldr	x10, [sp, #16]
	COUNT	CALLS_OUT, stlxr
	RESTORE	24
	ldp	x0, x1, [sp, #32]
	ldp	x29, x30, [sp], #48
	ret
SYM_CODE_END(call_bare)

SYM_CODE_START_LOCAL(call_function)
	mov	x11, x30
	mov	x30, x9
	stp	x29, x30, [sp, #-16]!
	mov	x12, x29
	mov	x29, sp
	sub	sp, sp, #CALL_FRAME_SIZE
	stp	x0, x1, [sp, #FRAME_X(0)]
	stp	x2, x3, [sp, #FRAME_X(2)]
	stp	x4, x5, [sp, #FRAME_X(4)]
	stp	x6, x7, [sp, #FRAME_X(6)]
	str	x8, [sp, #FRAME_X(8)]
	stp	x12, x30, [sp, #FRAME_X(29)]
	add	x12, x29, #16
	stp	x12, x11, [sp, #S_SP]
	mov	x12, #PSR_MODE_EL1h
	str	x12, [sp, #S_PSTATE]
	str	x10, [sp, #FRAME_TRAMPOLINE]
	COUNT	CALLS_IN, stxr
	mov	x1, sp
	add	x2, sp, #FRAME_DATA
	CALL_USER PRT_DIRECT_USER_ENTER, FRAME_FLAGS
	RESTORE	FRAME_FLAGS
	and	x0, x0, #0xff
	str	x0, [sp, #FRAME_WANTED]
	ldp	x0, x1, [sp, #FRAME_X(0)]
	ldp	x2, x3, [sp, #FRAME_X(2)]
	ldp	x4, x5, [sp, #FRAME_X(4)]
	ldp	x6, x7, [sp, #FRAME_X(6)]
	ldr	x8, [sp, #FRAME_X(8)]
	ldr	x11, [sp, #S_PC]
	adr	x30, 1f
	ret	x11
1:	ldr	x10, [sp, #FRAME_TRAMPOLINE]
	ldr	x12, [sp, #FRAME_WANTED]
	str	x0, [sp, #FRAME_X(0)]
	str	x1, [sp, #FRAME_SECOND]
	cbz	x12, 2f
	mov	x3, x0
	mov	x1, sp
	add	x2, sp, #FRAME_DATA
	CALL_USER PRT_DIRECT_USER_LEAVE, FRAME_FLAGS
	RESTORE	FRAME_FLAGS
	ldr	x10, [sp, #FRAME_TRAMPOLINE]
2:	COUNT	CALLS_OUT, stlxr
	ldr	x0, [sp, #FRAME_X(0)]
	ldr	x1, [sp, #FRAME_SECOND]
	mov	sp, x29
	ldp	x29, x30, [sp], #16
	ret
SYM_CODE_END(call_function)

/* 16 bytes each. */
.macro STUBS to:req
	.set	nr, 0
	.rept	PRT_TRAMPOLINES
	bti	c
	adrp	x10, prt_trampolines + TRAMPOLINE_SIZE * nr
	add	x10, x10, #:lo12:prt_trampolines + TRAMPOLINE_SIZE * nr
	b	\to
	.set	nr, nr + 1
	.endr
.endm

	.balign	16
SYM_CODE_START(prt_direct_stubs)
	STUBS	call_function
SYM_CODE_END(prt_direct_stubs)

	.balign	16
SYM_CODE_START(prt_direct_bare_stubs)
	STUBS	call_bare
SYM_CODE_END(prt_direct_bare_stubs)
