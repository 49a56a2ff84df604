/* SPDX-License-Identifier: GPL-2.0 */
/* Files of programs and libraries, as the first components of a point name them. */
#ifndef POINTS_PROCESS_H
#define POINTS_PROCESS_H

#include "locate/points/provider.h"

/**
 * process_each_file - look in each file that process(...) and .library(...) stand for
 * @locate: fills @ret for one file; @prefix is what stands before the dot of ".function(...)"
 * results and reports as of locate_probe_point()
 */
typedef int process_locate(const struct located_request *rq, const struct user_scope *scope,
			   const char *prefix, struct located *ret);
int process_each_file(const struct located_request *rq, process_locate *locate,
		      struct located *ret);

/** process_part - the component of that name; NULL: the point has none. */
const struct pp_component *process_part(const struct located_request *rq, const char *name);
/** process_is_pattern - whether a name may stand for several. */
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
 * process_return - find out how the return at @site is probed, and fill site->exits
 * @name, @address: of the function; @name NULL: it is an entry of the procedure linkage table
 * returns NULL, or why it can't be probed without harm to the program: "it ..."
 */
const char *process_return(struct state *s, struct site *site, const char *name,
			   uint64_t address);

/** process_event_locate - the places of the kernel where @event happens; results as of
 *  locate_probe_point(). */
int process_event_locate(const struct located_request *rq, enum process_event event,
			 struct located *ret);

#endif
