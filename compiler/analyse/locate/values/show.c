/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the list of items that $value$ and $value$$ print, from the type; the runtime prints them.
 * $ shows the members of the outermost structure without nested ones, $$ shows all. A pointer is
 * followed only if the expression itself is one. A structure for which there is a printer
 * (printer.h) is shown as that says, nested ones as well.
 *
 * A value without an address, in registers or in pieces, is shown from a copy of its words, each of
 * which is an expression of its own (u.context.words). The compiler may have kept only some of
 * them: what lies in others is shown as "?".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ast/walk.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/values/path.h"
#include "analyse/locate/values/printer.h"
#include "show_limits.h"

enum {
	MAX_DEPTH = 32,   /* only damaged types nest deeper */
	/* members that are looked at: damaged types may contain themselves, without end */
	MAX_MEMBERS = 10000,
	MAX_WORDS = 64,   /* words of 8 bytes of a value without an address */
	MAX_NAMES = 4096, /* constants of an enum that is shown by name */
};

struct show {
	struct walk *w;
	struct btf_db *db;
	const char *text;  /* the text before the next item */
	size_t written;    /* the fewest bytes that the items print */
	size_t room;       /* bytes of a string; what comes after them would be cut off */
	bool full;         /* $$ */
	unsigned left;     /* members that it may still look at */
	uint64_t most;     /* elements of an array that are shown */
	unsigned objects;  /* elements and other objects around the current value */
	unsigned wraps;    /* printers that show another value, around it */
};

/* Whether the bytes of the object from @offset on are available. */
static bool has_bytes(void *data, uint32_t offset, uint32_t size)
{
	const struct show *sh = data;
	const struct expr *e = sh->w->e;

	if (!e->u.context.words.n || sh->objects)
		return true;
	for (uint32_t i = offset / 8; i <= (offset + size - 1) / 8; i++)
		if (i >= e->u.context.words.n || e->u.context.words.v[i]->kind == EX_NUM)
			return false;
	return true;
}

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
	vec_push(sh->w->s->arena, &sh->w->access->items.v, item);
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
	for (uint64_t i = 0; i < shape->nelems && i < sh->most && sh->written < sh->room; i++) {
		text(sh, i ? ", " : "");
		value(sh, shape->target, bit + (uint32_t)(i * size * 8), 0, depth + 1);
	}
	text(sh, shape->nelems > sh->most ? ", ...]" : "]");
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

static int by_value(const void *a, const void *b)
{
	const struct access_name *na = a, *nb = b;

	if (na->value != nb->value)
		return na->value < nb->value ? -1 : 1;
	return strcmp(na->name, nb->name);
}

/* The names of the values of an enum, or NULL. If a value has several, the first one counts. */
static const struct access_names *names_of(struct show *sh, const struct btf_shape *shape)
{
	struct access_names *ret = NEW(sh->w->s->arena, struct access_names);
	struct access_type type = { .db = sh->db, .id = shape->id };
	struct constant_list list = {0};

	if (!locate_constants(sh->w->s, type, &list) || list.v.n > MAX_NAMES)
		return NULL;
	vec_each(it, &list.v) {
		bool known = false;

		for (struct constant *other = list.v.v; other < it; other++)
			known |= other->value == it->value;
		if (!known)
			vec_push(sh->w->s->arena, &ret->v,
				 ((struct access_name){ it->name, it->value }));
	}
	qsort(ret->v.v, ret->v.n, sizeof(*ret->v.v), by_value);
	return ret;
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
		item.names = names_of(sh, shape);
		break;
	case BTF_FLOATING:
		item.kind = SHOW_DOUBLE;
		item.size = shape->size == 4 || shape->size == 8 ? item.size : 0;
		break;
	case BTF_POINTER:
		target = btf_types_shape(sh->db, shape->target);
		item.kind = !is_char(sh, &target) ? SHOW_POINTER :
			    sh->w->e->u.context.plain ? SHOW_STRING_PLAIN : SHOW_STRING;
		break;
	default:
		item.size = 0;
	}
	if (item.size == 0 || item.size > 8 || path_no_number(sh->w, shape) ||
	    (bits && !bit_field(bit, bits, &item)) || !has_bytes(sh, item.offset, item.size))
		text(sh, "?");
	else
		append_item(sh, item);
}

/* ---- printers ---- */

static void append_items(struct show *sh, const struct access_items *items)
{
	vec_each(it, &items->v)
		append_item(sh, *it);
}

