/* SPDX-License-Identifier: GPL-2.0 */
/* proberun --vmcore: shows what a flight recorder had kept when the kernel crashed. */
#ifndef LOADER_DUMP_H
#define LOADER_DUMP_H

#include <stdbool.h>

#include "show/show.h"

struct dump_options {
	const char *path;       /* of the dump */
	const char *session;    /* the name of its module; NULL: there is only one */
	const char *debuginfo;  /* --debuginfo, or NULL */
	enum show_format format;
	const struct percentiles *percentiles; /* or NULL */
	bool escape;            /* arguments of prints are escaped in text and csv */
	struct output *out;
	int directory;          /* --format=ctf: for the trace */
};

/** dump_show - show the session of a dump. The exit status; errors are reported. */
int dump_show(const struct dump_options *o);

#endif
