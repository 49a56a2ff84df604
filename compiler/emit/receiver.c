/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that tracepoints call. A kernel with kCFI calls only those of exactly the type that it
 * declares, so a script has one for each tracepoint there, which passes the arguments to the
 * runtime. On other kernels, the runtime has one for all.
 */
#include <string.h>

#include "emit/probe.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"

/* The option has had both names. */
static bool checks_types(struct emit *e)
{
	return kernel_config(e->s, "CONFIG_CFI_CLANG") || kernel_config(e->s, "CONFIG_CFI");
}

static const char *receiver_key(struct emit *e, const struct site *it)
{
	return arena_printf(e->a, "%s %s", it->object, it->symbol);
}

/* Writes a function of the type of the tracepoint at @it, which passes its arguments on. */
static void receiver(struct emit *e, const struct site *it, struct map *tags)
{
	const struct receiver *r = locate_receiver(e->s, it);
	const char *name = arena_printf(e->a, "receive_%zu", e->receivers.n);

	if (!r || map_get(&e->receivers, receiver_key(e, it)))
		return;
	/* A structure that is declared in a list of parameters alone is a type of its own. */
	vec_each(tag, &r->tags) {
		if (map_get(tags, *tag))
			continue;
		if (strncmp(*tag, "enum ", 5) == 0)
			buf_printf(e->out, "%s { enum_%zu };\n", *tag, tags->n);
		else
			buf_printf(e->out, "%s;\n", *tag);
		map_set(tags, *tag, tags);
	}
	buf_printf(e->out, "static void %s(void *point", name);
	for (size_t i = 0; i < r->params.n; i++)
		buf_printf(e->out, ", %s a%zu", r->params.v[i], i);
	buf_puts(e->out, ")\n{\n\tu64 args[] = { ");
	for (size_t i = 0; i < r->params.n; i++)
		buf_printf(e->out, "(u64)a%zu, ", i);
	buf_puts(e->out, r->params.n ? "};\n" : "0 };\n");
	buf_puts(e->out, "\n\tprt_trace_hit(point, args, __builtin_frame_address(0));\n}\n\n");
	map_set(&e->receivers, receiver_key(e, it), (void *)name);
}

/* With the kernel's headers, enums would be defined twice. */
void emit_receivers(struct emit *e)
{
	struct map tags;
	bool any = false;

	map_init(&tags, e->a);
	map_init(&e->receivers, e->a);
	vec_each(p, &e->p->probes)
		any |= (*p)->kind == PK_TRACE && (*p)->sites.n;
	if (!any || e->p->kernel_headers || !checks_types(e))
		return;
	vec_each(p, &e->p->probes)
		if ((*p)->kind == PK_TRACE)
			vec_each(it, &(*p)->sites)
				receiver(e, *it, &tags);
}

void emit_receiver(struct emit *e, const struct probe *p, const struct site *it)
{
	const char *name = p->kind == PK_TRACE ? map_get(&e->receivers, receiver_key(e, it)) : NULL;

	if (name)
		buf_printf(e->out, ".receiver = %s, ", name);
}
