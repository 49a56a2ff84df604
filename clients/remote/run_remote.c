/* SPDX-License-Identifier: GPL-2.0 */
/* probec --remote: a bundle for each kernel, and sessions that use them. */
#include "remote/run_remote.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "bundle/make_bundle.h"
#include "remote/remote.h"
#include "run.h"
#include "state.h"

static const struct range nowhere;

/* Errors of syntax are the same for all kernels; they are reported once, before any host is asked.
 * The passes keep what they find out, so a child runs this one. */
static int check_syntax(struct state *s)
{
	int status = 1, who = run_wait(&status);

	if (who == 0) {
		s->opt.last_pass = 1;
		s->opt.check = true;
		s->opt.verbose = 0;
		_exit(driver_run(s));
	}
	if (who < 0)
		diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(-who));
	return status;
}

/* remote_build */
static int build(struct state *s, const char *target, const char *path, int out)
{
	bundle_modules modules = { 0 };
	int status;

	if (s->opt.merge)
		s->opt.format = "json";
	if (target)
		vec_push(s->arena, &s->opt.targets, target);
	status = make_bundle_write(s, path, &modules);
	if (!status)
		vec_each(m, &modules)
			dprintf(out, "%s %s\n", m->release, m->build_id);
	return status;
}

int run_remote(struct state *s)
{
	int status = check_syntax(s);

	return status ? status : remote_run(s, build);
}
