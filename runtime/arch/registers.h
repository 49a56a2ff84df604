/* SPDX-License-Identifier: GPL-2.0 */
/* Registers that a script names, of the processor that the kernel runs on. */
#ifndef PRT_ARCH_REGISTERS_H
#define PRT_ARCH_REGISTERS_H

#if defined(__x86_64__)
#include "arch/x86_registers.h"
#elif defined(__aarch64__)
#include "arch/arm64_registers.h"
#endif

#endif
