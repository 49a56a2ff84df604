/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses and checks print formats at compile time, once, and rewrites them to the small language of
 * runtime/abi/format.h, so that neither the runtime nor the loader meets a wrong one. Print
 * functions without a format become printf.
 */
#include <inttypes.h>
#include <string.h>

#include "ast/format.h"
#include "ast/literal.h"
#include "ast/walk.h"
#include "analyse/check/check.h"
#include "analyse/check/formats.h"
#include "program/program.h"
#include "records.h"
#include "runtime/abi/format.h"
#include "shared/buf.h"
#include "state.h"

static struct range conv_range(const struct expr *e, const struct format_conv *conv)
{
	return ast_literal_part(e->u.print.format_range, conv->start, conv->end,
				e->u.print.format_len);
}

static void report_bad(struct state *s, const struct expr *e, const struct format_conv *conv)
{
	const char *text = e->u.print.format + conv->start;
	int len = (int)(conv->end - conv->start);
	struct range r = conv_range(e, conv);

	if (!conv->conv) {
		diag_error(s->diag, r, E_FORMAT, "the conversion '%.*s' is incomplete", len, text);
		diag_hint(s->diag, "write %%%% for a percent sign");
		return;
	}
	/* The usual mistake is "100%\n". */
	if ((unsigned char)conv->conv <= ' ')
		diag_error(s->diag, r, E_FORMAT, "a '%%' begins a conversion, but none follows");
	else
		diag_error(s->diag, r, E_FORMAT, "unknown conversion '%.*s'", len, text);
	diag_hint(s->diag, "conversions are %%d %%i %%u %%x %%X %%o %%c %%p %%b %%m %%M %%s "
		  "%%f %%e %%g, and %%%% for a percent sign");
}

/* The number in a part of the format; one above the limit if it is larger than that. */
static long number_in(const char *p, const char *end)
{
	long ret = 0;

	for (; p < end && *p != '*' && ret <= PRT_WIDTH_MAX; p++)
		ret = ret * 10 + (*p - '0');
	return ret;
}

static void check_number(struct state *s, const struct expr *e, const struct format_conv *conv,
			 const char *what, size_t start, size_t end)
{
	const char *f = e->u.print.format;

	if (number_in(f + start, f + end) <= PRT_WIDTH_MAX)
		return;
	diag_error(s->diag, conv_range(e, conv), E_FORMAT, "a %s of %.*s is more than %d", what,
		   (int)(end - start), f + start, PRT_WIDTH_MAX);
	diag_hint(s->diag, "write at most %d; longer text can be printed in parts",
		  PRT_WIDTH_MAX);
}

/* Whether the script asks for a version of the language in which %p writes all digits. */
static bool has_long_pointers(const struct state *s, const struct expr *e)
{
	const char *asked = s->opt.compatible;

	return asked && strverscmp(asked, "1.3") < 0 && e->range.src &&
	       !e->range.src->in_tapset;
}

/* Writes %p as before version 1.3: 0x and 16 digits, or digits up to the width; only what is wider
 * than that is blank, and a precision counts for nothing. */
static void put_long_pointer(struct buf *b, const char *f, const struct format_conv *conv)
{
	enum { ALL = 18 };
	long width = number_in(f + conv->width, f + conv->width_end);

	if (!width)
		width = ALL;
	if (!memchr(f + conv->start, '-', conv->flags_end - conv->start))
		for (; width > ALL; width--)
			buf_putc(b, ' ');
	buf_printf(b, "%%0%ldp", width);
}

/* Writes one conversion as format.h wants it: without modifiers, and %4b as %.4b. */
static void put_conv(struct state *s, struct buf *b, const struct expr *e,
		     const struct format_conv *conv)
{
	const char *f = e->u.print.format;

	if (conv->conv == 'p' && !conv->stars && has_long_pointers(s, e)) {
		put_long_pointer(b, f, conv);
		return;
	}
	if (conv->conv == 'b' && conv->width_end > conv->width && !conv->prec) {
		size_t n = conv->width_end - conv->width;

		if (n > 1 || !strchr("1248*", f[conv->width]))
			diag_error(s->diag, conv_range(e, conv), E_FORMAT,
				   "%%b writes 1, 2, 4 or 8 bytes, not %.*s", (int)n,
				   f + conv->width);
		buf_write(b, f + conv->start, conv->flags_end - conv->start);
		buf_putc(b, '.');
		buf_write(b, f + conv->width, n);
	} else {
		buf_write(b, f + conv->start, conv->mod - conv->start);
	}
	buf_putc(b, conv->conv);
}

