/* SPDX-License-Identifier: GPL-2.0 */
/* The programs of script tables (script_step.h) in the current process's memory. */
#ifndef PRT_SCRIPT_READ_H
#define PRT_SCRIPT_READ_H

#include "abi/script.h"
#include "script_step.h"

/* prt_script_next() in the memory of the current process, which is not waited for. Any context. */
enum prt_script_event prt_script_event(struct prt_script_run *run, unsigned *end);

#endif
