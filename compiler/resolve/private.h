/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of pass 2a. analyse/analyse.c calls them in order.
 *
 * A name is looked up by the rules of the file that contains it: macros by the file that uses them,
 * a block of an alias by the alias's file. So a global of the user never changes what a tapset
 * does.
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
	VEC(struct function *) v; /* all loaded functions of one name, the user's first */
};

/* Facts about a global that are not in its symbol. */
struct global_info {
	struct symbol *sym;
	struct script *script;
	bool seen_scalar, seen_array;
	struct range scalar, array; /* the first use of each sort */
	bool reported;              /* a conflict was reported; one report is enough */
	bool read, written, stats;  /* by code that can run */
	bool varied;                /* <<< adds something other than numbers in the script's text */
	struct global_info *next;   /* another script's, of the same name */
};

/* The function that names the constants of an enum. */
struct enum_function {
	struct access_type type;
	struct function *f;
};

/* The function that returns the address of a variable of the kernel. */
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
	int number;                      /* its number in the script, from 0 */
	bool defined, used;
	struct range probe, use;         /* the first of each */
};

/* A register that must be saved at the entry of a function: entry_regs.c. */
struct entry_reg_need {
	const char *name;                /* the register */
	struct probe *probe;             /* the probe whose handler needs it */
	const struct expr *asks;         /* the first expression that does */
	const struct location *return_at; /* the address of the return address at its site */
	const struct site *entry;        /* NULL: not searched yet, or it can't be probed */
	bool done;
};

/* A local that is assigned but never read. */
struct never_read {
	const char *name;
	struct range at;                 /* its first assignment */
};

/* A point of the user at functions with inlined copies or clones: copies.c. */
struct counted_point {
	const struct probe_point *written;
	const char *pp;                  /* the point as it was located */
	size_t functions;                /* number of sites that are neither of these: */
	unsigned copies, clones;
	bool needs_debuginfo;            /* as in struct located */
	const char *left_out;            /* as in struct located */
	VEC(const struct site *) sites;
};

struct resolver {
	struct state *s;
	struct program *p;
	struct library *lib;
	/* loaded scripts: the user's, then tapsets in the order in which they were needed */
	VEC(struct script *) scripts;
	struct map functions;            /* name -> struct fn_set */
	struct map cnames;               /* C names of globals and functions -> any */
	struct map globals;              /* C name -> struct global_info */
	struct map namesakes;            /* name -> the first struct global_info of that name */
	struct map unknown;              /* functions that were reported: name -> any */
	VEC(struct function *) queue;    /* functions whose bodies have to be resolved */
	size_t queue_done;
	VEC(struct enum_function) enums;
	VEC(struct address_function) variables;
	VEC(struct symbol *) addresses;  /* globals that contain addresses of symbols */
	VEC(struct placed_function) placed;
	VEC(struct counter *) counters;
	VEC(struct entry_reg_need) entry_regs;
	VEC(struct counted_point) counted;
	VEC(const struct indirect *) indirect; /* a note named them: indirect.c */
	/* the probe whose handler, or whose copy of a function, is being resolved; NULL: other
	 * code */
	struct probe *at;
	struct script *arguments;        /* the text of arguments.c, or NULL */
	size_t expansions;               /* number of expansions of aliases so far */
	VEC(struct range) misspelt;      /* calls that were reported as misspelt keywords */
	VEC(struct never_read) never_read;
	size_t unassigned;               /* number of locals so far that are never assigned */
	bool saw_never, said_guru;
	bool keep_all;                   /* keep unused declarations, so that they can be listed */
};

/* ---- resolve.c ---- */

/** resolve_begin - begin an empty program: index the library and load the user's files. */
void resolve_begin(struct resolver *r, struct state *s);
/** resolve_globals - declare globals without a declaration, take -G, and queue the user's
 *  functions, whose errors are reported even if nothing calls them. */
void resolve_globals(struct resolver *r);
/** resolve_handlers - make the probes of all declarations, with everything that they need of the
 *  library, and resolve them and all functions that are called. */
void resolve_handlers(struct resolver *r);
/** resolve_complete - make the reports that need all probes to be known: counters without a use,
 *  a script without probes, copies of functions. */
