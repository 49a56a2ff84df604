/* SPDX-License-Identifier: GPL-2.0 */
/* Names by which the kernel and its tools call the processor and what is specific to it. */
#ifndef ARCH_NAMES_H
#define ARCH_NAMES_H

#include <stdbool.h>

#define ARCH_MACHINE "x86_64"         /* as uname -m prints it */
#define ARCH_FOLDER "x86"             /* below arch/ of the kernel's tree: SRCARCH */
#define ARCH_SYSTEM_CALL "__x64_sys_" /* and a name: a 64-bit system call */

/** arch_is_system_call - whether the function @symbol is the entry point of a system call, of 64 or
 *  of 32 bits. */
bool arch_is_system_call(const char *symbol);

#endif
