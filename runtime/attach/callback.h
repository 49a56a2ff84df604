/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the runtime itself that tracepoints of the kernel call, beside those of the script's
 * probes (trace.c). */
#ifndef PRT_CALLBACK_H
#define PRT_CALLBACK_H

#include <linux/types.h>

struct tracepoint;

struct prt_callback {
	const char *name;        /* of the tracepoint */
	/* With @data before the tracepoint's own arguments. Its type is the caller's to check, by
	 * check_trace_callback_type_NAME(). */
	void *function;
	void *data;
	struct tracepoint *tp;   /* set by prt_callbacks_take() */
	bool is_called;
};

/* Has the tracepoints call the functions. Process context. Returns 0; -EOPNOTSUPP: the kernel lacks
 * one, and none is called; -errno: some may be called, until prt_callbacks_drop(). */
int prt_callbacks_take(struct prt_callback *callbacks, u32 n);
/* Ends that, and waits for calls that are under way. Process context. */
void prt_callbacks_drop(struct prt_callback *callbacks, u32 n);

#endif
