/* SPDX-License-Identifier: GPL-2.0 */
/*
 * $-expressions by debug information: at a place within a function, in an inlined copy, in a clone,
 * and if BTF has no prototype of the function. context_entry.c has the parameters at the entry of a
 * function.
 */
#include <errno.h>
#include <string.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "base/words.h"
#include "target/dwarf/dwarf.h"
#include "target/kernel/namelist.h"
#include "analyse/locate/values/headers.h"
#include "analyse/locate/values/path.h"
#include "target/object/demangle.h"
#include "target/object/object.h"
#include "target/object/thread_memory.h"

const struct dwarf_place *context_place_of(struct state *s, const struct site *site,
					   const char **why)
{
	if (site->place)
		return site->place;

	struct dwarf_db *db = dwarf_db_get(s, site->object, why);

	if (!db)
		return NULL;

	const struct dwarf_place *place = dwarf_place_of_symbol(db, site->symbol, site->namesake,
								site->offset);

	if (!place)
		*why = arena_printf(s->arena, "debug information has no function at '%s'",
				    site->symbol);
	return place;
}

/* In Go, a dot separates the name of a package, and does not begin the suffix of a clone. */
static bool is_clone(const struct dwarf_place *at)
{
	return namelist_clone_suffix(at->symbol) && !dwarf_is_go(at);
}

/* Whether the place is the entry of a function that has the parameters of its source. */
static bool has_prototype(struct state *s, const struct dwarf_place *at, struct btf_func *func)
{
	return at->at_entry && !is_clone(at) && !dwarf_is_go(at) && !dwarf_is_32bit(at) &&
	       dwarf_prototype(s, at, func);
}

/* Whether LLVM may have changed how the function returns its result without another name for the
 * function: it does so in functions that no other file calls, if it optimizes. */
static bool may_be_changed(const struct dwarf_place *at)
{
	return !dwarf_keeps_convention(at) && !at->is_global && !dwarf_is_unoptimized(at);
}

/* Whether the compiler may have removed a result that no caller uses. */
static bool is_result_changed(const struct dwarf_place *at)
{
	return !dwarf_keeps_convention(at) && (dwarf_breaks_convention(at) ||
	       (may_be_changed(at) && !dwarf_marks_convention(at)));
}

/* Whether the result is found by the calling convention. This holds for clones without constant
 * parameters (.constprop), too, but for no other clone: a clone may return no value if no caller
 * uses it (.isra), or do only a part of the work (.part). */
static bool returns_by_convention(struct state *s, const struct dwarf_place *at,
				  struct btf_func *func)
{
	static const char kept[] = ".constprop.";
	const char *suffix = namelist_clone_suffix(at->symbol);

	while (suffix && strncmp(suffix, kept, strlen(kept)) == 0)
		suffix = strchr(suffix + strlen(kept), '.');
	return at->at_entry && !suffix && !dwarf_is_go(at) && !is_result_changed(at) &&
	       dwarf_prototype(s, at, func);
}

/* ---- from a location ---- */

static bool is_op(const struct location_piece *p, size_t i, enum location_op_kind kind)
{
	return i < p->ops.n && p->ops.v[i].kind == kind;
}

/* The constant that is added to a register, operation 0 of @n; false if it is something else. */
static bool register_offset(const struct location_piece *p, size_t n, int64_t *ret)
{
	*ret = 0;
	if (n == 1)
		return is_op(p, 0, LO_REG);
	if (n != 3 || !is_op(p, 0, LO_REG) || !is_op(p, 1, LO_CONST) || !is_op(p, 2, LO_ADD))
		return false;
	*ret = p->ops.v[1].n;
	return true;
}

/* The slot of the caller's stack @offset bytes above the stack pointer. */
static bool as_slot(struct walk *w, int64_t offset)
{
	unsigned first = arch_flow_entry_cfa(false);

	if (offset < (int64_t)first || (offset - (int64_t)first) % 8)
		return false;
	w->access->base = AB_STACK_ARG;
	w->access->n = (unsigned)((offset - (int64_t)first) / 8);
	return true;
}

int64_t context_place_above_sp(const struct location_piece *p)
{
	int64_t ret;

	return !p->is_value && register_offset(p, p->ops.n, &ret) && ret >= 0 &&
	       strcmp(p->ops.v[0].name, ARCH_STACK_POINTER) == 0 ? ret : -1;
}

