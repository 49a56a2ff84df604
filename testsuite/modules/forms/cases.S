/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions to be probed, one per case. case_NAME is called with all registers and flags set,
 * and at_NAME is the instruction. The code behind it may be moved together with it, so that a
 * kprobe there can be optimised to a jump.
 *
 * Each case says how the kernel's own kprobes handle the instruction:
 *   right     the result is correct
 *   refused   the kernel rejects the kprobe
 *   wrong     the result differs, which can be shown
 *   deadly    the machine does not survive, so it is not shown
 */
#include <linux/linkage.h>
#include <asm/asm.h>

#define RIGHT	0
#define REFUSED	1
#define WRONG	2
#define DEADLY	3

	.section forms, "a"
	.globl forms_table
forms_table:
	.text

.macro BEGIN name, how
	.pushsection .rodata
7771:	.asciz "\name"
	.popsection
	.pushsection forms, "a"
	.quad case_\name, at_\name, 7771b, \how
	.popsection
	.balign 16
	.type case_\name, @function
case_\name:
	.byte 0xf3, 0x0f, 0x1e, 0xfa
.endm

.macro AT name
	.globl at_\name
	.type at_\name, @function
at_\name:
.endm

.macro END
	lea 0(%rsi), %rsi
	lea 0(%rsi), %rsi
	lea 0(%rsi), %rsi
	ret
	int3
	int3
.endm

/* One instruction, without any preparation. */
.macro PLAIN name, how, insn
	BEGIN \name, \how
	AT \name
	\insn
	END
.endm

/* Returns to %r11 with %rax = return address - %r11. */
	.type forms_callee, @function
forms_callee:
	.byte 0xf3, 0x0f, 0x1e, 0xfa
	pop %rax
	sub %r11, %rax
	jmp *%r11
	int3
	.size forms_callee, . - forms_callee

/* A call that \insn makes; %r10 holds its target. */
.macro CALLING name, how, insn
	BEGIN \name, \how
	lea forms_callee(%rip), %r10
	lea 1f(%rip), %r11
	mov %r10, %rax
	mov %r10, (%rdi)
	mov %r10, forms_word(%rip)
	AT \name
	\insn
1:
	END
.endm

CALLING call, RIGHT, "call forms_callee"
CALLING call_cs, WRONG, ".byte 0x2e; call forms_callee"
CALLING call_ds, WRONG, ".byte 0x3e; call forms_callee"
CALLING call_addr32, WRONG, ".byte 0x67; call forms_callee"
CALLING call_bnd, WRONG, ".byte 0xf2; call forms_callee"
CALLING call_rex, WRONG, ".byte 0x48; call forms_callee"
CALLING call_reg, RIGHT, "call *%rax"
CALLING call_reg_high, RIGHT, "call *%r10"
CALLING call_reg_cs, RIGHT, ".byte 0x2e; call *%rax"
CALLING call_reg_notrack, RIGHT, ".byte 0x3e; call *%r10"
CALLING call_mem, REFUSED, "call *(%rdi)"
CALLING call_mem_rip, REFUSED, "call *forms_word(%rip)"

/* A conditional jump: %rax says whether it was taken. %r10 holds its target. */
.macro JUMP name, how, insn
	BEGIN \name, \how
	lea 1f(%rip), %r10
	mov %r10, (%rdi)
	mov $7, %eax
	AT \name
	\insn
	mov $1, %eax
	lea 0(%rsi), %rsi
1:
	END
.endm

JUMP jmp_short, RIGHT, "jmp 1f"
JUMP jmp, RIGHT, ".byte 0xe9; .long 1f - . - 4"
JUMP jmp_cs, RIGHT, ".byte 0x2e, 0xe9; .long 1f - . - 4"
JUMP jmp_bnd, RIGHT, ".byte 0xf2, 0xe9; .long 1f - . - 4"
JUMP jmp_reg, RIGHT, "jmp *%r10"
JUMP jmp_reg_notrack, RIGHT, ".byte 0x3e; jmp *%r10"
JUMP jmp_mem, REFUSED, "jmp *(%rdi)"
.irp cc, o, no, b, ae, e, ne, be, a, s, ns, p, np, l, ge, le, g
JUMP j\cc, RIGHT, "j\cc 1f"
.endr
.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, a, b, c, d, e, f
JUMP jcc_near_\n, RIGHT, ".byte 0x0f, 0x8\n; .long 1f - . - 4"
.endr
JUMP jcc_cs, RIGHT, ".byte 0x2e; je 1f"
JUMP jcc_near_ds, RIGHT, ".byte 0x3e, 0x0f, 0x84; .long 1f - . - 4"