/* Shows an object of another place, whose items follow the last one. */
static void object(struct show *sh, struct access_type type, int depth)
{
	struct access_items *items = &sh->w->access->items;
	struct btf_db *db = sh->db;
	size_t last = items->v.n - 1;

	sh->db = type.db;
	sh->objects++;
	value(sh, type.id, 0, 0, depth);
	sh->objects--;
	sh->db = db;
	if (*sh->text || items->v.n == last + 1)
		append_item(sh, (struct access_item){ .kind = SHOW_TEXT });
	items->v.v[last].size = (uint32_t)(items->v.n - last - 1);
}

static void elements(struct show *sh, const struct printer_finds *found, int depth)
{
	struct access_item each = {
		.kind = SHOW_ELEMENTS, .most = (uint16_t)sh->most,
		.offset = (uint32_t)btf_types_shape(found->type.db, found->type.id).size,
	};

	if ((depth > 0 && !sh->full) || sh->objects == PRT_SHOW_DEPTH) {
		text(sh, "[...]");
		return;
	}
	append_items(sh, &found->items);
	append_item(sh, each);
	object(sh, found->type, depth + 1);
}

static void other_value(struct show *sh, const struct printer_finds *found, uint32_t bit, int depth)
{
	struct btf_db *db = sh->db;

	if (sh->wraps == MAX_DEPTH || sh->objects == PRT_SHOW_DEPTH) {
		text(sh, "{...}");
		return;
	}
	sh->wraps++;
	if (found->inside) {
		sh->db = found->type.db;
		value(sh, found->type.id, bit + found->bit, found->bit_size, depth);
		sh->db = db;
	} else {
		append_items(sh, &found->items);
		append_item(sh, (struct access_item){ .kind = SHOW_AT });
		object(sh, found->type, depth);
	}
	sh->wraps--;
}

/* The position of the object, for has_bytes_from(). */
struct object_part {
	struct show *sh;
	uint32_t byte;
};

static bool has_bytes_from(void *data, uint32_t offset, uint32_t size)
{
	const struct object_part *part = data;

	return has_bytes(part->sh, part->byte + offset, size);
}

/* Adds the position of the object to its address wherever its items use that. */
static void move_items(struct show *sh, struct access_items *items, uint32_t byte)
{
	struct access_items moved = { 0 };

	for (size_t i = 0; byte && i < items->v.n; i++) {
		vec_push(sh->w->s->arena, &moved.v, items->v.v[i]);
		if (items->v.v[i].kind != SHOW_OBJECT)
			continue;
		vec_push(sh->w->s->arena, &moved.v, ((struct access_item){
			.kind = SHOW_NUMBER, .text = "", .offset = byte }));
		vec_push(sh->w->s->arena, &moved.v, ((struct access_item){
			.kind = SHOW_OPERATOR, .text = "", .op = OP_ADD }));
	}
	if (byte)
		*items = moved;
}

/* Shows a structure by a printer. Returns false if there is none for it. */
static bool printed(struct show *sh, uint32_t id, uint32_t bit, int depth)
{
	struct object_part part = { sh, bit / 8 };
	struct printer_finds found;

	if (!printer_find(sh->w->s, (struct access_type){ sh->db, id }, has_bytes_from, &part,
			  sh->w->quiet, &found))
		return false;
	move_items(sh, &found.items, bit / 8);
	switch (found.kind) {
	case PRINTER_TEXT:
		append_items(sh, &found.items);
		append_item(sh, (struct access_item){
			.kind = sh->w->e->u.context.plain ? SHOW_COUNTED_PLAIN : SHOW_COUNTED });
		break;
	case PRINTER_ELEMENTS:
	case PRINTER_RANGE:
		elements(sh, &found, depth);
		break;
	case PRINTER_VALUE:
		other_value(sh, &found, bit, depth);
	}
	return true;
}

/* ---- variants of Rust ---- */

static void append_number(struct show *sh, int64_t n)
{
	append_item(sh, (struct access_item){ .kind = SHOW_NUMBER, .offset = (uint32_t)n });
}

static void append_operator(struct show *sh, enum binary_op op)
{
	append_item(sh, (struct access_item){ .kind = SHOW_OPERATOR, .op = op });
}

/* An item has 32 bits, with a sign. */
static void append_wide(struct show *sh, uint64_t n)
{
	if ((int64_t)n == (int32_t)n) {
		append_number(sh, (int64_t)n);
		return;
	}
	append_number(sh, (int32_t)(n >> 32));
	for (int i = 1; i >= 0; i--) {
		append_number(sh, 16);
		append_operator(sh, OP_SHL);
		append_number(sh, (int64_t)(n >> 16 * i & 0xffff));
		append_operator(sh, OP_OR);
	}
}

