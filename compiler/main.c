/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probec runs as two processes: the child runs the passes, the parent waits and then removes the
 * temporary files, so they are removed whatever happens to the child.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rights.h"
#include "base/cache/cache.h"
#include "check/run_check.h"
#include "config.h"
#include "diff/diff.h"
#include "driver.h"
#include "lines/lines.h"
#include "lsp/lsp.h"
#include "bundle/make_bundle.h"
#include "options/complete.h"
#include "options/options.h"
#include "options/tools.h"
#include "prepare/prepare.h"
#include "profile/command.h"
#include "run.h"
#include "remote/run_remote.h"
#include "shared/lines.h"
#include "state.h"
#include "tmp.h"
#include "vmcore/vmcore.h"

static const struct range nowhere;

/* ---- installed files ---- */

/* The directory with tapsets, runtime and lab, or NULL. An installation can be moved as a whole, so
 * a path relative to the program comes before the configured one. */
static const char *find_root(struct arena *a, const char *exe_dir)
{
	const char *const roots[] = {
		exe_dir,
		arena_printf(a, "%s/" PROBEC_DATADIR_FROM_BINDIR, exe_dir),
		PROBEC_DATADIR,
	};

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		char path[PATH_MAX];

		if (access(arena_printf(a, "%s/runtime/abi/script.h", roots[i]), R_OK) == 0)
			return realpath(roots[i], path) ? arena_strdup(a, path) : roots[i];
	}
	return NULL;
}

static void find_files(struct state *s)
{
	struct arena *a = s->arena;
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	exe[n < 0 ? 0 : n] = '\0';

	char *slash = strrchr(exe, '/');

	s->exe_dir = slash ? arena_strndup(a, exe, slash - exe) : ".";

	const char *root = find_root(a, s->exe_dir);

	if (!root)
		return;
	s->runtime_dir = arena_printf(a, "%s/runtime", root);
	s->tapset_dir = arena_printf(a, "%s/tapsets", root);
	s->tool_dir = arena_printf(a, "%s/tools", root);
	s->lab_dir = arena_printf(a, "%s/lab", root);
	s->proberun = arena_printf(a, "%s/proberun", s->exe_dir);
	if (access(s->proberun, X_OK))
		s->proberun = PROBEC_BINDIR "/proberun";
	s->static_proberun = arena_printf(a, "%s/static-proberun", root);
}

/* Returns 0, or -1 after an error. */
static int check_found(struct state *s)
{
	if (s->runtime_dir)
		return 0;
	diag_error(s->diag, nowhere, E_IO,
		   "neither '%s/" PROBEC_DATADIR_FROM_BINDIR "' nor '" PROBEC_DATADIR
		   "' has probec's runtime and tapsets", s->exe_dir);
	diag_hint(s->diag, "install everything with `make install`, or copy both directories");
	return -1;
}

/* ---- both processes ---- */

/* Reads the command line, and finds or makes the directories. false: the program ends with
 * *@status. */
static bool begin(struct state *s, int argc, char **argv, int *status)
{
	enum options_result result;

	find_files(s);
	result = options_parse(s, argc, argv);
	*status = result == OPTIONS_DONE ? 0 : 1;
	if (result != OPTIONS_RUN || check_found(s))
		return false;
	cache_find(s);
	return tmp_make(s) == 0;
}

static int run(struct state *s)
{
	int status, who = run_wait(&status);

	if (who == 0)
		return s->opt.remotes.n ? run_remote(s) : driver_run(s);
	tmp_drop(s);
	if (who < 0) {
		diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(-who));
		return 1;
	}
	if (status == 128 + SIGSEGV || status == 128 + SIGABRT || status == 128 + SIGBUS)
		diag_error(s->diag, nowhere, E_INTERNAL,
			   "probec crashed (%s); this is a bug in probec",
			   strsignal(status - 128));
	return status;
}

/* probec test: becomes the program of the runner. The status 2 says that no test was run. */
static int test_main(struct arena *a, int argc, char **argv)
{
	struct state s = { .arena = a, .diag = diag_create(a, 2) };
	const char *program;

	(void)argc;
	find_files(&s);
	if (check_found(&s))
		return 2;
	program = arena_printf(a, "%s/../runner/test", s.lab_dir);
	setenv("PROBEC", arena_printf(a, "%s/probec", s.exe_dir), 1);
	setenv("PROBERUN", s.proberun, 1);
	setenv("PROBEC_LAB", s.lab_dir, 1);
	argv[0] = (char *)program;
	/* A shell cannot trap a signal that is ignored, as it is in background commands. */
	signal(SIGINT, SIG_DFL);
	execv(program, argv);
	diag_error(s.diag, nowhere, E_IO, "can't start %s: %s", program, strerror(errno));
	diag_hint(s.diag, "it is a bash script; `make install` installs it");
	return 2;
}

static int list_tools(struct arena *a, int argc, char **argv)
{
	struct state s = { .arena = a, .diag = diag_create(a, 2) };

	find_files(&s);
	return check_found(&s) ? 1 : tools_main(&s, argc, argv);
}

/* probec bundle: a module for each -r, in one file. */
static int bundle_command(struct arena *a, int argc, char **argv)
{
	struct state s = { .arena = a, .opt.bundle = true };
	int status;

	if (!begin(&s, argc, argv, &status))
		return status;
	status = make_bundle(&s);
	tmp_drop(&s);
	return status;
}

/* probec prepare: the runtime of each -r. */
static int prepare_command(struct arena *a, int argc, char **argv)
{
	struct state s = { .arena = a, .diag = diag_create(a, 2) };
	int status;

	if (!prepare_options(&s, argc, argv, &status))
		return status;
	find_files(&s);
	if (check_found(&s))
		return 1;
	cache_find(&s);
	if (tmp_make(&s))
		return 1;
	status = prepare_run(&s);
	tmp_drop(&s);
	return status;
}

/* probec check: each script on each -r. */
static int check_command(struct arena *a, int argc, char **argv)
{
	struct state s = { .arena = a, .diag = diag_create(a, 2) };
	struct check_request *request;
	int status;

	request = run_check_options(&s, argc, argv, &status);
	if (!request)
		return status;
	find_files(&s);
	if (check_found(&s))
		return 2;
	cache_find(&s);
	if (tmp_make(&s))
		return 2;
	status = run_check(&s, request);
	tmp_drop(&s);
	return status;
}

static int vmcore_command(struct arena *a, int argc, char **argv)
{
	struct state s = { .arena = a, .diag = diag_create(a, 2) };

	find_files(&s);
	return check_found(&s) ? 1 : vmcore_run(&s, argc, argv);
}

static const struct {
	const char *name;
	int (*main)(struct arena *a, int argc, char **argv);
} commands[] = {
#define SUBCOMMAND(name, main, arguments, help) { name, main },
#include "options/subcommands.def"
	{ "--complete", complete_main },
	{ LINES_COMMAND, lines_main },
};

int main(int argc, char **argv)
{
	struct state s = { .arena = arena_create() };
	int status;

	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		status = commands[i].main(s.arena, argc - 1, argv + 1);
		arena_destroy(s.arena);
		return status;
	}
	if (begin(&s, argc, argv, &status))
		status = run(&s);
	arena_destroy(s.arena);
	return status;
}