void resolve_complete(struct resolver *r);
/** resolve_check_options - report values of -G for arrays and aggregates. */
void resolve_check_options(struct resolver *r);
/** resolve_file - the file by whose rules a name at @r is looked up. */
struct source *resolve_file(struct range r);
/** resolve_load - add the declarations of a parsed script; reports redefinitions. */
void resolve_load(struct resolver *r, struct script *sc);
/** resolve_global - make @g of @sc a known global; reports redefinitions. */
void resolve_global(struct resolver *r, struct script *sc, struct symbol *g);
/** resolve_cname - a C identifier that resembles @name and is not in @used, to which it is
 *  added. */
const char *resolve_cname(struct resolver *r, struct map *used, const char *name);

/* ---- tapset.c ---- */

/** tapset_index - scan the -I directories and the library; reports what can't be read. */
struct library *tapset_index(struct resolver *r);
/** tapset_need_function - load the files that define a function @name. */
void tapset_need_function(struct resolver *r, const char *name);
/** tapset_need_global - load the files that declare a global @name for all files. */
void tapset_need_global(struct resolver *r, const char *name);
/** tapset_need_alias - load the files with an alias whose first component matches @pattern; of a
 *  table of aliases, the rows whose names match @second (NULL: all). */
void tapset_need_alias(struct resolver *r, const char *pattern, const char *second);
/** tapset_offer_printers - set the state's printers, which are loaded when a value may need one. */
void tapset_offer_printers(struct resolver *r);
/** tapset_need_all - load the whole library. */
void tapset_need_all(struct resolver *r);
/** tapset_function_names / tapset_alias_names - append the names that messages may suggest. */
struct suggestions { VEC(const char *) v; };
void tapset_function_names(struct resolver *r, struct suggestions *ret);
void tapset_alias_names(struct resolver *r, struct suggestions *ret);

/* ---- functions.c ---- */

/** functions_call - find the functions of an EX_CALL and queue them; reports unknown names. */
void functions_call(struct resolver *r, struct expr *call);
/** functions_has_next - whether the body can end with `next`, so that another overload is tried. */
bool functions_has_next(struct function *f);
/** functions_named - all functions of that name, also of the library; NULL if there is none. */
const struct fn_set *functions_named(struct resolver *r, const char *name);
/** functions_drain - resolve the bodies of all queued functions. */
void functions_drain(struct resolver *r);

/* ---- counters.c ---- */

/** counters_define - define the counter of @p. Reports a name that is taken. */
void counters_define(struct resolver *r, struct probe *p);
/** counters_read - replace @perf("NAME") by the counter's value. */
void counters_read(struct resolver *r, struct expr *e);
/** counters_check - report counters that are read but not defined, and those that are never
 *  read. */
void counters_check(struct resolver *r);

/* ---- entry_regs.c ---- */

/** entry_regs_resolve - make the base of @e, at @p's site, the value of a register at the entry of
 *  the function. */
void entry_regs_resolve(struct resolver *r, struct probe *p, struct expr *e);
/** entry_regs_probes - make the probes at entries that save the values needed since the last call.
 *  Returns false if none are needed. */
bool entry_regs_probes(struct resolver *r);

/* ---- placed.c ---- */

/** placed_is - whether @f uses $variables, itself or in functions that it calls. */
bool placed_is(struct resolver *r, struct function *f);
/** placed_by_name - the functions of that name if one of them uses $variables, otherwise NULL. */
const struct fn_set *placed_by_name(struct resolver *r, const char *name);
/** placed_at - the function that a call of @f means in r->at: @f, or its copy for that probe.
 *  Returns NULL after a report if it can't be called there. */
struct function *placed_at(struct resolver *r, struct function *f, const struct expr *call);
/** placed_probe - the probe that a copy is for; NULL if @copy is not one. */
struct probe *placed_probe(struct resolver *r, const struct function *copy);

/* ---- names.c ---- */

/** names_probe - resolve locals, globals and calls in a probe's body and condition. @plain: the
 *  body before @defined was folded, whose assignments count. */
