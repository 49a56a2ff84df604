/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process: functions, instructions and SDT markers of programs and libraries.
 *
 * What comes first says which file is meant and whose processes: process("PATH") is a file, in
 * whatever process maps it; process(PID) the program of one process; process alone the program of
 * -c or -x, and those processes that come from it. library("LIB") behind it is another file, in
 * the processes that run the first one.
 */
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "base/words.h"
#include "locate/points/place_sites.h"
#include "locate/points/process.h"
#include "locate/points/symbol_sites.h"
#include "object/object.h"
#include "session.h"

/* What follows the file; the suffixes of functions are those of all providers. */
enum { MARK = 16, PROVIDER_MARK, PLT, PLT_RETURN, EVENT };

enum { NAMES_SHOWN = 20 };

#define FORMS(file)                                                                                \
	{ file ".function(S)", NULL, 0 },                                                          \
	{ file ".function(S).call", NULL, SYMBOL_SITES_CALL },                                     \
	{ file ".function(S).return", NULL, SYMBOL_SITES_RETURN },                                 \
	{ file ".function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE },                 \
	{ file ".mark(S)", NULL, MARK },                                                           \
	{ file ".provider(S).mark(S)", NULL, PROVIDER_MARK },                                      \
	{ file ".plt", NULL, PLT },                                                                \
	{ file ".plt(S)", NULL, PLT },                                                             \
	{ file ".plt.return", NULL, PLT_RETURN },                                                  \
	{ file ".plt(S).return", NULL, PLT_RETURN }

#define EVENTS(process)                                                                            \
	{ process ".begin", NULL, EVENT + PROCESS_BEGIN },                                         \
	{ process ".end", NULL, EVENT + PROCESS_END },                                             \
	{ process ".thread.begin", NULL, EVENT + PROCESS_THREAD_BEGIN },                           \
	{ process ".thread.end", NULL, EVENT + PROCESS_THREAD_END },                               \
	{ process ".syscall", NULL, EVENT + PROCESS_SYSCALL },                                     \
	{ process ".syscall.return", NULL, EVENT + PROCESS_SYSCALL_RETURN }

static const struct form forms[] = {
	FORMS("process(S)"),
	FORMS("process(N)"),
	FORMS("process"),
	FORMS("process(S).library(S)"),
	FORMS("process(N).library(S)"),
	FORMS("process.library(S)"),
	EVENTS("process(S)"),
	EVENTS("process(N)"),
	EVENTS("process"),
};

/* One file in which is looked. */
struct process_search {
	const struct located_request *rq;
	struct session *s;
	const struct user_scope *scope;
	const char *prefix;      /* "process(\"/usr/bin/bash\")" */
	const char *suffix;      /* of functions: ".call", ".return"; "": none */
	bool returns, exported;  /* of functions: where they return; those of .dynsym alone */
	struct located *ret;
};

static const struct pp_component *part_of(const struct located_request *rq, const char *name)
{
	vec_each(it, &rq->pp->parts)
		if (!strcmp(it->name, name))
			return it;
	return NULL;
}

static const struct pp_component *last_part(const struct located_request *rq)
{
	return &rq->pp->parts.v[rq->pp->parts.n - 1];
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

static int fail(const struct located_request *rq, struct range at, const char *text,
		const char *hint)
{
	if (!rq->quiet) {
		diag_error(rq->s->diag, at, E_NO_MATCH, "%s", text);
		if (hint)
			diag_hint(rq->s->diag, "%s", hint);
	}
	return -ENOENT;
}

/* ---- functions ---- */

static struct site *new_site(const struct process_search *f, uint64_t offset, const char *symbol,
			     const char *pp)
{
	struct site *site = NEW(f->s->arena, struct site);

	site->object = f->scope->object->path;
	site->build_id = f->scope->object->build_id;
	site->symbol = symbol;
	site->user = f->scope;
	site->file_offset = offset;
	site->pp = pp;
	vec_push(f->s->arena, &f->ret->sites, site);
	return site;
}

static bool is_at(const struct located *ret, const struct user_scope *scope, uint64_t offset)
{
	vec_each(it, &ret->sites)
		if ((*it)->user->object == scope->object && (*it)->file_offset == offset)
			return true;
	return false;
}

static void add_function(const struct process_search *f, const struct object_symbol *symbol)
{
	uint64_t offset;

	/* Several names of one function are one place. */
	if ((f->exported && !symbol->is_exported) ||
	    !object_offset(f->scope->object, symbol->address, &offset) ||
	    is_at(f->ret, f->scope, offset))
		return;
	new_site(f, offset, symbol->name,
		 arena_printf(f->s->arena, "%s.function(%s)%s", f->prefix,
			      table_quoted(f->s->arena, symbol->name), f->suffix));
}

static int no_function(const struct process_search *f, const struct expr *name)
{
	const struct object *o = f->scope->object;
	VEC(const char *) names = { 0 };
	const char *near, *text = arena_printf(f->s->arena, "%s has no function '%s'", o->path,
					       name->u.str.s);

	if (f->rq->quiet)
		return -ENOENT;
	if (!o->symbols.n)
		return fail(f->rq, name->range, text, arena_printf(f->s->arena, "it is stripped of "
			    "its symbols; a separate debug file of build-id %s would have them",
			    o->build_id ? o->build_id : "(none)"));
	vec_each(it, &o->symbols)
		vec_push(f->s->arena, &names, it->name);
	near = diag_nearest(name->u.str.s, names.v, names.n);
	return fail(f->rq, name->range, text, near ?
		    arena_printf(f->s->arena, "did you mean '%s'?", near) : NULL);
}

/* Functions by their symbols: all of them without debug information, else those that it lacks. */
static int add_functions(const struct process_search *f, const struct expr *name)
{
	struct object_symbols found = { 0 };
	size_t before = f->ret->sites.n;

	f->ret->kind = f->returns ? PK_RETURN : PK_ENTRY;
	object_find(f->s, f->scope->object, name->u.str.s, &found);
	vec_each(it, &found.v)
		add_function(f, *it);
	return f->ret->sites.n > before ? 0 : -ENOENT;
}

/* "f@file.c", "f:12": only debug information knows files. */
static bool needs_files(const struct dwarf_spec *spec)
{
	return spec->file || spec->lines != DWARF_LINES_NONE;
}

static int locate_functions(const struct process_search *f)
{
	const struct expr *name = part_of(f->rq, "function")->arg;
	size_t before = f->ret->sites.n;
	struct place_search by_debuginfo;
	struct dwarf_spec spec;
	const char *why;
	int err;

	if (!dwarf_spec_read(f->s->arena, name->u.str.s, &spec, &why)) {
		if (!f->rq->quiet)
			diag_error(f->s->diag, name->range, E_PROBE_POINT, "%s", why);
		return -EINVAL;
	}
	f->ret->from_wildcard |= dwarf_spec_is_pattern(&spec);
	err = place_sites_open_program(f->rq, f->scope, f->prefix, name, !needs_files(&spec),
				       f->ret, &by_debuginfo);
	if (err && needs_files(&spec))
		return err;
	if (!err)
		place_sites_functions(&by_debuginfo, &spec);
	if (!needs_files(&spec))
		add_functions(f, name);
	if (f->ret->sites.n > before)
		return 0;
	return err || !needs_files(&spec) ? no_function(f, name) :
					    place_sites_no_function(&by_debuginfo, &spec);
}

/* ---- instructions ---- */

static int locate_address(const struct process_search *f)
{
	const struct pp_component *part = last_part(f->rq);
	const struct object_symbol *symbol;
	int64_t address = 0;
	uint64_t offset;
	struct site *site;

	table_number(part, &address);
	f->ret->kind = PK_PLACE;
	if (!object_offset(f->scope->object, (uint64_t)address, &offset))
		return fail(f->rq, part->arg->range,
			    arena_printf(f->s->arena, "%s has no code at 0x%llx",
					 f->scope->object->path, (unsigned long long)address),
			    "addresses are those of the file, as objdump -d shows them");
	symbol = object_symbol_at(f->scope->object, (uint64_t)address);
	site = new_site(f, offset, symbol ? symbol->name : "", f->rq->text);
	site->offset = symbol ? (uint64_t)address - symbol->address : (uint64_t)address;
	return 0;
}

int process_by_symbols(const struct located_request *rq, const struct user_scope *scope,
		       const char *prefix, enum process_what what, struct located *ret)
{
	struct process_search f = {
		.rq = rq, .s = rq->s, .scope = scope, .prefix = prefix, .ret = ret,
		.exported = true, .returns = what == PROCESS_EXPORTED_RETURN,
		.suffix = what == PROCESS_EXPORTED ? ".exported" : ".exported.return",
	};
	const struct expr *name;

	if (what == PROCESS_ADDRESS)
		return locate_address(&f);
	name = part_of(rq, "function")->arg;
	ret->from_wildcard |= is_pattern(name->u.str.s);
	return add_functions(&f, name) ? no_function(&f, name) : 0;
}

/* ---- markers ---- */

static bool matches(const char *pattern, const char *name)
{
	return !pattern || fnmatch(pattern, name, 0) == 0;
}

static void add_mark(const struct process_search *f, const struct object_mark *mark)
{
	const struct object *o = f->scope->object;
	struct arena *a = f->s->arena;
	const struct object_symbol *symbol;
	struct site *site;
	uint64_t offset;

	if (!object_offset(o, mark->address, &offset))
		return;
	symbol = object_symbol_at(o, mark->address);
	site = new_site(f, offset, symbol ? symbol->name : "",
			arena_printf(a, "%s.provider(%s).mark(%s)", f->prefix,
				     table_quoted(a, mark->provider), table_quoted(a, mark->name)));
	site->offset = symbol ? mark->address - symbol->address : mark->address;
	site->mark = mark;
}

static int no_mark(const struct process_search *f, const struct expr *name)
{
	const struct object *o = f->scope->object;
	VEC(const char *) names = { 0 };
	const char *near, *hint;

	if (f->rq->quiet)
		return -ENOENT;
	vec_each(it, &o->marks)
		if (!words_has(names.v, names.n, it->name))
			vec_push(f->s->arena, &names, it->name);
	near = diag_nearest(name->u.str.s, names.v, names.n);
	if (!names.n)
		hint = "it has no SDT markers at all";
	else if (near)
		hint = arena_printf(f->s->arena, "did you mean '%s'?", near);
	else
		hint = arena_printf(f->s->arena, "it has: %s%s",
				    words_join(f->s->arena, names.v,
					       names.n < NAMES_SHOWN ? names.n : NAMES_SHOWN),
				    names.n > NAMES_SHOWN ? ", ..." : "");
	return fail(f->rq, name->range, arena_printf(f->s->arena, "%s has no marker '%s'", o->path,
						     name->u.str.s), hint);
}

static int locate_marks(const struct process_search *f)
{
	const struct pp_component *provider = part_of(f->rq, "provider");
	const struct expr *name = last_part(f->rq)->arg;
	const char *of = provider ? provider->arg->u.str.s : NULL;
	size_t before = f->ret->sites.n;

	f->ret->kind = PK_PLACE;
	f->ret->from_wildcard |= is_pattern(name->u.str.s) || (of && is_pattern(of));
	vec_each(it, &f->scope->object->marks)
		if (matches(of, it->provider) && matches(name->u.str.s, it->name))
			add_mark(f, it);
	return f->ret->sites.n > before ? 0 : no_mark(f, name);
}

/* ---- calls of other files ---- */

static int no_import(const struct process_search *f, const char *name, struct range at)
{
	const struct object *o = f->scope->object;
	VEC(const char *) names = { 0 };
	const char *near;

	if (f->rq->quiet)
		return -ENOENT;
	vec_each(it, &o->imports)
		vec_push(f->s->arena, &names, it->name);
	near = diag_nearest(name, names.v, names.n);
	return fail(f->rq, at, arena_printf(f->s->arena, "%s has no entry '%s' in its procedure "
					    "linkage table", o->path, name),
		    !names.n ? "it has none at all: it calls functions of libraries directly, or "
			       "is linked statically" :
		    near ? arena_printf(f->s->arena, "did you mean '%s'?", near) :
			   "objdump -d --section=.plt --section=.plt.sec shows what there is");
}

static int locate_imports(const struct process_search *f, bool returns)
{
	const struct pp_component *part = part_of(f->rq, "plt");
	const char *name = part->has_arg ? part->arg->u.str.s : "*";
	size_t before = f->ret->sites.n;
	uint64_t offset;

	f->ret->kind = returns ? PK_RETURN : PK_ENTRY;
	f->ret->from_wildcard |= is_pattern(name);
	vec_each(it, &f->scope->object->imports)
		if (fnmatch(name, it->name, 0) == 0 &&
		    object_offset(f->scope->object, it->address, &offset))
			new_site(f, offset, it->name,
				 arena_printf(f->s->arena, "%s.plt(%s)%s", f->prefix,
					      table_quoted(f->s->arena, it->name),
					      returns ? ".return" : ""));
	return f->ret->sites.n > before ? 0 :
	       no_import(f, name, part->has_arg ? part->arg->range : part->range);
}

/* ---- files ---- */

static int locate_in(const struct located_request *rq, const struct user_scope *scope,
		     const char *prefix, struct located *ret)
{
	bool returns = rq->form->what == SYMBOL_SITES_RETURN ||
		       rq->form->what == SYMBOL_SITES_MAXACTIVE;
	struct process_search f = {
		.rq = rq, .s = rq->s, .scope = scope, .prefix = prefix, .ret = ret,
		.returns = returns, .suffix = returns ? ".return" :
			rq->form->what == SYMBOL_SITES_CALL ? ".call" : "",
	};

	if (rq->form->what == MARK || rq->form->what == PROVIDER_MARK)
		return locate_marks(&f);
	if (rq->form->what == PLT || rq->form->what == PLT_RETURN)
		return locate_imports(&f, rq->form->what == PLT_RETURN);
	return locate_functions(&f);
}

static const struct object *open_file(const struct located_request *rq, struct range at,
				      const char *path)
{
	const char *why;
	const struct object *o = object_open(rq->s, path, &why);

	if (!o)
		fail(rq, at, arena_printf(rq->s->arena, "'%s' can't be probed: %s", path, why),
		     strcmp(why, "it is no ELF file") ? NULL :
		     "of a script, name the program that runs it: process(\"/usr/bin/python3\")");
	return o;
}

/* Who looks in the files of a point. */
struct wanted {
	const struct located_request *rq;
	process_locate *locate;
	struct located *ret;
};

/* In the file of @scope, or in its library(). */
static int locate_from(const struct wanted *w, struct user_scope *scope, const char *prefix)
{
	const struct located_request *rq = w->rq;
	const struct pp_component *library = part_of(rq, "library");
	const struct expr *name = library ? library->arg : NULL;
	const char *path;

	if (!library)
		return w->locate(rq, scope, prefix, w->ret);
	path = object_library(rq->s, scope->object, name->u.str.s);
	if (!path)
		return fail(rq, name->range,
			    arena_printf(rq->s->arena, "there is no library '%s'", name->u.str.s),
			    "ldconfig -p lists those that are known by name; a path begins with /");
	if (!scope->pid && !scope->is_target)
		scope->program = scope->object->path;
	scope->object = open_file(rq, name->range, path);
	if (!scope->object)
		return -ENOENT;
	return w->locate(rq, scope, arena_printf(rq->s->arena, "%s.library(%s)", prefix,
						 table_quoted(rq->s->arena, path)), w->ret);
}

static int locate_path(const struct wanted *w, const char *path)
{
	const struct located_request *rq = w->rq;
	const struct expr *arg = rq->pp->parts.v[0].arg;
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);

	scope->object = open_file(rq, arg->range, path);
	if (!scope->object)
		return -ENOENT;
	return locate_from(w, scope, arena_printf(rq->s->arena, "process(%s)",
						  table_quoted(rq->s->arena, path)));
}

static bool is_listed(const struct name_list *list, const char *name)
{
	vec_each(it, &list->v)
		if (strcmp(*it, name) == 0)
			return true;
	return false;
}

/*
 * process("/usr/bin/x*"): each program among the files; those that have nothing are left out. A
 * file that several links lead to is one program.
 */
static int locate_paths(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct expr *arg = rq->pp->parts.v[0].arg;
	struct located_request quiet = *rq;
	struct wanted each = *w;
	struct name_list seen = { 0 };
	glob_t files = { 0 };

	quiet.quiet = true;
	each.rq = &quiet;
	w->ret->from_wildcard = true;
	if (glob(arg->u.str.s, 0, NULL, &files) == 0) {
		for (size_t i = 0; i < files.gl_pathc; i++) {
			const char *path = object_program(rq->s, files.gl_pathv[i]);

			if (!path || is_listed(&seen, path))
				continue;
			vec_push(rq->s->arena, &seen.v, path);
			locate_path(&each, path);
		}
	}
	globfree(&files);
	return w->ret->sites.n || w->ret->owners.n ? 0 :
	       fail(rq, arg->range, arena_printf(rq->s->arena, "no file that '%s' stands for has "
						 "such a place", arg->u.str.s),
		    "a pattern of paths begins with /; it stands for all files that match it");
}

static int locate_named(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct expr *arg = rq->pp->parts.v[0].arg;
	const char *name = arg->u.str.s, *path;

	if (strchr(name, '/') && is_pattern(name))
		return locate_paths(w);
	path = object_program(rq->s, name);
	if (!path && !strchr(name, '/'))
		path = object_library(rq->s, NULL, name);
	if (!path)
		return fail(rq, arg->range,
			    arena_printf(rq->s->arena, strchr(name, '/') ? "there is no file '%s'" :
					 "neither PATH nor the libraries have '%s'", name),
			    "process(\"PATH\") names the file of a program or of a library");
	return locate_path(w, path);
}

/* The program that process @pid runs. */
static const char *program_of(struct session *s, int64_t pid)
{
	char path[4096];
	ssize_t n = readlink(arena_printf(s->arena, "/proc/%lld/exe", (long long)pid), path,
			     sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	return arena_strdup(s->arena, path);
}

static int locate_pid(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct pp_component *part = &rq->pp->parts.v[0];
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);
	int64_t pid = 0;
	const char *path;

	table_number(part, &pid);
	if (pid < 1 || pid > INT32_MAX)
		return table_bad_number(rq, part, "a process", "a process id");
	path = program_of(rq->s, pid);
	if (!path)
		return fail(rq, part->arg->range,
			    arena_printf(rq->s->arena, "there is no process %lld whose program can "
					 "be seen", (long long)pid),
			    "process(\"PATH\") probes programs that start later");
	scope->pid = pid;
	scope->object = open_file(rq, part->arg->range, path);
	if (!scope->object)
		return -ENOENT;
	return locate_from(w, scope, arena_printf(rq->s->arena, "process(%lld)", (long long)pid));
}

/* The program of -c or -x. */
static int locate_target(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct options *opt = &rq->s->opt;
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);
	const struct range at = rq->pp->parts.v[0].range;
	const char *path = NULL, *first;

	if (!opt->command && !opt->pid)
		return fail(rq, at, "'process' without a path or a process id is the process of "
			    "-c or -x, and neither is given", "process(\"PATH\") probes a program");
	if (opt->pid) {
		path = program_of(rq->s, opt->pid);
	} else {
		first = opt->command + strspn(opt->command, " \t");
		path = object_program(rq->s, arena_strndup(rq->s->arena, first,
							   strcspn(first, " \t;&|<>()")));
	}
	if (!path)
		return fail(rq, at, opt->pid ? "the program of the process of -x can't be seen" :
			    "the program of -c is not found", "process(\"PATH\") names it");
	scope->is_target = true;
	scope->object = open_file(rq, at, path);
	if (!scope->object)
		return -ENOENT;
	return locate_from(w, scope, "process");
}

int process_each_file(const struct located_request *rq, process_locate *locate,
		      struct located *ret)
{
	const struct pp_component *first = &rq->pp->parts.v[0];
	const struct wanted w = { rq, locate, ret };

	if (!first->has_arg)
		return locate_target(&w);
	return first->arg->kind == EX_STR ? locate_named(&w) : locate_pid(&w);
}

static int locate(const struct located_request *rq, struct located *ret)
{
	int err = 0;

	if (rq->form->what > EVENT)
		return process_event_locate(rq, (enum process_event)(rq->form->what - EVENT), ret);
	if (rq->form->what == SYMBOL_SITES_MAXACTIVE)
		err = symbol_sites_maxactive(rq, ret);
	return err ? err : process_each_file(rq, locate_in, ret);
}

const struct provider process_provider = {
	"process", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
