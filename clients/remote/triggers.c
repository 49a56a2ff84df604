/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host whose flight recorder takes a snapshot by itself says so at once (REMOTE_TRIGGER), and the
 * others are asked for theirs, which are as much later as the two messages take. A cause that is
 * seen by several hosts makes each of them take one; those that follow within a short time are not
 * passed on. What the user asks for (SIGUSR2) is passed on in any case.
 */
#include <stdio.h>
#include <string.h>

#include "remote/merge.h"
#include "remote/private.h"

static void tell_clock(struct screen *to, const struct host *h)
{
	double ahead = (double)h->ahead / 1e9, within = (double)h->within / 1e9;
	char text[128];

	if (to->format == FORMAT_JSON && !to->merge) {
		buf_printf(&to->out.text,
			   "{\"host\":\"%s\",\"type\":\"clock\",\"ahead\":%.9f,"
			   "\"within\":%.9f}\n", h->name, ahead, within);
		return;
	}
	snprintf(text, sizeof(text), "its clock is %.6f s %s that of this machine, give or take "
		 "%.6f s", ahead < 0 ? -ahead : ahead, ahead < 0 ? "behind" : "ahead of", within);
	output_message(to, h->name, text, strlen(text));
}

void triggers_serve(struct triggers *t, struct host *hosts, size_t n, struct screen *to,
		    int64_t now, int64_t every_ms)
{
	bool due = t->wanted || !t->at || now - t->at >= every_ms, any = t->wanted;

	t->wanted = t->any = false;
	for (size_t i = 0; i < n; i++)
		any |= hosts[i].triggered;
	for (size_t i = 0; i < n; i++) {
		if (any && due && !hosts[i].triggered)
			host_snapshot(&hosts[i]);
		if (any && !t->at && hosts[i].within)
			tell_clock(to, &hosts[i]);
		hosts[i].triggered = false;
	}
	if (any && due)
		t->at = now;
}
