/* SPDX-License-Identifier: GPL-2.0 */
/* Names and numbers that the kernel, its tools and files of programs use for the processor. */
#ifndef ARCH_NAMES_H
#define ARCH_NAMES_H

#include <elf.h>
#include <stdbool.h>

#define ARCH_MACHINE "x86_64"         /* as `uname -m` prints it */
#define ARCH_FOLDER "x86"             /* directory below arch/ of the kernel's tree: SRCARCH */
#define ARCH_SYSTEM_CALL "__x64_sys_" /* prefix of the functions of 64-bit system calls */
#define ARCH_SYSTEM_CALL_32 "__ia32_sys_" /* and of those of the 32-bit interface, if it exists */
#define ARCH_32BIT_OPTION "CONFIG_IA32_EMULATION" /* the kernel's option for that interface */

#define ARCH_ELF_MACHINE EM_X86_64    /* of the kernel, its modules and 64-bit programs */
#define ARCH_ELF_MACHINE_32 EM_386    /* of 32-bit programs */
#define ARCH_LIBRARIES "x86_64-linux-gnu" /* directory of libraries below lib/, on Debian */
#define ARCH_LDCONFIG "x86-64"        /* 64-bit libraries in the output of `ldconfig -p` */

#define ARCH_CODE_FILL 0xcc           /* byte between functions: an instruction that traps */

/** arch_is_system_call - whether @symbol is the entry point of a system call of 64 or 32 bits. */
bool arch_is_system_call(const char *symbol);

#endif
