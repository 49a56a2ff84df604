/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The machine that the runtime runs on here. include/ stands for its kernel; a processor is a
 * thread that has called machine_be_cpu(); a mutex of that processor stands for interrupts off, so
 * that a call on each processor waits for hits as the kernel's does. The clock counts its readings.
 * All allocations are counted, and a chosen one can fail.
 */
#ifndef TWIN_MACHINE_H
#define TWIN_MACHINE_H

#include "abi/script.h"
#include "abi/records.h"

#include <linux/smp.h>

/* prt_script as the runtime sees it; tests fill it before they call machine_open(), unless they are
 * linked with a script's own. */
extern struct prt_script twin_script __asm__("prt_script");

/** machine_script - Makes an empty script with the compiler's limits. */
void machine_script(void);
/** machine_open - Does what the module's init and SETUP do; @ring_size 0: with rings of a page.
 * Returns 0, or -ENOMEM or -E2BIG with nothing left allocated. */
int machine_open(u32 ring_size);
void machine_close(void);

/** machine_unplug - Lets processor @nr be offline when the next session is opened, until
 * machine_bring_up() does on this thread what the kernel's hotplug does. It returns whether the
 * processor has come online. */
void machine_unplug(int nr);
bool machine_bring_up(int nr);
/** machine_hotplug_full - Lets others have all the room for callbacks of hotplug. */
extern bool machine_hotplug_full;

/** machine_run - Lets hits run their handlers from now on, as after arming. */
void machine_run(void);
/** machine_be_cpu - Makes this thread processor @nr, with a stack of its own. */
void machine_be_cpu(int nr);
/** machine_hit - Hits probe @nr on this processor. */
void machine_hit(u32 nr);
/** machine_in_breakpoint - Makes hits come from a breakpoint from now on. */
extern bool machine_in_breakpoint;
/** machine_sampling - Says whether the runtime has requested samples of the processors since this
 * was last false. */
extern bool machine_sampling;
/** machine_records - Lets sessions that are opened from now on be those of a flight recorder. */
extern bool machine_records;
/** machine_rings_grow - The size up to which rings of such sessions grow; 0: they do not. */
extern u32 machine_rings_grow;
/** machine_context - Prepares the context of a processor (TWIN_CPUS: the session thread) as for a
 * hit of probe 0 with @steps, for calls of the runtime without a handler. */
struct prt_ctx *machine_context(int nr, s64 steps);

/** machine_work - Runs the kernel's work item if it is pending; returns whether it was. */
bool machine_work(void);

/** machine_readable - Sets the memory that a probe can read; every other address is invalid. */
void machine_readable(const void *from, size_t len);
/** machine_fetch - Reads that memory instead, unless NULL. */
extern bool (*machine_fetch)(void *to, u64 from, size_t n);
/** machine_fail - Lets the @nth allocation from now on fail (1: the next; 0: none). */
void machine_fail(unsigned nth);
/** machine_allocated - Returns the number of allocations and pages that were not freed. */
unsigned machine_allocated(void);

/* Callbacks of prt_attach_arm and prt_attach_disarm; NULL: none. */
extern void (*machine_armed)(void);
extern void (*machine_disarmed)(void);
/* Called where the session's thread runs the timers that are due: returns the nanoseconds until the
 * next one, or -1. NULL: there are none. */
extern s64 (*machine_timers)(void);

#endif