/* as_argument() for a 32-bit program. Not all registers that may hold an argument are kept. */
static bool as_slot_32(struct walk *w, const struct location_piece *p, unsigned size)
{
	int64_t at = context_place_above_sp(p);
	int n = p->is_value && p->ops.n == 2 && is_op(p, 0, LO_REG) && is_op(p, 1, LO_ZEXT) ?
		arch_argument(p->ops.v[0].name) : -1;

	if (n >= 0 && size <= 4) {
		w->access->base = AB_REG_ARG;
		w->access->n = (unsigned)n;
		return true;
	}
	if (at < 4 || at % 4)
		return false;
	w->access->base = size <= 4 ? AB_STACK_ARG_32 : AB_STACK_PAIR_32;
	w->access->n = (unsigned)(at / 4 - 1);
	return true;
}

/*
 * At an entry, a cheaper probe gets the argument registers and the caller's stack slots, and a
 * return probe can save them. Either has the value, or the address of the object that was passed.
 * Returns false if the location is something else.
 */
static bool as_argument(struct walk *w, const struct location *l)
{
	const struct location_piece *p = &l->pieces.v[0];
	struct btf_shape shape = btf_types_shape(w->db, w->type);
	bool small = shape.kind == BTF_INTEGER || shape.kind == BTF_POINTER;
	bool in_slot, is_read = is_op(p, p->ops.n - 1, LO_DEREF) && p->ops.v[p->ops.n - 1].n == 8;
	int64_t offset;
	int n;

	if (w->site->user && w->site->user->file->is_32bit)
		return l->pieces.n == 1 && small && as_slot_32(w, p, (unsigned)shape.size);
	if (l->pieces.n != 1 || !register_offset(p, p->ops.n - is_read, &offset))
		return false;
	in_slot = strcmp(p->ops.v[0].name, ARCH_STACK_POINTER) == 0;
	if (in_slot) {
		w->standing = is_read && !p->is_value ? ON_ADDRESS : ON_VALUE;
		return (is_read || !p->is_value) && (small || w->standing == ON_ADDRESS) &&
		       as_slot(w, offset);
	}
	n = arch_argument(p->ops.v[0].name);
	if (n < 0 || is_read || (p->is_value && (offset || !small)))
		return false;
	w->access->base = AB_REG_ARG;
	w->access->n = (unsigned)n;
	if (!p->is_value) {
		w->standing = ON_ADDRESS;
		path_add(w, offset);
	}
	return true;
}

static bool uses_registers(const struct location *l)
{
	return access_uses(l, LO_REG) || access_uses(l, LO_SIMD);
}

/* Whether it is the location of a variable with a fixed address, or one that leads from such an
 * address to memory of the thread. */
static bool is_global(const struct location *l)
{
	return access_uses(l, LO_SYMBOL) && !l->entry_reg && !uses_registers(l);
}

/*
 * The address of a variable of a program is computed from the address of the probed instruction, by
 * their distance in the file. When a function returns, the processor is in another function, often
 * of another file, so the address at the entry is used.
 */
static struct location *beside_place(struct walk *w, const struct dwarf_place *at,
				     const struct location *l)
{
	struct arena *a = w->s->arena;
	struct location *ret = NEW(a, struct location);
	bool is_kept = site_kind_is_return(w->kind) && is_global(l);

	*ret = *l;
	memset(&ret->pieces, 0, sizeof(ret->pieces));
	if (is_kept)
		ret->entry_reg = arch_instruction_pointer();
	vec_each(p, &l->pieces) {
		struct location_piece piece = *p;

		memset(&piece.ops, 0, sizeof(piece.ops));
		vec_each(op, &p->ops) {
			if (op->kind != LO_SYMBOL) {
				vec_push(a, &piece.ops, *op);
				continue;
			}
			vec_push(a, &piece.ops, ((struct location_op){
				.kind = is_kept ? LO_ENTRY_REG : LO_REG,
				.name = arch_instruction_pointer() }));
			vec_push(a, &piece.ops, ((struct location_op){
				.kind = LO_CONST, .n = op->n - (int64_t)at->pc }));
			vec_push(a, &piece.ops, ((struct location_op){ .kind = LO_ADD }));
		}
		vec_push(a, &ret->pieces, piece);
	}
	return ret;
}

