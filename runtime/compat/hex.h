/* SPDX-License-Identifier: GPL-2.0 */
/* hex2bin() is declared in linux/hex.h where that exists, otherwise in linux/kernel.h. Kbuild looks
 * for it. */
#ifndef PRT_COMPAT_HEX_H
#define PRT_COMPAT_HEX_H

#ifdef PRT_HAVE_HEX
#include <linux/hex.h>
#else
#include <linux/kernel.h>
#endif

#endif
