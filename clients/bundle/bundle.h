/* SPDX-License-Identifier: GPL-2.0 */
/* probec bundle: a script as one executable file, for machines without probec. */
#ifndef BUNDLE_BUNDLE_H
#define BUNDLE_BUNDLE_H

#include "base/vec.h"
#include "shared/buf.h"

struct state;

typedef VEC(const char *) bundle_words;

/* The module for one kernel. */
struct bundle_module {
	const char *release, *build_id; /* "-": unknown */
	const char *image;
	size_t size;
};
typedef VEC(struct bundle_module) bundle_modules;

/** bundle_read_module - read the file at @path, and for which kernel it was built. -1 after
 *  reporting an error. */
int bundle_read_module(struct state *s, const char *path, struct bundle_module *ret);
/** bundle_write - write the bundle of @modules to @path, with @arguments for its proberun and what
 *  the script says about itself. -1 after reporting an error. */
int bundle_write(struct state *s, const char *path, const bundle_modules *modules,
		 const bundle_words *arguments);

#endif