void names_probe(struct resolver *r, struct probe *p, struct stmt *plain);
/** names_function - the same for a function with a body. */
void names_function(struct resolver *r, struct function *f);
/** names_embedded - resolve the globals that embedded C names. */
void names_embedded(struct resolver *r, struct function *f);
/** names_user_global - the user's global of that name, or NULL. */
struct symbol *names_user_global(struct resolver *r, const char *name);
/** names_library_global - the global of that name that a tapset declares for all files, or NULL. */
struct symbol *names_library_global(struct resolver *r, const char *name);

/* ---- unassigned.c ---- */

/** unassigned_meant - a guess at the meaning of @local, which is never assigned, or NULL. @p: the
 *  probe around it, or NULL; @near: the visible names. */
const struct meant *unassigned_meant(struct resolver *r, const struct symbol *local,
				     const struct probe *p, struct suggestions *near);
/** unassigned_unread - warn about locals that are assigned but never read. If a handler reads the
 *  name without assigning it, the report there is enough. */
void unassigned_unread(struct resolver *r);
/** unassigned_report - report all of them; called if other errors prevent type inference. */
void unassigned_report(struct resolver *r);

/* ---- arguments.c, implicit.c ---- */

/** arguments_script - a script that declares the arguments that the user's files use (argc, argv,
 *  argv_1 to argv_32) and those that -G sets; NULL if there are none. It is not loaded yet. */
struct script *arguments_script(struct resolver *r);

/** implicit_globals - declare the user's arrays and aggregates that have no declaration. */
void implicit_globals(struct resolver *r);

/* ---- mark.c ---- */

/** mark_copy / mark_point - a copy of @block or @pp in which all ranges name @via as their
 *  origin. */
struct stmt *mark_copy(struct arena *a, struct stmt *block, const struct expansion *via);
struct probe_point *mark_point(struct arena *a, const struct probe_point *pp,
			       const struct expansion *via);

/* ---- probes.c, alias.c, sharing.c, result.c, copies.c, switches.c ---- */

/** A probe declaration while its aliases are expanded. */
struct derive {
	struct probe_point *written;    /* the point as the user wrote it */
	struct stmt *own;               /* the user's block, which is a part of @body */
	VEC(struct stmt *) body;        /* in order: prologues, the user's block, epilogues */
	VEC(struct expr *) conds;
	bool optional, helper;          /* as in struct probe */
	const struct expansion *via;    /* the alias that is being expanded, or NULL */
	const struct derive *outer;     /* the expansion in which the alias was used */
	const char *called;             /* the name of the alias with the components after it */
	const struct probe_decl *alias;
	int depth;
};

/** probes_declare - make the probes of a declaration. */
void probes_declare(struct resolver *r, struct probe_decl *d);
/** probes_point - make the probes of one point. Returns their number, or -1 after an error. */
int probes_point(struct resolver *r, const struct derive *d, struct probe_point *pp);
/** probes_located - make the probes of a point that was located. */
void probes_located(struct resolver *r, const struct derive *d, const struct located *loc);
/** probes_text - a probe point as text, without what may follow its last component. */
const char *probes_text(struct resolver *r, const struct probe_point *pp);
/** probes_report - report what is wrong with a point that nothing matches. */
int probes_report(struct resolver *r, struct probe_point *pp, int rc);

/** probes_lacks_interface - whether @pp names calls of an interface that the kernel lacks. */
bool probes_lacks_interface(struct resolver *r, const struct probe_point *pp);
/** probes_is_function - whether @pp is one word that is the name or a pattern of functions of the
 *  kernel. */
bool probes_is_function(struct resolver *r, const struct probe_point *pp);
/** probes_is_tracepoint - whether @pp is one word that is the name or a pattern of tracepoints of
 *  the kernel. */
bool probes_is_tracepoint(struct resolver *r, const struct probe_point *pp);

/** sharing_sets - divide the sites of @loc into sets that one handler with the body of @d can
 *  serve. */
struct site_set { VEC(struct site *) v; struct result_part result; };
struct site_sets { VEC(struct site_set *) v; };
void sharing_sets(struct resolver *r, const struct derive *d, const struct located *loc,
		  struct site_sets *ret);

/** result_is_read - whether the body of @d, or a function that it calls, may call returnval(). */
bool result_is_read(struct resolver *r, const struct derive *d);
/** result_drop_without - if the body of @d reads $return, remove functions without a result from
 *  the @sets of a pattern, with a warning; not if none would remain. */
