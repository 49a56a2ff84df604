/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of the kernel or of a program as text, item by item: compiler/analyse/locate/values/show.c
 * makes the items. Every read tolerates faults, and every loop ends with the text or with the
 * buffer.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "abi/format.h"
#include "context.h"

/* A number on the stack; own: an address in the value itself. */
struct shown_number {
	u64 v;
	bool unknown, own;
};

/* The object that items are about: the value, one element of several, or another object. */
struct shown_object {
	u64 at;
	bool in_hand;       /* in the kernel's memory, although `user` */
	u32 from, i, to;    /* its items, and the next one */
	u64 n, done, most;  /* elements: all of them, those that were shown, and the most */
	u32 stride;         /* bytes of one; 0: it is no element */
};

struct shown {
	struct prt_ctx *c;
	char *p, *end;
	bool user;          /* addresses are in the memory of the process */
	struct shown_object objects[PRT_SHOW_DEPTH + 1];
	u32 depth;          /* objects[depth] is shown */
	struct shown_number stack[PRT_SHOW_STACK];
	u32 n;              /* numbers on the stack */
	bool failed;        /* a text without quotes can't be read, at this address */
	u64 failed_at;
};

static struct shown_object *shown_now(struct shown *s)
{
	return &s->objects[s->depth];
}
NOKPROBE_SYMBOL(shown_now);

/* Reads memory of the object that is shown. */
static long show_fetch_own(struct shown *s, void *to, u64 addr, u32 n)
{
	return prt_fetch(s->c, to, addr, n, s->user && !shown_now(s)->in_hand);
}
NOKPROBE_SYMBOL(show_fetch_own);

static void show_char(struct shown *s, char ch)
{
	if (s->p < s->end)
		*s->p++ = ch;
}
NOKPROBE_SYMBOL(show_char);

static void show_text(struct shown *s, const char *text)
{
	while (*text && s->p < s->end)
		*s->p++ = *text++;
}
NOKPROBE_SYMBOL(show_text);

static void show_number(struct shown *s, u64 v, u32 base)
{
	static const char digit[] = "0123456789abcdef";
	char text[20];
	u32 n = sizeof(text);

	do
		text[--n] = digit[v % base];
	while (v /= base);
	while (n < sizeof(text))
		show_char(s, text[n++]);
}
NOKPROBE_SYMBOL(show_number);

static void show_pointer(struct shown *s, u64 v)
{
	show_text(s, "0x");
	show_number(s, v, 16);
}
NOKPROBE_SYMBOL(show_pointer);

/* Writes a character as C does between quotes; @quote 0: unchanged. */
static void show_escaped(struct shown *s, u8 ch, char quote)
{
	static const char letters[] = "abtnvfr";

	if (!quote) {
		show_char(s, ch);
	} else if (ch == quote || ch == '\\') {
		show_char(s, '\\');
		show_char(s, ch);
	} else if (ch >= 7 && ch <= 13) {
		show_char(s, '\\');
		show_char(s, letters[ch - 7]);
	} else if (ch >= 32 && ch < 127) {
		show_char(s, ch);
	} else {
		show_char(s, '\\');
		show_char(s, '0' + (ch >> 6));
		show_char(s, '0' + (ch >> 3 & 7));
		show_char(s, '0' + (ch & 7));
	}
}
NOKPROBE_SYMBOL(show_escaped);

static void show_quote(struct shown *s, char quote)
{
	if (quote)
		show_char(s, quote);
}
NOKPROBE_SYMBOL(show_quote);

/* Shows a string of at most @max bytes. false: it could not be read. @own: it is a part of the
 * object. */
static bool show_string(struct shown *s, u64 addr, u64 max, char quote, bool own)
{
	bool user = s->user && !(own && shown_now(s)->in_hand);
	u8 ch;
	u64 i;

	if (max && prt_fetch(s->c, &ch, addr, 1, user))
		return false;
	show_quote(s, quote);
	for (i = 0; i < max && s->p < s->end; i++) {
		if (prt_fetch(s->c, &ch, addr + i, 1, user) || !ch)
			break;
		show_escaped(s, ch, quote);
	}
	show_quote(s, quote);
	return true;
}
NOKPROBE_SYMBOL(show_string);

/* ---- what a printer of the library finds ---- */

