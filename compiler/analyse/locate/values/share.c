/* SPDX-License-Identifier: GPL-2.0 */
/* Describes a $-expression at a site as text, so that sites can be compared. */
#include <string.h>

#include "shared/buf.h"
#include "target/arch/arch.h"
#include "analyse/locate/values/path.h"
#include "target/object/object.h"

static void add_type(struct buf *key, const struct btf_func *f, uint32_t type, bool as_number)
{
	struct btf_shape shape;

	if (as_number) {
		shape = btf_types_shape(f->db, type);
		buf_printf(key, ",%d/%u%c", shape.kind, (unsigned)shape.size,
			   "us"[shape.is_signed]);
	} else {
		buf_printf(key, ",%u@%p", type, (const void *)btf_types_owner(f->db, type));
	}
}

static void add_value(struct buf *key, const struct btf_func *f, enum probe_kind kind,
		      const char *name, bool as_number)
{
	struct arch_passing place = { 0 };
	uint32_t type = 0;
	bool found = false;
	int param;

	if (strcmp(name, "return") == 0) {
		found = site_kind_is_return(kind);
		place = arch_return(f);
		type = btf_func_return(f);
	}
	if (!found && (param = path_param(f, kind, name)) >= 0) {
		found = true;
		btf_func_param(f, (unsigned)param, &type);
		place = arch_param(f, (unsigned)param);
	}
	if (!found) {
		buf_putc(key, '!');
		return;
	}
	buf_printf(key, "%d:%u+%u", place.where, place.first, place.n);
	add_type(key, f, type, as_number);
}

void locate_context_key(const struct site *site, enum probe_kind kind, const char *name,
			bool as_number, struct buf *key)
{
	const struct btf_func *f = locate_prototype(site);
	size_t first = key->len, len;

	/* The locations of debug information differ from place to place. */
	if (site->mark)
		buf_puts(key, site->mark->arguments);
	/* Names that are no arguments are variables around the marker. */
	if (site->mark && !context_user_argument(name))
		buf_printf(key, "%p", (const void *)site);
	/* An operand relative to %rip depends on the distance of the variable from the marker. */
	if (site->mark && strstr(site->mark->arguments, "%rip"))
		buf_printf(key, "%p", (const void *)site->mark);
	if ((site->user && !site->place) || (!site->place && strncmp(site->pp, "kprobe.", 7) == 0))
		buf_putc(key, site->user && site->user->file->is_32bit ? '3' : '-');
	else if (site->place || !f || f->doubtful)
		buf_printf(key, "%p", (const void *)site);
	else
		add_value(key, f, kind, name + 1, as_number);
	len = key->len - first;
	/* Functions of one name are described once if their prototypes agree. */
	for (unsigned i = 1; f && !site->place && i < f->of; i++) {
		size_t at = key->len;

		add_value(key, &f[i], kind, name + 1, as_number);
		if (key->len - at == len && memcmp(key->s + at, key->s + first, len) == 0)
			key->len = at;
	}
	if (key->len - first != len)
		buf_printf(key, "%p", (const void *)site);
	buf_putc(key, ';');
}
