/* SPDX-License-Identifier: GPL-2.0 */
/* The self-description: section .probec, one C string for each line of text (records.h). */
#include <ctype.h>
#include <string.h>

#include "config.h"
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/tables.h"
#include "target/kernel/kernel.h"
#include "target/object/object.h"
#include "records.h"

/* A field that may contain any bytes, which are escaped. */
static void put_field(struct buf *line, const char *s, size_t n)
{
	buf_putc(line, '\t');
	for (size_t i = 0; i < n; i++) {
		unsigned char ch = s[i];

		if (ch == '\t')
			buf_puts(line, "\\t");
		else if (ch == '\n')
			buf_puts(line, "\\n");
		else if (ch == '\\')
			buf_puts(line, "\\\\");
		else if (ch < ' ' || ch == 127)
			buf_printf(line, "\\%03o", ch);
		else
			buf_putc(line, ch);
	}
}

static void put_text(struct buf *line, const char *s)
{
	put_field(line, s ? s : "", s ? strlen(s) : 0);
}

/* Writes the line as a C string, and empties @line. */
static void finish(struct emit *e, struct buf *line)
{
	buf_putc(line, '\n');
	buf_putc(e->out, '\t');
	buf_put_quoted(e->out, line->s, line->len);
	buf_putc(e->out, '\n');
	line->len = 0;
}

static void put_place(struct emit *e, struct buf *line, struct range r)
{
	if (r.src)
		buf_printf(line, "\t%u", emit_srcloc(e, r));
	else
		buf_puts(line, "\t-");
}

static void visit_override(struct emit_finfo *fi, void *data)
{
	bool *found = data;

	*found |= fi->overrides;
}

static void overrides(struct emit *e, struct buf *line)
{
	vec_each(it, &e->p->probes) {
		bool found = false;

		emit_func_callees(e, (*it)->body, (*it)->cond, visit_override, &found);
		if (!found)
			continue;
		buf_printf(line, "override\t%d", (*it)->index);
		finish(e, line);
	}
}

static void switches(struct emit *e, struct buf *line)
{
	vec_each(it, &e->p->probes) {
		if (!emit_switch_has(e, *it))
			continue;
		buf_printf(line, "switch\t%d", (*it)->index);
		finish(e, line);
	}
}

static void probes(struct emit *e, struct buf *line)
{
	size_t n = 0;

	vec_each(it, &e->p->probes) {
		buf_printf(line, "probe\t%d\t%s", (*it)->index, probe_kind_word(*it));
		put_text(line, (*it)->pp);
		put_place(e, line, (*it)->range);
		finish(e, line);
	}
	vec_each(it, &e->p->probes) {
		vec_each(s, &(*it)->sites) {
			buf_printf(line, "site\t%zu\t%d", n++, (*it)->index);
			put_text(line, (*s)->object);
			put_text(line, (*s)->symbol);
			buf_printf(line, "\t%d\t%llu\t%d", (*s)->namesake,
				   (unsigned long long)(*s)->offset,
				   probe_may_fail(*it) | (*it)->optional << 1);
			put_text(line, (*s)->pp);
			finish(e, line);
		}
	}
}

static void programs(struct emit *e, struct buf *line)
{
	for (size_t i = 0; i < e->scopes.v.n; i++) {
		const struct program_file *o = e->scopes.v.v[i]->file;

		buf_printf(line, "program\t%zu", i);
		put_text(line, o->path);
		put_text(line, o->build_id ? o->build_id : "-");
		finish(e, line);
	}
}

static void modules(struct emit *e, struct buf *line)
{
	for (size_t i = 0; i < e->modules.v.n; i++) {
		const struct emit_module *m = &e->modules.v.v[i];

		buf_printf(line, "module\t%zu", i);
		put_text(line, m->name);
		put_text(line, m->build_id ? m->build_id : "-");
		finish(e, line);
	}
}

/* The text of an argument as the script has it, in one line: the name of a macro, not its body. */
static void put_source(struct buf *b, struct range r)
{
	bool space = false;
	const char *text;

	while (r.via && !r.via->is_copy)
		r = (struct range){ r.via->src, r.via->start, r.via->end, r.via->outer };
	text = r.src ? r.src->text : NULL;

	for (uint32_t i = r.start; text && i < r.end; i++) {
		if (isspace((unsigned char)text[i])) {
			space = true;
			continue;
		}
		if (space)
			buf_putc(b, ' ');
		space = false;
		buf_putc(b, text[i]);
	}
}

/* The global that a print statement of resolve/autoprint.c shows; NULL for a statement of the
 * script. */
static const struct symbol *shown_global(const struct print_statement *st)
{
	const struct expr *last;

	if (!st->range.src || strcmp(st->range.src->name, PROGRAM_AUTO_PRINT) != 0 ||
	    !st->args.n || st->edge)
		return NULL;
	last = st->args.v[st->args.n - 1];
	return ast_base_symbol(last->kind == EX_AGG ? last->u.agg.a : last);
}

