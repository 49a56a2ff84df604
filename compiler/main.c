/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process of two: the child runs the passes, the parent waits and then removes the temporary
 * files, so that they go whatever happens to the child.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rights.h"
#include "cache/cache.h"
#include "config.h"
#include "diff/diff.h"
#include "driver.h"
#include "options/options.h"
#include "run.h"
#include "session.h"
#include "tmp.h"

static const struct range nowhere;

/* ---- where our files are ---- */

static void find_files(struct session *s)
{
	struct arena *a = s->arena;
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n < 0 ? 0 : n] = '\0';
	char *slash = strrchr(exe, '/');

	s->exe_dir = slash ? arena_strndup(a, exe, slash - exe) : ".";
	const char *root = s->exe_dir;
	const char *mark = arena_printf(a, "%s/runtime/abi/script.h", root);

	if (access(mark, R_OK))
		root = PROBEC_DATADIR;
	s->runtime_dir = arena_printf(a, "%s/runtime", root);
	s->tapset_dir = arena_printf(a, "%s/tapsets", root);
	s->lab_dir = arena_printf(a, "%s/lab", root);
	s->proberun = arena_printf(a, "%s/proberun", s->exe_dir);
	if (access(s->proberun, X_OK))
		s->proberun = PROBEC_BINDIR "/proberun";
}

/* ---- both processes ---- */

static int run(struct session *s)
{
	int status, who;

	find_files(s);
	cache_find(s);
	if (tmp_make(s))
		return 1;
	who = run_wait(&status);
	if (who == 0)
		return driver_run(s);
	tmp_drop(s);
	if (who < 0) {
		diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(-who));
		return 1;
	}
	if (status == 128 + SIGSEGV || status == 128 + SIGABRT || status == 128 + SIGBUS)
		diag_error(s->diag, nowhere, E_INTERNAL,
			   "probec broke (%s); this is a bug in probec",
			   strsignal(status - 128));
	return status;
}

int main(int argc, char **argv)
{
	struct session s = { .arena = arena_create() };
	int status = 1;

	if (argc > 1 && !strcmp(argv[1], "diff")) {
		status = diff_main(s.arena, argc - 1, argv + 1);
		arena_destroy(s.arena);
		return status;
	}
	switch (options_parse(&s, argc, argv)) {
	case OPTIONS_RUN: status = run(&s); break;
	case OPTIONS_DONE: status = 0; break;
	case OPTIONS_WRONG: break;
	}
	arena_destroy(s.arena);
	return status;
}
