/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calling convention of the script's kernel, by arch_choose() of names.h: where a parameter is
 * at the entry of a function, and the result at its return. It holds for functions as written; a
 * compiler's clone (name.isra.0) may differ.
 *
 * The kernel may run programs of 32 bits, which have another one. @of_32bit: those are meant; only
 * where arch_has_32bit().
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include "target/btf/btf.h"

enum { ARCH_ARGUMENTS_MOST = 8 }; /* argument registers of any processor */

enum arch_where {
	ARCH_NOWHERE,       /* not available, by the reason `why` */
	ARCH_REGISTERS,     /* argument registers first .. first + n - 1, 8 bytes each */
	/* stack slots first .. first + n - 1; slot 0 is above the return address, if that is on the
	 * stack */
	ARCH_STACK,
	ARCH_STACK_32,      /* the same, slots of 4 bytes of a 32-bit program */
	/* vector registers first .. first + n - 1, of each the low `bytes` bytes (4 or 8); in
	 * programs, because the kernel's code keeps nothing there at a probe */
	ARCH_SIMD,
	ARCH_RETURN_SIMD,   /* the same, of the result */
	ARCH_RETURN_VALUE,  /* the register of the result; with n = 2 it holds the first 8 bytes */
	/* 8 bytes of a 32-bit program: the low half in the register of the result, the other half
	 * in a second one */
	ARCH_RETURN_PAIR,
	ARCH_RETURN_MEMORY, /* that register holds the address of the result */
	/* the caller passes that address in register `first`, counted on from the argument
	 * registers, which the function may change */
	ARCH_ENTRY_MEMORY,
};

struct arch_passing {
	enum arch_where where;
	unsigned first, n, bytes;
	/* ARCH_REGISTERS, ARCH_STACK: the value is the address of the parameter, which the caller
	 * has in memory */
	bool is_address;
	/* ARCH_NOWHERE, and for the kernel the two of vector registers: the reason, as in "$x is
	 * not available: ..." */
	const char *why;
};

/** arch_has_32bit - whether programs of 32 bits can be probed on such a kernel. */
bool arch_has_32bit(void);

/** arch_param - where parameter @i of @f is at the entry. Both are by the size of pointers of
 *  @f->db. */
struct arch_passing arch_param(const struct btf_func *f, unsigned i);
/** arch_return - where the result of @f is at its return; ARCH_NOWHERE with @why NULL means that
 *  the function is void. */
struct arch_passing arch_return(const struct btf_func *f);

/** arch_register - the name in struct pt_regs of a register by its number in debug information, or
 *  NULL. */
const char *arch_register(uint64_t number, bool of_32bit);
/** arch_result_register - the name in struct pt_regs of the register with word @i (0 or 1) of a
 *  result in two registers. Source: psABI of x86-64, 3.2.3; Intel386 psABI, 2.2.2; Procedure Call
 *  Standard for the Arm 64-bit Architecture, 6.9. */
const char *arch_result_register(unsigned i, bool of_32bit);
/** arch_simd_register - the number of a vector register by its number in debug information, or
 *  -1. */
int arch_simd_register(uint64_t number, bool of_32bit);
/** arch_register_name - the name of a register as assembler and scripts write it, by its number in
 *  debug information, or NULL. */
const char *arch_register_name(uint64_t number, bool of_32bit);
/** arch_argument - the number of an argument register, from 0 on, or -1 if it is not one. */
int arch_argument(const char *name);
/** arch_may_pass - whether a caller may leave an argument in that register. */
bool arch_may_pass(const char *name, bool of_32bit);
/** arch_argument_name - the name in struct pt_regs of argument register @n, from 0 on, or NULL. */
const char *arch_argument_name(unsigned n);
/** arch_argument_registers - their number. */
unsigned arch_argument_registers(void);
/** arch_instruction_pointer - its name in struct pt_regs. */
const char *arch_instruction_pointer(void);
/** arch_stack_needs_all - whether stack slots can be found only with all registers, because the
 *  kernel's cheapest way to the entry of a function does not save the stack pointer. */
bool arch_stack_needs_all(void);
/** arch_syscall_register - the name in struct pt_regs of the register with argument @n (from 1)
 *  of a system call; 0: the number of the call, also at its return. NULL if there is no such
 *  argument. */
const char *arch_syscall_register(unsigned n);
/** arch_has_thread_memory - whether the thread-local memory of programs can be found. Source: psABI
 *  of x86-64, "Thread-Local Storage"; "ELF Handling For Thread-Local Storage"; ELF for the Arm
 *  64-bit Architecture, "Thread Local Storage". */
bool arch_has_thread_memory(bool of_32bit);
/** arch_thread_head - bytes between the address in the thread's base register and a program's
 *  thread-local memory above it, before that is aligned (variant I of these documents); 0: that
 *  memory ends where the register points (variant II). */
unsigned arch_thread_head(void);
/** arch_hwcaps - the @i-th of the directories below glibc-hwcaps that this processor can use, the
 *  best one first, or NULL. Source: psABI of x86-64, "Micro-Architecture Levels". */
const char *arch_hwcaps(unsigned i, bool of_32bit);
/** arch_is_import - whether a dynamic relocation of that type stores the address of a function in a
 *  word of the global offset table. Source: psABI of x86-64, "Relocation Types". */
bool arch_is_import(uint64_t relocation, bool of_32bit);
/** arch_relocation - the meaning of a dynamic relocation of that type. Source: as above, and
 *  "Dynamic relocations" of ELF for the Arm 64-bit Architecture. */
enum arch_relocation {
	ARCH_RELOCATION_OTHER,
	ARCH_RELOCATION_SYMBOL,   /* the address of a symbol, plus the addend */
	ARCH_RELOCATION_RELATIVE, /* the addend, moved as the file is */
	ARCH_RELOCATION_INDIRECT, /* what the function at the addend returns (IRELATIVE) */
};
enum arch_relocation arch_relocation(uint64_t type, bool of_32bit);
/** arch_plt_entry - bytes of an entry of the procedure linkage table; @stated, @alignment: the size
 *  in the header of the section, or 0, and the section's alignment. */
size_t arch_plt_entry(uint64_t stated, uint64_t alignment, bool of_32bit);
/** arch_plt_word - the word through which the entry at @address jumps. @got: the address of the
 *  global offset table (DT_PLTGOT); 0: the file has none. Returns false if it has no such jump. */
bool arch_plt_word(const unsigned char *code, size_t n, uint64_t address, uint64_t got,
		   bool of_32bit, uint64_t *ret);
/** The stack pointer's name in struct pt_regs, on all processors. */
#define ARCH_STACK_POINTER "sp"

#endif
