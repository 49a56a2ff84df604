/* SPDX-License-Identifier: GPL-2.0 */
/* The goroutine of a hit, on the processor that the kernel runs on. */
#ifndef PRT_ARCH_GO_H
#define PRT_ARCH_GO_H

#if defined(__x86_64__)
#include "arch/x86_go.h"
#elif defined(__aarch64__)
#include "arch/arm64_go.h"
#endif

#endif