static struct shown_number show_pop(struct shown *s)
{
	return s->n ? s->stack[--s->n] : (struct shown_number){ .unknown = true };
}
NOKPROBE_SYMBOL(show_pop);

static void show_push(struct shown *s, struct shown_number x)
{
	if (s->n < PRT_SHOW_STACK)
		s->stack[s->n++] = x;
}
NOKPROBE_SYMBOL(show_push);

static u64 show_operate(u32 operator, s64 a, s64 b, bool *unknown)
{
	*unknown = (operator == PRT_SHOW_DIV || operator == PRT_SHOW_MOD) && (b == 0 || b == -1);
	if (*unknown)
		return 0;
	switch ((enum prt_show_operator)operator) {
	case PRT_SHOW_ADD: return (u64)a + b;
	case PRT_SHOW_SUB: return (u64)a - b;
	case PRT_SHOW_MUL: return (u64)a * b;
	case PRT_SHOW_DIV: return a / b;
	case PRT_SHOW_MOD: return a % b;
	case PRT_SHOW_AND: return a & b;
	case PRT_SHOW_OR: return a | b;
	case PRT_SHOW_XOR: return a ^ b;
	case PRT_SHOW_SHL: return (u64)b < 64 ? (u64)a << b : 0;
	case PRT_SHOW_SHR: return (u64)b < 64 ? a >> b : a >> 63;
	case PRT_SHOW_EQ: return a == b;
	case PRT_SHOW_NE: return a != b;
	case PRT_SHOW_LT: return a < b;
	case PRT_SHOW_LE: return a <= b;
	case PRT_SHOW_GT: return a > b;
	case PRT_SHOW_GE: return a >= b;
	}
	return 0;
}
NOKPROBE_SYMBOL(show_operate);

static struct shown_number show_read(struct shown *s, struct shown_number at,
				       const struct prt_show *it)
{
	bool is_signed = it->kind == PRT_SHOW_READ_SIGNED;
	struct shown_number x = { 0 };
	u64 v = 0;

	x.unknown = at.unknown || it->size > sizeof(v) ||
		    prt_fetch(s->c, &v, at.v + (s32)it->offset, it->size,
			      s->user && !(at.own && shown_now(s)->in_hand));
	if (!x.unknown)
		x.v = it->bit_size ? prt_bits(v, it->bit_offset, it->bit_size, is_signed) :
				     prt_cut(v, it->size, is_signed);
	return x;
}
NOKPROBE_SYMBOL(show_read);

static void show_compute(struct shown *s, const struct prt_show *it)
{
	struct shown_number x = { 0 }, a, b;

	switch (it->kind) {
	case PRT_SHOW_OBJECT:
		x.v = shown_now(s)->at;
		x.own = true;
		break;
	case PRT_SHOW_NUMBER:
		x.v = (s64)(s32)it->offset;
		break;
	case PRT_SHOW_UNKNOWN:
		x.unknown = true;
		break;
	case PRT_SHOW_OPERATOR:
		b = show_pop(s);
		a = show_pop(s);
		x.v = show_operate(it->offset, a.v, b.v, &x.unknown);
		x.unknown |= a.unknown || b.unknown;
		x.own = a.own || b.own;
		break;
	case PRT_SHOW_SELECT:
		b = show_pop(s);
		a = show_pop(s);
		x = show_pop(s);
		if (!x.unknown)
			x = x.v ? a : b;
		break;
	default:
		x = show_read(s, show_pop(s), it);
	}
	show_push(s, x);
}
NOKPROBE_SYMBOL(show_compute);

/* Several bytes at once, as far as they can be read so. */
static u32 show_fetch_some(struct shown *s, u8 *to, u64 addr, u64 n, bool user)
{
	u32 some = min_t(u64, n, 64);

	if (!prt_fetch(s->c, to, addr, some, user))
		return some;
	return prt_fetch(s->c, to, addr, 1, user) ? 0 : 1;
}
NOKPROBE_SYMBOL(show_fetch_some);

/* Where only the text is wanted, unreadable memory is an error. */
static void show_unread(struct shown *s, u64 at, char quote, bool known)
{
	if (!quote) {
		s->failed = true;
		s->failed_at = at;
	} else if (known) {
		show_pointer(s, at);
	} else {
		show_char(s, '?');
	}
}
NOKPROBE_SYMBOL(show_unread);

