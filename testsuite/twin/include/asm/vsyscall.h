/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_ASM_VSYSCALL_H
#define TWIN_ASM_VSYSCALL_H

#define VSYSCALL_ADDR (-10ul << 20)

#endif