static int start_at_location(struct walk *w, const struct dwarf_place *at, struct location *l)
{
	struct access *access = w->access;

	if (w->site && w->site->user)
		l = beside_place(w, at, l);

	const struct location_piece *first = &l->pieces.v[0];

	w->db = l->type.db;
	w->type = l->type.id;
	w->standing = ON_VALUE;
	access->origin = ACCESS_DEBUG_INFO;
	if (at->at_entry && as_argument(w, l)) {
		access->at_entry_saved = site_kind_is_return(w->kind);
		return 0;
	}
	w->standing = ON_VALUE;
	if (site_kind_is_return(w->kind) && uses_registers(l)) {
		path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
			  "'%s' is not available: at the return, entry values are kept only of "
			  "arguments%s", w->e->u.context.name, dwarf_is_go(at) ?
			  " that C passes in registers, and Go uses other registers" : "");
		if (dwarf_is_go(at))
			path_hint(w, "@entry(register(\"rax\")) is the first one, if it is an "
				  "integer or a pointer; then follow rbx, rcx, rdi, rsi, r8, r9, "
				  "r10, r11");
		return -ENODATA;
	}
	access->base = AB_LOCATION;
	access->n = 0;
	access->location = l;

	enum btf_kind_of kind = btf_types_shape(w->db, w->type).kind;

	if (l->pieces.n == 1 && !first->bit_size && !first->is_value)
		w->standing = ON_ADDRESS;
	else if (l->pieces.n > 1 || first->bit_size || kind == BTF_STRUCT || kind == BTF_ARRAY)
		w->standing = ON_PIECES;
	return 0;
}

/* ---- names ---- */

/* When a function has returned, its locals are gone, except those that are neither in registers nor
 * on the stack. */
static bool is_over(struct state *s, const struct dwarf_place *at, enum probe_kind kind,
		    const struct dwarf_name *name)
{
	struct location l = {0};
	const char *why;

	return site_kind_is_return(kind) && !name->param &&
	       (dwarf_value(s, at, name->name, &l, &why) || uses_registers(&l));
}

void context_place_names(struct state *s, const struct dwarf_place *at, enum probe_kind kind,
			 enum context_names which, struct name_list *ret)
{
	struct dwarf_names names = {0};
	struct btf_func func;

	dwarf_value_names(s, at, &names);
	vec_each(it, &names.v) {
		bool wanted = which == CONTEXT_LOCALS ? !it->param :
							it->param || which == CONTEXT_ALL;

		if (wanted && !is_over(s, at, kind, it))
			vec_push(s->arena, &ret->v, arena_printf(s->arena, "$%s", it->name));
	}
	if (site_kind_is_return(kind) && which != CONTEXT_LOCALS &&
	    returns_by_convention(s, at, &func) && btf_func_return(&func))
		vec_push(s->arena, &ret->v, "$return");
}

static int unknown(struct walk *w, const struct dwarf_place *at)
{
	struct name_list names = {0};
	const char *name = w->e->u.context.name;

	path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
		  "'%s' has no parameter or variable '%s'", at->function, name);
	if (w->quiet)
		return -ENOENT;
	context_place_names(w->s, at, w->kind, CONTEXT_ALL, &names);

	const char *nearest = diag_nearest(name, names.v.v, names.v.n);

	if (nearest) {
		path_hint(w, "did you mean '%s'?", nearest);
		return -ENOENT;
	}
	path_hint(w, "known here: %s", names.v.n ? words_join(w->s->arena, names.v.v, names.v.n) :
		  "nothing");
	return -ENOENT;
}

/* ---- interface ---- */

int context_place_location(struct walk *w, const struct dwarf_place *at, struct location *l)
{
	w->access = NEW(w->s->arena, struct access);
	w->access->of_user = (w->site && w->site->user) || headers_of_user(w->s, l->type.db);
	w->end = w->e->range.end;
	w->access->text = path_text(w);

	int err = context_thread_location(w, w->access->of_user && w->site ? w->site->user : NULL,
					  l);

	if (!err)
		err = start_at_location(w, at, l);

	if (!err)
		err = path_follow(w);
	if (err)
		return err;
	w->e->u.context.access = w->access;
	w->e->type = access_value_type(w->access);
	return 0;
}

static int walk_value(struct walk *w, const struct dwarf_place *at)
{
	const char *name = w->e->u.context.name, *why = NULL;
	struct location *l = NEW(w->s->arena, struct location);
	struct btf_func func;
	bool is_32bit;
	int err = dwarf_value(w->s, at, name + 1, l, &why), i;

	if (err == -ENOENT)
		return unknown(w, at);
	is_32bit = at->at_entry && dwarf_is_32bit(at) && !is_clone(at) &&
		   dwarf_prototype(w->s, at, &func);
	i = is_32bit ? path_param(&func, w->kind, name + 1) : -1;
	if (!err && is_32bit && context_32_is_other(w->s, at, &func, i)) {
		why = "debug information describes another value there";
		err = -ENODATA;
	} else if (!err) {
		return context_place_location(w, at, l);
	} else if (is_32bit && context_32_by_convention(w->s, at, &func, i)) {
		return context_walk(w, &func);
	}

	bool here = !site_kind_is_return(w->kind);
	int line = w->quiet || !here ? 0 : dwarf_value_nearest(at, name + 1);

	if (line && (unsigned)line == at->line)
		why = arena_printf(w->s->arena, "%s; another place of the same line has it: "
				   "@defined(%s) tells them apart", why, name);
	else if (line)
		why = arena_printf(w->s->arena, "%s; the nearest line that has it is %s:%d", why,
				   at->file, line);
	if (!here)
		why = arena_printf(w->s->arena, "%s; where the function returns, parameters are "
				   "known as they were at the entry", why);
	return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
			 "'%s' is not available: %s", name, why);
}

