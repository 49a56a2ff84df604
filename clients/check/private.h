/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef CHECK_PRIVATE_H
#define CHECK_PRIVATE_H

#include <stdbool.h>

#include "base/map.h"
#include "base/vec.h"
#include "check/run_check.h"
#include "shared/buf.h"
#include "state.h"

/* A kernel that scripts are checked against. */
struct check_kernel {
	const char *target;      /* as of -r */
	const char *release;     /* NULL: no script has been read for it */
	bool knows_copies;       /* which functions are inlined */
};

/* A script on one kernel. */
struct check_result {
	/* the first one, "FILE:LINE:COLUMN: error: TEXT [E_NAME]"; NULL: it works */
	const char *error;
	const char *messages;    /* all of them */
	struct map facts;        /* "KIND\tPOINT\tWHAT" -> how, as of check/facts.h */
	VEC(const char *) differences; /* from the first kernel on which it works */
};

struct check_script {
	const char *name;        /* as the command line has it */
	struct check_result *on; /* for each kernel */
	size_t like;             /* number of the kernel that others are compared with */
};

struct check_request {
	VEC(struct check_kernel) kernels;
	VEC(struct check_script) scripts;
	VEC(const char *) options; /* for each script */
	bool json, same, verbose;
	bool inlined;            /* --inlined */
};

/* ---- targets.c ---- */

/** check_targets - add the kernel @arg: a release, a build tree, a captured target, or a directory
 *  of captured targets, which are taken in the order of their names. Errors are reported. */
void check_targets(struct state *s, struct check_request *r, const char *arg);

/* ---- inlined.c ---- */

/** check_add_inlined - --inlined: add to the captured target @path which functions are inlined.
 *  Returns the exit status; errors are reported. */
int check_add_inlined(struct state *s, const char *path);

/* ---- facts_of.c ---- */

/** check_script_on - run the passes on the script for @k in a child, and read what it says.
 *  Returns 0, the number of the signal that the user has ended it with, or -1 after an error. */
int check_script_on(struct state *s, const struct check_request *r, const char *script,
		    struct check_kernel *k, struct check_result *ret);

/* ---- compare.c ---- */

/** check_compare - fill in the differences between the kernels on which the script works. */
void check_compare(struct state *s, const struct check_request *r, struct check_script *script);

/* ---- show.c ---- */

/** check_show - append the result to @out, as text or JSON. */
void check_show(struct state *s, const struct check_request *r, struct buf *out);

#endif
