/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns probe points into sites and $-expressions into access paths. resolve calls this; BTF, debug
 * information and the calling convention stay behind it.
 */
#ifndef LOCATE_LOCATE_H
#define LOCATE_LOCATE_H

#include "program/site.h"

struct state;
struct btf_func; /* btf/btf.h: a prototype */

/* An indirect function (IFUNC) whose implementations are probed. */
struct indirect {
	const char *name, *file;
	/* the implementations, by their symbols or as addresses: "0x9c590"; none: only `chosen` is
	 * known */
	VEC(const char *) choices;
	/* other indirect functions that have one of these implementations */
	VEC(const char *) sharing;
	/* implementations that call others of these or jump to them, "NAME to NAME": a call is hit
	 * at both */
	VEC(const char *) passing;
	/* the implementation that this machine uses, or process `pid` if it is not 0, if only that
	 * one is probed; otherwise NULL */
	const char *chosen;
	int64_t pid;
};

/* The sites of one probe point. */
struct located {
	enum probe_kind kind;
	int64_t order;           /* begin(N), end(N), error(N): N; else 0 */
	int64_t period_ns, randomize_ns; /* PK_TIMER, PK_CLOCK */
	bool in_jiffies;         /* ... both are jiffies */
	bool each_cpu;           /* PK_CLOCK: one timer on each processor */
	const struct event *event; /* PK_PERF, PK_WATCH */
	const struct channel *channel; /* PK_PROCFS_READ, PK_PROCFS_WRITE, PK_INPUT */
	const struct hook *hook; /* PK_NETFILTER */
	int64_t maxactive;       /* .maxactive(N); 0: sized by the loader */
	/* the most calls in a chain: .callees(N), .callee("A").callee("B"); 0: there is no chain */
	unsigned most_calls;
	bool from_wildcard;      /* sites that can't be armed are skipped with one warning */
	const char *pp;          /* normalised text of the whole probe point */
	/* The processes whose events the point means; empty: all processes. */
	VEC(const struct user_scope *) owners;
	VEC(struct site *) sites; /* PK_ENTRY, PK_RETURN: at least one on success */
	struct located *also;    /* the point's sites of another kind; NULL: none */
	/* For functions: the number of sites, in this and in `also`, that only debug information
	 * adds, inlined copies and clones. */
	unsigned copies, clones;
	bool needs_debuginfo;    /* for functions: without debug information there is no site */
	/* a clone that is not probed because there is no debug information; NULL: none */
	const char *left_out;
	/* parts of debug information that are missing, so that there may be more sites, and the
	 * next step; NULL: none */
	const char *lacks;
	/* the symbol of a part of a function that is probed although not each call of the function
	 * runs it, because nothing else of the function was found; NULL: none */
	const char *part;
	/* symbols of code that calls of the function run, and that is not probed: other_names.c */
	VEC(const char *) thunks;
	VEC(const char *) merged; /* functions that have the same code, if there are several */
	VEC(struct indirect) indirect; /* indirect functions that are probed */
	/* indirect functions that a pattern matches, and whose implementations are not known */
	VEC(struct indirect) unfollowed;
};

/* The printers of a script and of the library, those of the script first: how $value$ shows objects
 * of certain types. */
struct printer_list {
	VEC(struct printer_decl *) v; /* filled by load(), which is called once, if needed */
	void (*load)(void *data);
	void *data;
	bool loaded;
};

/**
 * locate_probe_point - find the sites of a probe point that is not an alias
 * @s:     s->kernel must be open (kernel_open)
 * @pp:    the point; wildcards in components and in function names are expanded here
 * @ret:   filled; one element per probe kind matched, normally one; owned by s->arena
 * @quiet: report nothing, only return the result (the point is optional, or an alias may match)
 *
 * returns 0, or
 *   -ENOENT  the form is known, but nothing matches (E_NO_MATCH with nearest names)
 *   -EINVAL  no provider knows the form (E_PROBE_POINT with the nearest component, or the list)
 *   -ENOTSUP the form is one of SystemTap's that is not supported (E_NOT_SUPPORTED)
 *   -ENODATA BTF or symbols that are needed for an answer are missing (E_NO_BTF, with a hint)
 */
