/* SPDX-License-Identifier: GPL-2.0 */
/* Names of registers, of the processor that the kernel runs on. */
#ifndef PRT_ARCH_NAMES_H
#define PRT_ARCH_NAMES_H

#if defined(__x86_64__)
#include "arch/x86_names.h"
#elif defined(__aarch64__)
#include "arch/arm64_names.h"
#endif

#endif
