/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A direct call of ftrace at the beginning of kprobe_int3_handler(regs), which the kernel asks
 * first about each breakpoint, with interrupts off (attach/user_fast.c). If the hit has been
 * handled, this returns to the caller of that function in its place, a value other than 0;
 * otherwise it goes on into it, whose argument is still in rdi. As long as no place is known,
 * breakpoints of others and single-stepped ones of ours take only what is here.
 */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

#include "compat/ibt.h"

	.text
	.balign	16
SYM_CODE_START(prt_arch_breakpoint_call)
	UNWIND_HINT_FUNC
	ENDBR
	cmpb	$0, prt_user_any_known(%rip)
	je	1f
	pushq	%rdi
	call	prt_user_see_breakpoint
	popq	%rdi
	testl	%eax, %eax
	jz	1f
	addq	$8, %rsp
	UNWIND_HINT_FUNC
1:	RET
SYM_CODE_END(prt_arch_breakpoint_call)