/* The name that users see for the function's symbol, with the suffix of a clone. */
static const char *shown(struct walk *w, const struct dwarf_place *at)
{
	return is_clone(at) || dwarf_is_go(at) ? demangle_shown(w->s->arena, at->symbol) :
						 at->function;
}

static int no_return(struct walk *w, const struct dwarf_place *at)
{
	bool is_go = dwarf_is_go(at);

	path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		  "'$return' is not available: %s '%s'%s", is_go ?
		  "debug information of Go does not say where the results of" : "of",
		  shown(w, at), is_go ? " are" : is_clone(at) ?
		  ", a clone, the compiler may have removed what it returns" :
		  is_result_changed(at) ?
		  ", which only its own file calls, the compiler may have removed the result" :
		  " debug information does not describe the result");
	if (is_go)
		path_hint(w, "returnval() is the first one if it is an integer or a pointer; "
			  "register(\"rbx\") is the next, or the second word of a string");
	return -ENODATA;
}

int context_place_walk(struct walk *w, const struct dwarf_place *at)
{
	const char *name = w->e->u.context.name + 1;
	bool is_return = strcmp(name, "return") == 0 && site_kind_is_return(w->kind);
	struct btf_func func;
	int i;

	if (is_return && !returns_by_convention(w->s, at, &func))
		return no_return(w, at);
	if (is_return && arch_return(&func).where == ARCH_RETURN_MEMORY && may_be_changed(at))
		return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
				 "'$return' is not available: it is returned in memory, and '%s', "
				 "which only its own file calls, may not return the address",
				 shown(w, at));
	if (is_return)
		return context_walk(w, &func);
	i = has_prototype(w->s, at, &func) ? path_param(&func, w->kind, name) : -1;
	return i < 0 ? walk_value(w, at) : context_entry_walk(w, at, &func, (unsigned)i);
}

bool locate_has_debuginfo(struct state *s, const char *object)
{
	const char *why;

	return dwarf_db_get(s, object, &why);
}

/* Reports the result of dwarf_global(); @object is for the message. */
static int no_global(struct walk *w, int err, const char *object, const char *name,
		     const char *file, const char *why)
{
	if (err == -ENOENT)
		return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, err,
				 "there is no variable '%s'%s%s%s in debug information of %s%s",
				 name, file ? " in '" : "", file ? file : "", file ? "'" : "",
				 strcmp(object, "kernel") == 0 ? "the " : "", object);
	if (err == -ENOTUNIQ) {
		path_fail(w, w->e->range, E_AMBIGUOUS, err, "'%s' is ambiguous: %s", name, why);
		if (strstr(why, "::"))
			path_hint(w, "name its scope: @var(\"SCOPE::%s\")", name);
		else
			path_hint(w, "name the file: @var(\"%s@FILE\")", name);
		return err;
	}
	return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, err,
			 "'%s' is not available: %s", name, why);
}

/* Replaces addresses of the file by constants. */
static void make_absolute(struct location *l)
{
	vec_each(p, &l->pieces)
		vec_each(op, &p->ops)
			if (op->kind == LO_SYMBOL)
				op->kind = LO_CONST;
}

/* The processes that run a program. */
static const struct user_scope *program_scope(struct state *s, const struct program_file *o)
{
	struct user_scope *program = NEW(s->arena, struct user_scope);

	*program = (struct user_scope){ .file = o, .program = o->path };
	return program;
}

/* Replaces addresses of the file by their distance from where the current process has its
 * program. */