static void count_args(struct state *s, const struct expr *e, size_t wanted)
{
	size_t n = e->u.print.args.n;

	if (n == wanted)
		return;
	if (n < wanted) {
		diag_error(s->diag, e->u.print.format_range, E_FORMAT,
			   "the format needs %zu argument%s, but there %s %zu", wanted,
			   wanted == 1 ? "" : "s", n == 1 ? "is" : "are", n);
		return;
	}
	diag_error(s->diag, range_join(e->u.print.args.v[wanted]->range,
				       e->u.print.args.v[n - 1]->range), E_FORMAT,
		   "the format has no conversion for %s",
		   n - wanted == 1 ? "this argument" : "these arguments");
}

bool formats_is_histogram(const struct expr *e)
{
	return e->kind == EX_AGG && AGG_IS_HISTOGRAM(e->u.agg.op);
}

bool formats_lacks_arguments(const struct expr *e)
{
	struct format_iter it = { .s = e->u.print.format, .len = e->u.print.format_len };
	struct format_conv conv;
	size_t wanted = 0;

	while (ast_format_next(&it, &conv))
		wanted += ast_format_takes(&conv);
	return wanted > e->u.print.args.n;
}

static void check_format(struct state *s, struct expr *e)
{
	struct format_iter it = { .s = e->u.print.format, .len = e->u.print.format_len };
	struct format_conv conv;
	struct buf b;
	size_t wanted = 0, copied = 0;
	bool bad = false;

	buf_init(&b);
	while (ast_format_next(&it, &conv)) {
		buf_write(&b, it.s + copied, conv.start - copied);
		copied = conv.end;
		if (conv.bad) {
			report_bad(s, e, &conv);
			bad = true;
		} else if (conv.conv == '%') {
			buf_puts(&b, "%%");
		} else {
			wanted += ast_format_takes(&conv);
			check_number(s, e, &conv, "width", conv.width, conv.width_end);
			check_number(s, e, &conv, "precision", conv.prec, conv.prec_end);
			put_conv(s, &b, e, &conv);
		}
	}
	buf_write(&b, it.s + copied, it.len - copied);
	if (!bad) {
		count_args(s, e, wanted);
		e->u.print.format = arena_strndup(s->arena, b.s ? b.s : "", b.len);
		e->u.print.format_len = b.len;
	}
	buf_deinit(&b);
}

static bool check_print(struct expr **it, void *data)
{
	struct state *s = data;
	struct expr *e = *it;

	if (e->kind != EX_PRINT)
		return true;
	if (e->u.print.kind == PRINT_PRINTF || e->u.print.kind == PRINT_SPRINTF)
		check_format(s, e);
	return true;
}

void formats_check(struct state *s, struct program *p)
{
	struct visitor v = { .expr = check_print, .data = s };

	program_walk(p, &v);
}

/* Makes the printf format of a print, println, printd, printdln or print_char. */
static void make_format(struct state *s, struct expr *e)
{
	enum print_kind k = e->u.print.kind;
	struct buf b;

	buf_init(&b);
	for (size_t i = 0; i < e->u.print.args.n; i++) {
		struct expr *arg = e->u.print.args.v[i];

		for (size_t n = 0; i > 0 && e->u.print.delim && n < e->u.print.delim_len; n++) {
			if (e->u.print.delim[n] == '%')
				buf_putc(&b, '%');
			buf_putc(&b, e->u.print.delim[n]);
		}
		if (k != PRINT_CHAR && formats_is_histogram(arg))
			ast_format_put_histogram(&b, s->opt.caps.hist_width,
						 s->opt.caps.hist_elision);
		else
			buf_puts(&b, k == PRINT_CHAR ? "%c" :
				     arg->type == T_STRING || arg->type == T_STACK ? "%s" :
				     arg->type == T_DOUBLE ? FORMAT_DOUBLE : "%d");
	}
	if (k == PRINT_PRINTLN || k == PRINT_PRINTDLN || k == PRINT_SPRINTLN ||
	    k == PRINT_SPRINTDLN)
		buf_putc(&b, '\n');
	e->u.print.format = arena_strndup(s->arena, b.s ? b.s : "", b.len);
	e->u.print.format_len = b.len;
	buf_deinit(&b);
}

