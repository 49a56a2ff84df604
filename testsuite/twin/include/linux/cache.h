/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_CACHE_H
#define TWIN_LINUX_CACHE_H

#define ____cacheline_aligned __attribute__((aligned(64)))
#define L1_CACHE_BYTES        64
#define L1_CACHE_ALIGN(size)  ALIGN(size, 64)

#endif
