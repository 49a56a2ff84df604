/* SPDX-License-Identifier: GPL-2.0 */
/* Programs, on the processor that the kernel runs on. */
#ifndef PRT_ARCH_USER_H
#define PRT_ARCH_USER_H

#if defined(__x86_64__)
#include "arch/x86_user.h"
#elif defined(__aarch64__)
#include "arch/arm64_user.h"
#endif

#endif
