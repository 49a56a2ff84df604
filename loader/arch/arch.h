/* SPDX-License-Identifier: GPL-2.0 */
/* The processor that the loader runs on: x86_64.h describes what is in these headers. */
#ifndef LOADER_ARCH_ARCH_H
#define LOADER_ARCH_ARCH_H

#if defined(__x86_64__)
#include "arch/x86_64.h"
#elif defined(__aarch64__)
#include "arch/arm64.h"
#endif

#endif
