/* SPDX-License-Identifier: GPL-2.0 */
/* The files of programs and libraries that the first components of a point name. */
#ifndef POINTS_PROCESS_H
#define POINTS_PROCESS_H

#include "locate/points/provider.h"

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

/** process_event_locate - the probe points of the kernel at which @event happens; results as of
 *  locate_probe_point(). */
int process_event_locate(const struct located_request *rq, enum process_event event,
			 struct located *ret);

#endif
