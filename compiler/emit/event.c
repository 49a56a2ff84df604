/* SPDX-License-Identifier: GPL-2.0 */
/* The fields of struct prt_probe for the event of perf, watchpoint, file or hook that is meant. */
#include <string.h>

#include "emit/tables.h"
#include "emit/value.h"

static void event_fields(struct emit *e, const struct probe *p)
{
	const struct event *event = p->event;

	if (!event)
		return;
	buf_printf(e->out, "\t\t.event = { .type = %u, .config = %lluull, .sample = %lluull,\n"
		   "\t\t\t.is_frequency = %d, .length = %u, .is_access = %d", event->type,
		   (unsigned long long)event->config, (unsigned long long)event->sample,
		   event->is_frequency, event->length, event->is_access);
	if (event->entry)
		buf_printf(e->out, ",\n\t\t\t.entry = %llu, .first_code = %llu",
			   (unsigned long long)event->entry,
			   (unsigned long long)event->first_code);
	if (event->counter)
		buf_printf(e->out, ", .counter = %d", p->counter + 1);
	if (event->program)
		buf_printf(e->out, ",\n\t\t\t.program = %s",
			   emit_quoted(e, event->program, strlen(event->program)));
	buf_puts(e->out, " },\n");
}

static void channel_fields(struct emit *e, const struct probe *p)
{
	const struct channel *to = p->channel;

	if (to)
		buf_printf(e->out, "\t\t.channel = { .name = %s, .size = %u, .umask = %u },\n",
			   emit_quoted(e, to->name, strlen(to->name)), to->size, to->umask);
}

static void hook_fields(struct emit *e, const struct probe *p)
{
	if (p->hook)
		buf_printf(e->out, "\t\t.hook = { .pf = %u, .hook = %u, .priority = %s },\n",
			   p->hook->pf, p->hook->hook, emit_val_num(e, p->hook->priority).text);
}

void emit_event_fields(struct emit *e, const struct probe *p)
{
	event_fields(e, p);
	channel_fields(e, p);
	hook_fields(e, p);
}