static struct location *beside_program(struct state *s, const struct program_file *o,
				       const struct location *l)
{
	const struct user_scope *program = program_scope(s, o);
	struct location *ret = NEW(s->arena, struct location);

	*ret = *l;
	memset(&ret->pieces, 0, sizeof(ret->pieces));
	vec_each(p, &l->pieces) {
		struct location_piece piece = *p;

		memset(&piece.ops, 0, sizeof(piece.ops));
		vec_each(op, &p->ops) {
			if (op->kind != LO_SYMBOL) {
				vec_push(s->arena, &piece.ops, *op);
				continue;
			}
			vec_push(s->arena, &piece.ops, ((struct location_op){
				.kind = LO_PROGRAM, .program = program }));
			vec_push(s->arena, &piece.ops, ((struct location_op){
				.kind = LO_CONST, .n = op->n - (int64_t)o->first_code }));
			vec_push(s->arena, &piece.ops, ((struct location_op){ .kind = LO_ADD }));
		}
		vec_push(s->arena, &ret->pieces, piece);
	}
	return ret;
}

static int no_place(struct walk *w, const struct program_file *o, const char *name)
{
	if (o->is_program) {
		path_fail(w, w->e->range, E_CONTEXT, -EINVAL, "'%s' of %s lies in the memory of "
			  "processes, and this probe is hit in none", name, o->path);
		path_hint(w, "probes of programs and of the kernel are hit in processes");
		return -EINVAL;
	}
	path_fail(w, w->e->range, E_CONTEXT, -EINVAL, "the address of '%s' of %s is known only "
		  "in probes of that file", name, o->path);
	path_hint(w, "a probe there can store it: global at; probe process(\"%s\")."
		  "function(\"NAME\") { at[pid()] = &@var(\"%s\") }", o->path, name);
	return -EINVAL;
}

int locate_program_global(struct state *s, const struct site *site, enum probe_kind kind,
			  const char *program, const char *name, const char *file, struct expr *e,
			  bool quiet)
{
	struct walk w = { .s = s, .site = site, .kind = kind, .e = e, .quiet = quiet };
	const struct user_scope *scope = site ? site->user : NULL;
	const char *path = program ? object_program(s, program) : scope->file->path;
	const char *why = "there is no such file";
	const struct program_file *o = path ? object_open(s, path, &why) : NULL;
	struct dwarf_db *db = o ? dwarf_db_of_program(s, o, &why) : NULL;
	struct location *l = NEW(s->arena, struct location);
	struct dwarf_place at = { 0 };
	uint64_t offset;
	int err;

	if (!db) {
		path_fail(&w, e->range, E_NO_DEBUGINFO, -ENODATA,
			  "'%s' needs the debug information of '%s', which is missing", name,
			  program ? program : path);
		path_hint(&w, "%s", why);
		return -ENODATA;
	}
	err = dwarf_global(s, db, name, file, l, &why);
	w.end = e->range.end;
	if (err == -ENOENT && thread_memory_variable(o, name, &offset))
		return context_thread_refuse(&w, "debug information does not say where, as that of "
					     "gcc for arm64");
	if (err == -ENOENT && (why = dwarf_missing(db))) {
		path_fail(&w, e->range, E_NO_DEBUGINFO, -ENODATA,
			  "'%s' is not in the available debug information of %s", name,
			  o->path);
		path_hint(&w, "%s", why);
		return -ENODATA;
	}
	if (err) {
		no_global(&w, err, o->path, name, file, why);
		if (err == -ENOENT)
			path_hint(&w, "gdb -batch -ex 'info variables' %s lists the available "
				  "ones", o->path);
		return err;
	}
	/* A watchpoint is hit anywhere in the process. */
	if (scope && scope->file == o && kind != PK_WATCH) {
		at.pc = object_address(o, site->file_offset);
		return context_place_location(&w, &at, l);
	}
	if (!o->is_program || !site_kind_is_hot(kind))
		return no_place(&w, o, name);
	err = context_thread_location(&w, program_scope(s, o), l);
	if (err)
		return err;
	if (o->is_fixed && scope && scope->program && strcmp(scope->program, o->path) == 0)
		make_absolute(l);
	else
		l = beside_program(s, o, l);
	return context_place_location(&w, &at, l);
}

int locate_global(struct state *s, const char *object, const char *name, const char *file,
		  struct expr *e, bool quiet)
{
	struct walk w = { .s = s, .kind = PK_NO_PROBE, .e = e, .quiet = quiet };
	const struct dwarf_place nowhere = {0};
	struct location *l = NEW(s->arena, struct location);
	const char *why = NULL;
	struct dwarf_db *db = dwarf_db_get(s, object, &why);

	if (!db) {
		path_fail(&w, e->range, E_NO_DEBUGINFO, -ENODATA,
			  "the type of '%s' needs debug information", name);
		path_hint(&w, "%s", why);
		return -ENODATA;
	}

	int err = dwarf_global(s, db, name, file, l, &why);

	return err ? no_global(&w, err, object, name, file, why) :
		     context_place_location(&w, &nowhere, l);
}
