/* SPDX-License-Identifier: GPL-2.0 */
/* probec bundle: builds the script for each kernel, and writes the bundle. */
#ifndef MAKE_BUNDLE_H
#define MAKE_BUNDLE_H

#include "bundle/bundle.h"

struct state;

/** make_bundle_write - build for s->opt.targets, or for the running kernel, and write the bundle to
 *  @path; @ret gets its modules. The exit status. Changes options of the building in s->opt. */
int make_bundle_write(struct state *s, const char *path, bundle_modules *ret);

/** make_bundle - build for s->opt.targets, and write to s->opt.output. The exit status. */
int make_bundle(struct state *s);

#endif
