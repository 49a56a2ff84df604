/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks as text, folded and as JSON. Records come from shared memory: every length is checked. */
#include "show/stack.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/file.h"
#include "shared/memory.h"
#include "show/frame.h"
#include "show/json.h"
#include "show/script_frame.h"
#include "unwind/service.h"

struct stack_name {
	uint64_t address;
	char *text; /* NULL: the entry is free */
};

/* ---- names ---- */

static struct stack_name *place_of(const struct stack_names *names, uint64_t address)
{
	size_t i = (size_t)((address * 0x9e3779b97f4a7c15ull) >> 32) & (names->capacity - 1);

	while (names->known[i].text && names->known[i].address != address)
		i = (i + 1) & (names->capacity - 1);
	return &names->known[i];
}

static void grow(struct stack_names *names)
{
	struct stack_names old = *names;

	if (names->n * 2 < names->capacity)
		return;
	names->capacity = names->capacity ? names->capacity * 2 : 256;
	names->known = memory_zeroed(names->capacity, sizeof(*names->known));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.known[i].text)
			*place_of(names, old.known[i].address) = old.known[i];
	free(old.known);
}

/* "vfs_read+0x10/0x140", followed by " [module]" in a module; valid as long as @get and until the
 * next call. NULL: there is no name. Names in modules are looked up each time, because modules come
 * and go. */
static const char *name_of(struct stack_names *names, struct prt_symbol_get *get)
{
	struct stack_name *name;

	if (!names->ask)
		return NULL;
	grow(names);
	name = place_of(names, get->address);
	if (name->text)
		return name->text;
	if (names->ask(names->arg, get))
		return NULL;
	get->text[sizeof(get->text) - 1] = '\0';
	if (!strchr(get->text, '+'))
		return NULL;
	if (strchr(get->text, '['))
		return get->text;
	name->text = strdup(get->text);
	if (!name->text)
		return get->text;
	name->address = get->address;
	names->n++;
	return name->text;
}

void stack_names_deinit(struct stack_names *names)
{
	for (size_t i = 0; i < names->capacity; i++)
		free(names->known[i].text);
	free(names->known);
	*names = (struct stack_names){ 0 };
}

/* ---- parts ---- */

/* Returns the size of the part at @p, where @left bytes are available, or 0 if it is incomplete. */
static size_t part_at(const char *p, size_t left, struct prt_stack_part *ret)
{
	if (left < sizeof(*ret))
		return 0;
	memcpy(ret, p, sizeof(*ret));
	left -= sizeof(*ret);
	return ret->n > left / 8 ? 0 : sizeof(*ret) + (size_t)ret->n * 8;
}

bool stack_valid(const char *parts, size_t len)
{
	struct prt_stack_part part;

	while (len) {
		size_t n = part_at(parts, len, &part);

		if (!n)
			return false;
		parts += n;
		len -= n;
	}
	return true;
}

/* Returns the reason why a part is incomplete, as text; NULL: it is complete. */
static const char *missing(const struct prt_stack_part *part)
{
	if (part->kind == PRT_STACK_LOST)
		return "the table of stacks was full";
	if (part->flags & PRT_STACK_DEEPER)
		return "the frames after these";
	if (part->flags & PRT_STACK_GUESSED)
		return "frame pointers were followed in code that was not known yet: frames may be "
		       "missing";
	if (part->flags & PRT_STACK_EARLY)
		return "the frames after these: the process's code was not known yet";
	if (part->flags == PRT_STACK_NATIVE)
		return "frames of scripts are missing here: frames of the interpreter stand in "
		       "their place";
	if (part->flags & PRT_STACK_ABSENT)
		return "the frames after these: the process's stack was not in memory";
	if (part->flags && part->kind == PRT_STACK_USER)
		return "the frames after these: there is no call frame information";
	if (part->flags & PRT_STACK_BROKEN)
		return "the frames after these, which the kernel's unwinder did not find";
	return NULL;
}

static uint64_t frame_of(const char *part, uint32_t i)
{
	uint64_t address;

	memcpy(&address, part + sizeof(struct prt_stack_part) + (size_t)i * 8, 8);
	return address;
}

/* Whether the frame is a script's, which is described then. */
static bool is_script(const struct stack_names *names, int kind, uint64_t word,
		      struct script_frame *ret)
{
	return kind == PRT_STACK_USER && service_script(names->service, word, ret);
}

