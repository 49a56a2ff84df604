/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The provider of one kind of probe points. It lists the forms of its points as text and locates
 * those that it supports; provider.c matches points with forms, refuses what is not supported and
 * suggests similar names for all providers.
 *
 * A form is written as scripts write it, with S for a string argument and N for a number:
 * "kernel.function(S).return.maxactive(N)". "**" at its end stands for any further components.
 */
#ifndef LOCATE_POINTS_PROVIDER_H
#define LOCATE_POINTS_PROVIDER_H

#include "analyse/locate/locate.h"

struct form {
	const char *text;
	const char *refused; /* why the form is not supported; NULL: it is */
	int64_t what;        /* for the provider itself */
};

/* A probe point that matched a form. */
struct located_request {
	struct state *s;
	const struct probe_point *pp;
	const struct form *form;
	const char *text;     /* the text of the probe point, normalised */
	bool quiet;
};

struct provider {
	const char *name;
	const struct form *forms;
	size_t nforms;
	/** locate - fill @ret; results and reports as of locate_probe_point(). NULL if all forms
	 *  are refused. */
	int (*locate)(const struct located_request *rq, struct located *ret);
};

/* The same forms of points, FORMS(beginning), in each file of programs. */
#define FORMS_OF_PROGRAMS(FORMS)                                                                   \
	FORMS("process(S)"),                                                                       \
	FORMS("process(N)"),                                                                       \
	FORMS("process"),                                                                          \
	FORMS("process(S).library(S)"),                                                            \
	FORMS("process(N).library(S)"),                                                            \
	FORMS("process.library(S)")

extern const struct provider begin_end_provider, timer_provider, symbol_sites_kernel_provider,
	symbol_sites_module_provider, symbol_sites_kprobe_provider,
	symbol_sites_kprobe_module_provider, trace_provider, places_provider, perf_provider,
	data_provider, procfs_provider, netfilter_provider, refused_provider, library_provider,
	process_provider, process_data_provider;

/** provider_number - store the number argument of @part in *@ret, if it has one. It may be
 *  negative. */
void provider_number(const struct pp_component *part, int64_t *ret);

/** provider_quoted - @text in quotes, as a script has it; owned by the arena. */
const char *provider_quoted(struct arena *a, const char *text);

/** provider_bad_number - report that the argument of @part, in @what ("a timer"), is not as @rule
 *  requires. Returns -EINVAL. */
int provider_bad_number(const struct located_request *rq, const struct pp_component *part,
			const char *what, const char *rule);
/** provider_unknown_kernel - report that neither symbols nor BTF are available. Returns
 *  -ENODATA. */
int provider_unknown_kernel(const struct located_request *rq, struct range at, const char *why);
/** provider_unknown_module - report that nothing is known about the module that @name names.
 *  Returns -ENOENT. */
int provider_unknown_module(const struct located_request *rq, const struct expr *name,
			    const char *why);

/** provider_add_site - add the only site of a point that is not in a function; the point's text
 *  names it. */
struct site *provider_add_site(const struct located_request *rq, struct located *ret);

#endif