/* The column names of a printed global; the keys come first. */
static void put_column(struct buf *b, const struct symbol *g, const struct expr *arg, size_t i)
{
	static const char *const agg[] = {
		[AGG_COUNT] = "count", [AGG_SUM] = "sum", [AGG_MIN] = "min", [AGG_MAX] = "max",
		[AGG_AVG] = "avg", [AGG_HIST_LOG] = "histogram",
		[AGG_HIST_LINEAR] = "histogram", [AGG_HIST_EXP] = "histogram",
	};

	if (i < (size_t)g->nkeys)
		buf_printf(b, "key%zu", i + 1);
	else
		buf_puts(b, arg->kind == EX_AGG ? agg[arg->u.agg.op] : "value");
}

/* Whether a print statement is one of the timers of resolve/metrics.c. */
static bool is_snapshot(struct emit *e, const struct print_statement *st)
{
	return st->range.src && strcmp(st->range.src->name, PROGRAM_AUTO_PRINT) == 0 &&
	       st->range.start >= e->p->metrics_at;
}

/* The metric that a print statement has the values of, or NULL. */
static const struct metric *shown_metric(struct emit *e, const struct print_statement *st)
{
	const struct symbol *g = shown_global(st);

	if (!g || !is_snapshot(e, st))
		return NULL;
	vec_each(it, &e->p->metrics)
		if ((*it)->global == g)
			return *it;
	return NULL;
}

/* The timers that print the metrics, and the statement that ends them: the last ones of all. */
static void metrics(struct emit *e, struct buf *line)
{
	size_t first = e->p->probes.n, begin = 0;

	if (!options_want_snapshots(&e->s->opt))
		return;
	while (!is_snapshot(e, e->p->prints.v[begin]))
		begin++;
	while (first && e->p->probes.v[first - 1]->always &&
	       e->p->probes.v[first - 1]->kind == PK_TIMER)
		first--;
	buf_printf(line, "snapshot\t%zu\t%zu\t%d\t%d", first, e->p->probes.n - first,
		   e->p->prints.v[begin]->id,
		   e->p->prints.v[e->p->prints.n - 1]->id);
	finish(e, line);
	vec_each(it, &e->p->prints) {
		const struct metric *m = shown_metric(e, *it);

		if (!m)
			continue;
		buf_printf(line, "metric\t%d", (*it)->id);
		put_text(line, m->name);
		put_text(line, m->type);
		put_text(line, m->unit);
		put_text(line, m->labels);
		put_text(line, m->help);
		finish(e, line);
	}
}

/* The part of a print statement in tables that the loader orders, if it has one. */
static void put_table(struct buf *line, const struct print_statement *st)
{
	if (st->edge)
		put_text(line, st->edge == EDGE_BEGIN ? "begin" : "end");
	else
		buf_printf(line, "\t%c%d", st->column_dir > 0 ? '+' : '-', st->column - 1);
}

static void prints(struct emit *e, struct buf *line)
{
	struct buf names;

	buf_init(&names);
	vec_each(it, &e->p->prints) {
		const struct print_statement *st = *it;
		const struct symbol *g = shown_global(st);
		const char *types = st->types;

		buf_printf(line, "print\t%d\t%s", st->id, types && *types ? types : "-");
		put_field(line, st->format, st->format_len);
		put_place(e, line, st->range);
		names.len = 0;
		for (size_t i = 0; i < st->args.n; i++) {
			if (i)
				buf_putc(&names, '\n');
			if (g)
				put_column(&names, g, st->args.v[i], i);
			else
				put_source(&names, st->args.v[i]->range);
		}
		put_field(line, names.s, names.len);
		if (g || st->edge || st->column)
			put_text(line, g ? g->name : "");
		if (st->edge || st->column)
			put_table(line, st);
		finish(e, line);
	}
	buf_deinit(&names);
}

/* The end column is after the last character; a range of several lines ends with the first
 * line. */
static void places(struct emit *e, struct buf *line)
{
	for (size_t i = 0; i < e->srclocs.n; i++) {
		struct range r = e->srclocs.v[i];

		if (!r.src)
			continue;

		struct linecol a = source_linecol(r.src, r.start), b = source_linecol(r.src, r.end);
		size_t len;
		const char *text = source_line(r.src, a.line, &len);

		buf_printf(line, "place\t%zu\t%u\t%u\t%u\t%u", i, emit_file(e, r.src), a.line,
			   a.col, b.line == a.line && b.col > a.col ? b.col : (unsigned)len + 1);
		put_field(line, text, len > PRT_EXCERPT_MAX ? 0 : len);
		finish(e, line);
	}
}

static void globals(struct emit *e, struct buf *line)
{
	unsigned n = 0;

	vec_each(it, &e->p->globals) {
		if ((*it)->is_array || ((*it)->type != T_LONG && (*it)->type != T_STRING))
			continue;
		buf_printf(line, "global\t%u", n++);
		put_text(line, (*it)->name);
		put_text(line, (*it)->type == T_STRING ? "string" : "long");
		if ((*it)->kernel_symbol)
			put_text(line, (*it)->kernel_symbol);
		finish(e, line);
	}
}