/* A conditional jump that depends on a count in %rcx. */
.macro COUNT name, how, count, insn
	BEGIN \name, \how
	mov $\count, %rcx
	mov $7, %eax
	AT \name
	\insn
	mov $1, %eax
	lea 0(%rsi), %rsi
1:
	END
.endm

COUNT loop_0, WRONG, 0, "loop 1f"
COUNT loop_1, WRONG, 1, "loop 1f"
COUNT loop_2, WRONG, 2, "loop 1f"
COUNT loope_1, WRONG, 1, "loope 1f"
COUNT loopne_1, WRONG, 1, "loopne 1f"
COUNT jrcxz_0, RIGHT, 0, "jrcxz 1f"
COUNT jrcxz_1, RIGHT, 0x100000000, "jrcxz 1f"
COUNT jecxz_1, RIGHT, 0x100000000, "jecxz 1f"

/* A return: %rax is the distance of the stack pointer from where it should be. */
.macro RETURN name, how, insn
	BEGIN \name, \how
	mov %rsp, %rbp
	push $0
	push $0
	lea 1f(%rip), %rax
	push %rax
	AT \name
	\insn
	lea 0(%rsi), %rsi
	lea 0(%rsi), %rsi
	int3
1:
	mov %rsp, %rax
	sub %rbp, %rax
	mov %rbp, %rsp
	mov $0, %ebp
	END
.endm

RETURN ret, RIGHT, "ret"
RETURN ret_rep, RIGHT, ".byte 0xf3, 0xc3"
RETURN ret_imm, WRONG, "ret $16"
RETURN ret_imm_0, RIGHT, "ret $0"

.macro FAR_RETURN name, how, insn
	BEGIN \name, \how
	mov %rsp, %rbp
	mov %cs, %eax
	push %rax
	lea 1f(%rip), %rax
	push %rax
	AT \name
	\insn
	lea 0(%rsi), %rsi
	lea 0(%rsi), %rsi
	int3
1:
	mov %rsp, %rax
	sub %rbp, %rax
	mov %rbp, %rsp
	mov $0, %ebp
	END
.endm
FAR_RETURN lret, WRONG, "lretq"

BEGIN iret, REFUSED
	mov %rsp, %rbp
	mov %ss, %eax
	push %rax
	push %rbp
	pushf
	mov %cs, %eax
	push %rax
	lea 1f(%rip), %rax
	push %rax
AT iret
	iretq
1:
	mov $0, %ebp
	END

/* An instruction that uses flags and the stack: after \insn, %rax is the top of the stack and %rcx
 * its depth. */
.macro STACK name, how, insn
	BEGIN \name, \how
	mov %rsp, %rbp
	AT \name
	\insn
	lea 0(%rsi), %rsi
	mov (%rsp), %rax
	mov %rbp, %rcx
	sub %rsp, %rcx
	cmp %rsp, %rsp
	mov %rbp, %rsp
	mov $0, %ebp
	END
.endm

STACK pushf, RIGHT, "pushf"
STACK pushfw, WRONG, "pushfw; movzwl (%rsp), %eax; mov %rbp, %rsp; push %rax"
STACK push_reg, RIGHT, "push %rdx"
STACK push_reg_high, RIGHT, "push %r12"
STACK push_imm8, RIGHT, "push $-3"
STACK push_imm, RIGHT, "push $0x12345678"
STACK push_mem, RIGHT, "push (%rdi)"
STACK push_mem_rip, RIGHT, "push forms_word(%rip)"
STACK push_fs, RIGHT, "push %fs"

BEGIN push_rsp, RIGHT
AT push_rsp
	push %rsp
	pop %rax
	sub %rsp, %rax
	lea 0(%rsi), %rsi
	END
BEGIN push_by_rsp, RIGHT
	push %rdx
AT push_by_rsp
	push (%rsp)
	pop %rax
	pop %rcx
	lea 0(%rsi), %rsi
	END
BEGIN pop_reg, RIGHT
	push %rdx
AT pop_reg
	pop %rax
	END