/* Frame @i; without lines if they are not wanted. @before: the kind of the part before, or 0. */
static struct shown_frame frame_at(struct stack_names *names, const char *p,
			     const struct prt_stack_part *part, uint32_t i, bool lines, int before)
{
	uint64_t word = frame_of(p, i);

	if (!lines || (part->kind == PRT_STACK_USER && word & PRT_FRAME_SCRIPT))
		return (struct shown_frame){ .word = word };
	return frame_with_lines(names, part->kind, word, i || before == PRT_STACK_RETURNING);
}

/* ---- places ---- */

bool stack_is_place(const struct arg *a)
{
	return a->type == 'k' && (a->number == PRT_STACK_FILE_LINE || a->number == PRT_STACK_FILE ||
				  a->number == PRT_STACK_LINE ||
				  a->number == PRT_STACK_FUNCTION);
}

/* The function of the frame, or its address. */
static void put_function(struct stack_names *names, struct buf *to, int kind, uint64_t word)
{
	struct prt_symbol_get get = { .address = word };
	const char *name;

	if (kind == PRT_STACK_USER) {
		name = service_frame(names->service, word).function;
		word &= PRT_FRAME_ADDRESS;
	} else {
		name = name_of(names, &get);
	}
	if (!name)
		buf_printf(to, "0x%" PRIx64, word);
	else
		buf_write(to, name, kind == PRT_STACK_USER ? strlen(name) : strcspn(name, "+"));
}

void stack_place(struct stack_names *names, struct buf *to, const struct arg *a)
{
	struct prt_stack_part part;
	const struct line_frame *at;
	struct script_frame script;
	struct shown_frame f;

	if (!part_at(a->s, a->len, &part) || !part.n) {
		buf_puts(to, "0x0");
		return;
	}
	if (is_script(names, part.kind, frame_of(a->s, 0), &script)) {
		script_frame_place(to, &script, (int)a->number);
		return;
	}
	if (a->number == PRT_STACK_FUNCTION) {
		put_function(names, to, part.kind, frame_of(a->s, 0));
		return;
	}
	f = frame_with_lines(names, part.kind, frame_of(a->s, 0), false);
	at = f.inlined ? f.lines : f.own;
	if (!at || !at->line) {
		if (part.kind == PRT_STACK_USER)
			f.word &= PRT_FRAME_ADDRESS;
		buf_printf(to, "0x%" PRIx64, f.word);
		return;
	}
	if (a->number != PRT_STACK_LINE)
		buf_puts(to, at->file);
	if (a->number == PRT_STACK_FILE_LINE)
		buf_puts(to, ":");
	if (a->number != PRT_STACK_FILE)
		frame_put_line(to, at);
}

/* ---- text ---- */

static void put_named(struct stack_names *names, struct buf *to, const struct shown_frame *f,
		      int returning, enum stack_style style)
{
	uint64_t address = f->word;
	struct prt_symbol_get get = { .address = address };
	const char *name = name_of(names, &get);
	char text[32];

	if (returning) {
		snprintf(text, sizeof(text), "0x%" PRIx64, address);
		buf_puts(to, "Returning from: ");
		buf_write(to, name ? name : text, name ? strcspn(name, "+") : strlen(text));
		buf_puts(to, "\nReturning to  :");
		return;
	}
	if (style == STACK_BRIEF) {
		buf_puts(to, " ");
		snprintf(text, sizeof(text), "0x%" PRIx64, address);
		buf_write(to, name ? name : text, name ? strcspn(name, "/") : strlen(text));
		buf_puts(to, "\n");
		return;
	}
	frame_put_inlined(to, f, address, name && strchr(name, '[') ? strchr(name, '[') : "kernel");
	frame_put_address(to, address);
	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	buf_puts(to, name ? name : text);
	if (name && !strchr(name, '['))
		buf_puts(to, " [kernel]");
	frame_put_source(to, f->own);
	buf_puts(to, "\n");
}

/* The symbol, or else what debug information has. */
static const char *name_of_user(const struct service_frame *f, const struct shown_frame *at)
{
	if (f->function)
		return f->function;
	return at->own && *at->own->function ? at->own->function : "[unknown]";
}

static void put_user(const struct stack_names *names, struct buf *to, const struct shown_frame *at,
		     enum stack_style style)
{
	struct service_frame f = service_frame(names->service, at->word);
	char text[64];