static void caps(struct emit *e, struct buf *line)
{
	const struct caps *c = &e->s->opt.caps;
	const struct { const char *name; int64_t value; } cap[] = {
		{ "maxstringlen", c->maxstringlen }, { "maxmapentries", c->maxmapentries },
		{ "maperrors", c->maperrors },
		{ "maxaction", c->maxaction }, { "maxnesting", c->maxnesting },
		{ "maxerrors", c->maxerrors }, { "maxload", c->maxload },
		{ "maxstacks", c->maxstacks },
	};

	for (size_t i = 0; i < sizeof(cap) / sizeof(*cap); i++) {
		buf_printf(line, "cap\t%s\t%lld", cap[i].name, (long long)cap[i].value);
		finish(e, line);
	}
}

/* Looks for !target(). */
static bool visit_not_target(struct expr **x, void *found)
{
	const struct expr *call = (*x)->kind == EX_UNARY && (*x)->u.unary.op == OP_NOT ?
				  (*x)->u.unary.a : NULL;

	if (call && call->kind == EX_CALL && call->u.call.targets.n == 1)
		*(bool *)found |= strcmp(call->u.call.targets.v[0]->name, "target") == 0;
	return !*(bool *)found;
}

/* Whether the script asks if there is a target process at all. */
static bool tests_for_target(struct emit *e)
{
	bool found = false;
	struct visitor v = { .expr = visit_not_target, .data = &found };

	vec_each(it, &e->p->probes) {
		walk_stmt(&(*it)->body, &v);
		walk_expr(&(*it)->cond, &v);
	}
	vec_each(it, &e->p->functions)
		walk_stmt(&(*it)->body, &v);
	return found;
}

/* If the script asks about descendants of target(), a shell in between does no harm. If it asks
 * whether there is a target process, it can do without one. */
static void target(struct emit *e, struct buf *line)
{
	bool calls = false, descendants = false, events = false;

	vec_each(it, &e->finfos) {
		calls |= (*it)->wants_target;
		descendants |= strcmp((*it)->func->name, "target_set_pid") == 0;
	}
	vec_each(it, &e->p->probes)
		events |= (*it)->event && (*it)->event->program && !*(*it)->event->program;
	buf_printf(line, "target\t%d", (calls && !tests_for_target(e)) || events);
	finish(e, line);
	if (!calls || descendants)
		return;
	buf_puts(line, "target_only\t1");
	finish(e, line);
}

/* Parts of a session that only some scripts need. */
static void needs(struct emit *e, struct buf *line)
{
	const struct { bool set; const char *name; } all[] = {
		{ e->p->has_stacks, "stacks" },
		{ emit_takes_user_stacks(e), "user_stacks" },
		{ emit_names_user_addresses(e), "user_names" },
		{ emit_shows_lines(e), "lines" },
		{ e->leaves_marks, "marks" },
		{ e->s->opt.direct, "direct" },
		{ e->s->opt.guru, "guru" },
		{ e->s->opt.describes, "tool" },
		{ options_limit_group(&e->s->opt), "cgroup" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!all[i].set)
			continue;
		buf_printf(line, "%s\t1", all[i].name);
		finish(e, line);
	}
}

void emit_meta(struct emit *e)
{
	const char *build_id = e->s->kernel ? kernel_build_id(e->s->kernel) : NULL;
	struct buf line;

	buf_init(&line);
	buf_puts(e->out, "const char prt_meta[]\n"
		 "\t__attribute__((section(\"" PRT_META_SECTION "\"), used)) =\n");
	buf_printf(&line, "probec\t%d\t" PROBEC_VERSION, PRT_ABI_VERSION);
	finish(e, &line);
	buf_puts(&line, "kernel");
	put_text(&line, e->s->kernel ? kernel_release(e->s->kernel) : "-");
	put_text(&line, build_id ? build_id : "-");
	finish(e, &line);
	buf_puts(&line, "script");
	put_text(&line, e->s->main ? e->s->main->src->name : "-");
	finish(e, &line);
	probes(e, &line);
	overrides(e, &line);
	switches(e, &line);
	modules(e, &line);
	programs(e, &line);
	prints(e, &line);
	metrics(e, &line);
	globals(e, &line);
	caps(e, &line);
	target(e, &line);
	needs(e, &line);
	/* Comes last, when everything with a source location has a file number. */
	for (size_t i = 0; i < e->files.n; i++) {
		buf_printf(&line, "file\t%zu", i);
		put_text(&line, e->files.v[i]->name);
		finish(e, &line);
	}
	places(e, &line);
	buf_puts(&line, "end");
	finish(e, &line);
	/* The last string ends the definition. */
	e->out->len--;
	buf_puts(e->out, ";\n");
	buf_deinit(&line);
	/* --modinfo: the text that MODULE_INFO() of the kernel makes. */
	for (size_t i = 0; i < e->s->opt.modinfo.n; i++) {
		const char *text = e->s->opt.modinfo.v[i];

		buf_printf(e->out, "static const char modinfo_%zu[]\n"
			   "\t__attribute__((section(\".modinfo\"), used, aligned(1))) = %s;\n", i,
			   emit_quoted(e, text, strlen(text)));
	}
}
