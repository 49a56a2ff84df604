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

/* The sites of one probe point. */
struct located {
	enum probe_kind kind;
	int64_t order;           /* begin(N), end(N), error(N): N; else 0 */
	int64_t period_ns, randomize_ns; /* PK_TIMER, PK_CLOCK */
	bool in_jiffies;         /* ... both are jiffies */
	bool each_cpu;           /* PK_CLOCK: each processor has one */
	const struct event *event; /* PK_PERF, PK_WATCH */
	int64_t maxactive;       /* .maxactive(N); 0: sized by the loader */
	unsigned most_calls;     /* of calls, and of their returns: that a chain may have; else 0 */
	bool from_wildcard;      /* sites that can't be armed are skipped with one warning */
	const char *pp;          /* normalised text of the whole probe point */
	/* The processes whose events it is for; none: all. */
	VEC(const struct user_scope *) owners;
	VEC(struct site *) sites; /* PK_ENTRY, PK_RETURN: at least one on success */
	struct located *also;    /* sites of another kind that the point also means; NULL: none */
	/* If the point is a function without debug information as well: the sites of it and of
	 * `also` that only debug information adds, and a clone that only it would have added. */
	unsigned copies, clones;
	const char *left_out;    /* NULL: none is known */
};

/**
 * locate_probe_point - resolve one probe point (no alias)
 * @s:     s->kernel must be open (kernel_open)
 * @pp:    the point; wildcards in components and in function names are expanded here
 * @ret:   filled; one element per probe kind matched, normally one; owned by s->arena
 * @quiet: do not report, only say what it is (the point is optional, or an alias may match too)
 *
 * returns 0, or
 *   -ENOENT  the form is known, nothing matches (E_NO_MATCH with nearest names)
 *   -EINVAL  no provider knows the form (E_PROBE_POINT with the nearest component, or the list)
 *   -ENOTSUP known to SystemTap, refused by name (E_NOT_SUPPORTED)
 *   -ENODATA what is needed to tell (BTF, symbols) is missing (E_NO_BTF, with the next step)
 */
struct located_list { VEC(struct located *) v; };
int locate_probe_point(struct state *s, const struct probe_point *pp, bool quiet,
		       struct located_list *ret);

/** locate_forms - every form of probe points that there is, for lists of them: literals of the
 *  right kind (EX_STR, EX_NUM) stand for its arguments. */
struct form_list { VEC(struct probe_point *) v; };
void locate_forms(struct state *s, struct form_list *ret);

/** locate_is_builtin - true when the first component belongs to a provider (so no alias may
 *  shadow it silently). */
bool locate_is_builtin(const struct probe_point *pp);
/** locate_is_form - true when a provider knows the whole form, whether or not something matches. */
bool locate_is_form(const struct probe_point *pp);

/**
 * locate_context - the access path of a $-expression (EX_CONTEXT, not $$...) at @site
 * Fills e->u.context.access and e->type (T_LONG). Index expressions in the path stay where they
 * are and are referenced from the steps.
 *
 * @quiet: report nothing (for @defined)
 * returns 0, or -ENOENT (E_UNKNOWN_CONTEXT_VARIABLE, E_NO_MEMBER with nearest), -EINVAL
 * (E_BAD_ACCESS), -ENODATA (no prototype: E_NO_BTF or why), -ENOTUNIQ (E_AMBIGUOUS: namesakes
 * disagree; names them)
 */
int locate_context(struct state *s, const struct site *site, enum probe_kind kind, struct expr *e,
		   bool quiet);

/** locate_entry_of - the entry of the function that a site with a place lies in, for a probe of its
 *  own. -ENODATA: it has none that can be probed. */
int locate_entry_of(struct state *s, const struct site *site, struct located *ret);

/**
 * locate_context_names - the plain $names at @site: "$file", ... and "$return" in a return probe
 * where the function returns a value. For $$parms, $$vars, $$locals, messages and -L.
 * @which: local variables are known only where a site has a place in debug information
 * @ret:   in the order of the prototype, owned by s->arena; may be empty
 */
struct name_list { VEC(const char *) v; };
enum context_names { CONTEXT_ALL, CONTEXT_PARAMS, CONTEXT_LOCALS };
void locate_context_names(struct state *s, const struct site *site, enum probe_kind kind,
			  enum context_names which, struct name_list *ret);

