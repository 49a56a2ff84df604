/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instruction that indirect branch tracking wants where a function is called by a pointer, from
 * "x86/ibt: Base IBT bits" (156ff4a544ae) on. Kbuild looks for it. For assembly as well.
 */
#ifndef PRT_COMPAT_IBT_H
#define PRT_COMPAT_IBT_H

#ifdef PRT_HAVE_ENDBR
#include <asm/ibt.h>
#else
#define ENDBR
#endif

#endif
