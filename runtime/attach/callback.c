/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that the kernel's tracepoints call: callback.h. */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "callback.h"
#include "memory.h"

struct callback_search {
	struct prt_callback *callbacks;
	u32 n;
};

static void find_callbacks(struct tracepoint *tp, void *data)
{
	const struct callback_search *s = data;
	u32 i;

	for (i = 0; i < s->n; i++)
		if (strcmp(tp->name, s->callbacks[i].name) == 0)
			s->callbacks[i].tp = tp;
}

int prt_callbacks_take(struct prt_callback *callbacks, u32 n)
{
	struct callback_search s = { callbacks, n };
	int err = 0;
	u32 i;

	for_each_kernel_tracepoint(find_callbacks, &s);
	for (i = 0; i < n; i++)
		if (!callbacks[i].tp)
			return -EOPNOTSUPP;
	for (i = 0; i < n && !err; i++) {
		err = prt_register(tracepoint_probe_register(callbacks[i].tp, callbacks[i].function,
							     callbacks[i].data));
		callbacks[i].is_called = !err;
	}
	return err;
}

void prt_callbacks_drop(struct prt_callback *callbacks, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (callbacks[i].is_called)
			tracepoint_probe_unregister(callbacks[i].tp, callbacks[i].function,
						    callbacks[i].data);
		callbacks[i].is_called = false;
	}
	tracepoint_synchronize_unregister();
}