static void show_counted(struct shown *s, char quote)
{
	struct shown_number n = show_pop(s), at = show_pop(s);
	bool user = s->user && !(at.own && shown_now(s)->in_hand);
	u8 some[64];
	u64 i = 0;
	u32 got = 0, k;

	if (n.unknown || at.unknown || (s64)n.v < 0) {
		show_unread(s, at.unknown ? shown_now(s)->at : at.v, quote, false);
		return;
	}
	if (n.v && prt_fetch(s->c, some, at.v, 1, user)) {
		show_unread(s, at.v, quote, true);
		return;
	}
	show_quote(s, quote);
	while (i < n.v && s->p < s->end) {
		got = show_fetch_some(s, some, at.v + i, min_t(u64, n.v - i, s->end - s->p), user);
		for (k = 0; k < got; k++)
			show_escaped(s, some[k], quote);
		if (!got)
			break;
		i += got;
	}
	show_quote(s, quote);
	if (i < n.v && s->p < s->end)
		show_unread(s, at.v + i, quote, false);
}
NOKPROBE_SYMBOL(show_counted);

/* Begins the items of another object, which follow @it. */
static void show_object(struct shown *s, const struct prt_show *it)
{
	bool elements = it->kind == PRT_SHOW_ELEMENTS;
	struct shown_number n = { .v = 1 }, at;
	struct shown_object *outer = shown_now(s);
	u32 from = outer->i;
	bool in_hand;
	u8 first;

	if (elements)
		n = show_pop(s);
	at = show_pop(s);
	in_hand = at.own && outer->in_hand;
	outer->i += it->size;
	if (n.unknown || at.unknown || (s64)n.v < 0 || s->depth == PRT_SHOW_DEPTH) {
		show_char(s, '?');
	} else if (n.v == 0) {
		show_text(s, "[]");
	} else if (prt_fetch(s->c, &first, at.v, 1, s->user && !in_hand)) {
		show_pointer(s, at.v);
	} else {
		show_text(s, elements ? "[" : "");
		s->depth++;
		*shown_now(s) = (struct shown_object){
			.at = at.v, .in_hand = in_hand, .from = from, .i = from,
			.to = from + it->size, .n = n.v, .most = it->most,
			.stride = elements ? it->offset : 0,
		};
	}
}
NOKPROBE_SYMBOL(show_object);

static void show_when(struct shown *s, const struct prt_show *it)
{
	struct shown_number x = show_pop(s);

	if (x.unknown && it->most)
		show_char(s, '?');
	if (x.unknown || !x.v)
		shown_now(s)->i += it->size;
}
NOKPROBE_SYMBOL(show_when);

/* The items of an object are shown: goes on to the next element, or to what is around it. */
static void show_next(struct shown *s)
{
	struct shown_object *o = shown_now(s);

	o->done++;
	if (!o->stride || o->done == o->n) {
		show_text(s, o->stride ? "]" : "");
		s->depth--;
	} else if (o->done == o->most) {
		show_text(s, ", ...]");
		s->depth--;
	} else {
		show_text(s, ", ");
		s->c->steps -= o->to - o->from;
		o->at += o->stride;
		o->i = o->from;
	}
}
NOKPROBE_SYMBOL(show_next);

/* ---- items ---- */

static void show_double(struct shown *s, u64 bits)
{
	char text[32];
	long len = prt_format(text, sizeof(text) - 1, "%.15g", 5, "d", &bits, sizeof(bits));

	text[len > 0 ? len : 0] = '\0';
	show_text(s, text);
}
NOKPROBE_SYMBOL(show_double);

static const char *show_name(const struct prt_show *it, u64 v)
{
	u32 from = 0, to = it->most;

	while (from < to) {
		u32 i = (from + to) / 2;

		if (it->words[i].value == v)
			return it->words[i].name;
		if ((s64)it->words[i].value < (s64)v)
			from = i + 1;
		else
			to = i;
	}
	return NULL;
}
NOKPROBE_SYMBOL(show_name);

