/* SPDX-License-Identifier: GPL-2.0 */
/* The tables that the runtime reads: globals, sites, probes, and the script's descriptor. */
#include <stdlib.h>
#include <string.h>

#include "emit/agg.h"
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/tables.h"
#include "emit/value.h"
#include "analyse/locate/locate.h"
#include "target/object/object.h"

static const char *text_of(struct emit *e, const char *s)
{
	return emit_quoted(e, s ? s : "", s ? strlen(s) : 0);
}

/* -2^63 has no literal in C. */
static const char *number_text(struct emit *e, int64_t n)
{
	return emit_val_num(e, n).text;
}

/* ---- globals ---- */

static const char *kind_of(enum type t)
{
	return t == T_STRING ? "PRT_G_STRING" : t == T_STATS ? "PRT_G_STAT" :
	       t == T_STACK ? "PRT_G_STACK" : "PRT_G_LONG";
}

static void map_fields(struct emit *e, const struct symbol *sym)
{
	int64_t size = sym->size ? sym->size : e->s->opt.caps.maxmapentries;

	buf_printf(e->out, "\t\t.kind = PRT_G_MAP, .value = %s, .wrap = %d, .size = %lld,\n",
		   kind_of(sym->type), sym->wrap, (long long)size);
	if (e->s->opt.caps.maperrors)
		buf_puts(e->out, "\t\t.full_fails = 1,\n");
	if (sym->whole)
		buf_puts(e->out, "\t\t.whole = 1,\n");
	if (sym->lock >= 0)
		buf_printf(e->out, "\t\t.lock = %d,\n", sym->lock + 1);
	buf_printf(e->out, "\t\t.nkeys = %d, .key_string = {", sym->nkeys);
	for (int i = 0; i < sym->nkeys; i++)
		buf_printf(e->out, "%s %d", i ? "," : "", sym->key_type[i] == T_STRING);
	buf_puts(e->out, " },\n");
	if (sym->key_bytes)
		buf_printf(e->out, "\t\t.key_bytes = %u,\n", sym->key_bytes);
	for (int i = 0; i < sym->nkeys; i++)
		if (sym->key_type[i] == T_STACK)
			buf_printf(e->out, "\t\t.key_stack[%d] = 1,\n", i);
}

