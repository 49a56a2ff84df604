/* SPDX-License-Identifier: GPL-2.0 */
/* The facts about the processor that emitted C needs: x86_script.h describes them. */
#ifndef PRT_ARCH_SCRIPT_H
#define PRT_ARCH_SCRIPT_H

#if defined(__x86_64__)
#include "x86_script.h"
#elif defined(__aarch64__)
#include "arm64_script.h"
#endif

#endif
