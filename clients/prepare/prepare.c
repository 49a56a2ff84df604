/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probec prepare. The runtime of a kernel takes seconds to compile; this does it before the first
 * script, and says what scripts for that kernel lack. What is known about a kernel is kept in the
 * state, so each kernel has a process of its own.
 */
#include "prepare/prepare.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"
#include "shared/clock.h"
#include "state.h"
#include "target/dwarf/dwarf.h"
#include "target/kbuild/kbuild.h"
#include "target/kernel/kernel.h"

static const struct range nowhere;

static const char help[] =
	"Usage: probec prepare [OPTION]...\n"
	"\n"
	"Builds what the first script for a kernel would have to build, and lists what is\n"
	"missing, with the command that installs it. If root runs it, it serves all users.\n"
	"\n"
	"  -r, --release=KERNEL  the kernel: a release, a build tree or a captured target\n"
	"                        (default: the running kernel); may be repeated\n"
	"  -v, --verbose         show the build commands\n"
	"  -h, --help            this text\n"
	"\n"
	"The status is 0 if scripts can be compiled for all these kernels, 1 otherwise.\n";

bool prepare_options(struct state *s, int argc, char **argv, int *status)
{
	static const struct option longs[] = {
		{ "release", required_argument, NULL, 'r' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	opterr = 0;
	*status = 1;
	s->opt.debuginfo = getenv("PROBEC_DEBUGINFO");
	while ((c = getopt_long(argc, argv, "+r:vh", longs, NULL)) != -1) {
		switch (c) {
		case 'r':
			vec_push(s->arena, &s->opt.targets, (const char *)optarg);
			break;
		case 'v':
			s->opt.verbose = 3;
			break;
		case 'h':
			fputs(help, stdout);
			*status = 0;
			return false;
		default:
			diag_error(s->diag, nowhere, E_OPTION, "wrong option '%s'",
				   argv[optind - 1]);
			diag_hint(s->diag, "probec prepare --help lists the options");
			return false;
		}
	}
	if (optind == argc)
		return true;
	diag_error(s->diag, nowhere, E_OPTION, "unexpected word '%s'", argv[optind]);
	diag_hint(s->diag, "-r names a kernel: probec prepare -r %s", argv[optind]);
	return false;
}

/* Names the values that scripts can't read without more packages; the rest works. */
static void say_missing(struct state *s)
{
	const char *why;
	size_t size;

	if (!kernel_btf_data(s->kernel, &size, &why)) {
		diag_warn(s->diag, nowhere, E_NO_BTF,
			  "scripts can't read parameters and structures of %s",
			  kernel_release(s->kernel));
		diag_hint(s->diag, "%s", why);
	}
	if (!dwarf_db_get(s, "kernel", &why))
		printf("%s: no lines, inlined copies and local variables: %s\n",
		       kernel_release(s->kernel), why);
}

static int prepare(struct state *s)
{
	/* Others than root can't write where all users look. */
	bool for_all = geteuid() == 0 && !getenv("PROBEC_CACHE"), built;
	double start = clock_ms();

	if (kbuild_runtime_prepare(s, for_all, &built))
		return 1;
	printf("%s: ready%s", kernel_release(s->kernel), for_all ? " for all users" : "");
	if (built)
		printf(", built in %.1f s", (clock_ms() - start) / 1000);
	printf("\n");
	say_missing(s);
	return 0;
}

/* Runs in the child, with a directory of its own for temporary files. Returns the exit status. */
static int prepare_in_child(struct state *s, const char *target)
{
	int status = 1;

	s->tmp_dir = arena_printf(s->arena, "%s/%d", s->tmp_dir, (int)getpid());
	if (mkdir(s->tmp_dir, 0700))
		diag_error(s->diag, nowhere, E_IO, "can't make '%s': %s", s->tmp_dir,
			   strerror(errno));
	else if (!kernel_open(s, target, &s->kernel))
		status = prepare(s);
	dwarf_close(s);
	kernel_close(s->kernel);
	if (fflush(stdout)) {
		diag_error(s->diag, nowhere, E_IO, "can't write the result: %s", strerror(errno));
		status = 1;
	}
	return status;
}

int prepare_run(struct state *s)
{
	const char *running = NULL; /* no -r */
	size_t n = s->opt.targets.n ? s->opt.targets.n : 1;
	int result = 0;

	for (size_t i = 0; i < n; i++) {
		const char *target = s->opt.targets.n ? s->opt.targets.v[i] : running;
		int status, who = run_wait(&status);

		if (who == 0)
			_exit(prepare_in_child(s, target));
		if (who < 0) {
			diag_error(s->diag, nowhere, E_IO, "can't start a process: %s",
				   strerror(-who));
			return 1;
		}
		/* A signal: the user wants an end. */
		if (status > 128)
			return status;
		result |= status;
	}
	return result;
}