/* The bits of the initial value. */
static int64_t first_double(const struct symbol *sym)
{
	double v = sym->g_value ? strtod(sym->g_value, NULL) : 0;
	int64_t bits = 0;

	if (!sym->g_value && sym->init && sym->init->kind == EX_REAL)
		return sym->init->u.real.bits;
	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

/* The initial value: -G overrides the initialiser. */
static void scalar_fields(struct emit *e, const struct symbol *sym)
{
	const struct expr *init = sym->init;

	buf_printf(e->out, "\t\t.kind = %s,\n", kind_of(sym->type));
	if (sym->type == T_STRING) {
		struct { const char *s; size_t len; } first = { "", 0 };

		if (sym->g_value) {
			first.s = sym->g_value;
			first.len = strlen(first.s);
		} else if (init && init->kind == EX_STR) {
			first.s = init->u.str.s;
			first.len = init->u.str.len;
		}

		const char *text = emit_literal(e, first.s, first.len);

		buf_printf(e->out, "\t\t.init_str = { %s, sizeof(%s) - 1 },\n", text, text);
	} else if (sym->type == T_LONG) {
		int64_t v = 0;

		if (sym->g_value)
			v = (int64_t)strtoll(sym->g_value, NULL, 0);
		else if (init && init->kind == EX_NUM)
			v = init->u.num.v;
		else if (init && init->kind == EX_UNARY && init->u.unary.a->kind == EX_NUM)
			v = init->u.unary.a->u.num.v;
		if (!sym->g_value && init && init->kind == EX_UNARY && init->u.unary.op == OP_NEG)
			v = (int64_t)(0 - (uint64_t)v);
		buf_printf(e->out, "\t\t.init = %s,\n", number_text(e, v));
	} else if (sym->type == T_DOUBLE) {
		buf_printf(e->out, "\t\t.init = %s,\n", number_text(e, first_double(sym)));
	}
}

static void globals(struct emit *e)
{
	if (!e->p->globals.n)
		return;
	buf_printf(e->out, "static const struct prt_global globals[%zu] = {\n", e->p->globals.n);
	vec_each(it, &e->p->globals) {
		const struct symbol *sym = *it;

		buf_printf(e->out, "\t{\n\t\t.name = %s,\n", text_of(e, sym->name));
		if (sym->is_array)
			map_fields(e, sym);
		else
			scalar_fields(e, sym);
		if (sym->type == T_STATS)
			buf_printf(e->out, "\t\t.stat = { %s },\n", emit_agg_shape(e, sym));
		if (sym->storage == STORE_PERCPU)
			buf_printf(e->out, "\t\t.percpu = 1,\n"
				   "\t\t.offset = __builtin_offsetof(struct bank, g_%s),\n",
				   sym->cname);
		else
			buf_printf(e->out, "\t\t.where = &g_%s,\n", sym->cname);
		buf_puts(e->out, "\t},\n");
	}
	buf_puts(e->out, "};\n\n");
}

/* ---- sites and probes ---- */

static void find_modules(struct emit *e)
{
	vec_each(it, &e->p->sites) {
		const struct site *s = *it;
		bool known = s->user || strcmp(s->object, "kernel") == 0;

		vec_each(m, &e->modules.v)
			known |= strcmp(m->name, s->object) == 0;
		if (!known) {
			struct emit_module one = { s->object, s->build_id };

			vec_push(e->a, &e->modules.v, one);
		}
	}
}

void emit_tables_find(struct emit *e)
{
	find_modules(e);
	emit_files_find(e);
}

/* The instructions that return, if breakpoints on them are enough. */
static void exits(struct emit *e, const struct object_exits *x)
{
	buf_printf(e->out, ".nexits = %zu, .exits = (const u64[]){", x->offsets.n);
	vec_each(it, &x->offsets)
		buf_printf(e->out, " %llu,", (unsigned long long)*it);
	buf_puts(e->out, " }, ");
}

/* Writes the fields that probefunc() reads. */
static void function_fields(struct emit *e, const struct site *it)
{
	if (it->function)
		buf_printf(e->out, ".function = %s, ", text_of(e, it->function));
	buf_printf(e->out, ".function_len = %zu, ",
		   strlen(it->function ? it->function : it->symbol ? it->symbol : ""));
}

static void user_site(struct emit *e, const struct probe *p, const struct site *it)
{
	buf_printf(e->out, "\t{ .probe = %d, ", p->index);
	buf_printf(e->out, ".file = %u, ", emit_files_row(e, it->user) + 1);
	if (it->mark && it->mark->counter)
		buf_printf(e->out, ".counter = %llu, ", (unsigned long long)it->mark->counter);
	if (it->exits && !it->exits->why)
		exits(e, it->exits);
	buf_printf(e->out, ".symbol = %s, ", text_of(e, it->symbol));
	function_fields(e, it);
	buf_printf(e->out, ".pp = %s, .offset = %llu },\n", text_of(e, it->pp),
		   (unsigned long long)it->file_offset);
}

static void site(struct emit *e, const struct probe *p, const struct site *it)
{
	buf_printf(e->out, "\t{ .probe = %d, ", p->index);
	for (size_t i = 0; i < e->modules.v.n; i++)
		if (strcmp(e->modules.v.v[i].name, it->object) == 0)
			buf_printf(e->out, ".module = %zu, .namesake = %d, ", i + 1, it->namesake);
	buf_printf(e->out, ".symbol = %s, ", text_of(e, it->symbol));
	if (it->syscall)
		buf_printf(e->out, ".syscall = %u, ", it->syscall);
	else if (e->s->opt.direct && site_kind_is_return(p->kind) && locate_direct(it))
		buf_puts(e->out, ".direct = 1, ");
	if (p->kind == PK_PLACE && locate_split(e->s, it))
		buf_puts(e->out, ".split = 1, ");
	emit_receiver(e, p, it);
	function_fields(e, it);
	buf_printf(e->out, ".pp = %s, .offset = %llu },\n", text_of(e, it->pp),
		   (unsigned long long)it->offset);
}

static size_t sites(struct emit *e)
{
	size_t n = 0;

	vec_each(p, &e->p->probes)
		n += (*p)->sites.n;
	if (!n)
		return 0;
	buf_puts(e->out, "static const struct prt_site sites[] = {\n");
	vec_each(p, &e->p->probes) {
		vec_each(it, &(*p)->sites) {
			if ((*it)->user)
				user_site(e, *p, *it);
			else
				site(e, *p, *it);
		}
	}
	buf_puts(e->out, "};\n\n");
	if (!e->modules.v.n)
		return n;
	buf_puts(e->out, "static const struct prt_module modules[] = {\n");
	vec_each(m, &e->modules.v)
		buf_printf(e->out, "\t{ %s, %s },\n", text_of(e, m->name),
			   m->build_id ? text_of(e, m->build_id) : "NULL");
	buf_puts(e->out, "};\n\n");
	return n;
}

struct wants {
	bool site, regs, sets, overrides, time, space;
};

static void visit_callee(struct emit_finfo *fi, void *data)
{
	struct wants *w = data;

	w->site |= fi->wants_site;
	w->regs |= fi->wants_regs;
	w->sets |= fi->sets_regs;
	w->overrides |= fi->overrides;
	w->time |= fi->wants_time;
	w->space |= fi->wants_space;
}

static struct wants wants_of(struct emit *e, const struct probe *p)
{
	struct wants w = { 0 };

	w.site = w.regs = emit_chain_asked(p);
	emit_entry_callees(e, p, visit_callee, &w);
	return w;
}

/* Whether all of it can be done in direct calls. */
static bool is_direct(const struct emit *e, const struct probe *p)
{
	if (!e->s->opt.direct)
		return false;
	vec_each(s, &p->sites)
		if (!locate_direct(*s))
			return false;
	return true;
}

/* Whether the functions at the entry can't fail. */
static bool has_call(const struct emit *e, const struct probe *p)
{
	const struct emit_entry *en = &e->entries[p->index];

	return !en->entry || (!en->full && !en->tests);
}

/* Whether that is a function of the runtime, which the script need not contain. */
static bool has_plain_call(const struct emit *e, const struct probe *p)
{
	const struct emit_entry *en = &e->entries[p->index];

	return has_call(e, p) && !en->cond && !en->entry;
}

static bool has_enter(struct emit *e, const struct probe *p)
{
	const struct emit_entry *en = &e->entries[p->index];

	return has_call(e, p) && (en->cond || en->entry || wants_of(e, p).time);
}

/* Writes the functions for both ends of a call; @kind as in PRT_HIT. */
static void call_hits(struct emit *e, const struct probe *p, const char *kind)
{
	const struct emit_entry *en = &e->entries[p->index];
	const char *timed = wants_of(e, p).time ? "PRT_TIMED" : "PRT_UNTIMED";
	const char *entry = arena_printf(e->a, "%d, %s, %s, %s", p->index, timed, en->cond ?
					 arena_printf(e->a, "cond_%d", p->index) : "NULL",
					 en->entry ? arena_printf(e->a, "entry_%d", p->index) :
						     "NULL");

	if (probe_is_user(p)) {
		buf_printf(e->out, "PRT_DIRECT_HIT(%d, %s, %s)\n", p->index, timed, kind);
		return;
	}
	if (is_direct(e, p)) {
		if (has_enter(e, p))
			buf_printf(e->out, "PRT_DIRECT_CALL(%s)\n", entry);
		buf_printf(e->out, "PRT_DIRECT_HIT(%d, %s, %s)\n", p->index, timed, kind);
		return;
	}
	if (has_call(e, p) && !has_plain_call(e, p))
		buf_printf(e->out, "PRT_CALL(%s)\n", entry);
	buf_printf(e->out, "PRT_RETURN_HIT(%d, %s, %s)\n", p->index, timed, kind);
}

/* The hit function of a probe that is not a return probe. */
struct hit_form {
	const char *macro; /* that defines it */
	const char *field; /* of struct prt_probe */
};

/* Whether the handler asks which of several sites was hit. */
static bool asks_site(struct emit *e, const struct probe *p)
{
	return p->sites.n != 1 && wants_of(e, p).site;
}

static struct hit_form hit_form(struct emit *e, const struct probe *p)
{
	if (p->kind == PK_ENTRY && asks_site(e, p))
		return (struct hit_form){ "PRT_HIT_AT", "hit_at" };
	if (e->probes.v[p->index].rehearsed)
		return (struct hit_form){ "PRT_HIT_ATTEMPT", "attempt" };
	if (probe_is_user(p))
		return (struct hit_form){ "PRT_HIT_USER", "hit_user" };
	if (p->kind == PK_PLACE)
		return (struct hit_form){ "PRT_HIT_PLACE", "hit_place" };
	return (struct hit_form){ "PRT_HIT", "hit" };
}

/* Writes the functions that ftrace, kprobes and returns call at hits of each probe on functions and
 * places. If a handler asks which of several sites was hit, there is one for entries only; else the
 * runtime's function is used. Returns for each probe whether it has them. */
static bool *hits(struct emit *e)
{
	static const char *const leaves[] = { "LEAVES_NOTHING", "LEAVES_ERROR", "LEAVES_RECORD" };
	bool *has = arena_alloc(e->a, e->p->probes.n * sizeof(*has));
	size_t first = 0;

	for (size_t i = 0; i < e->p->probes.n; i++) {
		const struct probe *p = e->p->probes.v[i];
		bool is_return = site_kind_is_return(p->kind);
		/* The overload breaker asks for the site of a return in a program. */
		bool site = wants_of(e, p).site || (is_return && probe_is_user(p));
		bool one = p->sites.n == 1;
		const char *where = !site ? "NULL" : !one ? "site" :
				    arena_printf(e->a, "&sites[%zu]", first);
		const char *bare = e->probes.v[i].bare ? "PRT_HIT_BARE" : "PRT_HIT_FULL";
		const char *kind = arena_printf(e->a, "%s, %s, %s", where, bare,
						leaves[e->probes.v[i].leaves]);

		has[i] = !e->compact && emit_probe_has_hit(p) &&
			 (!site || one || p->kind == PK_ENTRY) &&
			 (!e->probes.v[i].rehearsed || (e->probes.v[i].reads_first && !is_return));
		if (has[i] && is_return)
			call_hits(e, p, kind);
		else if (has[i])
			buf_printf(e->out, "%s(%zu, %s)\n", hit_form(e, p).macro, i, kind);
		first += p->sites.n;
	}
	buf_putc(e->out, '\n');
	return has;
}

static void hit_fields(struct emit *e, const struct probe *p)
{
	int nr = p->index;

	if (!site_kind_is_return(p->kind)) {
		buf_printf(e->out, "\t\t.%s = hit_%d,\n", hit_form(e, p).field, nr);
	} else if (probe_is_user(p)) {
		buf_printf(e->out, "\t\t.leave = leave_%d,\n", nr);
	} else if (is_direct(e, p)) {
		if (has_enter(e, p))
			buf_printf(e->out, "\t\t.enter = enter_%d,\n", nr);
		buf_printf(e->out, "\t\t.leave = leave_%d,\n", nr);
	} else {
		if (has_plain_call(e, p))
			buf_printf(e->out, "\t\t.call = prt_call_%s,\n",
				   wants_of(e, p).time ? "timed" : "plain");
		else if (has_call(e, p))
			buf_printf(e->out, "\t\t.call = call_%d,\n", nr);
		buf_printf(e->out, "\t\t.hit_return = return_%d,\n", nr);
	}
}

/* Whether this error probe and an end probe are points of one declaration. */
static bool is_end_too(struct emit *e, const struct probe *p)
{
	if (p->kind != PK_ERROR || !p->own)
		return false;
	vec_each(it, &e->p->probes)
		if ((*it)->kind == PK_END && (*it)->own == p->own)
			return true;
	return false;
}

static const char *flags_of(struct emit *e, const struct probe *p)
{
	struct wants w = wants_of(e, p);
	bool is_return = site_kind_is_return(p->kind);
	const struct { bool set; const char *name; } flags[] = {
		{ w.regs || p->reads_regs, "PRT_NEED_REGS" },
		{ p->reads_percpu, "PRT_READS_PERCPU" },
		{ w.site, "PRT_NEED_SITE" },
		{ p->always, "PRT_ALWAYS" },
		{ is_end_too(e, p), "PRT_END_TOO" },
		{ p->in_jiffies, "PRT_IN_JIFFIES" },
		{ p->each_cpu, "PRT_EACH_CPU" },
		{ probe_may_fail(p), "PRT_WILDCARD" },
		{ w.sets || emit_func_sets_regs(p->body), "PRT_SETS_REGS" },
		{ w.space, "PRT_NEED_SPACE" },
		{ e->entries[p->index].processes.only_target, "PRT_ONLY_TARGET" },
		{ w.overrides, "PRT_OVERRIDES" },
		{ w.time && is_return, "PRT_ENTRY_TIME" },
		{ e->entries[p->index].full, "PRT_ENTRY_FULL" },
		{ is_return && e->probes.v[p->index].bare, "PRT_BARE" },
		{ e->probes.v[p->index].reads_first, "PRT_READS_FIRST" },
	};
	const char *text = NULL;

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (flags[i].set)
			text = text ? arena_printf(e->a, "%s | %s", text, flags[i].name) :
				      flags[i].name;
	return text ? text : "0";
}

static void entry_fields(struct emit *e, const struct probe *p)
{
	const struct emit_entry *en = &e->entries[p->index];

	if (en->cond)
		buf_printf(e->out, "\t\t.cond = cond_%d,\n", p->index);
	if (en->entry)
		buf_printf(e->out, "\t\t.entry = %s_%d,\n", emit_switch_entry(e, p), p->index);
	if (en->tests)
		buf_puts(e->out, "\t\t.entry_tests = 1,\n");
	if (en->data)
		buf_printf(e->out, "\t\t.data_size = sizeof(struct saved_%d),\n", p->index);
}

static bool hot_gates(const struct emit *e)
{
	vec_each(it, &e->p->probes)
		if ((*it)->changes_gates && site_kind_is_hot((*it)->kind))
			return true;
	return false;
}

static const char *probe_kind(const struct probe *p)
{
	static const char *const kind[] = {
#define KIND(NAME, word, type, site, runs, values, mechanism) [PK_##NAME] = "PRT_" #NAME,
		PRT_KINDS(KIND)
#undef KIND
	};

	return kind[probe_kind_emitted(p)];
}

static void probes(struct emit *e)
{
	bool *has_hit;

	if (!e->p->probes.n)
		return;
	buf_printf(e->out, "static const struct prt_probe probes[%zu];\n", e->p->probes.n);
	has_hit = hits(e);
	buf_printf(e->out, "static const struct prt_probe probes[%zu] = {\n", e->p->probes.n);
	vec_each(it, &e->p->probes) {
		const struct probe *p = *it;

		buf_printf(e->out, "\t{\n\t\t.handler = probe_%d, .pp = %s,\n", p->index,
			   text_of(e, p->pp));
		buf_printf(e->out, "\t\t.kind = %s, .flags = %s,\n", probe_kind(p), flags_of(e, p));
		if (p->alias && e->wants_pn)
			buf_printf(e->out, "\t\t.pn = %s,\n", text_of(e, p->alias));
		if (has_hit[p->index])
			hit_fields(e, p);
		if (e->probes.v[p->index].rehearsed)
			buf_printf(e->out, "\t\t.rehearse = rehearse_%d,\n", p->index);
		if (p->gate)
			buf_printf(e->out, "\t\t.gate = gate_%d,\n", p->index);
		if (emit_switch_has(e, p))
			buf_puts(e->out, "\t\t.has_switch = 1,\n");
		if (e->entries[p->index].processes.pid_namespace)
			buf_printf(e->out, "\t\t.pid_namespace = %s,\n",
				   e->entries[p->index].processes.pid_namespace);
		if (p->interface != CALL_NONE)
			buf_printf(e->out, "\t\t.interface = %s,\n",
				   p->interface == CALL_32 ? "PRT_CALL_32" : "PRT_CALL_64");
		if (p->order)
			buf_printf(e->out, "\t\t.order = %s,\n", number_text(e, p->order));
		if (p->period_ns)
			buf_printf(e->out, "\t\t.period_ns = %s, .randomize_ns = %s,\n",
				   number_text(e, p->period_ns), number_text(e, p->randomize_ns));
		if (p->maxactive)
			buf_printf(e->out, "\t\t.maxactive = %s,\n", number_text(e, p->maxactive));
		entry_fields(e, p);
		emit_event_fields(e, p);
		if (p->result.size)
			buf_printf(e->out, "\t\t.result_size = %u, .result_signed = %d,\n",
				   p->result.size, p->result.is_signed);
		if (site_kind_is_trace(p->kind))
			buf_printf(e->out, "\t\t.nargs = %u,\n", p->nargs);
		buf_puts(e->out, "\t},\n");
	}
	buf_puts(e->out, "};\n\n");
}

/* Whether hot handlers may print. Embedded C may do anything. */
static bool hot_output(struct emit *e)
{
	bool ret = e->p->kernel_headers;

	vec_each(p, &e->p->probes)
		ret |= site_kind_is_hot((*p)->kind) && e->probes.v[(*p)->index].outputs;
	return ret;
}

void emit_tables(struct emit *e)
{
	bool percpu = false;
	size_t nsites, nmodules = e->modules.v.n, nfiles = e->scopes.v.n;

	globals(e);
	emit_files(e);
	emit_threads(e);
	nsites = sites(e);
	probes(e);
	vec_each(it, &e->p->globals)
		percpu |= (*it)->storage == STORE_PERCPU;
	buf_puts(e->out, "const struct prt_script prt_script = {\n\t.abi = PRT_ABI_VERSION,\n");
	buf_printf(e->out, "\t.nprobes = %zu, .nsites = %zu, .nglobals = %zu, .nlocks = %d,\n",
		   e->p->probes.n, nsites, e->p->globals.n, e->p->nlocks);
	buf_printf(e->out, "\t.bank_size = %s,\n", percpu ? "sizeof(struct bank)" : "0");
	buf_printf(e->out, "\t.workspace_size = %llu,\n",
		   (unsigned long long)emit_workspace_size(e));
	buf_printf(e->out, "\t.iter_depth = %u, .hot_iter_depth = %u,\n",
		   e->p->iter_depth + e->slices,
		   e->p->hot_iter_depth + (e->slices && e->p->has_hot));
	buf_puts(e->out, "\t.maxstringlen = PRT_MAXSTRINGLEN, .maxmapentries = PRT_MAXMAPENTRIES,\n"
		 "\t.maxnesting = PRT_MAXNESTING, .maxerrors = PRT_MAXERRORS,\n"
		 "\t.maxaction = PRT_MAXACTION, .maxload = PRT_MAXLOAD,\n");
	if (e->p->has_stacks)
		buf_printf(e->out, "\t.stacks = %lld,\n", (long long)e->s->opt.caps.maxstacks);
	if (emit_takes_user_stacks(e))
		buf_puts(e->out, "\t.user_stacks = 1,\n");
	if (emit_takes_task_stacks(e))
		buf_puts(e->out, "\t.task_stacks = 1,\n");
	if (hot_gates(e))
		buf_puts(e->out, "\t.hot_gates = 1,\n");
	if (hot_output(e))
		buf_puts(e->out, "\t.hot_output = 1,\n");
	if (emit_switch_any(e))
		buf_puts(e->out, "\t.switches = switches,\n");
	buf_puts(e->out, e->s->opt.direct ? "\t.direct = 1,\n" : "");
	if (nmodules)
		buf_printf(e->out, "\t.modules = modules, .nmodules = %zu,\n", nmodules);
	if (nfiles)
		buf_printf(e->out, "\t.files = files, .nfiles = %zu,\n", nfiles);
	buf_puts(e->out, e->p->threads.n ? "\t.threads = threads,\n" : "");
	buf_printf(e->out, "\t.probes = %s,\n\t.sites = %s,\n\t.globals = %s,\n};\n\n",
		   e->p->probes.n ? "probes" : "NULL", nsites ? "sites" : "NULL",
		   e->p->globals.n ? "globals" : "NULL");
}
