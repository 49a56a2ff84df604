/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The runtime as one translation unit. Most of what a file of the kernel costs the compiler is
 * the kernel's headers, so one unit is built in a sixth of the time of twenty, and the way of a
 * hit through several rooms is open to inlining. Each room still includes all it needs and
 * exports only what its header says.
 */
#include "session.c"
#include "context.c"
#include "budget.c"
#include "global.c"
#include "arena.c"
#include "map.c"
#include "iter.c"
#include "lock.c"
#include "aggregate.c"
#include "quantile.c"
#include "ring.c"
#include "output.c"
#include "read.c"
#include "show.c"
#include "text.c"
#include "task.c"
#include "inspect.c"
#include "stack.c"
#include "clock.c"
#include "memory.c"
#include "demand.c"
#include "format.c"
#include "regex.c"
#include "match.c"
#include "attach/attach.c"
#include "attach/set.c"
#include "attach/module.c"
#include "attach/ftrace.c"
#include "attach/kprobe.c"
#include "attach/kretprobe.c"
#include "attach/timer.c"
#include "control.c"
