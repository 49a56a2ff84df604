/* SPDX-License-Identifier: GPL-2.0 */
/*
 * $-expressions in programs and libraries: the arguments of SDT markers, and, without debug
 * information, $arg1, $arg2, ... and $return by the calling convention. Pointers lead to memory of
 * the process.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "target/arch/arch.h"
#include "target/arch/operand.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/values/path.h"
#include "target/object/object.h"
#include "target/object/thread_memory.h"

enum { MOST_ARGUMENTS = 64 };

/* N of "$argN", or 0. */
unsigned context_user_argument(const char *name)
{
	char *end;
	unsigned long n;

	if (strncmp(name, "$arg", 4) != 0 || name[4] < '1' || name[4] > '9')
		return 0;
	n = strtoul(name + 4, &end, 10);
	return *end || n > MOST_ARGUMENTS ? 0 : (unsigned)n;
}

/* ---- a value without a type ---- */

static int refuse_path(struct walk *w)
{
	const struct expr *e = w->e;

	if (!e->u.context.path.n && !e->u.context.pretty && !e->u.context.address)
		return 0;
	path_fail(w, e->range, E_BAD_ACCESS, -EINVAL, "'%s' is a number of %u bytes without a type",
		  e->u.context.name, w->access->size);
	path_hint(w, "@cast(%s, \"TYPE\", \"<HEADER.h>\") gives it one", e->u.context.name);
	return -EINVAL;
}

