/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process.data: watchpoints of the processor on variables and addresses of programs.
 *
 * A variable is one of the program's file: where it lies in a process is known from the first
 * instruction on, at which the watchpoint is set. A library has no such place.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "ast/points.h"
#include "program/access.h"
#include "target/btf/btf.h"
#include "target/dwarf/dwarf.h"
#include "target/object/object.h"
#include "analyse/locate/points/data.h"
#include "analyse/locate/points/process.h"
#include "state.h"

#define OF_LIBRARY "watchpoints are set where a program begins, and its libraries are not there yet"

#define FORMS(file, refused)                                                                       \
	{ file ".data(N).write", refused, 0 },                                                     \
	{ file ".data(N).rw", refused, 0 },                                                        \
	{ file ".data(N).length(N).write", refused, 0 },                                           \
	{ file ".data(N).length(N).rw", refused, 0 },                                              \
	{ file ".data(S).write", refused, 0 },                                                     \
	{ file ".data(S).rw", refused, 0 },                                                        \
	{ file ".data(S).length(N).write", refused, 0 },                                           \
	{ file ".data(S).length(N).rw", refused, 0 }

static const struct form forms[] = {
	FORMS("process(S)", NULL),
	FORMS("process(N)", NULL),
	FORMS("process", NULL),
	FORMS("process(S).library(S)", OF_LIBRARY),
	FORMS("process(N).library(S)", OF_LIBRARY),
	FORMS("process.library(S)", OF_LIBRARY),
};

/* The memory that is watched. */
struct watched {
	uint64_t address;
	uint64_t size;     /* bytes; 0: not known */
	bool is_of_file;   /* the address is one of the file, not of the process */
};

/* ---- variables ---- */

/* Whether all of it has one address that is the same in all threads. */
static bool has_address(const struct location *l, uint64_t *ret)
{
	const struct location_piece *piece = l->pieces.n == 1 ? &l->pieces.v[0] : NULL;

	if (!piece || piece->ops.n != 1 || piece->ops.v[0].kind != LO_SYMBOL)
		return false;
	*ret = (uint64_t)piece->ops.v[0].n;
	return true;
}

static int no_address(const struct located_request *rq, const struct expr *at,
		      const struct location *l)
{
	bool is_local = access_uses(l, LO_THREAD_LOCAL);

	if (rq->quiet)
		return -ENOENT;
	diag_error(rq->s->diag, at->range, E_NOT_SUPPORTED, "'%s' can't be watched: %s",
		   at->u.str.s, is_local ? "each thread has its own" :
		   "the compiler has given it no address");
	diag_hint(rq->s->diag, is_local ?
		  "process(PID).data(ADDRESS) watches that of one thread: &@var(\"%s\") is its "
		  "address there" : "probe the functions that change '%s'", at->u.str.s);
	return -ENOENT;
}

static int no_variable(const struct located_request *rq, const struct user_scope *scope,
		       const struct expr *at, int err, const char *why)
{
	struct arena *a = rq->s->arena;

	if (rq->quiet)
		return -ENOENT;
	if (err == -ENOENT)
		return process_fail(rq, at->range, arena_printf(a, "%s has no variable '%s'",
				    scope->file->path, at->u.str.s),
				    arena_printf(a, "gdb -batch -ex 'info variables' %s lists them",
						 scope->file->path));
	diag_error(rq->s->diag, at->range, err == -ENOTUNIQ ? E_AMBIGUOUS : E_NO_MATCH,
		   err == -ENOTUNIQ ? "'%s' is ambiguous: %s" : "'%s' is not available: %s",
		   at->u.str.s, why);
	if (err == -ENOTUNIQ)
		diag_hint(rq->s->diag, "name its scope, \"SCOPE::%s\", or its file, \"%s@FILE\"",
			  at->u.str.s, at->u.str.s);
	return -ENOENT;
}

/* By the symbol alone, which does not say how long the variable is. */
static int find_symbol(const struct located_request *rq, const struct user_scope *scope,
		       const struct expr *at, const char *why, struct watched *ret)
{
	struct arena *a = rq->s->arena;

	if (object_variable(scope->file, at->u.str.s, &ret->address))
		return 0;
	return process_fail(rq, at->range,
			    arena_printf(a, "%s has no symbol of a variable '%s', or several",
					 scope->file->path, at->u.str.s),
			    arena_printf(a, "with debug information others are found: %s", why));
}

