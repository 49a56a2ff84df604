/* SPDX-License-Identifier: GPL-2.0 */
/* The files of programs and libraries that the first components of a point name. */
#ifndef POINTS_PROCESS_H
#define POINTS_PROCESS_H

#include "analyse/locate/points/provider.h"

struct object_symbol;
struct place_search;

/**
 * process_each_file - call @locate for each file that process(...) and .library(...) mean
 * @locate: fills @ret for one file; @prefix is the text before the dot of ".function(...)"
 *
 * results and reports as of locate_probe_point()
 */
typedef int process_locate(const struct located_request *rq, const struct user_scope *scope,
			   const char *prefix, struct located *ret);
int process_each_file(const struct located_request *rq, process_locate *locate,
		      struct located *ret);

/** process_is_pattern - whether a name has wildcards. */
bool process_is_pattern(const char *text);
/** process_fail - report E_NO_MATCH, unless @rq is quiet; @hint: the next step, or NULL. Returns
 *  -ENOENT. */
int process_fail(const struct located_request *rq, struct range at, const char *text,
		 const char *hint);

/**
 * process_by_symbols - locate forms that need no debug information, if there is none:
 * statement(ADDRESS) and function("NAME").exported; results as of process_locate()
 */
enum process_what { PROCESS_ADDRESS, PROCESS_EXPORTED, PROCESS_EXPORTED_RETURN };
int process_by_symbols(const struct located_request *rq, const struct user_scope *scope,
		       const char *prefix, enum process_what what, struct located *ret);

/**
 * process_return - find out how the return at @site can be probed, and fill site->exits
 * @name:    of the function; NULL: it is an entry of the procedure linkage table
 * @address: of the function
 *
 * returns NULL, or the reason why probing it would harm the program: "it ..."
 */
const char *process_return(struct state *s, struct site *site, const char *name,
			   uint64_t address);

/* A function that is left out, and why: "it ...", "its ...". */
struct process_refused { const char *name, *why; };

/* A search in one file. */
struct process_search {
	const struct located_request *rq;
	struct state *s;
	const struct user_scope *scope;
	const char *prefix;      /* "process(\"/usr/bin/bash\")" */
	const char *suffix;      /* of functions: ".call", ".return"; "": none */
	bool returns, exported;  /* only their returns; only those in .dynsym */
	struct located *ret;
	size_t first;            /* number of the first site in `ret` that this search added */
	struct process_refused *refused; /* the last return that was left out; NULL: none */
	struct process_refused *unknown; /* the last indirect function that was left out */
	struct place_search *debug; /* by debug information; NULL: there is none */
};

/** process_point - the text of the point function("NAME") in the file of the search. */
const char *process_point(const struct process_search *f, const char *name);
/** process_add_function - add the site of a function, or of its return, whose code is at @offset of
 *  the file; @pp: what pp() returns. */
void process_add_function(const struct process_search *f, const struct object_symbol *symbol,
			  uint64_t offset, const char *pp);
/** process_indirect_add - add all implementations of an indirect function; if they are not all
 *  known, none is added, and f->unknown says why. */
void process_indirect_add(const struct process_search *f, const struct object_symbol *symbol);
/** process_indirect_refuse - report f->unknown, unless the request is quiet. Returns -ENOENT. */
int process_indirect_refuse(const struct process_search *f, struct range at);

/** process_event_locate - the probe points of the kernel at which @event happens; results as of
 *  locate_probe_point(). */
int process_event_locate(const struct located_request *rq, enum process_event event,
			 struct located *ret);

#endif