struct site_sets;
void result_drop_without(struct resolver *r, const struct derive *d, const struct located *loc,
		      struct site_sets *sets);

/** copies_located - remember the sites in @list that only debug information adds. */
void copies_located(struct resolver *r, const struct derive *d, const struct located_list *list);
/** copies_lacking - warn if parts of debug information are missing, which may have more sites. */
void copies_lacking(struct resolver *r, struct range at, const struct located_list *list);
/** indirect_located - give notes about the indirect functions in @list; @at: the point. */
void indirect_located(struct resolver *r, struct range at, const struct located_list *list);
/** copies_report - give the notes and warnings about them, after all probes are known. */
void copies_report(struct resolver *r);

/** switches_use - if functions of system calls of that interface may be inlined into the one that
 *  calls them by number, move the sites of @list, a located point with sites, there. CALL_NONE: it
 *  is not at such a function. */
void switches_use(struct resolver *r, enum call_interface interface, struct located_list *list);
/** switches_why_not - why that can't be done; NULL: it can. */
const char *switches_why_not(struct resolver *r, enum call_interface interface);
/** switches_first - the function of the kernel that calls those of that interface by number; NULL:
 *  it has none. */
const char *switches_first(struct resolver *r, enum call_interface interface);

/** alias_expand - if @pp names aliases, expand them all and set *found. Returns as
 *  probes_point(). */
int alias_expand(struct resolver *r, const struct derive *d, struct probe_point *pp, bool *found);
/** alias_first - a pattern for the first components of all names that a point beginning with @part
 *  can mean. */
const char *alias_first(struct resolver *r, const struct pp_component *part);
/** alias_need - load the aliases of the library that @pp can mean. */
void alias_need(struct resolver *r, const struct probe_point *pp);
/** alias_same_arg - whether two components have the same argument, or none. */
bool alias_same_arg(const struct pp_component *a, const struct pp_component *b);
/** alias_suggest - the alias with the name nearest to @pp, or NULL. */
const char *alias_suggest(struct resolver *r, const struct probe_point *pp);

/* ---- casts.c, variables.c, autocast.c ---- */

/** casts_is - whether @e is an @word whose meaning depends on the kernel's types. */
bool casts_is(const struct expr *e);
/** casts_resolve - replace it by its meaning. An @enumname whose type is known only from its value
 *  is left for autocast_resolve(). @p and @site, one of its sites, may be NULL. Returns 0, or
 *  -errno after an error. */
int casts_resolve(struct resolver *r, struct probe *p, const struct site *site, struct expr **pe,
		  bool quiet);
/** casts_start_path - make @e, an @word with members after it, the path of these members from
 *  @base. */
void casts_start_path(struct expr *e, struct expr *base);
/** casts_enumname - replace an @enumname of a value of that type. */
int casts_enumname(struct resolver *r, struct expr *e, struct access_type type, bool quiet);
/** variables_of_program - the same for a variable of a program: of the file @where, or of the
 *  site's. Returns -ENXIO without a report if it is not about a program. */
int variables_of_program(struct resolver *r, struct probe *p, const struct site *site,
			 struct expr *e, const char *text, const char *where, bool quiet);
/** variables_resolve - replace an @var of "name" or "name@file" in @object ("kernel", a module;
 *  NULL: the kernel), as casts_resolve(). */
int variables_resolve(struct resolver *r, struct expr *e, const char *text, const char *object,
		      bool quiet);
/** variables_location - make globals that the loader sets to the addresses of the symbols of a
 *  location. */
void variables_location(struct resolver *r, const struct location *l);
/** autocast_resolve - carry types of pointers through variables and functions, and resolve the
 *  members that are reached from them. All names have been resolved. */
void autocast_resolve(struct resolver *r);
/** autocast_defined - whether the path @e of a value of the script exists. -1: not known yet, which
 *  becomes 0 if @last. */
int autocast_defined(struct resolver *r, const struct expr *e, bool last);

/* ---- defined.c, contextvars.c, entries.c, memory.c, refuse.c ---- */

/** defined_fold - replace every @defined and @probewrite by 0 or 1 and remove the branches that
 *  they rule out. @site NULL: a probe without $-values, or a function. @own: the handler as the
 *  user wrote it, without aliases; NULL: @st belongs to a function. */
