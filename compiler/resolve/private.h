/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of pass 2a. resolve.c calls them in order. Only files of this
 * folder include this header; resolve.h is the interface.
 *
 * A name means what the file says in which it was written: macros are looked up where they are
 * used, a piece of an alias in the alias's own file. So a global of the user never changes what a
 * tapset does.
 */
#ifndef RESOLVE_PRIVATE_H
#define RESOLVE_PRIVATE_H

#include "ast/ast.h"
#include "base/map.h"
#include "locate/locate.h"
#include "program/program.h"
#include "state.h"

struct library;

struct fn_set {
	VEC(struct function *) v; /* all loaded functions of one name, user's first */
};

/* Facts about a global that its symbol does not have. */
struct global_info {
	struct symbol *sym;
	struct script *script;
	bool seen_scalar, seen_array;
	struct range scalar, array; /* the first use of that sort */
	bool reported;              /* a conflicting use was reported: one report is enough */
	bool read, written, stats;  /* in code that can run */
	bool varied;                /* <<< adds more to it than numbers of the script's text */
};

/* The function that names the constants of an enum. */
struct enum_function {
	struct access_type type;
	struct function *f;
};

/* The function that gives the address of a variable of the kernel. */
struct address_function {
	const char *name;
	struct function *f;
};

/* A function that uses $variables, and its copy for a probe. */
struct placed_function {
	struct function *of, *copy;
	struct probe *probe;
};

/* A counter of perf that handlers read. */
struct counter {
	const char *name;
	int number;                      /* in the script, from 0 */
	bool defined, used;
	struct range probe, use;         /* where, first */
};

/* A register that is saved at the entry of a function: entry_regs.c. */
struct entry_reg_need {
	const char *name;                /* the register */
	struct probe *probe;             /* whose handler asks for it */
	const struct expr *asks;         /* first */
	const struct location *return_at; /* at its site */
	const struct site *entry;        /* NULL: not searched yet, or not to be probed */
	bool done;
};

/* A local that is assigned and never read. */
struct never_read {
	const char *name;
	struct range at;                 /* the first assignment */
};

/* A point of the user's whose number of sites depends on debug information: copies.c. */
struct counted_point {
	const struct probe_point *written;
	const char *pp;                  /* what it was found to mean */
	size_t functions;                /* sites that it has without debug information */
	unsigned copies, clones;
	const char *left_out;            /* as struct located has it */
	VEC(const struct site *) sites;
};

struct resolver {
	struct state *s;
	struct program *p;
	struct library *lib;
	VEC(struct script *) scripts;    /* loaded: the user's, then tapsets in the order of need */
	struct map functions;            /* name -> struct fn_set */
	struct map cnames;               /* C names of globals and functions -> any */
	struct map globals;              /* C name -> struct global_info */
	struct map unknown;              /* functions that were reported: name -> any */
	VEC(struct function *) queue;    /* functions whose bodies are to be resolved */
	size_t queue_done;
	VEC(struct enum_function) enums;
	VEC(struct address_function) variables;
	VEC(struct symbol *) addresses;  /* globals that hold those of symbols */
	VEC(struct placed_function) placed;
	VEC(struct counter *) counters;
	VEC(struct entry_reg_need) entry_regs;
	VEC(struct counted_point) counted;
	struct probe *at;                /* whose handler's calls are looked up, or those of a
					  * function's copy for it; NULL: other code */
	struct script *arguments;        /* the text of arguments.c, or NULL */
	struct source *auto_src;         /* the text of autoprint.c; sees globals by C name */
	size_t expansions;               /* of aliases, so far */
	VEC(struct range) misspelt;      /* calls that were reported as misspelt reserved words */
	VEC(struct never_read) never_read;
	size_t unassigned;               /* locals that nothing assigns, so far */
	bool saw_never, said_guru;
	bool keep_all;                   /* unused declarations stay, so that they can be listed */
};

/* ---- resolve.c ---- */

/** resolve_begin - an empty program; the library is indexed, the user's files are loaded. */
void resolve_begin(struct resolver *r, struct state *s);
/** resolve_file - the file by whose rules a name at @r is looked up. */
struct source *resolve_file(struct range r);
/** resolve_load - take a parsed script's declarations in; reports redefinitions. */
void resolve_load(struct resolver *r, struct script *sc);
/** resolve_global - make @g of @sc known as a global; reports redefinitions. */
void resolve_global(struct resolver *r, struct script *sc, struct symbol *g);
/** resolve_cname - a C identifier like @name that @used does not have yet; it is entered there. */
const char *resolve_cname(struct resolver *r, struct map *used, const char *name);