/** locate_context_values - the same with their types ("struct file *"), and how each is reached. */
struct visible {
	const char *name;             /* "$file" */
	const char *type;             /* NULL: not known */
	const struct access *access;  /* NULL: not available; locate_context() says why */
};
struct visible_list { VEC(struct visible) v; };
void locate_context_values(struct state *s, const struct site *site, enum probe_kind kind,
			   struct visible_list *ret);

/**
 * locate_type - a type by the name that a script gives it: "struct file", "file", "u32 *"
 * @site:  whose module's types count, too; NULL: the kernel's
 * @where: "kernel", "kernel<header>", "<header>" of programs, a module, several with ':' between;
 *         NULL: the site's
 * returns 0, -ENOENT (E_UNKNOWN_TYPE with the nearest), -ENODATA (E_NO_BTF, E_HEADER)
 */
int locate_type(struct state *s, const struct site *site, struct range at, const char *text,
		const char *where, bool quiet, struct access_type *ret);
/** locate_value - the access path of a value of the script that points to @target: as
 *  locate_context(), for an EX_CONTEXT with a base. Without a path, the value itself. */
int locate_value(struct state *s, struct access_type target, struct expr *e, bool quiet);
/** locate_object - the same for the address of an object of that type: without a path, what lies
 *  there. */
int locate_object(struct state *s, struct access_type type, struct expr *e, bool quiet);
/** locate_variable - the type of a variable of the kernel. -ENOENT: it is not known, which is not
 *  reported. */
struct variable { struct access_type type; bool per_cpu; };
int locate_variable(struct state *s, const char *name, struct variable *ret);
/** locate_global - the access path of a variable that debug information has: as locate_context().
 *  @object: "kernel" or a module; @file: as in function("f@FILE"), NULL: any. */
int locate_global(struct state *s, const char *object, const char *name, const char *file,
		  struct expr *e, bool quiet);
/**
 * locate_program_global - the access path of a variable of a program or library, as
 * locate_context()
 * @site, @kind: of the probe that reads it; @site NULL: none is known
 * @program: a path; NULL: the file of the site, which has to be in a program
 * The address is known in probes of that file; that of a program's in all that are hit in a
 * process, which runs it or has an error.
 */
int locate_program_global(struct state *s, const struct site *site, enum probe_kind kind,
			  const char *program, const char *name, const char *file, struct expr *e,
			  bool quiet);
/** locate_has_debuginfo - whether there is some of "kernel" or of a module. */
bool locate_has_debuginfo(struct state *s, const char *object);
/** locate_constant - the value of an enumerator of the kernel; as locate_type(). */
int locate_constant(struct state *s, const struct site *site, struct range at, const char *name,
		    const char *where, bool quiet, int64_t *ret);
/** locate_constants - all enumerators of an enum; false: @type is none. */
struct constant { const char *name; int64_t value; };
struct constant_list { VEC(struct constant) v; };
bool locate_constants(struct state *s, struct access_type type, struct constant_list *ret);
/** locate_prototype - the prototype of the site's function, owned by its BTF; NULL: none is known.
 *  The first call for a name looks it up. */
const struct btf_func *locate_prototype(const struct site *site);
/** locate_direct - whether a direct call can replace the function: its parameters lie in
 *  registers, and it returns. */
bool locate_direct(const struct site *site);
/** locate_result - the part of the result register that the function at @site sets, by its
 *  prototype. */
struct result_part locate_result(struct state *s, const struct site *site);
/** locate_is_copy - whether the site is an inlined copy of its function. */
bool locate_is_copy(const struct site *site);
/** locate_split - whether code of the kernel that lies elsewhere may jump to around the site: the
 *  compiler has put a part of its function apart. */
bool locate_split(struct state *s, const struct site *site);
/** locate_same_type - whether two types have the same members, by name and size. */
bool locate_same_type(struct state *s, const struct access_type *a, const struct access_type *b);

/**
 * locate_context_key - append text that is the same for two sites where a $-expression has the same
 * access path and type at both, so that one handler can serve them
 * @name:      "$file", "$return"
 * @as_number: the type does not matter beyond size and sign
 */
struct buf;
void locate_context_key(const struct site *site, enum probe_kind kind, const char *name,
			bool as_number, struct buf *key);

#endif
