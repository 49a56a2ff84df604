/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints globals as metrics. For --metrics, timers that are never due are added, one for all
 * scalars and one for each array, so that each holds the lock of one array only. The loader makes
 * the session thread run them (PRT_IOC_RUN), and takes their records for values of metrics.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ast/walk.h"
#include "base/words.h"
#include "program/program.h"
#include "analyse/resolve/globals.h"
#include "analyse/resolve/written.h"
#include "shared/buf.h"

/* Longer than any session: twice the period must fit into nanoseconds. */
static const int64_t PERIOD_S = 4000000000;
#define SESSION "proberun"
/* Elements of an array that are printed at most; the loader has a limit of its own. */
enum { ELEMENTS_MAX = 20000 };

/* How the script uses a global. */
struct metric_use {
	struct symbol *global;
	bool falls;                 /* something other than an increment writes it */
	const struct expr *hist;    /* the first histogram of it */
	const struct expr *index;   /* the first index with which it is written */
};

/* ---- uses ---- */

static void note_write(struct metric_use *u, const struct expr *to, bool rises)
{
	if (ast_base_symbol(to) != u->global)
		return;
	u->falls |= !rises;
	if (!u->index && to->kind == EX_INDEX)
		u->index = to;
}

static bool visit_expr(struct expr **pe, void *data)
{
	struct metric_use *u = data;
	const struct expr *e = *pe;

	if (e->kind == EX_INCDEC) {
		note_write(u, e->u.incdec.a, e->u.incdec.inc);
	} else if (e->kind == EX_ASSIGN) {
		const struct expr *right = e->u.assign.right;

		note_write(u, e->u.assign.left,
			   e->u.assign.op == OP_STAT ||
			   (e->u.assign.op == (int)OP_ADD && right->kind == EX_NUM &&
			    right->u.num.v >= 0));
	} else if (e->kind == EX_AGG && !u->hist && ast_base_symbol(e->u.agg.a) == u->global &&
		   AGG_IS_HISTOGRAM(e->u.agg.op)) {
		u->hist = e;
	}
	return true;
}

static bool visit_stmt(struct stmt **ps, void *data)
{
	struct metric_use *u = data;

	if ((*ps)->kind == ST_DELETE && ast_base_symbol((*ps)->u.expr) == u->global)
		u->falls = true;
	return true;
}

static struct metric_use use_of(struct resolver *r, struct symbol *g)
{
	struct metric_use u = { .global = g };
	struct visitor v = { .expr = visit_expr, .stmt = visit_stmt, .data = &u };

	vec_each(it, &r->p->probes) {
		if ((*it)->always) /* not the script's: autoprint.c */
			continue;
		walk_stmt(&(*it)->body, &v);
		walk_expr(&(*it)->cond, &v);
		walk_stmt(&(*it)->entry, &v);
	}
	vec_each(it, &r->p->functions)
		walk_stmt(&(*it)->body, &v);
	return u;
}

/* ---- names ---- */

/* Adds the letters, digits and underscores of @text; other characters become underscores. */
static void add_name(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_putc(b, isalnum((unsigned char)text[i]) ? text[i] : '_');
}

/* probec_SCRIPT_GLOBAL; a script of -e has no name. */
static const char *default_name(struct resolver *r, const struct symbol *g)
{
	const char *script = r->s->opt.script_path, *slash, *dot, *ret;
	struct buf b;

	buf_init(&b);
	buf_puts(&b, "probec_");
	if (script && strcmp(script, "-") != 0) {
		slash = strrchr(script, '/');
		script = slash ? slash + 1 : script;
		dot = strrchr(script, '.');
		add_name(&b, script, dot && dot > script ? (size_t)(dot - script) :
				     strlen(script));
		buf_putc(&b, '_');
	}
	add_name(&b, g->name, strlen(g->name));
	ret = arena_strndup(r->s->arena, b.s, b.len);
	buf_deinit(&b);
	return ret;
}

/* Removes the end that the type of a counter adds, and adds the unit. */
static const char *full_name(struct resolver *r, const char *name, const char *unit,
			     const char *type)
{
	struct arena *a = r->s->arena;

	if (strcmp(type, "counter") == 0 && words_end(name, "_total"))
		name = arena_strndup(a, name, strlen(name) - 6);
	if (*unit && !words_end(name, arena_printf(a, "_%s", unit)))
		name = arena_printf(a, "%s_%s", name, unit);
	return name;
}

/* The name of a key: that of the function or variable whose value it is where the global is
 * written; or else its number. */
static const char *label_of(struct resolver *r, const struct metric_use *u, int i)
{
	const struct expr *e = u->index && i < (int)u->index->u.index.keys.n ?
			       u->index->u.index.keys.v[i] : NULL;
	const char *name = NULL;

	if (e && e->kind == EX_CALL && !e->u.call.args.n)
		name = e->u.call.name;
	else if (e && e->kind == EX_NAME)
		name = e->u.name.name;
	if (!name || metrics_is_reserved(name) || strcmp(name, "value") == 0)
		return arena_printf(r->s->arena, "key%d", i + 1);
	return name;
}

