/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On the way in ftrace's call has left the address in the function on the stack, above that of the
 * function's caller. It is taken off first: from there on this looks like any function that the
 * caller called, to who looks at the stack. The function itself is then gone to by a return, which
 * neither indirect branch tracking nor retpolines mind.
 *
 * The room below rbp is struct frame of direct.c.
 */
#include <linux/linkage.h>
#include <asm/ibt.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

#include "direct.h"

	.text

/* To where r11 says; comes back behind the call of this. */
SYM_CODE_START_LOCAL(go_on)
	UNWIND_HINT_FUNC
	pushq	%r11
	UNWIND_HINT_FUNC
	RET
SYM_CODE_END(go_on)

SYM_CODE_START_LOCAL(call_function)
	UNWIND_HINT_FUNC
	popq	%r11
	UNWIND_HINT_FUNC
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$256, %rsp
	movq	%rdi, 112(%rsp)
	movq	%rsi, 104(%rsp)
	movq	%rdx, 96(%rsp)
	movq	%rcx, 88(%rsp)
	movq	%r8, 72(%rsp)
	movq	%r9, 64(%rsp)
	leaq	8(%rbp), %rax
	movq	%rax, 152(%rsp)
	movq	%r11, 128(%rsp)
	movl	%r10d, %edi
	movq	%rsp, %rsi
	call	prt_direct_enter
	movq	112(%rsp), %rdi
	movq	104(%rsp), %rsi
	movq	96(%rsp), %rdx
	movq	88(%rsp), %rcx
	movq	72(%rsp), %r8
	movq	64(%rsp), %r9
	movq	128(%rsp), %r11
	call	go_on
	movq	%rax, 80(%rsp)
	movq	%rdx, 176(%rsp)
	movq	%rsp, %rdi
	call	prt_direct_leave
	movq	80(%rsp), %rax
	movq	176(%rsp), %rdx
	leave
	RET
SYM_CODE_END(call_function)

/* 16 bytes each. */
	.balign	16
SYM_CODE_START(prt_direct_stubs)
	.set	nr, 0
	.rept	PRT_DIRECT_SLOTS
	.balign	16
	UNWIND_HINT_FUNC
	ENDBR
	movl	$nr, %r10d
	jmp	call_function
	.set	nr, nr + 1
	.endr
SYM_CODE_END(prt_direct_stubs)