BEGIN pop_mem, RIGHT
	push %rdx
AT pop_mem
	pop (%rdi)
	END
BEGIN pop_by_rsp, RIGHT
	push %rdx
	push %rcx
AT pop_by_rsp
	pop (%rsp)
	pop %rax
	END
BEGIN pop_rsp, RIGHT
	push %rsp
AT pop_rsp
	pop %rsp
	END
BEGIN leave, RIGHT
	push %rbp
	mov %rsp, %rbp
	push %rax
AT leave
	leave
	END
BEGIN enter, RIGHT
	mov %rsp, %rbp
AT enter
	enter $32, $0
	leave
	mov $0, %ebp
	END

/* \set is OR-ed into the flags. */
.macro FLAGS name, how, set, insn
	BEGIN \name, \how
	pushf
	orq $\set, (%rsp)
	AT \name
	\insn
	pushf
	pop %rax
	END
.endm
FLAGS popf, RIGHT, 0xc5, "popf"
FLAGS popf_ac, RIGHT, 0x40000, "popf"
BEGIN popf_cli, RIGHT
	pushf
	andq $~0x200, (%rsp)
AT popf_cli
	popf
	pushf
	pop %rax
	sti
	END
BEGIN popfw, WRONG
	mov %rsp, %rbp
	pushfw
AT popfw
	popfw
	mov %rsp, %rax
	sub %rbp, %rax
	mov %rbp, %rsp
	mov $0, %ebp
	END
BEGIN cli, RIGHT
AT cli
	cli
	pushf
	pop %rax
	sti
	END
BEGIN sti, RIGHT
	cli
AT sti
	sti
	pushf
	pop %rax
	lea 0(%rsi), %rsi
	END
BEGIN after_sti, RIGHT
	cli
	sti
AT after_sti
	nop
	pushf
	pop %rax
	lea 0(%rsi), %rsi
	END
BEGIN hlt, DEADLY
	sti
AT hlt
	hlt
	END
PLAIN lahf, RIGHT, "lahf"
PLAIN sahf, RIGHT, "sahf"
PLAIN cmc, RIGHT, "cmc"
BEGIN std, RIGHT
AT std
	std
	pushf
	pop %rax
	cld
	lea 0(%rsi), %rsi
	END

/* Memory in all addressing modes. */
PLAIN load, RIGHT, "mov (%rdi), %rax"
PLAIN load_sib, RIGHT, "mov 8(%rdi,%rbx,8), %rax"
PLAIN load_rip, RIGHT, "mov forms_word(%rip), %rax"
PLAIN store_rip, RIGHT, "mov %rdx, forms_word(%rip)"
PLAIN store_rip_imm, RIGHT, "movq $0x1234567, forms_word(%rip)"
PLAIN cmp_rip_imm8, RIGHT, "cmpl $5, forms_word(%rip)"
PLAIN cmp_rip_imm16, RIGHT, "cmpw $0x1234, forms_word(%rip)"
PLAIN lea_rip, RIGHT, "lea forms_word(%rip), %rax"
PLAIN load_addr32, RIGHT, "lea (%edx), %rax"
PLAIN store_imm16, RIGHT, "movw $0x1234, 3(%rdi)"
PLAIN mov_imm64, RIGHT, "movabs $0x123456789abcdef0, %rax"
PLAIN inc, RIGHT, "incl (%rdi)"
PLAIN dec_rip, RIGHT, "decq forms_word(%rip)"
PLAIN not, RIGHT, "notq (%rdi)"
PLAIN mul, RIGHT, "mul %rdx"
PLAIN shift, RIGHT, "shl $3, %rdx"
PLAIN shift_one, RIGHT, "rcr $1, %rdx"
PLAIN shift_count, RIGHT, "sar %cl, %rdx"
PLAIN shift_double, RIGHT, "shld $3, %rax, %rdx"
PLAIN add, RIGHT, "add %rdx, %rax"
PLAIN adc_rip, RIGHT, "adc %rax, forms_word(%rip)"
PLAIN cmov, RIGHT, "cmovb %rdx, %rax"
PLAIN setcc, RIGHT, "setg %al"
PLAIN xlat, RIGHT, "xlat"
PLAIN bts, RIGHT, "bts %rbx, (%rdi)"
PLAIN bsf, RIGHT, "bsf %rdx, %rax"
PLAIN popcnt, RIGHT, "popcnt %rdx, %rax"
PLAIN movzx, RIGHT, "movzwl (%rdi), %eax"
PLAIN bswap, RIGHT, "bswap %rdx"
PLAIN xchg, RIGHT, "xchg %rdx, (%rdi)"
PLAIN lock_xadd, RIGHT, "lock xadd %rdx, (%rdi)"
PLAIN lock_cmpxchg, RIGHT, "lock cmpxchg %rdx, (%rdi)"
PLAIN lock_cmpxchg_rip, RIGHT, "lock cmpxchg %rdx, forms_word(%rip)"
PLAIN cmpxchg16b, RIGHT, "lock cmpxchg16b (%rdi)"
BEGIN segment, RIGHT
	mov %gs:this_cpu_off, %rdx