static void show_value(struct shown *s, const struct prt_show *it)
{
	bool is_signed = it->kind == PRT_SHOW_SIGNED;
	char quote = it->kind == PRT_SHOW_STRING_PLAIN ? 0 : '"';
	const char *name;
	u64 v = 0;

	if (it->size > sizeof(v) ||
	    show_fetch_own(s, &v, shown_now(s)->at + it->offset, it->size)) {
		show_unread(s, shown_now(s)->at + it->offset, quote, false);
		return;
	}
	v = it->bit_size ? (u64)prt_bits(v, it->bit_offset, it->bit_size, is_signed) :
			   (u64)prt_cut(v, it->size, is_signed);
	name = show_name(it, v);
	if (name) {
		show_text(s, name);
	} else if (is_signed && (s64)v < 0) {
		show_char(s, '-');
		show_number(s, 0 - v, 10);
	} else if (it->kind == PRT_SHOW_SIGNED || it->kind == PRT_SHOW_UNSIGNED) {
		show_number(s, v, 10);
	} else if (it->kind == PRT_SHOW_DOUBLE) {
		show_double(s, it->size == 4 ? (u64)prt_fp_of_float((u32)v) : v);
	} else if (it->kind == PRT_SHOW_CHAR) {
		show_char(s, '\'');
		show_escaped(s, v, '\'');
		show_char(s, '\'');
	} else if (it->kind == PRT_SHOW_POINTER ||
		   !show_string(s, v, prt_script.maxstringlen, quote, false)) {
		show_unread(s, v, quote, true);
	}
}
NOKPROBE_SYMBOL(show_value);

static void show_item(struct shown *s, const struct prt_show *it)
{
	char quote = it->kind == PRT_SHOW_CHARS ? '"' : 0;

	switch (it->kind) {
	case PRT_SHOW_TEXT:
		break;
	case PRT_SHOW_CHARS:
	case PRT_SHOW_CHARS_PLAIN:
		if (!show_string(s, shown_now(s)->at + it->offset, it->size, quote, true))
			show_unread(s, shown_now(s)->at + it->offset, quote, false);
		break;
	case PRT_SHOW_COUNTED:
		show_counted(s, '"');
		break;
	case PRT_SHOW_COUNTED_PLAIN:
		show_counted(s, 0);
		break;
	case PRT_SHOW_ELEMENTS:
	case PRT_SHOW_AT:
		show_object(s, it);
		break;
	case PRT_SHOW_WHEN:
		show_when(s, it);
		break;
	default:
		if (it->kind >= PRT_SHOW_OBJECT)
			show_compute(s, it);
		else
			show_value(s, it);
	}
}
NOKPROBE_SYMBOL(show_item);

static bool show_is_plain(const struct prt_show *it)
{
	return it->kind == PRT_SHOW_CHARS_PLAIN || it->kind == PRT_SHOW_STRING_PLAIN ||
	       it->kind == PRT_SHOW_COUNTED_PLAIN;
}
NOKPROBE_SYMBOL(show_is_plain);

struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			enum prt_show_where where, u32 srcloc)
{
	const struct prt_show *it;
	struct shown_object *o;
	struct shown s;
	u8 first;

	/* Most of it is not needed for most values. */
	s.c = c;
	s.p = buf;
	s.end = buf + prt_script.maxstringlen - 1;
	s.user = where != PRT_SHOW_KERNEL;
	s.depth = s.n = 0;
	s.failed = false;
	s.objects[0] = (struct shown_object){
		.at = addr, .in_hand = where == PRT_SHOW_IN_HAND, .to = n,
	};
	c->steps -= n;
	if (show_fetch_own(&s, &first, addr, 1)) {
		show_unread(&s, addr, show_is_plain(&items[n - 1]) ? 0 : '"', true);
		n = s.objects[0].to = 0;
	}
	while (s.p < s.end) {
		if (unlikely(c->steps < 0) && prt_steps_out(c, srcloc))
			return (struct prt_str){ buf, 0 };
		o = shown_now(&s);
		if (o->i < o->to) {
			it = &items[o->i++];
			show_text(&s, it->text);
			show_item(&s, it);
		} else if (s.depth) {
			show_next(&s);
		} else {
			break;
		}
	}
	if (s.failed)
		prt_bad_address(c, s.failed_at, srcloc);
	return (struct prt_str){ buf, s.failed ? 0 : s.p - buf };
}
NOKPROBE_SYMBOL(prt_show);