static struct access *new_access(struct walk *w, unsigned size, bool is_signed)
{
	static const char *const types[2][9] = {
		{ [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int",
		  [8] = "unsigned long" },
		{ [1] = "signed char", [2] = "short", [4] = "int", [8] = "long" },
	};
	struct access *access = w->access = NEW(w->s->arena, struct access);

	w->end = w->e->range.end;
	access->text = path_text(w);
	access->result = AR_VALUE;
	access->size = (uint8_t)size;
	access->is_signed = is_signed;
	access->of_user = true;
	access->type_name = types[is_signed][size];
	return access;
}

static int finish(struct walk *w)
{
	int err = refuse_path(w);

	if (err)
		return err;
	w->e->u.context.access = w->access;
	w->e->type = T_LONG;
	return 0;
}

/* ---- system calls ---- */

bool context_user_is_syscall(const struct site *site)
{
	return site->event == PROCESS_SYSCALL || site->event == PROCESS_SYSCALL_RETURN;
}

/* The tracepoint has the registers, and the number or the result of the system call; scripts use
 * SystemTap's names. Which registers have the arguments depends on the interface of the call, and
 * any program can use each. */
bool context_user_syscall(struct walk *w, int *ret)
{
	struct expr *e = w->e;
	const char *name = e->u.context.name;
	struct accessor step = { .range = e->range, .member = arch_syscall_register(0) };
	unsigned n = context_user_argument(name);

	*ret = 0;
	if (!context_user_is_syscall(w->site))
		return false;
	if (n && arch_syscall_register(n)) {
		new_access(w, 8, false)->base = AB_SYSCALL_ARG;
		w->access->n = n;
		/* The kernel's name of it, which $syscall has as well. */
		w->access->type_name = "long unsigned int";
		*ret = finish(w);
		return true;
	}
	if (strcmp(name, "$return") == 0 && w->site->event == PROCESS_SYSCALL_RETURN) {
		e->u.context.name = "$ret";
	} else if (strcmp(name, "$syscall") == 0 && !e->u.context.path.n) {
		e->u.context.name = "$regs";
		vec_push(w->s->arena, &e->u.context.path, step);
	}
	return false;
}

/* ---- markers ---- */

static void push(struct walk *w, struct location_piece *p, enum location_op_kind kind, int64_t n,
		 const char *name)
{
	struct location_op op = { .kind = kind, .n = n, .name = name };

	vec_push(w->s->arena, &p->ops, op);
}

static void push_address(struct walk *w, struct location_piece *p, const struct arch_operand *o)
{
	bool any = false;

	if (o->base) {
		push(w, p, LO_REG, 0, o->base);
		any = true;
	}
	if (o->index) {
		push(w, p, LO_REG, 0, o->index);
		if (o->index_extends)
			push(w, p, o->index_extends < 0 ? LO_SEXT : LO_ZEXT, 4, NULL);
		push(w, p, LO_CONST, o->scale, NULL);
		push(w, p, LO_MUL, 0, NULL);
		if (any)
			push(w, p, LO_ADD, 0, NULL);
		any = true;
	}
	if (o->value || !any) {
		push(w, p, LO_CONST, o->value, NULL);
		if (any)
			push(w, p, LO_ADD, 0, NULL);
	}
}

/* Adds the address in the thread's memory. Returns false, with *@why, if it is not known. */
static bool push_of_thread(struct walk *w, struct location_piece *p, const struct arch_operand *o,
			   const char **why)
{
	const struct program_file *file = w->site->user->file;
	struct arch_operand rest = *o;
	int64_t from_base = 0;
	uint64_t offset = 0;

	*why = "it is in the thread-local memory of a 32-bit program";
	if (!arch_has_thread_memory(file->is_32bit))
		return false;
	*why = arena_printf(w->s->arena, "the file has no thread-local variable '%s'", o->symbol);
	if (o->is_distance && !thread_memory_variable(file, o->symbol, &offset))
		return false;
	if (o->is_distance && !thread_memory_of_program(file, &from_base, why))
		return false;
	rest.value += from_base + (int64_t)offset;
	push_address(w, p, &rest);
	push(w, p, LO_THREAD, 0, NULL);
	push(w, p, LO_ADD, 0, NULL);
	return true;
}

/* Adds the address of a symbol. Returns false if the file has no variable of that name. */
static bool push_symbol(struct walk *w, struct location_piece *p, const struct arch_operand *o)
{
	const struct site *site = w->site;
	uint64_t address;

	if (!object_variable(site->user->file, o->symbol, &address))
		return false;
	push(w, p, LO_REG, 0, arch_instruction_pointer());
	push(w, p, LO_CONST, (int64_t)(address - site->mark->address) + o->value, NULL);
	push(w, p, LO_ADD, 0, NULL);
	return true;
}

/* The address of a 32-bit program has no more bits, whatever is in the registers. */
static void cut_address(struct walk *w, struct location_piece *p)
{
	if (w->site->user->file->is_32bit)
		push(w, p, LO_ZEXT, 4, NULL);
}

/* The location of an operand. Returns NULL if it is not available, with the reason in *@why. */
static const struct location *location_of(struct walk *w, const struct arch_operand *o,
					  const char **why)
{
	struct location *l = NEW(w->s->arena, struct location);
	struct location_piece p = { .is_value = o->kind != ARCH_OPERAND_MEMORY };

	*why = o->why;
	switch (o->kind) {
	case ARCH_OPERAND_REFUSED:
		return NULL;
	case ARCH_OPERAND_CONSTANT:
		push(w, &p, LO_CONST, o->value, NULL);
		break;
	case ARCH_OPERAND_REGISTER:
		push(w, &p, LO_REG, 0, o->reg);
		if (o->shift) {
			push(w, &p, LO_CONST, o->shift, NULL);
			push(w, &p, LO_SHR, 0, NULL);
		}
		break;
	case ARCH_OPERAND_SIMD:
		push(w, &p, LO_SIMD, o->value, NULL);
		break;
	case ARCH_OPERAND_MEMORY:
		if (o->of_thread) {
			if (!push_of_thread(w, &p, o, why))
				return NULL;
		} else if (!o->symbol) {
			push_address(w, &p, o);
		} else if (!push_symbol(w, &p, o)) {
			*why = arena_printf(w->s->arena, "the file has no variable '%s'",
					    o->symbol);
			return NULL;
		}
		cut_address(w, &p);
		break;
	}
	vec_push(w->s->arena, &l->pieces, p);
	return l;
}

/* The place of a marker, whose function may have a variable of a name that is no argument; NULL if
 * there is no debug information of it. */
static const struct dwarf_place *place_of_mark(struct walk *w)
{
	const char *why;
	struct dwarf_db *db = dwarf_db_of_program(w->s, w->site->user->file, &why);

	return db ? dwarf_place_at(db, w->site->mark->address) : NULL;
}

static int walk_mark(struct walk *w)
{
	const char *name = w->e->u.context.name, *why = NULL;
	const struct object_mark *mark = w->site->mark;
	unsigned n = context_user_argument(name);
	const struct dwarf_place *place = n ? NULL : place_of_mark(w);
	struct arch_operand o;

	if (place)
		return context_place_walk(w, place);
	if (!n || !arch_operand(w->s->arena, mark->arguments, n,
				w->site->user->file->is_32bit, &o)) {
		unsigned all = arch_operand_count(mark->arguments);

		path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENOENT,
			  "the marker '%s' has no argument '%s'", mark->name, name);
		if (all)
			path_hint(w, "it has %u: $arg1%s", all, all == 1 ? "" :
				  arena_printf(w->s->arena, " to $arg%u", all));
		else
			path_hint(w, "it has none");
		return -ENOENT;
	}