AT segment
	mov %gs:this_cpu_off, %rax
	xor %rdx, %rax
	mov $0, %edx
	END
PLAIN segment_cs, RIGHT, ".byte 0x2e; mov (%rdi), %rax"

/* String instructions. The result is 8 bytes of the data, or their number. */
.macro STRING name, how, insn
	BEGIN \name, \how
	mov $8, %ecx
	lea 32(%rdi), %rsi
	AT \name
	\insn
	lea 0(%rbx), %rbx
	lea 0(%rbx), %rbx
	lea forms_word(%rip), %rsi
	ret
.endm
STRING movsb, RIGHT, "movsb"
STRING rep_movsb, RIGHT, "rep movsb"
STRING rep_movsq, RIGHT, "rep movsq"
STRING rep_stosb, RIGHT, "rep stosb"
STRING repe_cmpsb, RIGHT, "repe cmpsb"
STRING repne_scasb, RIGHT, "repne scasb"
STRING lodsw, RIGHT, "lodsw"

/* Instructions that query or synchronise the processor. */
PLAIN nop, RIGHT, "nop"
PLAIN nop_5, RIGHT, ".byte 0x0f, 0x1f, 0x44, 0, 0"
PLAIN nop_data16, RIGHT, ".byte 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0"
PLAIN pause, RIGHT, "pause"
PLAIN lfence, RIGHT, "lfence"
BEGIN cpuid, RIGHT
	xor %eax, %eax
	xor %ecx, %ecx
AT cpuid
	cpuid
	END
BEGIN rdtsc, RIGHT
AT rdtsc
	rdtsc
	xor %eax, %eax
	xor %edx, %edx
	lea 0(%rsi), %rsi
	END
BEGIN rdmsr, RIGHT
	mov $0xc0000080, %ecx
AT rdmsr
	rdmsr
	END
BEGIN wrmsr, RIGHT
	mov $0xc0000080, %ecx
	rdmsr
AT wrmsr
	wrmsr
	END
PLAIN load_cr0, RIGHT, "mov %cr0, %rax"
BEGIN store_cr3, RIGHT
	mov %cr3, %rdx
AT store_cr3
	mov %rdx, %cr3
	mov $0, %edx
	END
PLAIN str, RIGHT, "str %eax"
PLAIN smsw, RIGHT, "smsw %eax"
BEGIN load_ds, RIGHT
	mov %ds, %edx
AT load_ds
	mov %edx, %ds
	END
BEGIN load_ss, REFUSED
	mov %ss, %edx
AT load_ss
	mov %edx, %ss
	END
/* The second case restores the per-CPU base, without which no per-CPU data can be read. */
BEGIN load_gs, DEADLY
	pushf
	cli
	mov $0xc0000101, %ecx
	rdmsr
	mov %gs, %r8d
AT load_gs
	mov %r8d, %gs
	wrmsr
	popf
	xor %eax, %eax
	xor %edx, %edx
	END
BEGIN swapgs, DEADLY
	pushf
	cli
AT swapgs
	swapgs
	swapgs
	popf
	END
BEGIN int3, REFUSED
	jmp 1f
AT int3
	int3
1:
	END

/* Vector instructions, whose opcode without the prefix would be a jump, a return or an instruction
 * that masks interrupts. */
#define VECTOR(name, how, insn...)		\
	BEGIN name, how;			\
	vmovdqu (%rdi), %xmm0;			\
	vmovdqu 16(%rdi), %xmm1;		\
	xor %eax, %eax;				\
	AT name;				\
	insn;					\
	vmovdqu %xmm0, 32(%rdi);		\
	vmovdqu %xmm1, 48(%rdi);		\
	END
