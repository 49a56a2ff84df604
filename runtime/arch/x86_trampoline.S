/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On entry, ftrace's call has left the address in the function on the stack, above the return
 * address of the function's caller. The trampoline takes it off first: from then on, an unwinder
 * sees an ordinary function that the caller has called. The trampoline then enters the function
 * itself by a return, which satisfies both indirect branch tracking and retpolines.
 *
 * r10 is the trampoline (struct prt_trampoline of direct.c). Its user is looked up and called with
 * interrupts off, so replacing the user by `nobody` takes effect once every processor has had its
 * interrupts on. A call is counted in before the function runs, and counted out when it needs
 * nothing more of the user.
 */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

#include "compat/ibt.h"

#include "../direct/direct.h"

#define TRAMPOLINE_SIZE	32
#define TRAMPOLINE_USER	0
#define TRAMPOLINE_CALLS	8
#define CALLS_IN	0
#define CALLS_OUT	8

/* struct stack_frame */
#define CALL_FRAME_SIZE	256
#define FRAME_ARG1	112
#define FRAME_ARG2	104
#define FRAME_ARG3	96
#define FRAME_ARG4	88
#define FRAME_ARG5	72
#define FRAME_ARG6	64
#define FRAME_VALUE	80
#define FRAME_IP	128
#define FRAME_SP	152
#define FRAME_TRAMPOLINE	168
#define FRAME_SECOND	176
#define FRAME_WANTED	184
#define FRAME_DATA	192

	.text

/* Jumps to r11; returns after the call of this. */
SYM_CODE_START_LOCAL(go_on)
	UNWIND_HINT_FUNC
	pushq	%r11
	UNWIND_HINT_FUNC
	RET
SYM_CODE_END(go_on)

.macro COUNT trampoline:req counter:req
	movq	TRAMPOLINE_CALLS(\trampoline), %rax
	incq	%gs:\counter(%rax)
.endm

/* Calls the user's function, with interrupts off; popfq puts them back. */
.macro CALL_USER trampoline:req function:req
	pushfq
	cli
	movq	TRAMPOLINE_USER(\trampoline), %rdi
	movq	\function(%rdi), %rax
	CALL_NOSPEC rax
.endm

/* Nothing is done at the entry. */
SYM_CODE_START_LOCAL(call_bare)
	UNWIND_HINT_FUNC
	popq	%r11
	UNWIND_HINT_FUNC
	pushq	%rbp
	movq	%rsp, %rbp
	pushq	%r10
	COUNT	%r10 CALLS_IN
	call	go_on
	pushq	%rax
	pushq	%rdx
	movq	%rax, %rcx
	movq	-8(%rbp), %rdx
	CALL_USER %rdx PRT_DIRECT_USER_LEAVE
	movq	-8(%rbp), %rdx
	COUNT	%rdx CALLS_OUT
	popfq
	popq	%rdx
	popq	%rax
	leave
	RET
SYM_CODE_END(call_bare)

SYM_CODE_START_LOCAL(call_function)
	UNWIND_HINT_FUNC
	popq	%r11
	UNWIND_HINT_FUNC
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$CALL_FRAME_SIZE, %rsp
	movq	%rdi, FRAME_ARG1(%rsp)
	movq	%rsi, FRAME_ARG2(%rsp)
	movq	%rdx, FRAME_ARG3(%rsp)
	movq	%rcx, FRAME_ARG4(%rsp)
	movq	%r8, FRAME_ARG5(%rsp)
	movq	%r9, FRAME_ARG6(%rsp)
	leaq	8(%rbp), %rax
	movq	%rax, FRAME_SP(%rsp)
	movq	%r11, FRAME_IP(%rsp)
	movq	%r10, FRAME_TRAMPOLINE(%rsp)
	COUNT	%r10 CALLS_IN
	movq	%rsp, %rsi
	leaq	FRAME_DATA(%rsp), %rdx
	CALL_USER %r10 PRT_DIRECT_USER_ENTER
	popfq
	movb	%al, FRAME_WANTED(%rsp)
	movq	FRAME_ARG1(%rsp), %rdi
	movq	FRAME_ARG2(%rsp), %rsi
	movq	FRAME_ARG3(%rsp), %rdx
	movq	FRAME_ARG4(%rsp), %rcx
	movq	FRAME_ARG5(%rsp), %r8
	movq	FRAME_ARG6(%rsp), %r9
	movq	FRAME_IP(%rsp), %r11
	call	go_on
	movq	%rax, FRAME_VALUE(%rsp)
	movq	%rdx, FRAME_SECOND(%rsp)
	cmpb	$0, FRAME_WANTED(%rsp)
	je	1f
	movq	%rax, %rcx
	movq	FRAME_TRAMPOLINE(%rsp), %rax
	movq	%rsp, %rsi
	leaq	FRAME_DATA(%rsp), %rdx
	CALL_USER %rax PRT_DIRECT_USER_LEAVE
	popfq
1:	movq	FRAME_TRAMPOLINE(%rsp), %rdx
	COUNT	%rdx CALLS_OUT
	movq	FRAME_VALUE(%rsp), %rax
	movq	FRAME_SECOND(%rsp), %rdx
	leave
	RET
SYM_CODE_END(call_function)

/* 16 bytes each. */
.macro STUBS to:req
	.set	nr, 0
	.rept	PRT_TRAMPOLINES
	.balign	16
	UNWIND_HINT_FUNC
	ENDBR
	leaq	prt_trampolines + TRAMPOLINE_SIZE * nr(%rip), %r10
	jmp	\to
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