/* ---- tapset.c ---- */

/** tapset_index - scan the -I directories and the library; reports what can't be read. */
struct library *tapset_index(struct resolver *r);
/** tapset_need_function - load the files that define a function @name. */
void tapset_need_function(struct resolver *r, const char *name);
/** tapset_need_global - load the files that declare a global @name for everybody. */
void tapset_need_global(struct resolver *r, const char *name);
/** tapset_need_alias - load the files with an alias whose first component matches @pattern. */
void tapset_need_alias(struct resolver *r, const char *pattern);
/** tapset_need_all - load the whole library. */
void tapset_need_all(struct resolver *r);
/** tapset_function_names / tapset_alias_names - appended to the names that messages suggest. */
struct suggestions { VEC(const char *) v; };
void tapset_function_names(struct resolver *r, struct suggestions *ret);
void tapset_alias_names(struct resolver *r, struct suggestions *ret);

/* ---- functions.c ---- */

/** functions_call - find the functions of an EX_CALL and queue them; reports what is not found. */
void functions_call(struct resolver *r, struct expr *call);
/** functions_has_next - whether the body can end with `next`, so that another overload is tried. */
bool functions_has_next(struct function *f);
/** functions_named - all of that name, those of the library as well; NULL if there is none. */
const struct fn_set *functions_named(struct resolver *r, const char *name);
/** functions_drain - resolve the bodies of all queued functions. */
void functions_drain(struct resolver *r);

/* ---- counters.c ---- */

/** counters_define - @p is one that has a counter to read. Reports a name that is taken. */
void counters_define(struct resolver *r, struct probe *p);
/** counters_read - makes @perf("NAME") what reads it. */
void counters_read(struct resolver *r, struct expr *e);
/** counters_check - reports those that are read and not there, and the other way. */
void counters_check(struct resolver *r);

/* ---- entry_regs.c ---- */

/** entries_keep - an expression for the value that @value has when the function of a return probe
 *  is entered. */
struct expr *entries_keep(struct resolver *r, struct probe *p, struct expr *value);
/** entry_regs_resolve - @e, at @p's site, needs a register as it was when the function was entered:
 *  its base becomes that. */
void entry_regs_resolve(struct resolver *r, struct probe *p, struct expr *e);
/** entry_regs_probes - make the probes at the entries that save the values requested since the
 *  last call; false: none were needed. */
bool entry_regs_probes(struct resolver *r);

/* ---- placed.c ---- */

/** placed_is - whether @f uses $variables, itself or by what it calls. */
bool placed_is(struct resolver *r, struct function *f);
/** placed_by_name - the functions of that name, if one of them does; NULL: none. */
const struct fn_set *placed_by_name(struct resolver *r, const char *name);
/** placed_at - the function that a call of @f means at r->at: @f, or its copy for that probe; NULL:
 *  it cannot be called there, which is reported. */
struct function *placed_at(struct resolver *r, struct function *f, const struct expr *call);
/** placed_probe - the probe that a copy is for; NULL: @copy is none. */
struct probe *placed_probe(struct resolver *r, const struct function *copy);

/* ---- names.c ---- */

/** names_probe - locals, globals and calls of a probe's body and condition. @plain is the body
 *  before @defined was folded: what it assigns counts as assigned. */
void names_probe(struct resolver *r, struct probe *p, struct stmt *plain);
/** names_function - the same for a function with a body. */
void names_function(struct resolver *r, struct function *f);
/** names_embedded - the globals that embedded C names. */
void names_embedded(struct resolver *r, struct function *f);
/** names_user_global - a global of the user's files by name, or NULL. */
struct symbol *names_user_global(struct resolver *r, const char *name);
/** names_library_global - one that a tapset declares for everybody, or NULL. */
struct symbol *names_library_global(struct resolver *r, const char *name);

/* ---- unassigned.c ---- */

/** unassigned_meant - a guess at the meaning of @local, which nothing assigns, or NULL. @p: the
 *  probe around it, or NULL; @near: the names that are visible. */
const struct meant *unassigned_meant(struct resolver *r, const struct symbol *local,
				     const struct probe *p, struct suggestions *near);
/** unassigned_unread - warnings for locals that are assigned and never read, but for those of which
 *  a handler reads the name and assigns nothing: that is said there. */
void unassigned_unread(struct resolver *r);
/** unassigned_report - report all of them: there were other errors, no types will be known. */
void unassigned_report(struct resolver *r);

/* ---- arguments.c, implicit.c ---- */

