/* SPDX-License-Identifier: GPL-2.0 */
/* Walks of the kernel's stack, on the processor that the kernel runs on. */
#ifndef PRT_ARCH_STACK_H
#define PRT_ARCH_STACK_H

#if defined(__x86_64__)
#include "arch/x86_stack.h"
#elif defined(__aarch64__)
#include "arch/arm64_stack.h"
#endif

#endif
