/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine that the runtime runs on here. Its kernel is include/; a processor is a thread that
 * has called machine_be_cpu(); interrupts off is a mutex of that processor, so that a call on each
 * of them waits for hits as the kernel's does. The clock counts its readings. Everything that is
 * allocated is counted, and a chosen allocation can fail.
 */
#ifndef TWIN_MACHINE_H
#define TWIN_MACHINE_H

#include "abi/script.h"
#include "abi/records.h"

#include <linux/smp.h>

/* prt_script as the runtime sees it; tests fill it before machine_open(). */
extern struct prt_script twin_script __asm__("prt_script");

/** machine_script - an empty script with the compiler's limits. */
void machine_script(void);
/** machine_open - what the module's init and SETUP do, without rings where @ring_size is 0. 0, or
 * -ENOMEM, -E2BIG: nothing is left. */
int machine_open(u32 ring_size);
void machine_close(void);

/** machine_run - hits run their handlers from now on, as once everything is armed. */
void machine_run(void);
/** machine_be_cpu - this thread is processor @nr from now on, with a stack of its own. */
void machine_be_cpu(int nr);
/** machine_hit - probe @nr is hit on this processor. */
void machine_hit(u32 nr);
/** machine_in_breakpoint - hits are by a breakpoint, from now on. */
extern bool machine_in_breakpoint;
/** machine_sampling - the runtime wants samples of the processors, since this was last false. */
extern bool machine_sampling;
/** machine_context - the context of a processor (TWIN_CPUS: the session's thread) made ready as
 * for a hit of probe 0 with @steps, for calls of the runtime without a handler. */
struct prt_ctx *machine_context(int nr, s64 steps);

/** machine_readable - the memory that a probe can read; everything else is a bad address. */
void machine_readable(const void *from, size_t len);
/** machine_fail - the @nth allocation from now on (1: the next) fails; 0: none. */
void machine_fail(unsigned nth);
/** machine_allocated - allocations and pages that were not given back. */
unsigned machine_allocated(void);

/* What prt_attach_arm and prt_attach_disarm call; NULL: nothing. */
extern void (*machine_armed)(void);
extern void (*machine_disarmed)(void);

#endif
