/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of a session's frames. An object's description is read from the device when it is first
 * shown, and kept; when all that is kept has become too large, everything is read again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/utf8.h"
#include "device/device.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"
#include "shared/buf.h"
#include "shared/bytes.h"
#include "shared/memory.h"

enum {
	HELD_MAX = 32 << 20,   /* bytes */
	DESCRIPTION_MAX = PRT_SCRIPT_WORDS * 8,
};

/* An object of the session. */
struct named_object {
	bool is_read;
	const struct script_language *language; /* NULL: it has no description */
	struct script_object object;
};

struct script_names {
	struct device *device;
	struct named_object *objects; /* by number */
	size_t n;
	size_t held;                  /* bytes that the objects have */
	unsigned char *bytes;         /* a description */
};

/* ---- a description ---- */

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/* Appends a character; '?' for one that is none, or that controls terminals. */
static void add_character(struct buf *to, uint32_t c)
{
	char text[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (is_control(c) || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff) {
		buf_write(to, "?", 1);
		return;
	}
	for (size_t i = n - 1; i; i--, c >>= 6)
		text[i] = (char)(0x80 | (c & 0x3f));
	text[0] = (char)(n == 1 ? c : (0xf00u >> n & 0xf0) | c);
	buf_write(to, text, n);
}

static uint32_t decoded(const char *s, size_t n)
{
	uint32_t c = (unsigned char)*s;

	if (n == 1)
		return c;
	c &= 0x7fu >> n;
	for (size_t i = 1; i < n; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

static void add_utf8(struct buf *to, const char *s, size_t left)
{
	while (left) {
		size_t n = utf8_sequence(s, left);

		add_character(to, n ? decoded(s, n) : 0);
		n += !n;
		s += n;
		left -= n;
	}
}

/* Appends the text of a piece, which may be cut off within a character. */
static void add_text(struct buf *to, const struct prt_script_piece *piece, struct bytes c)
{
	if (piece->width == PRT_SCRIPT_UTF8) {
		add_utf8(to, (const char *)c.p, bytes_left(&c));
	} else {
		while (bytes_left(&c) && bytes_left(&c) >= piece->width)
			add_character(to, (uint32_t)bytes_fixed(&c, piece->width));
	}
	if (piece->cut)
		buf_write(to, "...", 3);
}

static void take_number(struct script_object *ret, unsigned kind, struct bytes c)
{
	uint64_t number = bytes_fixed(&c, 8);

	if (kind == PRT_SCRIPT_FIRST)
		ret->first = number;
	else if (kind == PRT_SCRIPT_FLAGS)
		ret->flags = number;
}

static void take_lines(struct script_object *ret, const struct bytes *c)
{
	unsigned char *lines = memory_zeroed(1, bytes_left(c) + 1);

	memcpy(lines, c->p, bytes_left(c));
	free((void *)ret->lines);
	ret->lines = lines;
	ret->lines_len = bytes_left(c);
}

/* The texts of an object while its pieces are read. */
struct texts {
	struct buf function, file;
	bool has_class;
};

static void take_piece(const struct script_language *l, const struct prt_script_piece *piece,
		       struct bytes c, struct texts *texts, struct script_object *ret)
{
	if (!piece->width) {
		take_number(ret, piece->kind, c);
	} else if (piece->kind == PRT_SCRIPT_LINES) {
		take_lines(ret, &c);
	} else if (piece->kind == PRT_SCRIPT_FILE) {
		texts->file.len = 0;
		add_text(&texts->file, piece, c);
	} else if (piece->kind == PRT_SCRIPT_CLASS) {
		texts->function.len = 0;
		add_text(&texts->function, piece, c);
		texts->has_class = texts->function.len;
	} else if (piece->kind == PRT_SCRIPT_NAME) {
		if (texts->has_class)
			buf_puts(&texts->function, l->separator);
		else
			texts->function.len = 0;
		add_text(&texts->function, piece, c);
	}
}

static char *text_of(struct buf *b)
{
	char *text = memory_zeroed(1, b->len + 1);

	if (b->len)
		memcpy(text, b->s, b->len);
	buf_deinit(b);
	return text;
}

void script_object_read(const unsigned char *bytes, size_t size, const struct script_language *l,
			struct script_object *ret)
{
	struct bytes c = { .p = bytes, .end = bytes + size };
	struct texts texts = { 0 };

	*ret = (struct script_object){ 0 };
	while (bytes_left(&c) >= sizeof(struct prt_script_piece)) {
		struct prt_script_piece piece;
		struct bytes in;

		memcpy(&piece, c.p, sizeof(piece));
		bytes_skip(&c, sizeof(piece));
		in = c;
		if (piece.len > bytes_left(&c) || piece.width > PRT_SCRIPT_UTF8)
			break;
		in.end = in.p + piece.len;
		take_piece(l, &piece, in, &texts, ret);
		bytes_skip(&c, ((uint64_t)piece.len + 7) & ~7ull);
	}
	ret->file = text_of(&texts.file);
	ret->function = text_of(&texts.function);
	if (!*ret->function) {
		const char *none = l->nameless ? l->nameless : "[unknown]";

		free(ret->function);
		ret->function = strcpy(memory_zeroed(1, strlen(none) + 1), none);
	}
}

void script_object_free(struct script_object *o)
{
	free(o->function);
	free(o->file);
	free((void *)o->lines);
	*o = (struct script_object){ 0 };
}

/* ---- the objects of a session ---- */

static void forget(struct script_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		script_object_free(&names->objects[i].object);
	free(names->objects);
	names->objects = NULL;
	names->n = 0;
	names->held = 0;
}

static void read_object(struct script_names *names, uint32_t number, struct named_object *ret)
{
	struct prt_script_get get = {
		.object = number, .size = DESCRIPTION_MAX, .to = (uintptr_t)names->bytes,
	};

	if (!names->device || device_script_object(names->device, &get) != 0)
		return;
	ret->language = script_language_of(get.language);
	if (!ret->language)
		return;
	ret->is_read = true;
	script_object_read(names->bytes, get.size < DESCRIPTION_MAX ? get.size : DESCRIPTION_MAX,
			   ret->language, &ret->object);
	names->held += ret->object.lines_len + strlen(ret->object.function) +
		       strlen(ret->object.file);
}

static struct named_object *object_of(struct script_names *names, uint32_t number)
{
	if (names->held > HELD_MAX)
		forget(names);
	if (number >= names->n) {
		size_t n = number + 64ull;

		names->objects = memory_resized(names->objects, n, sizeof(*names->objects));
		memset(names->objects + names->n, 0, (n - names->n) * sizeof(*names->objects));
		names->n = n;
	}
	if (!names->objects[number].is_read)
		read_object(names, number, &names->objects[number]);
	return &names->objects[number];
}

struct script_names *script_names_start(struct device *device)
{
	struct script_names *names = memory_zeroed(1, sizeof(*names));

	names->device = device;
	names->bytes = memory_zeroed(1, DESCRIPTION_MAX);
	return names;
}

void script_names_stop(struct script_names *names)
{
	if (!names)
		return;
	forget(names);
	free(names->bytes);
	free(names);
}

struct script_frame script_names_frame(struct script_names *names, uint64_t word)
{
	struct script_frame ret = { .language = "script", .function = "[unknown]", .file = "" };
	uint32_t number = prt_frame_object(word);
	const struct named_object *it;

	if (!names || !number || number > PRT_SCRIPT_OBJECTS)
		return ret;
	it = object_of(names, number);
	if (!it->language)
		return ret;
	ret.language = it->language->name;
	ret.function = it->object.function;
	ret.file = it->object.file;
	ret.line = it->language->line(&it->object, (uint32_t)(word & PRT_FRAME_POSITION));
	return ret;
}