/* Appends whether the object, @byte bytes from the address that is shown, is that variant. */
static void append_is(struct show *sh, const struct dwarf_variants *all, uint64_t is, uint32_t byte)
{
	if (!has_bytes(sh, byte + all->at, all->size)) {
		append_item(sh, (struct access_item){ .kind = SHOW_UNKNOWN });
		return;
	}
	append_item(sh, (struct access_item){ .kind = SHOW_OBJECT });
	append_item(sh, (struct access_item){
		.kind = SHOW_READ, .offset = byte + all->at, .size = all->size });
	append_wide(sh, is);
	append_operator(sh, OP_EQ);
}

/* The condition of a variant; that of the one that is left: none of the others. */
static void append_condition(struct show *sh, const struct dwarf_variants *all,
			     const struct dwarf_variant *v, uint32_t byte)
{
	bool any = false;

	if (!v->is_rest) {
		append_is(sh, all, v->is, byte);
		return;
	}
	vec_each(it, &all->v) {
		if (it->is_rest)
			continue;
		append_is(sh, all, it->is, byte);
		if (any)
			append_operator(sh, OP_OR);
		any = true;
	}
	append_number(sh, any ? 0 : 1);
	if (any)
		append_operator(sh, OP_EQ);
}

/* Shows "Name", "Name(value, ...)" or "Name{.field=value, ...}". */
static void variant(struct show *sh, const struct dwarf_variant *v, uint32_t bit, int depth)
{
	struct btf_db *db = sh->db;
	struct btf_member_place m;
	bool first = true, is_tuple;
	unsigned n;

	sh->db = v->type.db;
	bit += 8 * v->at;
	n = btf_types_nmembers(sh->db, v->type.id);
	/* Fields without names are called __0, __1, ... */
	is_tuple = n && strcmp(btf_types_nth_member(sh->db, v->type.id, 0, &m), "__0") == 0;
	text(sh, v->name);
	text(sh, is_tuple ? "(" : n ? "{" : "");
	if (!is_tuple)
		structure(sh, v->type.id, bit, depth, &first);
	for (unsigned i = 0; is_tuple && i < n && sh->written < sh->room && sh->left; i++) {
		btf_types_nth_member(sh->db, v->type.id, i, &m);
		sh->left--;
		text(sh, i ? ", " : "");
		value(sh, m.type, bit + m.bit_offset, m.bit_size, depth + 1);
	}
	text(sh, is_tuple ? ")" : n ? "}" : "");
	sh->db = db;
}

/* Shows the variant that an object is, each under its condition. Returns false if it has none. */
static bool variants(struct show *sh, uint32_t id, uint32_t bit, int depth)
{
	struct access_items *items = &sh->w->access->items;
	struct dwarf_variants all;

	if (!dwarf_variants(sh->w->s, (struct access_type){ sh->db, id }, &all))
		return false;
	if (!all.size) {
		variant(sh, &all.v.v[0], bit, depth);
		return true;
	}
	for (size_t i = 0; i < all.v.n && sh->left; i++) {
		size_t when;

		append_condition(sh, &all, &all.v.v[i], bit / 8);
		when = items->v.n;
		append_item(sh, (struct access_item){ .kind = SHOW_WHEN, .most = i == 0 });
		variant(sh, &all.v.v[i], bit, depth);
		append_item(sh, (struct access_item){ .kind = SHOW_TEXT });
		items->v.v[when].size = (uint32_t)(items->v.n - when - 1);
	}
	return true;
}

/* ---- values ---- */

/* @bit: its position from the address that is shown. */
static void value(struct show *sh, uint32_t type, uint32_t bit, uint32_t bits, int depth)
{
	struct btf_shape shape = btf_types_shape(sh->db, type), element;
	bool nested = depth > 0 && !sh->full;
	bool first = true;

	if (depth > MAX_DEPTH) {
		text(sh, "?");
	} else if (shape.kind == BTF_STRUCT && printed(sh, shape.id, bit, depth)) {
		/* It is shown. */
	} else if (shape.kind == BTF_STRUCT && nested) {
		text(sh, "{...}");
	} else if (shape.kind == BTF_STRUCT && variants(sh, shape.id, bit, depth)) {
		/* The same. */
	} else if (shape.kind == BTF_STRUCT) {
		text(sh, "{");
		structure(sh, type, bit, depth, &first);
		text(sh, "}");
	} else if (shape.kind == BTF_ARRAY) {
		element = btf_types_shape(sh->db, shape.target);
		if (is_char(sh, &element) && shape.nelems && has_bytes(sh, bit / 8, 1))
			append_item(sh, (struct access_item){ .kind = sh->w->e->u.context.plain ?
							      SHOW_CHARS_PLAIN : SHOW_CHARS,
							      .offset = bit / 8,
							      .size = (uint32_t)shape.size });
		else if (nested)
			text(sh, "[...]");
		else
			array(sh, &shape, bit, depth);
	} else {
		scalar(sh, &shape, bit, bits);
	}
}

