/* SPDX-License-Identifier: GPL-2.0 */
/* The output of a session: prints and messages as text, JSON objects or CSV rows. */
#include "show/show.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/escape.h"
#include "common/say.h"
#include "module/meta.h"
#include "show/args.h"
#include "show/csv.h"
#include "show/ctf.h"
#include "show/empty.h"
#include "show/folded.h"
#include "show/json.h"
#include "show/output.h"
#include "show/parts.h"
#include "show/perfetto.h"

/* ---- JSON objects ---- */

struct buf *show_begin(struct show *s, const char *type)
{
	struct timespec now;

	s->line.len = 0;
	json_open(&s->line, NULL, '{');
	json_text(&s->line, "type", type);
	if (s->hit) {
		json_text(&s->line, "probe", s->hit->probe);
		if (s->hit->cpu < 0)
			json_null(&s->line, "cpu");
		else
			json_signed(&s->line, "cpu", s->hit->cpu);
		json_seconds(&s->line, "time", s->hit->time);
	} else {
		clock_gettime(CLOCK_REALTIME, &now);
		json_seconds(&s->line, "time",
			     (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	}
	return &s->line;
}

void show_end(struct show *s)
{
	json_close(&s->line, '}');
	buf_puts(&s->line, "\n");
	output_write(s->out, s->line.s, s->line.len);
}

void show_srcloc(struct buf *t, const struct position *p)
{
	if (!p)
		return;
	json_text(t, "file", p->file);
	json_unsigned(t, "line", p->line);
	json_unsigned(t, "col", p->col);
}

static bool sink(void *arg, const struct say_message *m)
{
	struct show *s = arg;
	struct buf *t;

	if (s->out->broken)
		return false;
	t = show_begin(s, m->kind);
	if (m->probe && !s->hit)
		json_text(t, "probe", m->probe);
	if (m->id)
		json_text(t, "id", m->id);
	show_srcloc(t, m->srcloc);
	json_string(t, "text", m->text, m->len);
	if (m->hint)
		json_text(t, "hint", m->hint);
	show_end(s);
	return true;
}

static void put_place(struct show *s, struct buf *t, const char *key, const struct arg *a)
{
	struct buf place = { 0 };

	stack_place(&s->names, &place, a);
	json_string(t, key, place.s, place.len);
	buf_deinit(&place);
}

/* JSON has no NaN and no infinity: these are strings. */
static void put_double(struct buf *t, const char *key, const struct arg *a)
{
	char number[ARGS_DOUBLE];

	args_double(a, number);
	if (strpbrk(number, "ni"))
		json_text(t, key, number);
	else
		json_number(t, key, number);
}

static void put_value(struct show *s, struct buf *t, const char *key, const struct arg *a)
{
	if (a->type == 'H')
		json_hist(t, key, a, s->percentiles);
	else if (a->type == 's')
		json_string(t, key, a->s, a->len);
	else if (stack_is_place(a))
		put_place(s, t, key, a);
	else if (a->type == 'k')
		stack_json(&s->names, t, key, a);
	else if (a->type == 'd')
		put_double(t, key, a);
	else
		json_signed(t, key, a->number);
}

static bool has_other_bytes(const struct arg *a)
{
	return a->type == 's' && !json_is_utf8(a->s, a->len);
}

static void put_hex(struct buf *t, const char *key, const struct arg *a)
{
	struct buf hex = { 0 };

	for (size_t i = 0; i < a->len; i++)
		buf_printf(&hex, "%02x", (unsigned char)a->s[i]);
	json_text(t, key, hex.s);
	buf_deinit(&hex);
}

/* Adds the bytes of a string that is not UTF-8 in hex, because "value" cannot hold them. */
static void put_bytes(struct buf *t, const struct arg *a)
{
	if (has_other_bytes(a))
		put_hex(t, "hex", a);
}

/* The same for keys: an array with null for each key whose value is in "keys". */
static int put_key_bytes(struct buf *t, unsigned keys, struct args args)
{
	struct args again = args;
	bool any = false;
	struct arg a;

	for (unsigned i = 0; i < keys; i++) {
		if (args_next(&args, &a))
			return -1;
		any |= has_other_bytes(&a);
	}
	if (!any)
		return 0;
	json_open(t, "hex", '[');
	for (unsigned i = 0; i < keys && args_next(&again, &a) == 0; i++)
		if (has_other_bytes(&a))
			put_hex(t, NULL, &a);
		else
			json_null(t, NULL);
	json_close(t, ']');
	return 0;
}

static int put_args(struct show *s, struct buf *t, const struct meta_print *p,
		    struct args args)
{
	struct arg a;
	size_t len;

	json_open(t, "args", '[');
	for (unsigned i = 0; *args.types; i++) {
		const char *name = meta_name(p, i, &len);

		if (args_next(&args, &a))
			return -1;
		json_open(t, NULL, '{');
		if (name)
			json_string(t, "expr", name, len);
		else
			json_null(t, "expr");
		put_value(s, t, "value", &a);
		put_bytes(t, &a);
		json_close(t, '}');
	}
	json_close(t, ']');
	return 0;
}

/* Adds the keys of a global and its value: a single one, or an object of an aggregate's parts. */
static int put_global(struct show *s, struct buf *t, const struct meta_print *p,
		      struct args args)
{
	unsigned keys = meta_keys(p);
	struct args all = args;
	const char *name;
	char part[16];
	struct arg a;
	size_t len;

	json_text(t, "name", p->global);
	json_open(t, "keys", '[');
	for (unsigned i = 0; i < keys; i++) {
		if (args_next(&args, &a) || !a.type)
			return -1;
		put_value(s, t, NULL, &a);
	}
	json_close(t, ']');
	if (put_key_bytes(t, keys, all))
		return -1;
	name = meta_name(p, keys, &len);
	if (!name || strncmp(name, "value", 5) == 0) {
		if (args_next(&args, &a) || !a.type)
			return -1;
		put_value(s, t, "value", &a);
		return 0;
	}
	json_open(t, "value", '{');
	for (unsigned i = keys; *args.types; i++) {
		name = meta_name(p, i, &len);
		snprintf(part, sizeof(part), "%.*s", (int)len, name ? name : "");
		if (args_next(&args, &a))
			return -1;
		put_value(s, t, part, &a);
	}
	json_close(t, '}');
	return 0;
}

/* Adds a stack in the script's notation; in the text of a global it begins on a line of its own. */
static void put_stack(struct show *s, struct buf *to, const struct meta_print *p,
		      const struct arg *a)
{
	if (stack_is_place(a)) {
		stack_place(&s->names, to, a);
		return;
	}
	if (p->global && a->len && s->format != SHOW_CSV)
		buf_puts(to, "\n");
	stack_text(&s->names, to, a, a->number == PRT_STACK_WITH_LINES ? STACK_LINES :
		   a->number == PRT_STACK_BRIEF ? STACK_BRIEF :
		   p->global || a->number == PRT_STACK_WITH_NAMES ? STACK_NAMED : STACK_PLAIN);
}

/* Adds an argument of a record as text. */
static void add_string(struct buf *to, const char *string, size_t len)
{
	static const char zeros[8];
	uint32_t n = (uint32_t)len;

	buf_write(to, (const char *)&n, sizeof(n));
	buf_write(to, string, len);
	buf_write(to, zeros, -(sizeof(n) + len) & 7);
}

int show_as_text(struct show *s, const struct meta_print *p, struct args *args)
{
	struct args rest = *args;

	if (!strchr(args->types, 'k'))
		return 0;
	s->args.len = s->types.len = 0;
	while (*rest.types) {
		const char *start = rest.p;
		struct arg a;

		if (args_next(&rest, &a))
			return -1;
		buf_write(&s->types, a.type == 'k' ? "s" : &a.type, 1);
		if (a.type == 'k') {
			s->text.len = 0;
			put_stack(s, &s->text, p, &a);
			add_string(&s->args, s->text.s ? s->text.s : "", s->text.len);
		} else {
			buf_write(&s->args, start, (size_t)(rest.p - start));
		}
	}
	*args = (struct args){ s->types.s, s->args.s, s->args.s + s->args.len };
	return 0;
}

static bool print_json(struct show *s, const struct meta_print *p, struct args args)
{
	struct buf *t = show_begin(s, p->global ? "global" : "print");
	struct args texts = args;

	if (p->global) {
		if (put_global(s, t, p, args))
			return false;
	} else {
		if (show_as_text(s, p, &texts) ||
		    parts_format(p, texts, s->percentiles, 0, &s->text))
			return false;
		json_string(t, "text", s->text.s, s->text.len);
		if (put_args(s, t, p, args))
			return false;
	}
	show_end(s);
	return true;
}

/* ---- CSV rows ---- */

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_columns(const struct meta_print *p)
{
	for (unsigned i = 0; p->types[i]; i++)
		if (!meta_literal(p, i))
			return true;
	return false;
}

/* Adds the name of argument @i, or several names for a histogram. */
static void put_name(struct show *s, const struct meta_print *p, unsigned i, bool in_format)
{
	char column[24];
	size_t len;
	const char *name = meta_name(p, i, &len);

	if (!name) {
		len = (size_t)snprintf(column, sizeof(column), "arg%u", i + 1);
		name = column;
	}
	if (p->types[i] == 'H')
		csv_hist_names(&s->line, name, len, in_format, s->percentiles);
	else
		csv_string(&s->line, name, len);
}

/* Whether argument @i, of which the format uses the first @mentioned, comes first: it is a key of a
 * histogram. */
static bool is_key(const struct meta_print *p, unsigned i, unsigned mentioned)
{
	return i >= mentioned && p->types[i] != 'H';
}

/* The keys of histograms, which the format does not use, are the first columns. */
static void put_names(struct show *s, const struct meta_print *p)
{
	unsigned mentioned = parts_args(p);

	if (p->global)
		csv_string(&s->line, "name", 4);
	for (int keys = 1; keys >= 0; keys--)
		for (unsigned i = 0; p->types[i]; i++)
			if (is_key(p, i, mentioned) == keys && !meta_literal(p, i))
				put_name(s, p, i, i < mentioned);
	csv_end(&s->line);
}

/* Returns the number of rows for the arguments: one for each bucket of the longest histogram that
 * the format uses. -1: damaged. */
static int count_rows(const struct meta_print *p, struct args args)
{
	unsigned mentioned = parts_args(p);
	int rows = 1;
	struct arg a;

	for (unsigned i = 0; *args.types; i++) {
		struct args_bucket b;
		uint32_t at = 0;
		int n = 0;

		if (args_next(&args, &a))
			return -1;
		while (a.type == 'H' && i < mentioned && args_next_bucket(&a, &at, &b))
			n++;
		rows = n > rows ? n : rows;
	}
	return rows;
}

static void put_stack_field(struct show *s, const struct meta_print *p, const struct arg *a)
{
	s->text.len = 0;
	put_stack(s, &s->text, p, a);
	csv_string(&s->line, s->text.s ? s->text.s : "", s->text.len);
}

static void put_double_field(struct show *s, const struct arg *a)
{
	char number[ARGS_DOUBLE];

	args_double(a, number);
	csv_string(&s->line, number, strlen(number));
}

static void put_field(struct show *s, const struct meta_print *p, const struct arg *a, unsigned row,
		      bool in_format)
{
	if (a->type == 'H')
		csv_hist_fields(&s->line, a, row, in_format, s->percentiles);
	else if (a->type == 's')
		csv_string(&s->line, a->s, a->len);
	else if (a->type == 'k')
		put_stack_field(s, p, a);
	else if (a->type == 'd')
		put_double_field(s, a);
	else
		csv_signed(&s->line, a->number);
}

static void put_row(struct show *s, const struct meta_print *p, struct args args, unsigned row)
{
	struct buf *t = &s->line;
	unsigned mentioned = parts_args(p);
	struct arg a;

	if (p->global)
		csv_string(t, p->global, strlen(p->global));
	for (int keys = 1; keys >= 0; keys--) {
		struct args left = args;

		for (unsigned i = 0; args_next(&left, &a) == 0 && a.type; i++)
			if (is_key(p, i, mentioned) == keys && !meta_literal(p, i))
				put_field(s, p, &a, row, i < mentioned);
	}
	csv_end(t);
}

static bool print_csv(struct show *s, const struct meta_print *p, struct args args)
{
	const struct meta_print *last = s->table;
	int rows = count_rows(p, args);

	if (rows < 0)
		return false;
	if (!has_columns(p))
		return true;
	s->line.len = 0;
	if (!last || !same(last->names, p->names) || !last->global != !p->global ||
	    (!p->global && strcmp(last->types, p->types) != 0)) {
		if (last)
			output_write(s->out, "\n", 1);
		put_names(s, p);
		output_heading(s->out, s->line.s, s->line.len);
		s->line.len = 0;
	}
	s->table = p;
	for (int i = 0; i < rows; i++)
		put_row(s, p, args, (unsigned)i);
	if (s->escape)
		escape_tail(&s->line, 0);
	output_write(s->out, s->line.s, s->line.len);
	return true;
}

/* ---- folded stacks ---- */

static bool print_folded(struct show *s, const struct meta_print *p, struct args args)
{
	if (!strchr(p->types, 'k')) {
		if (parts_format(p, args, s->percentiles, s->escape, &s->text))
			return false;
		say_text(s->text.s ? s->text.s : "", s->text.len);
		return true;
	}
	s->line.len = 0;
	if (folded_line(&s->names, &s->line, p, args))
		return false;
	output_write(s->out, s->line.s, s->line.len);
	return true;
}

/* ---- traces ---- */

static struct perfetto *trace_of(struct show *s)
{
	if (!s->trace)
		s->trace = perfetto_create(s->out, s->script ? s->script : "script");
	return s->trace;
}

/* Makes strings of the stacks in @args, and the text of the print in @s. */
static bool make_text(struct show *s, const struct meta_print *p, struct args *args)
{
	return show_as_text(s, p, args) == 0 &&
	       parts_format(p, *args, s->percentiles, 0, &s->text) == 0;
}

static bool print_trace(struct show *s, const struct meta_print *p, struct args args)
{
	return make_text(s, p, &args) &&
	       (s->format == SHOW_CTF ? ctf_print(s->ctf, s->hit, p, args, &s->text) :
		perfetto_print(trace_of(s), s->hit, p, args, &s->text));
}

/* ---- the session ---- */

static bool give_also(struct show *s, const struct meta_print *p, struct args args)
{
	return make_text(s, p, &args) && s->also(s->also_arg, s->hit, p, args, &s->text);
}

bool show_print(struct show *s, const struct meta_print *p, const void *args, size_t len)
{
	bool ok;

	s->rows += !(s->hit && s->hit->first) && empty_is_row(p, s->hit && s->hit->hot);
	return table_takes(s, p, args, len, &ok) ? ok : show_row(s, p, args, len);
}

bool show_row(struct show *s, const struct meta_print *p, const void *args, size_t len)
{
	struct args a = { p->types, args, (const char *)args + len };

	if (s->also && s->hit && !give_also(s, p, a))
		return false;
	if (s->format == SHOW_JSON)
		return print_json(s, p, a);
	if (s->format == SHOW_CSV)
		return print_csv(s, p, a);
	if (s->format == SHOW_FOLDED)
		return print_folded(s, p, a);
	if (s->format == SHOW_PERFETTO || s->format == SHOW_CTF)
		return print_trace(s, p, a);
	if (s->escape || (s->percentiles && strchr(p->types, 'H')) || strchr(p->types, 'k')) {
		if (show_as_text(s, p, &a) ||
		    parts_format(p, a, s->percentiles, s->escape, &s->text))
			return false;
		output_write(s->out, s->text.s, s->text.len);
		return true;
	}
	return output_print(s->out, p, args, len);
}

void show_command(struct show *s, const char *text, size_t len)
{
	const struct show_hit *hit = s->hit;

	s->hit = NULL; /* there is no hit from here on */
	if (s->format == SHOW_TEXT) {
		s->text.len = 0;
		if (s->escape)
			escape_add(&s->text, text, len);
		else
			buf_write(&s->text, text, len);
		output_write(s->out, s->text.s, s->text.len);
	} else if (s->format != SHOW_JSON) {
		say_text(text, len);
	} else {
		json_string(show_begin(s, "system"), "text", text, len);
		show_end(s);
	}
	s->hit = hit;
}

static void flush(void *out)
{
	output_flush(out);
}

void show_open(struct show *s, enum show_format format, const struct percentiles *percentiles,
	       int escape, struct output *out)
{
	*s = (struct show){ .format = format, .percentiles = percentiles, .escape = escape,
			    .out = out };
	say_before(flush, out);
	if (format == SHOW_JSON)
		say_sink(sink, s);
}

void show_trace(struct show *s, struct ctf *ctf)
{
	s->ctf = ctf;
	s->out->flush = ctf_flush;
	s->out->flush_arg = ctf;
}

void show_finish(struct show *s)
{
	table_end(s);
	if (s->format == SHOW_PERFETTO)
		perfetto_finish(trace_of(s));
}

void show_close(struct show *s)
{
	output_flush(s->out);
	say_sink(NULL, NULL);
	say_before(NULL, NULL);
	s->out->flush = NULL;
	buf_deinit(&s->line);
	buf_deinit(&s->text);
	buf_deinit(&s->args);
	buf_deinit(&s->types);
	table_deinit(&s->held);
	perfetto_destroy(s->trace);
	stack_names_deinit(&s->names);
}
