/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions that kprobes handle wrongly, for the processor that the kernel runs on. */
#ifndef PRT_ARCH_FORM_H
#define PRT_ARCH_FORM_H

#if defined(__x86_64__)
#include "arch/x86_form.h"
#elif defined(__aarch64__)
#include "arch/arm64_form.h"
#endif

#endif