/* ---- the whole value ---- */

/* Copies a value without an address: makes an expression for each of its words. */
static int take_words(struct walk *w)
{
	struct arena *a = w->s->arena;
	uint64_t bits = w->bit_size ? w->bit_size : btf_types_shape(w->db, w->type).size * 8;
	bool any = false;
	int err = -ENODATA;

	w->e->u.context.words.n = 0;
	for (uint64_t i = 0; i * 64 < bits; i++) {
		struct expr *word = ast_clone_expr(a, w->e);

		word->u.context.pretty = 0;
		word->u.context.words.n = 0;
		word->u.context.word = (unsigned)i + 1;
		if (i < MAX_WORDS)
			err = locate_context(w->s, w->site, w->kind, word, true);
		any |= !err;
		vec_push(a, &w->e->u.context.words, err ? ast_number(a, w->e->range, 0) : word);
	}
	if (any)
		return 0;
	w->e->u.context.words.n = 0;
	return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
			 "'%s' is passed by value: it can't be printed as a whole", path_text(w));
}

/* Follows a pointer to a structure, and pointers to such pointers as member access does. */
static int follow_pointers(struct walk *w)
{
	struct btf_shape shape = btf_types_shape(w->db, w->type), target = shape;
	unsigned n = 0;
	int err = 0;

	for (; target.kind == BTF_POINTER && n < MAX_DEPTH; n++)
		target = btf_types_shape(w->db, target.target);
	if (target.kind != BTF_STRUCT || w->bit_size)
		return 0;
	for (; n && !err; n--) {
		err = path_enter(w, shape.target);
		shape = btf_types_shape(w->db, shape.target);
		w->bit_offset = 0;
	}
	return err;
}

/* str(): the value must be text. */
static int check_text(struct walk *w, const struct access_items *items)
{
	enum access_show kind = items->v.n ? items->v.v[items->v.n - 1].kind : SHOW_TEXT;

	vec_each(it, &items->v)
		if (it->kind == SHOW_UNKNOWN)
			return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
					 "the text of '%s' is not available: the compiler does "
					 "not store that part of it", path_text(w));
	if (kind == SHOW_COUNTED_PLAIN || kind == SHOW_CHARS_PLAIN || kind == SHOW_STRING_PLAIN)
		return 0;
	path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL, "'%s' is of type '%s', which is not text",
		  path_text(w), path_type(w, w->type));
	path_hint(w, "println(%s$) shows it", path_text(w));
	return -EINVAL;
}

/* str() of a pointer to characters that the script has kept. */
static bool is_kept_text(struct show *sh)
{
	struct btf_shape shape = btf_types_shape(sh->db, sh->w->type);

	return sh->w->e->u.context.plain && sh->w->at_target && is_char(sh, &shape);
}

int show_finish(struct walk *w)
{
	struct show sh = {
		.w = w, .db = w->db, .text = "", .full = w->e->u.context.pretty > 1,
		.left = MAX_MEMBERS,
		.room = (size_t)(w->s->opt.caps.maxstringlen ? w->s->opt.caps.maxstringlen : 512),
		.most = (uint64_t)(w->s->opt.caps.show_elements ?
				   w->s->opt.caps.show_elements : 5),
	};
	uint32_t bit = w->bit_offset;
	int err = follow_pointers(w);

	if (err)
		return err;
	if (w->standing == ON_ADDRESS && !w->bit_size)
		bit = 0;
	if (w->e->u.context.address)
		return path_fail(w, w->e->range, E_BAD_ACCESS, -EINVAL,
				 "an address is a number: leave out the '&' or the '$' after '%s'",
				 path_text(w));
	if (w->standing == ON_PIECES && (err = take_words(w)))
		return err;
	if (btf_types_shape(w->db, w->type).kind == BTF_STRUCT &&
	    path_refuse_shuffled(w, w->e->range))
		return -ENODATA;
	w->access->result = AR_SHOW;
	w->access->show_value = w->standing == ON_VALUE;
	w->access->type_name = path_type(w, w->type);
	if (is_kept_text(&sh)) {
		append_item(&sh, (struct access_item){ .kind = SHOW_CHARS_PLAIN,
						       .size = (uint32_t)sh.room });
		return 0;
	}
	value(&sh, w->type, w->bit_size && w->standing != ON_PIECES ? bit : 0, w->bit_size, 0);
	if (w->e->u.context.plain)
		return check_text(w, &w->access->items);
	append_item(&sh, (struct access_item){ .kind = SHOW_TEXT });
	return 0;
}