struct numbering {
	struct state *s;
	struct program *p;
	struct map written; /* source location -> its last struct print_statement */
};

static bool same_place(struct range a, struct range b)
{
	return a.src == b.src && a.start == b.start && a.end == b.end && a.via == b.via;
}

/* Whether the loader would get the same description for two print statements. */
static bool same_print(const struct print_statement *a, const struct print_statement *b)
{
	if (!same_place(a->range, b->range) || strcmp(a->types, b->types) != 0 ||
	    a->edge != b->edge || a->format_len != b->format_len ||
	    memcmp(a->format, b->format, a->format_len) != 0)
		return false;
	for (size_t i = 0; i < a->args.n; i++)
		if (!same_place(a->args.v[i]->range, b->args.v[i]->range))
			return false;
	return true;
}

/* The same print statement in the body of another probe, if its records look the same; otherwise
 * NULL. Prints of unread globals are in no script. */
static struct print_statement *print_before(struct numbering *n, struct print_statement *st)
{
	struct range r = st->range;
	const char *place;
	struct print_statement *ret;

	if (!r.src || strcmp(r.src->name, PROGRAM_AUTO_PRINT) == 0)
		return NULL;
	place = arena_printf(n->s->arena, "%p %u %p", (void *)r.src, r.start, (const void *)r.via);
	ret = map_get(&n->written, place);
	if (ret && same_print(ret, st))
		return ret;
	map_set(&n->written, place, st);
	return NULL;
}

static bool same_variable(const struct expr *a, const struct expr *b)
{
	return a->kind == EX_NAME && b->kind == EX_NAME && a->u.name.sym == b->u.name.sym;
}

/* Rows and objects of a histogram have its key, too, unless the print statement shows it
 * already. */
static void add_hist_key(struct arena *a, struct expr *print, struct expr *key)
{
	if (key->kind != EX_NAME || !key->u.name.sym || key->u.name.sym->kind == SYM_GLOBAL ||
	    (!ast_is_word(key->type) && key->type != T_STRING))
		return;
	vec_each(it, &print->u.print.args)
		if (same_variable(*it, key))
			return;
	vec_each(it, &print->u.print.hist_keys)
		if (same_variable(*it, key))
			return;
	vec_push(a, &print->u.print.hist_keys, key);
}

static void add_hist_keys(struct arena *a, struct expr *print)
{
	if (PRINT_IS_SPRINT(print->u.print.kind))
		return;
	vec_each(it, &print->u.print.args) {
		struct expr *agg = formats_is_histogram(*it) ? (*it)->u.agg.a : NULL;

		if (agg && agg->kind == EX_INDEX)
			vec_each(key, &agg->u.index.keys)
				add_hist_key(a, print, *key);
	}
}

/* Whether it can be evaluated once more without another effect or value. */
static bool is_plain_key(const struct expr *key)
{
	return key->kind == EX_NAME || key->kind == EX_NUM || key->kind == EX_STR;
}

static bool same_key(const struct expr *a, const struct expr *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == EX_STR)
		return a->u.str.len == b->u.str.len &&
		       memcmp(a->u.str.s, b->u.str.s, a->u.str.len) == 0;
	return a->kind == EX_NUM ? a->u.num.v == b->u.num.v : same_variable(a, b);
}