/** arguments_script - declares what the user's files use of argc, argv and argv_1 to argv_32, and
 *  what -G sets of these, or NULL when there is nothing. Not loaded yet. */
struct script *arguments_script(struct resolver *r);

/** implicit_globals - declare the user's arrays and aggregates that no declaration names. */
void implicit_globals(struct resolver *r);

/* ---- mark.c ---- */

/** mark_copy / mark_point - a copy of @block or @pp, all of whose ranges say that they came by
 *  @via. */
struct stmt *mark_copy(struct arena *a, struct stmt *block, const struct expansion *via);
struct probe_point *mark_point(struct arena *a, const struct probe_point *pp,
			       const struct expansion *via);

/* ---- probes.c, alias.c, sharing.c, result.c, copies.c ---- */

/** A probe declaration on its way through aliases to probe points. */
struct derive {
	struct probe_point *written;    /* the user's own point */
	struct stmt *own;               /* the user's own block, which is in @body, too */
	VEC(struct stmt *) body;        /* prologues, the user's body, epilogues, in order */
	VEC(struct expr *) conds;
	bool optional;
	const struct expansion *via;    /* the alias that is being expanded, or NULL */
	const struct derive *outer;     /* and the expression that requested it */
	const char *called;             /* the alias that the point names, with what follows it */
	const struct probe_decl *alias;
	int depth;
};

/** probes_declare - make the probes of one declaration. */
void probes_declare(struct resolver *r, struct probe_decl *d);
/** probes_point - the same for one point; returns how many probes were made, -1 after an error. */
int probes_point(struct resolver *r, const struct derive *d, struct probe_point *pp);
/** probes_located - the same for what a point was found to mean. */
void probes_located(struct resolver *r, const struct derive *d, const struct located *loc);
/** probes_text - a probe point as text, without what may follow its last component. */
const char *probes_text(struct resolver *r, const struct probe_point *pp);
/** probes_report - say what is wrong with a point for which there is nothing. */
int probes_report(struct resolver *r, struct probe_point *pp, int rc);

/** probes_is_function - whether @pp is one word, the name or pattern of functions of the kernel. */
bool probes_is_function(struct resolver *r, const struct probe_point *pp);

/** sharing_sets - the sites of @loc by which of them one handler with the body of @d can serve. */
struct site_set { VEC(struct site *) v; struct result_part result; };
struct site_sets { VEC(struct site_set *) v; };
void sharing_sets(struct resolver *r, const struct derive *d, const struct located *loc,
		  struct site_sets *ret);

/** result_is_read - whether the body of @d, or a function that it calls, can call returnval(). */
bool result_is_read(struct resolver *r, const struct derive *d);
/** result_drop_without - leave functions without a $return out of the @sets of a pattern, with a
 *  warning, where the body of @d reads it; not if no function were left. */
struct site_sets;
void result_drop_without(struct resolver *r, const struct derive *d, const struct located *loc,
		      struct site_sets *sets);

/** copies_located - note what @list says about sites that only debug information adds. */
void copies_located(struct resolver *r, const struct derive *d, const struct located_list *list);
/** copies_report - the notes and warnings about them, after all probes are known. */
void copies_report(struct resolver *r);

/** alias_expand - if @pp names aliases, derive them all and set *found. As probes_point. */
int alias_expand(struct resolver *r, const struct derive *d, struct probe_point *pp, bool *found);
/** alias_first - a pattern for the first components of all names that a point which begins with
 *  @part can mean. */
const char *alias_first(struct resolver *r, const struct pp_component *part);
/** alias_same_arg - whether two components have the same argument, or none. */
bool alias_same_arg(const struct pp_component *a, const struct pp_component *b);
/** alias_suggest - the alias nearest to what @pp says, or NULL. */
const char *alias_suggest(struct resolver *r, const struct probe_point *pp);

/* ---- casts.c, variables.c, autocast.c ---- */

/** casts_is - whether @e is an @word of which the kernel's types tell the meaning. */
bool casts_is(const struct expr *e);
/** casts_resolve - replace it by what it means. An @enumname whose type follows only from its value
 *  stays for autocast_resolve(). @p and @site, which is one of it, may be NULL. 0, or -errno after
 *  an error. */
int casts_resolve(struct resolver *r, struct probe *p, const struct site *site, struct expr **pe,
		  bool quiet);
/** casts_start_path - @e, an @word with members after it, becomes the path of these from @base. */
void casts_start_path(struct expr *e, struct expr *base);
/** casts_enumname - replace an @enumname of a value of that type. */
int casts_enumname(struct resolver *r, struct expr *e, struct access_type type, bool quiet);
/** variables_of_program - the same for a variable of a program: of the file @where, or of the
 *  site's. -ENXIO: none of a program is meant, which is not reported. */
