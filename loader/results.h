/* SPDX-License-Identifier: GPL-2.0 */
/* Where the output goes: -o, -S, or standard output. */
#ifndef LOADER_RESULTS_H
#define LOADER_RESULTS_H

#include <stdbool.h>

#include "show/output.h"
#include "show/rotate.h"

struct ctf;
struct meta;
struct options;

struct results {
	struct output out;
	struct rotate rotate;  /* -S */
	int fd; /* --format=ctf: of the directory */
	struct ctf *ctf; /* NULL: another format */
};

/** results_open - open what @o names. 0, or -1 after reporting E_IO. */
int results_open(struct results *r, const struct options *o);
/** results_trace - begin the trace of a session of @m, if that is the format. @m must outlive @r.
 * 0, or -1 after reporting E_IO. */
int results_trace(struct results *r, const struct options *o, const struct meta *m);
/** results_escape - return whether control characters are escaped. */
bool results_escape(const struct results *r, const struct options *o);
/** results_close - accepts results that are all zero. 0, or -errno after reporting E_IO. */
int results_close(struct results *r, const struct options *o);

#endif