static bool same_aggregate(const struct expr *a, const struct expr *b)
{
	if (a->kind != EX_INDEX || b->kind != EX_INDEX)
		return same_variable(a, b);
	if (!same_variable(a->u.index.array, b->u.index.array))
		return false;
	for (size_t i = 0; i < a->u.index.keys.n; i++)
		if (!same_key(a->u.index.keys.v[i], b->u.index.keys.v[i]))
			return false;
	return true;
}

/* Whether the print statement has the histogram of the aggregate. */
static bool has_histogram(const struct expr *print, const struct expr *aggregate)
{
	vec_each(it, &print->u.print.args)
		if (formats_is_histogram(*it) && same_aggregate((*it)->u.agg.a, aggregate))
			return true;
	vec_each(it, &print->u.print.hist_keys)
		if (formats_is_histogram(*it) && same_aggregate((*it)->u.agg.a, aggregate))
			return true;
	return false;
}

/* With --percentiles, rows and objects also have the histogram of an aggregate of which the
 * statement prints something else. */
static void add_histograms(struct state *s, struct expr *print)
{
	if (!s->opt.percentiles || PRINT_IS_SPRINT(print->u.print.kind) ||
	    strcmp(print->range.src->name, PROGRAM_AUTO_PRINT) == 0)
		return;
	vec_each(it, &print->u.print.args) {
		struct expr *from = (*it)->kind == EX_AGG ? (*it)->u.agg.a : NULL, *h;
		bool plain = from != NULL;

		if (from && from->kind == EX_INDEX)
			vec_each(key, &from->u.index.keys)
				plain &= is_plain_key(*key);
		if (!plain || has_histogram(print, from))
			continue;
		h = ast_expr(s->arena, EX_AGG, from->range);
		h->u.agg.op = AGG_HIST_LOG;
		h->u.agg.a = from;
		vec_push(s->arena, &print->u.print.hist_keys, h);
	}
}

static char type_letter(const struct expr *arg)
{
	return formats_is_histogram(arg) ? 'H' : arg->type == T_STRING ? 's' :
	       arg->type == T_STACK ? 'k' : arg->type == T_DOUBLE ? 'd' : 'l';
}

static void number_print(struct expr **it, void *data)
{
	struct numbering *n = data;
	struct arena *a = n->s->arena;
	struct expr *e = *it;
	struct print_statement *st, *before;
	char *types;

	if (e->kind != EX_PRINT)
		return;
	if (e->u.print.kind != PRINT_PRINTF && e->u.print.kind != PRINT_SPRINTF)
		make_format(n->s, e);
	add_hist_keys(a, e);
	add_histograms(n->s, e);
	st = NEW(a, struct print_statement);
	vec_each(arg, &e->u.print.args)
		vec_push(a, &st->args, *arg);
	vec_each(arg, &e->u.print.hist_keys)
		vec_push(a, &st->args, *arg);
	types = arena_alloc(a, st->args.n + 1);
	for (size_t i = 0; i < st->args.n; i++)
		types[i] = type_letter(st->args.v[i]);
	st->range = e->range;
	st->format = e->u.print.format;
	st->format_len = e->u.print.format_len;
	st->types = types;
	st->edge = e->u.print.edge;
	st->column = e->u.print.column;
	st->column_dir = e->u.print.column_dir;
	if (PRINT_IS_SPRINT(e->u.print.kind)) {
		e->u.print.id = st->id = (int)n->p->sprints.n;
		vec_push(a, &n->p->sprints, st);
		return;
	}
	before = print_before(n, st);
	e->u.print.id = st->id = before ? before->id : (int)n->p->prints.n;
	if (before)
		return;
	vec_push(a, &n->p->prints, st);
	if (n->p->prints.n == PRT_REC_PRINT_MAX + 1)
		diag_error(n->s->diag, e->range, E_LIMIT, "more than %u print statements",
			   PRT_REC_PRINT_MAX);
}

void formats_number(struct state *s, struct program *p)
{
	struct numbering n = { .s = s, .p = p };
	struct visitor v = { .expr_post = number_print, .data = &n };

	map_init(&n.written, s->arena);
	program_walk(p, &v);
}
