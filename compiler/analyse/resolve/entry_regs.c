/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Values that a place has only as the value of a register at the entry of its function
 * (LO_ENTRY_REG). An additional probe at the entry saves the register in an array, whose key is the
 * address of the return address. By debug information, that address is the same at the entry and at
 * each place of one call, and different for any two active calls. The value of a call that ended is
 * overwritten by the next call with that address, since each call passes the entry.
 *
 * No value was saved for calls that began before the session; as in return probes, the handler does
 * not run for them.
 *
 * The arrays and the code that fills and reads them are made as script text and parsed like any
 * other.
 */
#include <string.h>

#include "ast/points.h"
#include "ast/walk.h"
#include "analyse/locate/locate.h"
#include "parse/parse.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/probes.h"
#include "analyse/resolve/values.h"
#include "shared/buf.h"

enum { CALLS = 4096 }; /* most active calls; beyond them, the oldest values are dropped */

/* ---- the functions of a register ---- */

enum role { KEEP, HAS, GET };

static const char *name_of(struct resolver *r, enum role role, const char *reg)
{
	static const char *const words[] = { [KEEP] = "keep", [HAS] = "has", [GET] = "get" };

	return arena_printf(r->s->arena, "__entry_reg_%s_%s", words[role], reg);
}

static void load_functions(struct resolver *r, const char *reg)
{
	struct source *src;
	struct script *sc;
	struct buf b;

	buf_init(&b);
	buf_printf(&b, "global __entry_reg_%s%%[%d]\n", reg, CALLS);
	buf_printf(&b, "function %s(at:long, value:long) { __entry_reg_%s[at] = value }\n",
		   name_of(r, KEEP, reg), reg);
	buf_printf(&b, "function %s:long(at:long) { return [at] in __entry_reg_%s }\n",
		   name_of(r, HAS, reg), reg);
	buf_printf(&b, "function %s:long(at:long) { return __entry_reg_%s[at] }\n",
		   name_of(r, GET, reg), reg);
	src = source_from_text(r->s->arena, "<entry registers>", b.s, b.len);
	buf_deinit(&b);
	src->in_tapset = 1;
	sc = parse_source(r->s, src);
	if (sc)
		resolve_load(r, sc);
}

static struct expr *call_of(struct resolver *r, enum role role, const char *reg, struct range at)
{
	struct expr *call = ast_expr(r->s->arena, EX_CALL, at);
	struct fn_set *set;

	call->u.call.name = name_of(r, role, reg);
	call->u.call.name_range = at;
	set = map_get(&r->functions, call->u.call.name);
	if (!set) {
		load_functions(r, reg);
		set = map_get(&r->functions, call->u.call.name);
	}
	vec_push(r->s->arena, &call->u.call.targets, set->v.v[0]);
	vec_push(r->s->arena, &r->queue, set->v.v[0]);
	return call;
}

/* ---- values of registers as expressions ---- */

static struct expr *value_at(struct resolver *r, const char *name, const struct location *l,
			     struct range at)
{
	struct expr *e = ast_expr(r->s->arena, EX_CONTEXT, at);
	struct access *access = NEW(r->s->arena, struct access);

	*access = (struct access){ .base = AB_LOCATION, .location = l, .result = AR_VALUE,
				   .size = 8, .text = name };
	e->u.context.name = name;
	e->u.context.access = access;
	e->type = T_LONG;
	return e;
}

static struct expr *register_now(struct resolver *r, const char *reg, struct range at)
{
	struct location *l = NEW(r->s->arena, struct location);
	struct location_piece piece = { .is_value = true };

	vec_push(r->s->arena, &piece.ops, ((struct location_op){ .kind = LO_REG, .name = reg }));
	vec_push(r->s->arena, &l->pieces, piece);
	return value_at(r, arena_printf(r->s->arena, "$%s", reg), l, at);
}

static void add_argument(struct resolver *r, struct expr *call, struct expr *arg)
{
	vec_push(r->s->arena, &call->u.call.args, arg);
}