struct located_list { VEC(struct located *) v; };
int locate_probe_point(struct state *s, const struct probe_point *pp, bool quiet,
		       struct located_list *ret);

/** locate_forms - list every form of probe points. In place of arguments stand literals of the
 *  right kind (EX_STR, EX_NUM). Owned by s->arena. */
struct form_list { VEC(struct probe_point *) v; };
void locate_forms(struct state *s, struct form_list *ret);

/** locate_is_builtin - whether the first component belongs to a provider, so that no alias shadows
 *  it silently. */
bool locate_is_builtin(const struct probe_point *pp);
/** locate_is_form - whether a provider knows the whole form, even if nothing matches it. */
bool locate_is_form(const struct probe_point *pp);

/**
 * locate_context - find the access path of a $-expression (EX_CONTEXT, not $$...) at @site
 *
 * Fills e->u.context.access and e->type (T_LONG). Index expressions in the path stay where they
 * are and are referenced from the steps.
 *
 * @quiet: report nothing (for @defined)
 *
 * If it is a structure that has no address, because it is in registers, this fails with -EINVAL,
 * and nothing but the type_name of the access is valid; its members may be available.
 *
 * returns 0, or -ENOENT (E_UNKNOWN_CONTEXT_VARIABLE, E_NO_MEMBER with nearest), -EINVAL
 * (E_BAD_ACCESS), -ENODATA (no prototype: E_NO_BTF or why), -ENOTUNIQ (E_AMBIGUOUS: namesakes
 * disagree; names them)
 */
int locate_context(struct state *s, const struct site *site, enum probe_kind kind, struct expr *e,
		   bool quiet);

/** locate_entry_of - the entry of the function around a site that has a place, as a probe point of
 *  its own. -ENODATA: the function has no entry that can be probed. */
int locate_entry_of(struct state *s, const struct site *site, struct located *ret);

/**
 * locate_context_names - the plain $names at @site: "$file", ... and "$return" in a return probe of
 * a function that returns a value. For $$parms, $$vars, $$locals, messages and -L.
 * @which: local variables are known only if the site has a place in debug information
 * @ret:   in the order of the prototype, owned by s->arena; may be empty
 */
struct name_list { VEC(const char *) v; };
enum context_names { CONTEXT_ALL, CONTEXT_PARAMS, CONTEXT_LOCALS };
void locate_context_names(struct state *s, const struct site *site, enum probe_kind kind,
			  enum context_names which, struct name_list *ret);

/** locate_context_values - the same names with their types ("struct file *") and access paths. */
struct visible {
	const char *name;             /* "$file" */
	const char *type;             /* NULL: not known */
	const struct access *access;  /* NULL: not available; locate_context() says why */
	bool has_members;             /* although it is not available itself, its members may be */
};
struct visible_list { VEC(struct visible) v; };
void locate_context_values(struct state *s, const struct site *site, enum probe_kind kind,
			   struct visible_list *ret);

/**
 * locate_type - find a type by the name that a script gives it: "struct file", "file", "u32 *"
 * @site:  the types of its module count, too; NULL: only the kernel's
 * @where: "kernel", "kernel<header>", "<header>" of programs, a module, or several of these
 *         separated by ':'; NULL: where the site is
 *
 * returns 0, -ENOENT (E_UNKNOWN_TYPE with the nearest name), -ENOTUNIQ (E_AMBIGUOUS: debug
 * information has several that differ), or -ENODATA (E_NO_BTF, E_HEADER)
 */
int locate_type(struct state *s, const struct site *site, struct range at, const char *text,
		const char *where, bool quiet, struct access_type *ret);
/** locate_type_beside - find a type by its name where the type *@ret is from, and replace that.
 *  Returns 0 or -ENOENT, without a report. */
int locate_type_beside(struct state *s, struct access_type *ret, const char *text);
/** locate_value - the access path of an EX_CONTEXT with a base, which is a value of the script that
 *  points to @target; otherwise as locate_context(). If the path is empty, the value itself. */