static int find_variable(const struct located_request *rq, const struct user_scope *scope,
			 const struct expr *at, struct watched *ret)
{
	const char *text = at->u.str.s, *why = "there is none", *file = strchr(text, '@');
	const char *name = file ? arena_strndup(rq->s->arena, text, (size_t)(file - text)) : text;
	struct dwarf_db *db = dwarf_db_of_program(rq->s, scope->file, &why);
	struct location l = { 0 };
	int err;

	ret->is_of_file = true;
	if (!db)
		return find_symbol(rq, scope, at, why, ret);
	err = dwarf_global(rq->s, db, name, file ? file + 1 : NULL, &l, &why);
	if (err == -ENOENT && object_variable(scope->file, text, &ret->address))
		return 0;
	if (err)
		return no_variable(rq, scope, at, err, why);
	ret->size = btf_types_shape(l.type.db, l.type.id).size;
	return has_address(&l, &ret->address) ? 0 : no_address(rq, at, &l);
}

/* ---- addresses ---- */

#define PROGRAM_ADDRESSES ((int64_t)1 << 47)

static int find_address(const struct located_request *rq, const struct user_scope *scope,
			const struct pp_component *data, struct watched *ret)
{
	bool named = rq->pp->parts.v[0].has_arg && rq->pp->parts.v[0].arg->kind == EX_STR;
	int64_t address = 0;

	provider_number(data, &address);
	ret->address = (uint64_t)address;
	if (address <= 0 || address >= PROGRAM_ADDRESSES)
		return data_refuse(rq, data, "a process has no memory at this address");
	if (!named || scope->file->is_fixed)
		return 0;
	if (!rq->quiet) {
		diag_error(rq->s->diag, data->arg->range, E_PROBE_POINT, "%s is loaded at another "
			   "address in each process", scope->file->path);
		diag_hint(rq->s->diag, "process(PID).data(ADDRESS) is an address in one process; "
			  "process(\"PATH\").data(\"VARIABLE\") finds it in each");
	}
	return -EINVAL;
}

/* ---- the point ---- */

static int check_program(const struct located_request *rq, const struct user_scope *scope,
			 uint64_t *entry)
{
	const struct program_file *o = scope->file;

	if (o->is_program && object_offset(o, o->entry, entry))
		return 0;
	if (!rq->quiet) {
		diag_error(rq->s->diag, rq->pp->parts.v[0].range, E_NOT_SUPPORTED,
			   "%s is not a program: " OF_LIBRARY, o->path);
		diag_hint(rq->s->diag, "process(PID).data(ADDRESS) watches an address in one "
			  "process");
	}
	return -ENOTSUP;
}

static int add_site(const struct located_request *rq, const struct user_scope *scope,
		    const char *prefix, const struct watched *w, struct located *ret)
{
	const struct pp_component *data = points_part(rq->pp, "data");
	struct arena *a = rq->s->arena;
	struct event *event;
	struct site *site;
	uint32_t length = 0;
	uint64_t entry = 0;
	int err = check_program(rq, scope, &entry);

	if (!err)
		err = data_length(rq, w->size, &length);
	if (err)
		return err;
	if (w->address % length != 0)
		return data_refuse(rq, data, DATA_NOT_ALIGNED);
	event = data_event(rq, length);
	event->entry = entry;
	event->first_code = w->is_of_file ? scope->file->first_code : 0;
	ret->kind = PK_WATCH;
	ret->event = event;
	site = NEW(a, struct site);
	site->object = scope->file->path;
	site->build_id = scope->file->build_id;
	site->symbol = data->arg->kind == EX_STR ? data->arg->u.str.s : "";
	site->offset = data->arg->kind == EX_STR ? 0 : w->address;
	site->user = scope;
	site->file_offset = w->address;
	site->pp = arena_printf(a, "%s%s", prefix, strstr(rq->text, ".data("));
	vec_push(a, &ret->sites, site);
	return 0;
}

static int locate_in(const struct located_request *rq, const struct user_scope *scope,
		     const char *prefix, struct located *ret)
{
	const struct pp_component *data = points_part(rq->pp, "data");
	struct watched w = { 0 };
	int err = data->arg->kind == EX_STR ? find_variable(rq, scope, data->arg, &w) :
					      find_address(rq, scope, data, &w);

	return err ? err : add_site(rq, scope, prefix, &w, ret);
}

static int locate(const struct located_request *rq, struct located *ret)
{
	int err = data_check(rq);

	return err ? err : process_each_file(rq, locate_in, ret);
}

const struct provider process_data_provider = {
	"process", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
