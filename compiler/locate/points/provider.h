/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A probe kind. It lists the forms of its probe points as text and is asked to locate those that it
 * supports; matching, refusing and "did you mean" are done once for all in table.c.
 *
 * A form is written as scripts write it, with S for a string argument and N for a number:
 * "kernel.function(S).return.maxactive(N)". "**" at its end stands for any components, or none.
 */
#ifndef LOCATE_POINTS_PROVIDER_H
#define LOCATE_POINTS_PROVIDER_H

#include "locate/locate.h"

struct form {
	const char *text;
	const char *refused; /* why it is not supported: "X is not supported: ..."; NULL: it is */
	int64_t what;        /* the provider's own */
};

/* A probe point that matched a form. */
struct located_request {
	struct state *s;
	const struct probe_point *pp;
	const struct form *form;
	const char *text;     /* the probe point, normalised */
	bool quiet;
};

struct provider {
	const char *name;
	const struct form *forms;
	size_t nforms;
	/** locate - fill @ret; results and reports as of locate_probe_point(). NULL: all is
	 *  refused. */
	int (*locate)(const struct located_request *rq, struct located *ret);
};

extern const struct provider begin_end_provider, timer_provider, kernel_function_provider,
	module_function_provider, kprobe_function_provider, module_kprobe_provider, trace_provider,
	places_provider, perf_provider, data_provider,
	refused_provider, library_provider, process_provider;

/** table_number - the value of a number argument, also a negative one; @ret untouched without
 *  one. */
void table_number(const struct pp_component *part, int64_t *ret);

/** table_quoted - @text in quotes, as a script has it; owned by the arena. */
const char *table_quoted(struct arena *a, const char *text);

/** table_bad_number - report that @part of @what ("a timer") is not what @rule says; -EINVAL. */
int table_bad_number(const struct located_request *rq, const struct pp_component *part,
		     const char *what, const char *rule);
/** table_unknown_kernel - report that neither symbols nor BTF are known; -ENODATA. */
int table_unknown_kernel(const struct located_request *rq, struct range at, const char *why);
/** table_unknown_module - report that nothing is known of the module that @name names; -ENOENT. */
int table_unknown_module(const struct located_request *rq, const struct expr *name,
			 const char *why);

/** table_add_site - the one site of a point that is no function: its name is the point's. */
struct site *table_add_site(const struct located_request *rq, struct located *ret);

#endif