int locate_value(struct state *s, struct access_type target, struct expr *e, bool quiet);
/** locate_object - the same if the base is the address of an object of type @type. If the path is
 *  empty, the object. */
int locate_object(struct state *s, struct access_type type, struct expr *e, bool quiet);
/** locate_variable - the type of a variable of the kernel. Returns 0, or -ENOENT without a report;
 *  @ret->per_cpu may be set nevertheless. */
struct variable { struct access_type type; bool per_cpu; };
int locate_variable(struct state *s, const char *name, struct variable *ret);
/** locate_global - the access path of a variable of the kernel by debug information: as
 *  locate_context(). @object: "kernel" or a module; @file: as in function("f@FILE"), or NULL. */
int locate_global(struct state *s, const char *object, const char *name, const char *file,
		  struct expr *e, bool quiet);
/**
 * locate_program_global - the access path of a variable of a program or library, as
 * locate_context()
 * @site, @kind: of the probe that reads the variable; @site NULL: it is not known
 * @program: a path; NULL: the file of the site, which has to be in a program
 *
 * A variable of a library is available only in probes of that file. A variable of a program is
 * available in all probes that are hit in a process; if the process runs another program, reading
 * it is an error of the handler.
 */
int locate_program_global(struct state *s, const struct site *site, enum probe_kind kind,
			  const char *program, const char *name, const char *file, struct expr *e,
			  bool quiet);
/** locate_has_debuginfo - whether debug information of "kernel" or of a module can be found. */
bool locate_has_debuginfo(struct state *s, const char *object);
/** locate_constant - the value of an enumerator of the kernel; results as of locate_type(). */
int locate_constant(struct state *s, const struct site *site, struct range at, const char *name,
		    const char *where, bool quiet, int64_t *ret);
/** locate_constants - all enumerators of an enum, but for those whose names have other characters
 *  than names in sources. Returns false if @type is not an enum. */
struct constant { const char *name; int64_t value; };
struct constant_list { VEC(struct constant) v; };
bool locate_constants(struct state *s, struct access_type type, struct constant_list *ret);
/** locate_macros - all macros of headers that are numbers and match the shell pattern @pattern,
 *  those that are defined as another name last. @where: "<header>" of programs or "kernel<header>".
 *  Returns 0, -ENODATA (E_HEADER) or -ENOENT (E_HEADER: there is none). */
int locate_macros(struct state *s, const struct site *site, struct range at, const char *pattern,
		  const char *where, bool quiet, struct constant_list *ret);
/* The parameters of the function that a tracepoint calls, after the first one (void *), as C
 * without any header writes them, and the structures, unions and enums that it has to declare
 * first. */
struct receiver {
	VEC(const char *) params, tags;
};
/** locate_receiver - the type that a kernel with kCFI expects of a function at a tracepoint; NULL:
 *  it is not known, or can't be written. */
const struct receiver *locate_receiver(struct state *s, const struct site *site);
/** locate_prototype - the prototype of the site's function, owned by its BTF, or NULL. The first
 *  call for a name looks it up. */
const struct btf_func *locate_prototype(const struct site *site);
/** locate_direct - whether a direct call can replace the function: it returns, and all its
 *  parameters are in registers. */
bool locate_direct(const struct site *site);
/** locate_result - the part of the result register that the function at @site sets, by its
 *  prototype. */
struct result_part locate_result(struct state *s, const struct site *site);
/** locate_is_copy - whether the site is an inlined copy of its function. */
bool locate_is_copy(const struct site *site);
/** locate_split - whether other code of the kernel may jump into the instructions after the site,
 *  because the compiler moved a part of its function elsewhere. */
bool locate_split(struct state *s, const struct site *site);
/** locate_same_type - whether two types have the same members, by name and size. */
bool locate_same_type(struct state *s, const struct access_type *a, const struct access_type *b);

/**
 * locate_context_key - append a text that describes a $-expression at a site. It is the same for
 * two sites if the access path and the type are the same, so that one handler can serve both.
 * @name:      "$file", "$return"
 * @as_number: of the type, only size and sign matter
 */
struct buf;
void locate_context_key(const struct site *site, enum probe_kind kind, const char *name,
			bool as_number, struct buf *key);

#endif
