/* SPDX-License-Identifier: GPL-2.0 */
/* Vector registers, of the processor that the kernel runs on. */
#ifndef PRT_ARCH_SIMD_H
#define PRT_ARCH_SIMD_H

#if defined(__x86_64__)
#include "arch/x86_simd.h"
#elif defined(__aarch64__)
#include "arch/arm64_simd.h"
#endif

#endif
