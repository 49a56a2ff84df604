/* SPDX-License-Identifier: GPL-2.0 */
/* Sites at places that debug information knows, for statement() and the forms of function() that
 * need debug information. */
#ifndef LOCATE_POINTS_PLACE_SITES_H
#define LOCATE_POINTS_PLACE_SITES_H

#include "base/map.h"
#include "target/dwarf/dwarf.h"
#include "analyse/locate/points/provider.h"
#include "analyse/locate/points/symbol_sites.h"

struct kernel_module;

/* A search in one object. Owned by the caller. */
struct place_search {
	const struct located_request *rq;
	struct state *s;
	struct dwarf_db *db;
	const struct user_scope *scope; /* of a program; NULL: in the kernel or a module */
	const char *object, *build_id; /* as struct site */
	const char *prefix;      /* "kernel", "module(\"NAME\")" */
	struct range range;      /* of the argument that names the place */
	const char *text;        /* its text */
	const char *forbidden;   /* why places were left out; NULL: none was */
	const char *forbidden_symbol;
	/* the strings that pp() returns; thousands of inlined copies share one */
	struct map names;
	struct located *ret;
};

/** place_sites_open - begin a search in the kernel (@module NULL) or a module; @arg names the
 *  place. Returns 0, or -ENODATA without debug information (E_NO_DEBUGINFO). */
int place_sites_open(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret, struct place_search *f);
/** place_sites_open_program - the same for a program or library. @prefix: "process(\"PATH\")".
 *  @needless: report nothing if there is no debug information. */
int place_sites_open_program(const struct located_request *rq, const struct user_scope *scope,
			     const char *prefix, const struct expr *arg, bool needless,
			     struct located *ret, struct place_search *f);
/** place_sites_functions - add the functions of function("SPEC"), where *@spec is the parsed SPEC.
 *  Returns 0, or -ENOENT without a report. */
int place_sites_functions(struct place_search *f, struct dwarf_spec *spec);
/** place_sites_note_missing - note in the result whether parts of a program's debug information are
 *  missing, which may have more such places. */
void place_sites_note_missing(struct place_search *f);
/** place_sites_no_function - report that no function matches @spec. Returns -ENOENT. */
int place_sites_no_function(struct place_search *f, const struct dwarf_spec *spec);
/**
 * place_sites_add - add one site, unless the kernel forbids a probe there
 * @kind:   PK_PLACE, or PK_ENTRY and PK_RETURN at a function. If @f->ret has another kind, the
 *          site is added to ret->also.
 * @part:   pp() returns PREFIX.PART("FUNCTION@FILE:LINE")SUFFIX; NULL: the text of the script
 * @suffix: likewise
 */
void place_sites_add(struct place_search *f, const struct dwarf_place *place, enum probe_kind kind,
		     const char *part, const char *suffix);
/** place_sites_add_as - the same, with the text @pp that pp() returns. */
void place_sites_add_as(struct place_search *f, const struct dwarf_place *place,
			enum probe_kind kind, const char *pp);
/** place_sites_end - 0 if there are sites, otherwise -ENOENT. If the kernel forbids all of them,
 *  that is reported. */
int place_sites_end(struct place_search *f);

/**
 * place_sites_more - add the clones and inlined copies of a function, if there is debug
 * information
 * @arg:        the name or a pattern
 * @has_symbol: a symbol has that name, so inlined copies are searched only if an index knows some
 */
void place_sites_more(const struct located_request *rq, const struct kernel_module *module,
		      const struct expr *arg, bool has_symbol, struct located *ret);
/** place_sites_copied - whether debug information has inlined copies of the function that @arg
 *  names. False without debug information. */
bool place_sites_copied(const struct located_request *rq, const struct kernel_module *module,
			const struct expr *arg);
/** place_sites_spec - function("NAME@FILE..."), for the kernel (@module NULL) or a module; results
 *  and reports as of locate_probe_point(). */
int place_sites_spec(const struct located_request *rq, const struct kernel_module *module,
		     const struct expr *arg, struct located *ret);

#endif