static const char *labels_of(struct resolver *r, const struct metric_use *u,
			     const struct metric_comment *c)
{
	const struct symbol *g = u->global;
	const char *list = "", *names[9] = { NULL };

	for (int i = 0; i < g->nkeys; i++) {
		names[i] = i < (int)c->labels.n ? c->labels.v[i] : label_of(r, u, i);
		for (int j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0)
				names[i] = arena_printf(r->s->arena, "key%d", i + 1);
		list = arena_printf(r->s->arena, "%s%s%s", list, i ? "\n" : "", names[i]);
	}
	return list;
}

/* ---- which, and how ---- */

/* Whether a metric can have the values of @gi. */
static bool is_exportable(const struct global_info *gi)
{
	const struct symbol *g = gi->sym;

	if (gi->script->src->in_tapset || !gi->written || (g->is_array && !g->nkeys) ||
	    (gi->stats && g->type != T_STATS) ||
	    (g->type != T_LONG && g->type != T_STRING && g->type != T_STATS))
		return false;
	for (int i = 0; i < g->nkeys; i++)
		if (g->key_type[i] != T_LONG && g->key_type[i] != T_STRING)
			return false;
	return true;
}

/* The type: as declared, or as the script uses the global. NULL after an error. */
static const char *type_of(struct resolver *r, const struct metric_use *u,
			   const struct metric_comment *c)
{
	const struct symbol *g = u->global;
	bool stats = g->type == T_STATS;
	const char *declared = c->type, *wrong = NULL;

	if (declared && g->type == T_STRING)
		wrong = "a string has no type";
	else if (declared && !stats && (*declared == 's' || *declared == 'h'))
		wrong = "only an aggregate (<<<) is a summary or a histogram";
	else if (declared && stats && (*declared == 'g' || *declared == 'c'))
		wrong = "an aggregate (<<<) is a summary or a histogram";
	else if ((int)c->labels.n > g->nkeys)
		wrong = "there are more labels than keys";
	if (wrong) {
		diag_error(r->s->diag, c->at, E_METRIC, "%s", wrong);
		diag_hint(r->s->diag, "change the comment of '%s', or write #%% none", g->name);
		return NULL;
	}
	if (declared)
		return declared;
	if (stats)
		return u->hist ? "histogram" : "summary";
	return g->type == T_STRING ? "info" : u->falls ? "gauge" : "counter";
}

static const char *default_help(struct resolver *r, const struct symbol *g)
{
	return arena_printf(r->s->arena, "The global '%s' of the script.", g->name);
}

/* Whether @name and some other text is a name that samples of @m have, or could have. */
static bool has_samples(const struct metric *m, const char *name)
{
	static const char *const counter[] = { "", "_total", NULL },
		*const info[] = { "", "_info", NULL }, *const gauge[] = { "", NULL },
		*const stats[] = { "", "_count", "_sum", "_bucket", "_min", "_max", NULL };
	const char *const *ends = *m->type == 'c' ? counter : *m->type == 'i' ? info :
				  *m->type == 'g' ? gauge : stats;
	size_t n = strlen(m->name);

	if (strncmp(m->name, name, n) != 0)
		return false;
	while (*ends && strcmp(name + n, *ends) != 0)
		ends++;
	return *ends != NULL;
}

/* Reports two metrics that share a name, if only of some samples: those of a name must be of one
 * metric. */
static bool is_taken(struct resolver *r, const struct metric *m, struct range at)
{
	if (strncmp(m->name, SESSION, strlen(SESSION)) == 0) {
		diag_error(r->s->diag, at, E_METRIC, "names that begin with " SESSION
			   " are those of the session's own metrics");
		diag_hint(r->s->diag, "give it another name: #%% NAME");
		return true;
	}
	vec_each(it, &r->p->metrics) {
		if (!has_samples(*it, m->name) && !has_samples(m, (*it)->name))
			continue;
		diag_error(r->s->diag, at, E_METRIC, "two globals are exported as '%s'",
			   has_samples(*it, m->name) ? m->name : (*it)->name);
		diag_hint(r->s->diag, "give one of them another name: #%% NAME");
		diag_note(r->s->diag, (*it)->global->range, "this is the first one");
		return true;
	}
	return false;
}

static struct metric *make_metric(struct resolver *r, const struct metric_use *u,
				  const struct metric_comment *c)
{
	struct metric *m = NEW(r->s->arena, struct metric);

	m->global = u->global;
	m->type = type_of(r, u, c);
	if (!m->type)
		return NULL;
	m->unit = c->unit ? c->unit : "";
	m->name = full_name(r, c->name ? c->name : default_name(r, u->global), m->unit, m->type);
	m->labels = labels_of(r, u, c);
	m->help = c->help ? c->help : default_help(r, u->global);
	return is_taken(r, m, c->at) ? NULL : m;
}

/* ---- the timers ---- */

static void add_timer(struct written *w)
{
	struct probe *p = written_probe(w, PK_TIMER, "timer.s(4000000000)");

	p->period_ns = PERIOD_S * 1000000000;
}

static void add_stmt(struct written *w, struct stmt *s)
{
	vec_push(w->r->s->arena, &w->p->body->u.block, s);
}

