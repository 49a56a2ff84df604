/* SPDX-License-Identifier: GPL-2.0 */
/* The module keeps the switches; only this session sets them, so it knows their state. */
#include "session/switches.h"

#include <errno.h>
#include <string.h>

#include "background/background.h"
#include "common/say.h"
#include "device/device.h"
#include "module/meta.h"
#include "monitor/view.h"

/* An order that comes too late is no error: the view ends with the session. */
static void set(void *switches, uint32_t probe, bool off)
{
	struct switches *s = switches;
	int err = device_switch(s->d, probe, off);

	if (err && err != -ESHUTDOWN)
		say_warn("E_SESSION", NULL, "probe %u can't be switched: %s", probe,
			 strerror(-err));
	if (err || probe + 1 >= s->state.len)
		return;
	s->state.s[probe + 1] = off ? VIEW_IS_OFF : VIEW_IS_ON;
	background_offer(s->b, s->state.s, s->state.len);
}

void switches_init(struct switches *s, const struct meta *m, struct device *d,
		   struct background *b, bool has_values)
{
	const char first = has_values ? VIEW_HAS_VALUES : VIEW_NO_VALUES;

	*s = (struct switches){ .d = d, .b = b };
	buf_write(&s->state, &first, 1);
	for (uint32_t i = 0; m->has_switches && i < m->nprobes; i++) {
		char letter = m->probes[i].has_switch ? VIEW_IS_ON : VIEW_NO_SWITCH;

		buf_write(&s->state, &letter, 1);
	}
	background_offer(b, s->state.s, s->state.len);
	background_obey(b, set, s);
}

void switches_deinit(struct switches *s)
{
	if (s->b)
		background_obey(s->b, NULL, NULL);
	buf_deinit(&s->state);
}
