/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values of the kernel or of a program as text, item by item: compiler/locate/values/show.c makes
 * the items. Every read tolerates faults, and every loop ends with the text or with the buffer.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "context.h"

struct shown {
	struct prt_ctx *c;
	char *p, *end;
	bool user, in_hand; /* user: in the memory of the process; in_hand: except for the value
			     * itself, which is in the kernel's */
};

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

/* Writes a character as C does between quotes. */
static void show_escaped(struct shown *s, u8 ch, char quote)
{
	static const char letters[] = "abtnvfr";

	if (ch == quote || ch == '\\') {
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

/* Shows a string of at most @max bytes. false: it could not be read. */
static bool show_string(struct shown *s, u64 addr, u64 max)
{
	u8 ch;
	u64 i;

	if (max && prt_fetch(s->c, &ch, addr, 1, s->user))
		return false;
	show_char(s, '"');
	for (i = 0; i < max && s->p < s->end; i++) {
		if (prt_fetch(s->c, &ch, addr + i, 1, s->user) || !ch)
			break;
		show_escaped(s, ch, '"');
	}
	show_char(s, '"');
	return true;
}
NOKPROBE_SYMBOL(show_string);

static void show_item(struct shown *s, u64 addr, const struct prt_show *it)
{
	bool is_signed = it->kind == PRT_SHOW_SIGNED;
	u64 v = 0;

	if (it->kind == PRT_SHOW_CHARS) {
		if (!show_string(s, addr + it->offset, it->size))
			show_char(s, '?');
		return;
	}
	if (it->size > sizeof(v) ||
	    prt_fetch(s->c, &v, addr + it->offset, it->size, s->user && !s->in_hand)) {
		show_char(s, '?');
		return;
	}
	v = it->bit_size ? (u64)prt_bits(v, it->bit_offset, it->bit_size, is_signed) :
			   (u64)prt_cut(v, it->size, is_signed);
	if (is_signed && (s64)v < 0) {
		show_char(s, '-');
		show_number(s, 0 - v, 10);
	} else if (it->kind == PRT_SHOW_SIGNED || it->kind == PRT_SHOW_UNSIGNED) {
		show_number(s, v, 10);
	} else if (it->kind == PRT_SHOW_CHAR) {
		show_char(s, '\'');
		show_escaped(s, v, '\'');
		show_char(s, '\'');
	} else if (it->kind != PRT_SHOW_STRING || !show_string(s, v, prt_script.maxstringlen)) {
		show_pointer(s, v);
	}
}
NOKPROBE_SYMBOL(show_item);

struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			enum prt_show_where where, u32 srcloc)
{
	struct shown s = {
		.c = c, .p = buf, .end = buf + prt_script.maxstringlen - 1,
		.user = where != PRT_SHOW_KERNEL, .in_hand = where == PRT_SHOW_IN_HAND,
	};
	u8 first;
	u32 i;

	c->steps -= n;
	if (unlikely(c->steps < 0) && prt_steps_out(c, srcloc))
		return (struct prt_str){ buf, 0 };
	if (prt_fetch(c, &first, addr, 1, s.user && !s.in_hand)) {
		show_pointer(&s, addr);
		return (struct prt_str){ buf, s.p - buf };
	}
	for (i = 0; i < n && s.p < s.end; i++) {
		show_text(&s, items[i].text);
		if (items[i].kind != PRT_SHOW_TEXT && s.p < s.end)
			show_item(&s, addr, &items[i]);
	}
	return (struct prt_str){ buf, s.p - buf };
}
NOKPROBE_SYMBOL(prt_show);
