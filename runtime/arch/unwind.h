/* SPDX-License-Identifier: GPL-2.0 */
/* Registers in unwind tables, of the processor that they are for: x86_unwind.h describes them. */
#ifndef PRT_ARCH_UNWIND_H
#define PRT_ARCH_UNWIND_H

#if defined(__x86_64__)
#include "x86_unwind.h"
#elif defined(__aarch64__)
#include "arm64_unwind.h"
#endif

#endif