	const struct location *l = location_of(w, &o, &why);

	if (!l) {
		path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
			  "'%s' is not available: %s", name, why);
		path_hint(w, o.symbol ? "a file with its symbols, next to it or in /usr/lib/debug, "
			  "would have it" : "the other arguments of the marker are available");
		return -ENODATA;
	}
	new_access(w, o.size, o.is_signed);
	w->access->base = AB_LOCATION;
	w->access->location = l;
	if (o.kind == ARCH_OPERAND_MEMORY)
		w->access->result = AR_READ;
	return finish(w);
}

/* ---- functions without debug information ---- */

/* Why the file's debug information lacks that of the site, or NULL. */
static const char *missing_at(struct walk *w)
{
	const struct program_file *o = w->site->user->file;
	const char *why;
	struct dwarf_db *db = dwarf_db_of_program(w->s, o, &why);

	return db ? dwarf_missing_at(db, object_address(o, w->site->file_offset)) : NULL;
}

static int unknown(struct walk *w)
{
	const char *name = w->e->u.context.name, *missing = missing_at(w);

	if (missing) {
		path_fail(w, w->e->range, E_NO_DEBUGINFO, -ENODATA,
			  "'%s' needs the debug information of its unit, which is missing", name);
		path_hint(w, "%s", missing);
		path_hint(w, "without it, arguments are $arg1, $arg2, ... and the result is "
			  "$return");
		return -ENODATA;
	}

	path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
		  "'%s' is not available: %s has no debug information", name,
		  w->site->user->file->path);
	path_hint(w, "without it, arguments are $arg1, $arg2, ... and the result is $return");
	return -ENODATA;
}

/* The parameter by which a 32-bit program's debug information knows argument @n, since compilers do
 * not pass all of them in the same way; NULL: none. */
static const char *parameter_name(struct walk *w, unsigned n)
{
	const char *name;
	struct btf_func func;
	uint32_t type;

	if (!dwarf_prototype(w->s, w->site->place, &func) || n > btf_func_nparams(&func))
		return NULL;
	name = btf_func_param(&func, n - 1, &type);
	return name && *name ? arena_printf(w->s->arena, "$%s", name) : NULL;
}

static int walk_parameter(struct walk *w, unsigned n)
{
	const char *written = w->e->u.context.name, *name = parameter_name(w, n);
	int err;

	if (!name)
		return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
				 "'%s' is not available: '%s' has no such parameter with a name in "
				 "its debug information", written, w->site->place->function);
	w->e->u.context.name = name;
	err = context_place_walk(w, w->site->place);
	w->e->u.context.name = written;
	return err;
}

