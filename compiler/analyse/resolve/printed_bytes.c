/* SPDX-License-Identifier: GPL-2.0 */
/*
 * %m and %M print the bytes at an address, as they are or as hexadecimal digits; the precision is
 * their number. They become strings here, which a function of the library reads, so later passes
 * don't know them: "%5.8m", p becomes "%5s", __kernel_bytes(p, 8). The format keeps its length (the
 * modifier l has no meaning), so that positions in messages stay right.
 */
#include <string.h>

#include "ast/format.h"
#include "ast/literal.h"
#include "ast/walk.h"
#include "analyse/resolve/handler.h"

#define BYTES_DEFAULT 1

static struct expr *bytes_at(struct resolver *r, bool user, struct expr *addr, struct expr *count)
{
	struct expr *e = ast_expr(r->s->arena, EX_CALL, addr->range);

	e->u.call.name = user ? "__user_bytes" : "__kernel_bytes";
	e->u.call.name_range = addr->range;
	vec_push(r->s->arena, &e->u.call.args, addr);
	vec_push(r->s->arena, &e->u.call.args, count);
	return e;
}

/* The number in the digits of a precision; 0 without digits. */
static int64_t digits(const char *s, size_t n)
{
	int64_t v = 0;

	for (size_t i = 0; i < n && v < 1000000; i++)
		v = v * 10 + (s[i] - '0');
	return v;
}

struct lowering {
	struct resolver *r;
	struct expr *e;
	char *format;
	VEC(struct expr *) args;
	size_t next;              /* index of the current argument */
};

static bool is_dynamic(const char *f, size_t from, size_t to)
{
	return to == from + 1 && f[from] == '*';
}

static void lower(struct lowering *l, const struct format_conv *c)
{
	struct arena *a = l->r->s->arena;
	struct expr **v = l->e->u.print.args.v, *count;
	struct range at = ast_literal_part(l->e->u.print.format_range, c->start, c->end,
					   l->e->u.print.format_len);
	bool user = memchr(l->format + c->start, '#', c->flags_end - c->start);

	if (is_dynamic(l->format, c->width, c->width_end))
		vec_push(a, &l->args, v[l->next++]);
	if (c->prec && is_dynamic(l->format, c->prec, c->prec_end))
		count = v[l->next++];
	else
		count = ast_number(l->r->s->arena, at, !c->prec ? BYTES_DEFAULT :
			       digits(l->format + c->prec, c->prec_end - c->prec));
	vec_push(a, &l->args, bytes_at(l->r, user, v[l->next++], count));
	memset(l->format + c->width_end, 'l', c->end - 1 - c->width_end);
	if (c->conv == 'm')
		l->format[c->end - 1] = 's';
}

static bool on_expr(struct expr **pe, void *data)
{
	struct lowering l = { .r = data, .e = *pe };
	struct format_iter it;
	struct format_conv c;
	bool any = false;

	if (l.e->kind != EX_PRINT || !l.e->u.print.format)
		return true;
	l.format = arena_strndup(l.r->s->arena, l.e->u.print.format, l.e->u.print.format_len);
	it = (struct format_iter){ .s = l.e->u.print.format, .len = l.e->u.print.format_len };
	while (ast_format_next(&it, &c)) {
		size_t takes = ast_format_takes(&c);

		/* There are too few arguments: check reports it. */
		if (l.next + takes > l.e->u.print.args.n)
			return true;
		if (!c.bad && (c.conv == 'm' || c.conv == 'M')) {
			lower(&l, &c);
			any = true;
			continue;
		}
		for (; takes; takes--)
			vec_push(l.r->s->arena, &l.args, l.e->u.print.args.v[l.next++]);
	}
	if (!any)
		return true;
	while (l.next < l.e->u.print.args.n)
		vec_push(l.r->s->arena, &l.args, l.e->u.print.args.v[l.next++]);
	l.e->u.print.format = l.format;
	l.e->u.print.args.v = l.args.v;
	l.e->u.print.args.n = l.args.n;
	l.e->u.print.args.cap = l.args.cap;
	return true;
}

void printed_bytes(struct resolver *r, struct stmt **st)
{
	struct visitor v = { .expr = on_expr, .data = r };

	walk_stmt(st, &v);
}