int variables_of_program(struct resolver *r, struct probe *p, const struct site *site,
			 struct expr *e, const char *text, const char *where, bool quiet);
/** variables_resolve - replace an @var of "name" or "name@file", of @object ("kernel", a module;
 *  NULL: the kernel), as casts_resolve(). */
int variables_resolve(struct resolver *r, struct expr *e, const char *text, const char *object,
		      bool quiet);
/** variables_location - globals that the loader sets to the addresses of all symbols of a
 *  location. */
void variables_location(struct resolver *r, const struct location *l);
/** autocast_resolve - types of pointers through variables and functions, and the members that are
 *  reached from them; after all names are resolved. */
void autocast_resolve(struct resolver *r);
/** autocast_defined - whether the path @e of a script value is there; -1: not known yet, which
 *  counts as 0 at the last evaluation. */
int autocast_defined(struct resolver *r, const struct expr *e, bool last);

/* ---- defined.c, contextvars.c, entries.c, memory.c, refuse.c ---- */

/** defined_fold - replace every @defined by 0 or 1 and drop the branches that it rules out; the
 *  same for @probewrite. @site may be NULL: a probe without $-values, or a function. @own: what the
 *  user wrote for the handler, aliases left out; NULL: @st is a function's. */
void defined_fold(struct resolver *r, struct stmt **st, const struct site *site,
		  enum probe_kind kind, struct stmt *own);
/** defined_fold_members - the same for @defined of members of script values, whose types are found
 *  meanwhile: those that are known by now, or in the last stage all of them. */
enum defined_stage { DEFINED_EARLY, DEFINED_TYPED, DEFINED_LAST };
void defined_fold_members(struct resolver *r, struct stmt **st, enum defined_stage stage);
/** defined_waits - whether an expression contains a @defined that is not folded yet. */
bool defined_waits(struct expr *e);
/** contextvars_function - resolve @cast and the like in a function, and the $variables of @p if the
 *  function is a copy for that probe. */
void contextvars_function(struct resolver *r, struct function *f, struct probe *p);
/** contextvars_resolve - access paths of all $-expressions of a probe; entry values of return
 *  probes are numbered. @plain: the body with what was dropped from p->body as unread. */
void contextvars_resolve(struct resolver *r, struct probe *p, struct stmt *plain);
/** entries_take - move the arguments of @entry() in a probe to its entry block and put symbols in
 *  their places. It comes before anything else is refused or resolved. */
void entries_take(struct resolver *r, struct probe *p);
/** memory_prints - %m and %M in formats become strings that a function of the library reads. Before
 *  names are resolved. */
void memory_prints(struct resolver *r, struct stmt **st);
/** refuse_stmt / refuse_expr - report what this build gives no meaning to in that sort of code. */
enum code { CODE_PROBE, CODE_FUNCTION, CODE_COPY, CODE_CONDITION, CODE_RETURN_CONDITION };
void refuse_stmt(struct resolver *r, struct stmt **st, enum code code);
void refuse_expr(struct resolver *r, struct expr **e, enum code code);
/** refuse_embedded - report embedded C that is not allowed or needs what is not there. */
void refuse_embedded(struct resolver *r, struct script *sc);

/* ---- writes.c ---- */

/** writes_register - replace an assignment to @kregister(n) by the call that it means; other
 *  assignments, and ++ and --, are left alone. */
void writes_register(struct resolver *r, struct expr **pe);
/** writes_name - whether @body assigns the variable, array or $value that @e names. */
bool writes_name(struct stmt *body, const struct expr *e);

/* ---- missing.c ---- */

/** missing_function - the alternative to the function @name of SystemTap's library, which probec
 *  does not have; NULL: that library has none of that name. */
const char *missing_function(const char *name);

/* ---- unread.c, unused.c, autoprint.c ---- */

/** unread_drop - leaves out what blocks of the library assign to locals that @body and @cond never
 *  read. */
void unread_drop(struct resolver *r, struct stmt **body, struct expr **cond);

/** unused_reach - functions that probes can reach, sorted and marked, into program.functions; notes
 *  how globals are used. */
void unused_reach(struct resolver *r);
/** unused_finish - used globals into program.globals; warnings for what is not used. */
void unused_finish(struct resolver *r);
/** autoprint_add - add the end probe that shows globals which no handler reads. */
void autoprint_add(struct resolver *r);

#endif
