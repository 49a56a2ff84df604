/* SPDX-License-Identifier: GPL-2.0 */
/* Names that the kernel and its tools use for the processor and for its own functions. */
#ifndef ARCH_NAMES_H
#define ARCH_NAMES_H

#include <stdbool.h>

#define ARCH_MACHINE "x86_64"         /* as `uname -m` prints it */
#define ARCH_FOLDER "x86"             /* directory below arch/ of the kernel's tree: SRCARCH */
#define ARCH_SYSTEM_CALL "__x64_sys_" /* prefix of the functions of 64-bit system calls */

#define ARCH_CODE_FILL 0xcc           /* byte between functions: an instruction that traps */

/** arch_is_system_call - whether @symbol is the entry point of a system call of 64 or 32 bits. */
bool arch_is_system_call(const char *symbol);

#endif
