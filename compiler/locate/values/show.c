/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the list of items that $value$ and $value$$ print, from the type; the runtime prints them.
 * $ shows the members of the outermost structure without nested ones, $$ shows all. A pointer is
 * followed only if the expression itself is one.
 */
#include <errno.h>
#include <string.h>

#include "locate/values/path.h"

enum {
	MAX_ELEMENTS = 5, /* elements of an array that are shown */
	MAX_DEPTH = 32,   /* only damaged types nest deeper */
	/* members that are looked at: damaged types may contain themselves, without end */
	MAX_MEMBERS = 10000,
};

struct show {
	struct walk *w;
	struct btf_db *db;
	const char *text;  /* the text before the next item */
	size_t written;    /* the fewest bytes that the items print */
	size_t room;       /* bytes of a string; what comes after them would be cut off */
	bool full;         /* $$ */
	unsigned left;     /* members that it may still look at */
};

static void text(struct show *sh, const char *more)
{
	sh->written += strlen(more);
	sh->text = *sh->text ? arena_printf(sh->w->s->arena, "%s%s", sh->text, more) : more;
}

static void append_item(struct show *sh, struct access_item item)
{
	item.text = sh->text;
	sh->text = "";
	sh->written++;
	vec_push(sh->w->s->arena, &sh->w->access->items, item);
}

/* Whether arrays of it, and what pointers to it lead to, are text. */
static bool is_char(struct show *sh, const struct btf_shape *shape)
{
	return shape->kind == BTF_INTEGER && shape->size == 1 &&
	       strstr(btf_types_name(sh->db, sh->w->s->arena, shape->id), "char");
}

/* A single byte is text only if its type is one for text: others hold numbers. */
static bool is_letter(struct show *sh, const struct btf_shape *shape)
{
	const char *name = btf_types_name(sh->db, sh->w->s->arena, shape->id);

	return is_char(sh, shape) && (strcmp(name, "char") == 0 || strcmp(name, "char8_t") == 0);
}

static void value(struct show *sh, uint32_t type, uint32_t bit, uint32_t bits, int depth);

static void structure(struct show *sh, uint32_t type, uint32_t bit, int depth, bool *first)
{
	unsigned n = btf_types_nmembers(sh->db, type);

	for (unsigned i = 0; i < n && sh->written < sh->room && sh->left; i++) {
		struct btf_member_place m;
		const char *name = btf_types_nth_member(sh->db, type, i, &m);

		sh->left--;
		if (!*name && btf_types_shape(sh->db, m.type).kind == BTF_STRUCT) {
			if (depth < MAX_DEPTH)
				structure(sh, m.type, bit + m.bit_offset, depth + 1, first);
			continue;
		}
		if (!*name)
			continue;
		text(sh, arena_printf(sh->w->s->arena, "%s.%s=", *first ? "" : ", ", name));
		*first = false;
		value(sh, m.type, bit + m.bit_offset, m.bit_size, depth + 1);
	}
}

static void array(struct show *sh, const struct btf_shape *shape, uint32_t bit, int depth)
{
	uint64_t size = btf_types_shape(sh->db, shape->target).size;

	text(sh, "[");
	for (uint64_t i = 0; i < shape->nelems && i < MAX_ELEMENTS && sh->written < sh->room; i++) {
		text(sh, i ? ", " : "");
		value(sh, shape->target, bit + (uint32_t)(i * size * 8), 0, depth + 1);
	}
	text(sh, shape->nelems > MAX_ELEMENTS ? ", ...]" : "]");
}

/* Makes an item of the unit with all bits of a bit-field, as path.c reads them. */
static bool bit_field(uint32_t bit, uint32_t bits, struct access_item *item)
{
	uint32_t size = 1;

	while (size < 8 && bit + bits > (bit / 8 / size * size + size) * 8)
		size *= 2;
	item->offset = bit / 8 / size * size;
	if (bit + bits > (item->offset + size) * 8)
		item->offset = bit / 8;
	item->size = size;
	item->bit_offset = (uint8_t)(bit - item->offset * 8);
	item->bit_size = (uint8_t)bits;
	return item->bit_offset + bits <= 64;
}

static void scalar(struct show *sh, const struct btf_shape *shape, uint32_t bit, uint32_t bits)
{
	struct access_item item = { .offset = bit / 8, .size = (uint32_t)shape->size };
	struct btf_shape target;

	switch (shape->kind) {
	case BTF_INTEGER:
		item.kind = shape->is_signed ? SHOW_SIGNED : SHOW_UNSIGNED;
		if (!bits && is_letter(sh, shape))
			item.kind = SHOW_CHAR;
		break;
	case BTF_POINTER:
		target = btf_types_shape(sh->db, shape->target);
		item.kind = is_char(sh, &target) ? SHOW_STRING : SHOW_POINTER;
		break;
	default:
		item.size = 0;
	}
	if (item.size == 0 || item.size > 8 || (bits && !bit_field(bit, bits, &item)))
		text(sh, "?");
	else
		append_item(sh, item);
}

/* @bit: its position from the address that is shown. */
static void value(struct show *sh, uint32_t type, uint32_t bit, uint32_t bits, int depth)
{
	struct btf_shape shape = btf_types_shape(sh->db, type), element;
	bool nested = depth > 0 && !sh->full;
	bool first = true;

	if (depth > MAX_DEPTH) {
		text(sh, "?");
	} else if (shape.kind == BTF_STRUCT && nested) {
		text(sh, "{...}");
	} else if (shape.kind == BTF_STRUCT) {
		text(sh, "{");
		structure(sh, type, bit, depth, &first);
		text(sh, "}");
	} else if (shape.kind == BTF_ARRAY) {
		element = btf_types_shape(sh->db, shape.target);
		if (is_char(sh, &element) && shape.nelems)
			append_item(sh, (struct access_item){ .kind = SHOW_CHARS, .offset = bit / 8,
							      .size = (uint32_t)shape.size });
		else if (nested)
			text(sh, "[...]");
		else
			array(sh, &shape, bit, depth);
	} else {
		scalar(sh, &shape, bit, bits);
	}
}

int show_finish(struct walk *w)
{
	struct btf_shape shape = btf_types_shape(w->db, w->type);
	struct show sh = {
		.w = w, .db = w->db, .text = "", .full = w->e->u.context.pretty > 1,
		.left = MAX_MEMBERS,
		.room = (size_t)(w->s->opt.caps.maxstringlen ? w->s->opt.caps.maxstringlen : 512),
	};
	uint32_t bit = w->bit_offset;

	if (shape.kind == BTF_POINTER && !w->bit_size &&
	    btf_types_shape(w->db, shape.target).kind == BTF_STRUCT) {
		int err = path_enter(w, shape.target);

		if (err)
			return err;
		bit = 0;
	}
	if (w->standing == ON_PIECES)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
				 "'%s' is passed by value: it can't be printed as a whole",
				 path_text(w));
	if (w->e->u.context.address)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
				 "an address is a number: leave out the '&' or the '$' after '%s'",
				 path_text(w));
	if (btf_types_shape(w->db, w->type).kind == BTF_STRUCT &&
	    path_refuse_shuffled(w, w->e->range))
		return -ENODATA;
	w->access->result = AR_SHOW;
	w->access->show_value = w->standing == ON_VALUE;
	w->access->type_name = path_type(w, w->type);
	value(&sh, w->type, w->bit_size ? bit : 0, w->bit_size, 0);
	append_item(&sh, (struct access_item){ .kind = SHOW_TEXT });
	return 0;
}
