/* SPDX-License-Identifier: GPL-2.0 */
/* A module's self-description, parsed from its section .probec (runtime/abi/records.h). */
#ifndef LOADER_META_H
#define LOADER_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/say.h"

#define META_NO_SRCLOC UINT32_MAX

struct meta_probe {
	const char *kind, *pp;
	uint32_t srcloc; /* index into srclocs, or META_NO_SRCLOC */
	bool overrides;  /* it may override the function */
	bool has_switch; /* it can be switched off and on */
};

struct meta_site {
	uint32_t probe;
	const char *object, *symbol, *pp;
	uint32_t namesake; /* number among the symbols of that name, from 0 */
	uint64_t offset;
	bool wildcard; /* 1: may be missing */
	bool optional; /* 1: no warning while its module is absent */
	const char *kind; /* kind of its probe */
	bool is_found; /* 1: the runtime finds it itself; it is not a symbol */
	bool is_data;  /* 1: a variable; without a symbol the offset is its address */
};

struct meta_module {
	const char *name, *build_id; /* build_id "-": unknown */
};

struct meta_print {
	const char *types; /* "" for no arguments */
	const char *format;
	size_t format_len; /* the format may hold NULs */
	uint32_t srcloc;
	const char *names;  /* of the arguments, separated by newlines; NULL: unknown */
	const char *global; /* the unread global that is printed here, or NULL */
	/* tables that the loader orders: an edge of one, or the number of the argument, from 1, by
	 * which rows that begin here are sorted; 0: none do */
	enum meta_edge { META_NO_EDGE, META_BEGIN, META_END } edge;
	unsigned column;
	bool ascends; /* the least first */
};

struct meta_global {
	const char *name;
	bool is_string;
	const char *symbol; /* it holds the address of that variable of the kernel; NULL: it is the
			     * script's own */
};

/* A metric: what a print statement of the snapshot timers has the values of. */
struct meta_metric {
	uint32_t print;
	const char *name, *type, *unit, *labels, *help; /* as in records.h */
};

struct meta {
	const char *compiler;           /* version of the compiler */
	const char *release, *build_id; /* build_id "-": unknown */
	const char *script;
	bool has_stacks; /* the session has a table of stacks */
	bool has_user_stacks; /* it takes stacks of processes */
	bool has_user_names; /* it names addresses of processes */
	bool has_lines; /* it shows source lines */
	bool has_marks; /* its strings ask for names (show/marked.h) */
	bool is_tool; /* the script describes itself, for users who have not written it */
	bool guru; /* it was built in guru mode */
	bool has_switches; /* some of its probes have switches */
	bool limits_cgroup; /* its hits are limited to a control group */
	bool uses_target; /* the script calls target(), and never asks if there is one */
	bool target_only; /* it does, and not for descendants of that process */
	uint32_t nprobes, nsites, nprints, nsrclocs, nglobals, nmodules, nprograms;
	struct meta_probe *probes;
	struct meta_site *sites;
	struct meta_print *prints; /* by number; format NULL: no print has the number */
	struct position *srclocs;
	struct meta_global *globals;
	struct meta_module *modules; /* kernel modules that sites are in; all have a name */
	struct meta_module *programs; /* files that sites are in; names are absolute paths */
	uint32_t snapshot_first, snapshot_n; /* the timers that print metrics; n 0: none */
	uint32_t snapshot_begin, snapshot_end; /* print statements around theirs */
	uint32_t nmetrics;
	struct meta_metric *metrics; /* each of another print, by ascending number */
	char *memory; /* memory of all the strings */
};

/**
 * meta_parse - parse the text of a .probec section
 *
 * @text, @len: the section's bytes, which are copied and not trusted
 * @ret:        filled in on success; owned by the caller: meta_deinit()
 * @why:        on failure, the reason, with the line
 *
 * Returns 0, or -1 if the text is something else, damaged, or of an unknown version. Every index in
 * @ret is checked: probes of sites and srclocs are within their tables.
 */
int meta_parse(const char *text, size_t len, struct meta *ret, char *why, size_t why_size);
void meta_deinit(struct meta *m);
/** meta_check_metrics - check what the lines about metrics say, and the prints that they name, once
 * all lines have been read. Returns NULL, or what is wrong. */
const char *meta_check_metrics(const struct meta *m);
/** meta_of_kernel - return whether the site is in the kernel itself; otherwise its object is a
 * module. */
bool meta_of_kernel(const struct meta_site *s);
/** meta_name - return the name of argument @i of a print statement, with its length in @len; NULL:
 * unknown. */
const char *meta_name(const struct meta_print *p, unsigned i, size_t *len);
/** meta_literal - return whether argument @i of a print statement is a string literal. */
bool meta_literal(const struct meta_print *p, unsigned i);
/** meta_set_table - take what the description says about the part of a print statement in tables.
 * Returns false if that does not fit its types. */
bool meta_set_table(struct meta_print *p, const char *text);
/** meta_keys - return how many arguments of a printed global are keys. */
unsigned meta_keys(const struct meta_print *p);

#endif
