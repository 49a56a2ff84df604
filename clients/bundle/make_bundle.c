/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probec bundle. The passes keep what they found out about a kernel, so each kernel has a process
 * of its own, which prints the path of its module into a pipe, as probec -p4 does.
 */
#include "bundle/make_bundle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/bundle.h"
#include "driver.h"
#include "run.h"
#include "state.h"

static const struct range nowhere;

/* Runs in the child, with a directory of its own for temporary files. Returns the exit status. */
static int build_in_child(struct state *s, const char *target, int out)
{
	s->opt.target = target;
	s->opt.last_pass = 4;
	s->tmp_dir = arena_printf(s->arena, "%s/%d", s->tmp_dir, (int)getpid());
	if (mkdir(s->tmp_dir, 0700)) {
		diag_error(s->diag, nowhere, E_IO, "can't make '%s': %s", s->tmp_dir,
			   strerror(errno));
		return 1;
	}
	if (dup2(out, STDOUT_FILENO) < 0)
		return 1;
	close(out);
	return driver_run(s);
}

/* Reads the path that the child has printed: less than a pipe holds. */
static const char *read_path(struct state *s, int from)
{
	char path[4096];
	ssize_t n = read(from, path, sizeof(path));

	while (n > 0 && path[n - 1] == '\n')
		n--;
	return n > 0 ? arena_strndup(s->arena, path, (size_t)n) : NULL;
}

/* @status: the exit status of the child that reported errors. */
static int build_for(struct state *s, const char *target, struct bundle_module *ret, int *status)
{
	const char *path;
	int out[2], who;

	fflush(stdout);
	if (pipe(out)) {
		diag_error(s->diag, nowhere, E_IO, "can't make a pipe: %s", strerror(errno));
		return -1;
	}
	who = run_wait(status);
	if (who == 0) {
		close(out[0]);
		_exit(build_in_child(s, target, out[1]));
	}
	close(out[1]);
	path = who > 0 && *status == 0 ? read_path(s, out[0]) : NULL;
	close(out[0]);
	if (who < 0)
		diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(-who));
	return path ? bundle_read_module(s, path, ret) : -1;
}

static bool has_kernel(const bundle_modules *modules, const struct bundle_module *m)
{
	vec_each(it, modules)
		if (strcmp(it->build_id, m->build_id) == 0 &&
		    strcmp(it->release, m->release) == 0)
			return true;
	return false;
}

static int build_all(struct state *s, bundle_modules *modules)
{
	const char *running = NULL; /* no -r */
	size_t n = s->opt.targets.n ? s->opt.targets.n : 1;

	for (size_t i = 0; i < n; i++) {
		const char *target = s->opt.targets.n ? s->opt.targets.v[i] : running;
		struct bundle_module m = { 0 };
		int status = 1;

		if (build_for(s, target, &m, &status))
			return status ? status : 1;
		if (!has_kernel(modules, &m))
			vec_push(s->arena, modules, m);
	}
	return 0;
}

int make_bundle_write(struct state *s, const char *path, bundle_modules *ret)
{
	bundle_words arguments = { 0 };
	int status = build_all(s, ret);

	if (status)
		return status;
	/* These are about the building, and this machine. */
	if (!s->opt.remotes.n)
		s->opt.verbose = 0;
	s->opt.debuginfo = NULL;
	run_arguments(s, &arguments);
	return bundle_write(s, path, ret, &arguments) ? 1 : 0;
}

int make_bundle(struct state *s)
{
	bundle_modules modules = { 0 };
	const char *path = s->opt.output;
	int status, verbose = s->opt.verbose;

	s->opt.output = NULL;
	status = make_bundle_write(s, path, &modules);
	if (status)
		return status;
	if (verbose)
		vec_each(m, &modules)
			fprintf(stderr, "%s: %s, build-id %s, %zu bytes\n", path, m->release,
				m->build_id, m->size);
	return 0;
}