VECTOR(avx_load, RIGHT, vmovups (%rdi), %xmm1)
VECTOR(avx_xor, RIGHT, vpxor %xmm0, %xmm1, %xmm1)
VECTOR(avx_add, RIGHT, vpaddd %xmm0, %xmm1, %xmm1)
VECTOR(avx_70, WRONG, vpshufd $0x1b, %xmm0, %xmm1)
VECTOR(avx_72, WRONG, vpsrld $4, %xmm0, %xmm1)
VECTOR(avx_76, WRONG, vpcmpeqd %xmm0, %xmm0, %xmm1)
VECTOR(avx_77, WRONG, vzeroall)
VECTOR(avx_7e, WRONG, vmovd %xmm0, %eax)
VECTOR(avx_7f, WRONG, vmovdqu %xmm0, (%rdi))
VECTOR(avx_c2, WRONG, vcmpps $0, %xmm0, %xmm1, %xmm1)
VECTOR(avx_e2, WRONG, vpsrad %xmm0, %xmm1, %xmm1)
VECTOR(avx_e8, DEADLY, vpsubsb %xmm0, %xmm1, %xmm1)
VECTOR(avx_eb, WRONG, vpor %xmm0, %xmm1, %xmm1)
VECTOR(avx_fa, WRONG, vpsubd %xmm0, %xmm1, %xmm1; sti)
VECTOR(avx_fb, WRONG, vpsubq %xmm0, %xmm1, %xmm1)
VECTOR(sse_7f, RIGHT, movdqu %xmm0, (%rdi))
VECTOR(sse_c2, RIGHT, cmpps $0, %xmm0, %xmm1)
PLAIN bmi, RIGHT, "shlx %rdx, %rax, %rax"
PLAIN x87, RIGHT, "fninit"

/* Instructions that may fault, with an entry in the kernel's exception table. */
.macro FAULT name, how, address
	BEGIN \name, \how
	mov $\address, %rdx
	mov $7, %eax
	AT \name
	mov (%rdx), %rcx
	mov $1, %eax
	lea 0(%rsi), %rsi
1:
	END
	_ASM_EXTABLE(at_\name, 1b)
.endm
FAULT fault_page, RIGHT, 0xffffffffffe00000
FAULT fault_protection, DEADLY, 0x8000000000000000

/* forms_call(code, state) runs code with the registers of run.c's struct state. */
SYM_FUNC_START(forms_call)
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	push %rsi
	push %rdi
	mov %rsi, %rax
	push 15*8(%rax)
	popf
	mov 1*8(%rax), %rcx
	mov 2*8(%rax), %rdx
	mov 3*8(%rax), %rbx
	mov 4*8(%rax), %rbp
	mov 5*8(%rax), %rsi
	mov 6*8(%rax), %rdi
	mov 7*8(%rax), %r8
	mov 8*8(%rax), %r9
	mov 9*8(%rax), %r10
	mov 10*8(%rax), %r11
	mov 11*8(%rax), %r12
	mov 12*8(%rax), %r13
	mov 13*8(%rax), %r14
	mov 14*8(%rax), %r15
	mov 0*8(%rax), %rax
	call *(%rsp)
	pushf
	push %rax
	mov 24(%rsp), %rax
	mov %rcx, 1*8(%rax)
	mov %rdx, 2*8(%rax)
	mov %rbx, 3*8(%rax)
	mov %rbp, 4*8(%rax)
	mov %rsi, 5*8(%rax)
	mov %rdi, 6*8(%rax)
	mov %r8, 7*8(%rax)
	mov %r9, 8*8(%rax)
	mov %r10, 9*8(%rax)
	mov %r11, 10*8(%rax)
	mov %r12, 11*8(%rax)
	mov %r13, 12*8(%rax)
	mov %r14, 13*8(%rax)
	mov %r15, 14*8(%rax)
	pop %rcx
	mov %rcx, 0*8(%rax)
	pop 15*8(%rax)
	cld
	pop %rdi
	pop %rsi
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	RET
SYM_FUNC_END(forms_call)

	.section forms, "a"
	.globl forms_end
forms_end:

	.section .note.GNU-stack, "", @progbits