void entry_regs_resolve(struct resolver *r, struct probe *p, struct expr *e)
{
	const struct location *l = e->u.context.access->location;
	struct entry_reg_need need = { .name = l->entry_reg, .probe = p, .asks = e,
				       .return_at = l->return_at };

	/* A return probe already runs at the entry of its own call. */
	if (site_kind_is_return(p->kind)) {
		e->u.context.base = entries_keep(r, p, register_now(r, l->entry_reg, e->range));
		return;
	}
	e->u.context.base = call_of(r, GET, l->entry_reg, e->range);
	add_argument(r, e->u.context.base, value_at(r, "$return_at", l->return_at, e->range));
	vec_each(it, &r->entry_regs)
		if (it->probe == p && strcmp(it->name, l->entry_reg) == 0)
			return;
	vec_push(r->s->arena, &r->entry_regs, need);
}

/* ---- probes ---- */

/* Puts `if (!has(frame)) next;` before the handler. */
static void test_first(struct resolver *r, const struct entry_reg_need *need)
{
	struct arena *a = r->s->arena;
	struct probe *p = need->probe;
	struct stmt *test = ast_stmt(a, ST_IF, p->range), *both = ast_stmt(a, ST_BLOCK, p->range);
	struct expr *has = call_of(r, HAS, need->name, p->range);
	struct expr *not = ast_expr(a, EX_UNARY, p->range);

	add_argument(r, has, value_at(r, "$return_at", need->return_at, p->range));
	not->u.unary.op = OP_NOT;
	not->u.unary.a = has;
	test->u.if_.c = not;
	test->u.if_.then = ast_stmt(a, ST_NEXT, p->range);
	vec_push(a, &both->u.block, test);
	vec_push(a, &both->u.block, p->body);
	p->body = both;
}

/* Whether an earlier probe saves the same register. */
static bool is_kept(struct resolver *r, const struct site *entry, const char *reg)
{
	vec_each(it, &r->entry_regs)
		if (it->entry && it->entry != entry && strcmp(it->name, reg) == 0 &&
		    it->entry->namesake == entry->namesake &&
		    strcmp(it->entry->symbol, entry->symbol) == 0 &&
		    strcmp(it->entry->object, entry->object) == 0)
			return true;
	return false;
}

static void cannot_keep(struct resolver *r, const struct entry_reg_need *need)
{
	struct diag *d = r->s->diag;

	diag_error(d, need->asks->range, E_UNKNOWN_CONTEXT_VARIABLE,
		   "'%s' is not available: it is the entry value of register %s, and the entry "
		   "can't be probed", need->asks->u.context.name, need->name);
	diag_hint(d, "leave it out there, or probe a line that has it elsewhere");
}

static void add_keeper(struct resolver *r, const struct entry_reg_need *need,
		       const struct located *loc)
{
	struct arena *a = r->s->arena;
	struct range at = need->probe->range;
	struct probe_point *written = points_new(a, at);
	struct expr *keep = call_of(r, KEEP, need->name, at);
	struct derive d = { .written = written, .optional = need->probe->optional,
			    .helper = true };

	points_add(a, written, at, loc->pp, NULL);
	add_argument(r, keep, register_now(r, "sp", at));
	add_argument(r, keep, register_now(r, need->name, at));
	d.own = ast_stmt(a, ST_EXPR, at);
	d.own->u.expr = keep;
	vec_push(a, &d.body, d.own);
	probes_located(r, &d, loc);
}

bool entry_regs_probes(struct resolver *r)
{
	bool any = false;

	for (size_t i = 0; i < r->entry_regs.n; i++) {
		struct entry_reg_need *need = &r->entry_regs.v[i];
		struct located loc;

		if (need->done)
			continue;
		need->done = any = true;
		test_first(r, need);
		if (locate_entry_of(r->s, need->probe->sites.v[0], &loc)) {
			cannot_keep(r, need);
			continue;
		}
		need->entry = loc.sites.v[0];
		if (!is_kept(r, need->entry, need->name))
			add_keeper(r, need, &loc);
	}
	return any;
}