	if (style == STACK_PLAIN) {
		snprintf(text, sizeof(text), "+0x%016" PRIx64, f.address);
		buf_puts(to, f.path ? file_name(f.path) : "");
		buf_puts(to, f.path ? text : text + 1);
		return;
	}
	if (style == STACK_BRIEF) {
		snprintf(text, sizeof(text), f.function ? "+0x%" PRIx64 "\n" : "0x%" PRIx64 "\n",
			 f.function ? f.offset : f.address);
		buf_puts(to, " ");
		buf_puts(to, f.function ? f.function : "");
		buf_puts(to, text);
		return;
	}
	frame_put_inlined(to, at, f.address, f.path);
	frame_put_address(to, f.address);
	buf_puts(to, name_of_user(&f, at));
	if (f.function)
		buf_printf(to, "+0x%" PRIx64 "/0x%" PRIx64, f.offset, f.size);
	if (f.path) {
		buf_puts(to, " [");
		buf_puts(to, f.path);
		buf_puts(to, "]");
	}
	frame_put_source(to, at->own);
	buf_puts(to, "\n");
}

static void put_part(struct stack_names *names, struct buf *to, const char *p,
		     const struct prt_stack_part *part, enum stack_style style, int before)
{
	struct script_frame script;

	if (part->kind == PRT_STACK_LOST)
		buf_puts(to, style == STACK_PLAIN ? "[lost stack]" : " [lost stack]\n");
	for (uint32_t i = 0; i < part->n; i++) {
		struct shown_frame f = frame_at(names, p, part, i, style == STACK_LINES, before);

		if (part->kind == PRT_STACK_USER) {
			if (style == STACK_PLAIN && (i || before))
				buf_puts(to, " ");
			if (is_script(names, part->kind, f.word, &script))
				script_frame_text(to, &script, style);
			else
				put_user(names, to, &f, style);
		} else if (style != STACK_PLAIN) {
			put_named(names, to, &f, part->kind == PRT_STACK_RETURNING, style);
		} else if (part->kind == PRT_STACK_KERNEL) {
			buf_printf(to, "%s0x%016" PRIx64, i ? " " : "", frame_of(p, i));
		}
	}
	if (part->kind == PRT_STACK_LOST || !missing(part))
		return;
	buf_puts(to, " ...");
	if (style != STACK_PLAIN) {
		buf_puts(to, " ");
		buf_puts(to, missing(part));
		buf_puts(to, "\n");
	}
}

void stack_text(struct stack_names *names, struct buf *to, const struct arg *a,
		enum stack_style style)
{
	struct prt_stack_part part;
	const char *p = a->s;
	size_t left = a->len, n;
	int before = 0;

	if (style == STACK_NAMED && names->lines)
		style = STACK_LINES;
	for (; left && (n = part_at(p, left, &part)); p += n, left -= n) {
		put_part(names, to, p, &part, style, before);
		if (part.n)
			before = part.kind;
	}
}

/* ---- folded ---- */

void stack_folded_frame(struct buf *to, size_t start, const char *s, size_t len)
{
	size_t from;

	if (to->len > start)
		buf_puts(to, ";");
	from = to->len;
	buf_write(to, s, len);
	for (size_t i = from; i < to->len; i++) {
		if (to->s[i] == ';')
			to->s[i] = ':';
		else if ((unsigned char)to->s[i] < ' ' || to->s[i] == 0x7f)
			to->s[i] = ' ';
	}
	if (to->len == from)
		buf_puts(to, "(empty)");
}

static void put_folded(struct stack_names *names, struct buf *to, size_t start,
		       const struct shown_frame *f)
{
	uint64_t address = f->word;
	struct prt_symbol_get get = { .address = address };
	const char *name = name_of(names, &get);
	char number[24];

	snprintf(number, sizeof(number), "0x%" PRIx64, address);
	if (name)
		stack_folded_frame(to, start, name, strcspn(name, "+"));
	else
		stack_folded_frame(to, start, number, strlen(number));
	buf_puts(to, "_[k]");
}

/* The function; where it has no name, the file in brackets. */
static void put_folded_user(const struct stack_names *names, struct buf *to, size_t start,
			    const struct shown_frame *at)
{
	struct service_frame f = service_frame(names->service, at->word);
	const char *name = name_of_user(&f, at);
	char text[64];

	if (*name != '[') {
		stack_folded_frame(to, start, name, strlen(name));
		return;
	}
	snprintf(text, sizeof(text), "[%.60s]", f.path ? file_name(f.path) : "unknown");
	stack_folded_frame(to, start, text, strlen(text));
}

