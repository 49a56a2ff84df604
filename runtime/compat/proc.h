/* SPDX-License-Identifier: GPL-2.0 */
/* pde_data() had the name PDE_DATA() until "proc: remove PDE_DATA() completely" (359745d78351).
 * Kbuild looks for it. */
#ifndef PRT_COMPAT_PROC_H
#define PRT_COMPAT_PROC_H

#include <linux/proc_fs.h>

#ifndef PRT_HAVE_PDE_DATA
#define pde_data(inode) PDE_DATA(inode)
#endif

#endif