/* Whether other files may call the function, which then takes its arguments as they pass them. The
 * implementations of an indirect function are called by way of its symbol. */
static bool is_called_from_outside(const struct site *site)
{
	uint64_t address = object_address(site->user->file, site->file_offset);

	vec_each(it, &site->user->file->indirect)
		if (it->is_global && site->function && strcmp(it->name, site->function) == 0)
			return true;
	vec_each(it, &site->user->file->symbols)
		if (it->address == address && it->is_global)
			return true;
	return false;
}

/* Whether debug information says what the function's parameters and its result are. */
static bool is_described(const struct site *site)
{
	return site->place && !dwarf_is_assembler(site->place);
}

/* An argument in a 32-bit program without debug information. */
static int walk_slot(struct walk *w, unsigned n)
{
	if (!is_called_from_outside(w->site)) {
		path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
			  "'%s' is not available: compilers pass arguments of a 32-bit program's "
			  "own functions in registers or on the stack, and %s has no debug "
			  "information that would say which", w->e->u.context.name,
			  w->site->user->file->path);
		return -ENODATA;
	}
	new_access(w, 4, true)->base = AB_STACK_ARG_32;
	w->access->n = n - 1;
	w->access->at_entry_saved = site_kind_is_return(w->kind);
	return finish(w);
}

static int walk_function(struct walk *w)
{
	const char *name = w->e->u.context.name;
	bool of_32bit = w->site->user->file->is_32bit;
	unsigned n = context_user_argument(name);

	if (strcmp(name, "$return") == 0 && site_kind_is_return(w->kind)) {
		new_access(w, of_32bit ? 4 : 8, true)->base = AB_RETURN;
		return finish(w);
	}
	if (!n)
		return unknown(w);
	if (w->kind == PK_PLACE || (w->site->place && !w->site->place->at_entry))
		return path_fail(w, w->e->range, E_UNKNOWN_CONTEXT_VARIABLE, -ENODATA,
				 "'%s' is available only at the entry of a function",
				 name);
	if (of_32bit)
		return is_described(w->site) ? walk_parameter(w, n) : walk_slot(w, n);
	new_access(w, 8, true);
	w->access->base = n <= arch_argument_registers() ? AB_REG_ARG : AB_STACK_ARG;
	w->access->n = n <= arch_argument_registers() ? n - 1 : n - 1 - arch_argument_registers();
	w->access->at_entry_saved = site_kind_is_return(w->kind);
	return finish(w);
}

int context_user_walk(struct walk *w)
{
	return w->site->mark ? walk_mark(w) : walk_function(w);
}

/* A function may have a parameter that is called arg1. */
bool context_user_answers(struct walk *w)
{
	const struct site *site = w->site;
	const char *name = w->e->u.context.name;
	struct name_list names = { 0 };

	if (!site->place || site->mark)
		return true;
	if (!context_user_argument(name))
		return strcmp(name, "$return") == 0 && !is_described(site);
	context_place_names(w->s, site->place, w->kind, CONTEXT_ALL, &names);
	return !words_has(names.v.v, names.v.n, name);
}

void context_user_names(struct state *s, const struct site *site, enum probe_kind kind,
			enum context_names which, struct name_list *ret)
{
	bool is_call = context_user_is_syscall(site);
	unsigned n = 0;

	if (which == CONTEXT_LOCALS)
		return;
	if (site->mark)
		n = arch_operand_count(site->mark->arguments);
	while (is_call && arch_syscall_register(n + 1))
		n++;
	if (is_call)
		vec_push(s->arena, &ret->v, "$syscall");
	for (unsigned i = 1; i <= n; i++)
		vec_push(s->arena, &ret->v, arena_printf(s->arena, "$arg%u", i));
	if (which == CONTEXT_ALL && (site->event == PROCESS_SYSCALL_RETURN ||
				     (site_kind_is_return(kind) && !site->place)))
		vec_push(s->arena, &ret->v, "$return");
}