static void put_folded_part(struct stack_names *names, struct buf *to, size_t start, const char *p,
			    const struct prt_stack_part *part, int before)
{
	struct script_frame script;

	if (part->kind == PRT_STACK_LOST)
		stack_folded_frame(to, start, "[lost stack]", 12);
	else if (missing(part))
		stack_folded_frame(to, start, "[missing frames]", 16);
	for (uint32_t i = part->n; i--;) {
		struct shown_frame f = frame_at(names, p, part, i, names->lines, before);

		if (is_script(names, part->kind, f.word, &script))
			script_frame_folded(to, start, &script, names->lines);
		else if (part->kind == PRT_STACK_USER)
			put_folded_user(names, to, start, &f);
		else
			put_folded(names, to, start, &f);
		frame_put_folded(to, start, &f);
	}
}

/* The kind of the part at @p; 0: there is none. */
static int kind_at(const char *p, size_t left)
{
	struct prt_stack_part part;

	return part_at(p, left, &part) && part.n ? part.kind : 0;
}

void stack_folded(struct stack_names *names, struct buf *to, size_t start, const struct arg *a)
{
	struct buf starts = { 0 }; /* of the parts: offsets in a->s */
	struct prt_stack_part part;
	size_t at = 0, n;

	while (at < a->len && (n = part_at(a->s + at, a->len - at, &part))) {
		buf_write(&starts, (const char *)&at, sizeof(at));
		at += n;
	}
	if (!starts.len)
		stack_folded_frame(to, start, "[no stack]", 10);
	for (size_t i = starts.len; i; i -= sizeof(at)) {
		int before = 0;

		if (i > sizeof(at)) {
			memcpy(&at, starts.s + i - 2 * sizeof(at), sizeof(at));
			before = kind_at(a->s + at, a->len - at);
		}
		memcpy(&at, starts.s + i - sizeof(at), sizeof(at));
		part_at(a->s + at, a->len - at, &part);
		put_folded_part(names, to, start, a->s + at, &part, before);
	}
	buf_deinit(&starts);
}

/* ---- JSON ---- */

/* {"address":"0x...","symbol":"vfs_read","offset":16,"module":"kernel"} */
static void put_frame(struct stack_names *names, struct buf *to, const struct shown_frame *f,
		      int returning)
{
	uint64_t address = f->word;
	struct prt_symbol_get get = { .address = address };
	const char *name = name_of(names, &get), *offset, *module;

	module = name ? strchr(name, '[') : NULL;
	frame_json_inlined(to, f, address, module ? module + 1 : "kernel", false);
	json_open(to, NULL, '{');
	frame_json_address(to, address);
	if (name) {
		offset = strchr(name, '+');
		json_string(to, "symbol", name, (size_t)(offset - name));
		json_unsigned(to, "offset", strtoull(offset + 1, NULL, 16));
		if (module)
			json_string(to, "module", module + 1, strcspn(module + 1, "]"));
		else
			json_text(to, "module", "kernel");
	}
	frame_json_source(to, f->own);
	if (returning)
		json_text(to, "kind", "returning");
	json_close(to, '}');
}

/* {"address":"0x...","symbol":"main","offset":16,"object":"/usr/bin/ls","kind":"user"} */
static void put_user_frame(const struct stack_names *names, struct buf *to,
			   const struct shown_frame *at)
{
	struct service_frame f = service_frame(names->service, at->word);
	const char *name = name_of_user(&f, at);

	frame_json_inlined(to, at, f.address, f.path, true);
	json_open(to, NULL, '{');
	frame_json_address(to, f.address);
	if (*name != '[')
		json_text(to, "symbol", name);
	if (f.function)
		json_unsigned(to, "offset", f.offset);
	frame_json_source(to, at->own);
	if (f.path)
		json_text(to, "object", f.path);
	json_text(to, "kind", "user");
	json_close(to, '}');
}

void stack_json(struct stack_names *names, struct buf *to, const char *key, const struct arg *a)
{
	struct prt_stack_part part;
	const char *p = a->s;
	bool lines = names->lines || a->number == PRT_STACK_WITH_LINES;
	size_t left = a->len, n;
	struct script_frame script;
	int before = 0;

	json_open(to, key, '[');
	for (; left && (n = part_at(p, left, &part)); p += n, left -= n) {
		for (uint32_t i = 0; i < part.n; i++) {
			struct shown_frame f = frame_at(names, p, &part, i, lines, before);

			if (is_script(names, part.kind, f.word, &script))
				script_frame_json(to, &script);
			else if (part.kind == PRT_STACK_USER)
				put_user_frame(names, to, &f);
			else
				put_frame(names, to, &f, part.kind == PRT_STACK_RETURNING);
		}
		if (part.n)
			before = part.kind;
		if (!missing(&part))
			continue;
		json_open(to, NULL, '{');
		json_text(to, "missing", missing(&part));
		json_close(to, '}');
	}
	json_close(to, ']');
}
