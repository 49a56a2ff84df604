/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the phases of pass 2 that resolve names, which analyse/analyse.c calls in order, and
 * the files that begin it (resolve.c).
 *
 * A name is looked up by the rules of the file that contains it: macros by the file that uses them,
 * a block of an alias by the alias's file. So a global of the user never changes what a tapset
 * does.
 */
#ifndef RESOLVE_RESOLVER_H
#define RESOLVE_RESOLVER_H

#include "ast/ast.h"
#include "base/map.h"
#include "analyse/locate/locate.h"
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

/* The function that names the constants of an enum, or the bits of a number. */
struct enum_function {
	const char *word;               /* "@enumname" or "@flags" */
	struct access_type type;        /* the enum, or none */
	const char *pattern, *headers;  /* NULL, or that of macros */
	bool of_32bit;                  /* the macros are those of a program of 32 bits */
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

/* A $-expression or an @word that can't be resolved, in code that may still be excluded. */
struct left_value {
	const struct expr *e;
	struct probe *p; /* of the handler, or for which the function was copied; or NULL */
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
	VEC(struct left_value) left;
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
	struct probe_point *missed;      /* the first point left out of what is being expanded, or
					  * NULL */
	bool saw_never, said_guru;
	bool keep_all;                   /* keep unused declarations, so that they can be listed */
};

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

#endif
