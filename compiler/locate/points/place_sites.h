/* SPDX-License-Identifier: GPL-2.0 */
/* Sites at places that debug information knows: what statement() and the families of function()
 * that need it share. */
#ifndef LOCATE_POINTS_PLACE_SITES_H
#define LOCATE_POINTS_PLACE_SITES_H

#include "base/map.h"
#include "dwarf/dwarf.h"
#include "locate/points/provider.h"
#include "locate/points/symbol_sites.h"

struct kernel_module;

/* A search in one object. */
struct place_search {
	const struct located_request *rq;
	struct state *s;
	struct dwarf_db *db;
	const struct user_scope *scope; /* of a program; NULL: in the kernel or a module */
	const char *object, *build_id; /* as struct site */
	const char *prefix;      /* "kernel", "module(\"NAME\")" */
	struct range range;      /* of what names the place */
	const char *text;        /* ... as it is written */
	const char *forbidden;   /* why a place was left out; NULL: none was */
	const char *forbidden_symbol;
	struct map names;        /* what pp() returns: copies at thousands of places share it */
	struct located *ret;
};

/** place_sites_open - fill @f for the kernel (@module NULL) or a module; @arg: what names the
 * place.
 *  0, or -ENODATA without debug information (E_NO_DEBUGINFO) */
int place_sites_open(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret, struct place_search *f);
/** place_sites_open_program - the same for a program or library. @prefix: "process(\"PATH\")".
 *  Where there is no debug information, nothing is reported when @needless. */
int place_sites_open_program(const struct located_request *rq, const struct user_scope *scope,
			     const char *prefix, const struct expr *arg, bool needless,
			     struct located *ret, struct place_search *f);
/** place_sites_functions - the functions of function("SPEC") in @f; *@spec is its text; -ENOENT is
 *  not reported. */
int place_sites_functions(struct place_search *f, struct dwarf_spec *spec);
/** place_sites_no_function - report that @spec names none; -ENOENT. */
int place_sites_no_function(struct place_search *f, const struct dwarf_spec *spec);
/**
 * place_sites_add - one site; what the kernel forbids is left out
 * @kind: PK_PLACE, or PK_ENTRY and PK_RETURN at a function. Sites of the other kind go to
 *        ret->also.
 * @part, @suffix: of what pp() returns, PREFIX.PART("FUNCTION@FILE:LINE")SUFFIX; @part NULL: what
 *        is written
 */
void place_sites_add(struct place_search *f, const struct dwarf_place *place, enum probe_kind kind,
		     const char *part, const char *suffix);
/** place_sites_add_as - the same; @pp: what pp() returns */
void place_sites_add_as(struct place_search *f, const struct dwarf_place *place,
			enum probe_kind kind, const char *pp);
/** place_sites_end - 0 when there are sites, or -ENOENT; where nothing else is to be said, that all
 *  are forbidden. */
int place_sites_end(struct place_search *f);

/**
 * place_sites_more - for a function that is known by its symbol, or has none: its clones and
 * inlined copies, where there is debug information
 * @name: or a pattern
 * @has_symbol: it is enough to look where the symbol is known to have copies
 */
void place_sites_more(const struct located_request *rq, const struct kernel_module *module,
		      const struct expr *arg, bool has_symbol, struct located *ret);
/** place_sites_copied - whether debug information, where there is some, has inlined copies of the
 *  function that @arg names */
bool place_sites_copied(const struct located_request *rq, const struct kernel_module *module,
			const struct expr *arg);
/** place_sites_spec - function("NAME@FILE..."), for the kernel (@module NULL) or a module; results
 * and
 *  reports as of locate_probe_point() */
int place_sites_spec(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret);

#endif
