/* SPDX-License-Identifier: GPL-2.0 */
/* Programs in Go, on the processor that the loader runs on. */
#ifndef LOADER_ARCH_GO_H
#define LOADER_ARCH_GO_H

#if defined(__x86_64__)
#include "arch/x86_64_go.h"
#elif defined(__aarch64__)
#include "arch/arm64_go.h"
#endif

#endif
