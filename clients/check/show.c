/* SPDX-License-Identifier: GPL-2.0 */
/* The table of probec check. */
#include <stdio.h>
#include <string.h>

#include "check/private.h"
#include "list/list.h"
#include "shared/file.h"

/* Differences of a script that are shown without -v. */
enum { SHOWN = 5 };

static const char *kernel_name(const struct check_kernel *k)
{
	return k->release ? k->release : file_name(k->target);
}

static const char *verdict(const struct check_result *on)
{
	return on->error ? "no" : on->differences.n ? "differs" : "yes";
}

/* ---- text ---- */

static void show_table(const struct check_request *r, struct buf *out)
{
	int width = 0;

	vec_each(it, &r->scripts)
		width = (int)strlen(it->name) > width ? (int)strlen(it->name) : width;
	for (size_t i = 0; i < r->kernels.n; i++)
		buf_printf(out, "%zu: %s\n", i + 1, kernel_name(&r->kernels.v[i]));
	buf_printf(out, "\n%*s", width, "");
	for (size_t i = 0; i < r->kernels.n; i++)
		buf_printf(out, i + 1 < r->kernels.n ? "  %-7zu" : "  %zu", i + 1);
	buf_putc(out, '\n');
	vec_each(it, &r->scripts) {
		buf_printf(out, "%-*s", width, it->name);
		for (size_t i = 0; i < r->kernels.n; i++)
			buf_printf(out, i + 1 < r->kernels.n ? "  %-7s" : "  %s",
				   verdict(&it->on[i]));
		buf_putc(out, '\n');
	}
}

/* Notes that @kernel, a number from 1, has the @text; @lines: text -> "1, 3". */
static void note(struct state *s, struct map *lines, const char *text, size_t kernel)
{
	const char *before = map_get(lines, text);

	map_set(lines, text, before ? arena_printf(s->arena, "%s, %zu", before, kernel) :
				      arena_printf(s->arena, "%zu", kernel));
}

/* Kernels that have the same to say are named together. */
static void show_lines(const struct check_request *r, const struct map *lines, size_t most,
		       struct buf *out)
{
	size_t shown = r->verbose || lines->n <= most + 1 ? lines->n : most, n = 0;

	map_each(it, lines)
		if (n++ < shown)
			buf_printf(out, "  %s: %s\n", (const char *)it->value, it->key);
	if (shown < lines->n)
		buf_printf(out, "  and %zu more differences, which -v shows\n", lines->n - shown);
}

static void show_reasons(struct state *s, const struct check_request *r,
			 const struct check_script *script, struct buf *out)
{
	struct map errors, differences;

	map_init(&errors, s->arena);
	map_init(&differences, s->arena);
	for (size_t i = 0; i < r->kernels.n; i++) {
		const struct check_result *on = &script->on[i];

		if (on->error)
			note(s, &errors, r->verbose ? on->messages : on->error, i + 1);
		vec_each(d, &on->differences)
			note(s, &differences, *d, i + 1);
	}
	if (errors.n + differences.n == 0)
		return;
	buf_printf(out, "\n%s", script->name);
	if (differences.n)
		buf_printf(out, ", compared with %zu", script->like + 1);
	buf_puts(out, ":\n");
	show_lines(r, &errors, errors.n, out);
	show_lines(r, &differences, SHOWN, out);
}

static void show_text(struct state *s, const struct check_request *r, struct buf *out)
{
	const char *before = "\nNot known without debug information: inlined functions, on ";

	show_table(r, out);
	vec_each(it, &r->scripts)
		show_reasons(s, r, it, out);
	for (size_t i = 0; i < r->kernels.n; i++) {
		if (r->kernels.v[i].knows_copies)
			continue;
		buf_printf(out, "%s%zu", before, i + 1);
		before = ", ";
	}
	if (before[0] == ',')
		buf_putc(out, '\n');
}

/* ---- JSON ---- */

static void put_member(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "\"%s\":", name);
	list_json_text(out, value);
}

static void show_result(const struct check_kernel *k, const struct check_result *on,
			struct buf *out)
{
	const char *separator = "";

	buf_putc(out, '{');
	put_member(out, "kernel", kernel_name(k));
	buf_putc(out, ',');
	put_member(out, "works", verdict(on));
	if (on->error) {
		buf_putc(out, ',');
		put_member(out, "error", on->error);
	}
	buf_puts(out, ",\"differences\":[");
	vec_each(it, &on->differences) {
		buf_puts(out, separator);
		list_json_text(out, *it);
		separator = ",";
	}
	buf_puts(out, "]}");
}

static void show_json(const struct check_request *r, struct buf *out)
{
	buf_puts(out, "{\"kernels\":[");
	for (size_t i = 0; i < r->kernels.n; i++) {
		const struct check_kernel *k = &r->kernels.v[i];

		buf_puts(out, i ? ",{" : "{");
		put_member(out, "kernel", kernel_name(k));
		buf_putc(out, ',');
		put_member(out, "target", k->target);
		buf_printf(out, ",\"inlined_known\":%s}", k->knows_copies ? "true" : "false");
	}
	buf_puts(out, "],\"scripts\":[");
	for (size_t n = 0; n < r->scripts.n; n++) {
		const struct check_script *script = &r->scripts.v[n];

		buf_puts(out, n ? ",{" : "{");
		put_member(out, "script", script->name);
		if (script->like < r->kernels.n) {
			buf_putc(out, ',');
			put_member(out, "compared_with",
				   kernel_name(&r->kernels.v[script->like]));
		}
		buf_puts(out, ",\"on\":[");
		for (size_t i = 0; i < r->kernels.n; i++) {
			buf_puts(out, i ? "," : "");
			show_result(&r->kernels.v[i], &script->on[i], out);
		}
		buf_puts(out, "]}");
	}
	buf_puts(out, "]}\n");
}

void check_show(struct state *s, const struct check_request *r, struct buf *out)
{
	if (r->json)
		show_json(r, out);
	else
		show_text(s, r, out);
}