void defined_fold(struct resolver *r, struct stmt **st, const struct site *site,
		  enum probe_kind kind, struct stmt *own);
/** defined_fold_members - the same for @defined of members of the script's values, whose types
 *  become known later: those that are known now, or in the last stage all. */
enum defined_stage { DEFINED_EARLY, DEFINED_TYPED, DEFINED_LAST };
void defined_fold_members(struct resolver *r, struct stmt **st, enum defined_stage stage);
/** defined_waits - whether an expression contains a @defined that is not folded yet. */
bool defined_waits(struct expr *e);
/** contextvars_function - resolve @cast and the like in a function; if it is a copy for @p, also
 *  its $variables. */
void contextvars_function(struct resolver *r, struct function *f, struct probe *p);
/** contextvars_resolve - find the access paths of all $-expressions of a probe, and number the
 *  entry values of return probes. @plain: the body with the parts that unread_drop() removed. */
void contextvars_resolve(struct resolver *r, struct probe *p, struct stmt *plain);
/** entries_take - move the arguments of @entry() to the probe's entry block and replace them by
 *  symbols. Comes before anything else is refused or resolved. */
void entries_take(struct resolver *r, struct probe *p);
/** entries_keep - an expression for the value that @value has at the entry of a return probe's
 *  function. */
struct expr *entries_keep(struct resolver *r, struct probe *p, struct expr *value);
/** text_calls, text_calls_of - replace str(value) by the value as text. */
void text_calls(struct resolver *r, struct stmt **body);
void text_calls_of(struct resolver *r, struct expr **e);
/** memory_prints - replace %m and %M in formats by strings that a function of the library reads.
 *  Comes before names are resolved. */
void memory_prints(struct resolver *r, struct stmt **st);
/** refuse_stmt / refuse_expr - report constructs that this build does not support in that sort of
 *  code. */
enum code { CODE_PROBE, CODE_FUNCTION, CODE_COPY, CODE_CONDITION, CODE_RETURN_CONDITION };
void refuse_stmt(struct resolver *r, struct stmt **st, enum code code);
void refuse_expr(struct resolver *r, struct expr **e, enum code code);
/** refuse_embedded - report embedded C that is not allowed or uses what does not exist here. */
void refuse_embedded(struct resolver *r, struct script *sc);

/* ---- writes.c ---- */

/** writes_register - replace an assignment to @kregister(n), also by ++ and --, by a call. Does
 *  nothing to other assignments. */
void writes_register(struct resolver *r, struct expr **pe);
/** writes_name - whether @body assigns the variable, array or $value that @e names. */
bool writes_name(struct stmt *body, const struct expr *e);

/* ---- unread.c, unused.c, autoprint.c ---- */

/** unread_drop - remove assignments in blocks of the library to locals that @body and @cond never
 *  read. */
void unread_drop(struct resolver *r, struct stmt **body, struct expr **cond);

/** unused_reach - put the functions that probes can reach into program.functions, sorted, with
 *  their properties, and record how globals are used. */
void unused_reach(struct resolver *r);
/** unused_finish - put used globals into program.globals, and warn about unused ones. */
void unused_finish(struct resolver *r);
/** autoprint_choose - set symbol.shown of the globals that are shown at the end. */
void autoprint_choose(struct resolver *r);
/** autoprint_add - add the end probe that shows them, and the timers that print globals as metrics.
 *  Types are known, formats have been checked. */
void autoprint_add(struct resolver *r);

/* ---- metrics.c, metrics_comment.c ---- */

struct written;
/** metrics_add - add the timers that print globals as metrics, and fill in program.metrics. */
void metrics_add(struct written *w);

/* The content of the comment after the declaration of a global; everything may be NULL. */
struct metric_comment {
	bool is_declared;     /* it begins with "#%" */
	bool is_none;         /* "#% none" */
	const char *type, *name, *unit, *help;
	VEC(const char *) labels;
	struct range at;
};

/** metrics_is_reserved - whether Prometheus gives that label a meaning of its own. */
bool metrics_is_reserved(const char *label);
/** metrics_comment - read the comment on the line that declares @g. -1 after reporting an error. */
int metrics_comment(struct resolver *r, const struct symbol *g, struct metric_comment *ret);

#endif