static const char *conversion(enum type t)
{
	return t == T_STRING ? "%s" : "%d";
}

/* The linear histogram that the script uses, or an exponential one. The text format, which is all
 * that a file has, shows no more of that than of a logarithmic one. */
static void add_histogram(struct written *w, struct stmt *print, struct symbol *g,
			  const struct expr *hist)
{
	const struct options *o = &w->r->s->opt;
	enum agg_op op = o->metrics || o->otlp ? AGG_HIST_EXP : AGG_HIST_LOG;

	if (hist && hist->u.agg.op == AGG_HIST_LINEAR)
		written_shape(w, written_agg(w, print, AGG_HIST_LINEAR, g), hist);
	else
		written_agg(w, print, op, g);
}

static struct stmt *print_of(struct written *w, const struct metric *m, const struct metric_use *u)
{
	static const enum agg_op ops[] = { AGG_COUNT, AGG_SUM, AGG_MIN, AGG_MAX };
	struct symbol *g = u->global;
	bool histogram = strcmp(m->type, "histogram") == 0;
	struct stmt *print;
	struct buf b;

	buf_init(&b);
	for (int i = 0; i < g->nkeys; i++)
		buf_puts(&b, conversion(g->key_type[i]));
	buf_puts(&b, g->type == T_STATS ? "%d%d%d%d" : conversion(g->type));
	print = written_print(w, b.s, histogram);
	buf_deinit(&b);
	written_keys(w, print, g);
	if (g->type != T_STATS) {
		written_value(w, print, g);
	} else {
		for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
			written_agg(w, print, ops[i], g);
		if (histogram)
			add_histogram(w, print, g, u->hist);
	}
	written_print_end(w, print);
	return print;
}

static void add_array(struct written *w, const struct metric *m, const struct metric_use *u)
{
	struct stmt *s;

	add_timer(w);
	s = written_loop(w, u->global, 0, AGG_COUNT, ELEMENTS_MAX);
	s->u.foreach.body = print_of(w, m, u);
	s->range.end = s->u.foreach.body->range.end;
	add_stmt(w, s);
	written_probe_end(w);
}

static void add_scalar(struct written *w, const struct metric *m, const struct metric_use *u)
{
	struct stmt *s;

	buf_putc(&w->text, '\t');
	if (u->global->type == T_STATS) {
		s = written_if(w, u->global);
		s->u.if_.then = print_of(w, m, u);
		s->range.end = s->u.if_.then->range.end;
	} else {
		s = print_of(w, m, u);
	}
	add_stmt(w, s);
}

/* The statement with which a snapshot begins and ends. */
static void add_mark(struct written *w)
{
	struct stmt *s;

	buf_putc(&w->text, '\t');
	s = written_print(w, "%d", false);
	written_number(w, s, 0);
	written_print_end(w, s);
	add_stmt(w, s);
}

struct exported {
	struct metric *m;
	struct metric_use use;
};
typedef VEC(struct exported) exported_list;

struct described {
	struct global_info *gi;
	struct metric_comment comment;
};
typedef VEC(struct described) described_list;

/* The globals of the script with their comments. *@declares: some declare metrics. */
static bool read_comments(struct resolver *r, described_list *all, bool *declares)
{
	map_each(it, &r->globals) {
		struct described d = { .gi = it->value };

		if (d.gi->script->src->in_tapset)
			continue;
		if (metrics_comment(r, d.gi->sym, &d.comment))
			return false;
		*declares |= d.comment.is_declared && !d.comment.is_none;
		vec_push(r->s->arena, all, d);
	}
	return true;
}

/* If the comments of a script declare metrics, there are no others. */
static bool find_metrics(struct resolver *r, exported_list *all)
{
	described_list globals = { 0 };
	bool declares = false;

	if (!read_comments(r, &globals, &declares))
		return false;
	vec_each(d, &globals) {
		struct exported x;

		if (d->comment.is_none || declares != d->comment.is_declared ||
		    !is_exportable(d->gi))
			continue;
		x.use = use_of(r, d->gi->sym);
		x.m = make_metric(r, &x.use, &d->comment);
		if (!x.m)
			return false;
		vec_push(r->s->arena, all, x);
		vec_push(r->s->arena, &r->p->metrics, x.m);
	}
	return true;
}

void metrics_add(struct written *w)
{
	struct resolver *r = w->r;
	exported_list all = { 0 };

	if (!find_metrics(r, &all))
		return;
	if (!all.n && !r->s->opt.monitor) {
		diag_warn(r->s->diag, (struct range){ .src = r->s->main->src }, E_METRIC,
			  "the script has no global to export as a metric");
		diag_hint(r->s->diag,
			  "count or measure something in a global: reads[execname()]++");
	}
	add_timer(w);
	add_mark(w);
	vec_each(it, &all)
		if (!it->m->global->is_array)
			add_scalar(w, it->m, &it->use);
	written_probe_end(w);
	vec_each(it, &all)
		if (it->m->global->is_array)
			add_array(w, it->m, &it->use);
	add_timer(w);
	add_mark(w);
	written_probe_end(w);
}
