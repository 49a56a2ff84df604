/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that the runtime needs: x86.h describes them. */
#ifndef PRT_ARCH_ARCH_H
#define PRT_ARCH_ARCH_H

#if defined(__x86_64__)
#include "arch/x86.h"
#elif defined(__aarch64__)
#include "arch/arm64.h"
#endif

#endif
