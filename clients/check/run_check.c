/* SPDX-License-Identifier: GPL-2.0 */
#include "check/run_check.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "check/private.h"

/* The status if nothing was checked. */
enum { NOT_CHECKED = 2 };

static const struct range nowhere;

static const char help[] =
	"Usage: probec check [OPTION]... SCRIPT... -r KERNEL [-r KERNEL]...\n"
	"       probec check --inlined -r KERNEL [-r KERNEL]...\n"
	"\n"
	"Shows which scripts work on which kernels, without running any. \"Differs\" means that a\n"
	"script works, but its probe points or values are not those of the first kernel where it\n"
	"works. SCRIPT is a file or the name of a tool; with arguments, it is a single word:\n"
	"'funccount vfs_read'.\n"
	"\n"
	"  -r, --release=KERNEL    a captured target (proberun --describe > FILE), a directory\n"
	"                          of them, a release or a build tree; may be repeated\n"
	"  --inlined               add to captured targets which functions are inlined, from\n"
	"                          their kernels' debug information on this machine\n"
	"  --same                  treat a script that differs as one that does not work\n"
	"  --format=FORMAT         print the result as text or json\n"
	"  --debuginfo=DIR, -I DIR, -D NAME=VALUE, -G NAME=VALUE, -g, --skip-badvars\n"
	"                          as for any script\n"
	"  -v, --verbose           show all differences, and all messages\n"
	"  -h, --help              this text\n"
	"\n"
	"The status is 0 if all scripts work on all kernels, 1 if not, and 2 if nothing was\n"
	"checked.\n";

enum { SAME = 256, FORMAT, DEBUGINFO, BADVARS, INLINED };

static const struct option longs[] = {
	{ "release", required_argument, NULL, 'r' },
	{ "same", no_argument, NULL, SAME },
	{ "format", required_argument, NULL, FORMAT },
	{ "debuginfo", required_argument, NULL, DEBUGINFO },
	{ "inlined", no_argument, NULL, INLINED },
	{ "include", required_argument, NULL, 'I' },
	{ "define", required_argument, NULL, 'D' },
	{ "global", required_argument, NULL, 'G' },
	{ "guru", no_argument, NULL, 'g' },
	{ "skip-badvars", no_argument, NULL, BADVARS },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void pass_on(struct state *s, struct check_request *r, const char *option, const char *arg)
{
	vec_push(s->arena, &r->options, arena_printf(s->arena, "%s%s", option, arg));
}

static void take_format(struct state *s, struct check_request *r, const char *arg)
{
	r->json = strcmp(arg, "json") == 0;
	if (!r->json && strcmp(arg, "text") != 0)
		diag_error(s->diag, nowhere, E_OPTION, "--format is text or json, not '%s'", arg);
}

/* Returns false if @key is none of the options. */
static bool take(struct state *s, struct check_request *r, int key)
{
	switch (key) {
	case 'r': check_targets(s, r, optarg); break;
	case SAME: r->same = true; break;
	case FORMAT: take_format(s, r, optarg); break;
	case DEBUGINFO:
		s->opt.debuginfo = optarg;
		pass_on(s, r, "--debuginfo=", optarg);
		break;
	case INLINED: r->inlined = true; break;
	case 'I': pass_on(s, r, "-I", optarg); break;
	case 'D': pass_on(s, r, "-D", optarg); break;
	case 'G': pass_on(s, r, "-G", optarg); break;
	case 'g': pass_on(s, r, "-g", ""); break;
	case BADVARS: pass_on(s, r, "--skip-badvars", ""); break;
	case 'v': r->verbose = true; break;
	default: return false;
	}
	return true;
}

static void check_request(struct state *s, const struct check_request *r)
{
	if (diag_errors(s->diag))
		return;
	if (r->inlined && r->scripts.n) {
		diag_error(s->diag, nowhere, E_OPTION, "--inlined checks no scripts");
		diag_hint(s->diag, "probec check --inlined -r %s",
			  r->kernels.n ? r->kernels.v[0].target : "TARGET");
	} else if (!r->scripts.n && !r->inlined) {
		diag_error(s->diag, nowhere, E_OPTION, "which scripts?");
		diag_hint(s->diag, "probec check SCRIPT... -r KERNEL...; see probec check --help");
	} else if (!r->kernels.n) {
		diag_error(s->diag, nowhere, E_OPTION, "which kernels?");
		diag_hint(s->diag, "-r names a captured target, or a directory of them");
	}
}

struct check_request *run_check_options(struct state *s, int argc, char **argv, int *status)
{
	struct check_request *r = NEW(s->arena, struct check_request);
	int c;

	opterr = 0;
	*status = NOT_CHECKED;
	s->opt.debuginfo = getenv("PROBEC_DEBUGINFO");
	while ((c = getopt_long(argc, argv, "r:I:D:G:gvh", longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			*status = 0;
			return NULL;
		}
		if (take(s, r, c))
			continue;
		diag_error(s->diag, nowhere, E_OPTION, "wrong option '%s'", argv[optind - 1]);
		diag_hint(s->diag, "probec check --help lists the options");
		return NULL;
	}
	for (int i = optind; i < argc; i++)
		vec_push(s->arena, &r->scripts, ((struct check_script){ .name = argv[i] }));
	check_request(s, r);
	return diag_errors(s->diag) ? NULL : r;
}

/* Whether all is well. */
static bool is_well(const struct check_request *r)
{
	vec_each(it, &r->scripts)
		for (size_t i = 0; i < r->kernels.n; i++)
			if (it->on[i].error || (r->same && it->on[i].differences.n))
				return false;
	return true;
}

static int add_inlined(struct state *s, const struct check_request *r)
{
	int status = 0;

	vec_each(it, &r->kernels)
		status |= check_add_inlined(s, it->target);
	return status;
}

int run_check(struct state *s, struct check_request *r)
{
	struct buf out;
	int status;

	if (r->inlined)
		return add_inlined(s, r);
	vec_each(it, &r->scripts) {
		it->on = arena_alloc(s->arena, r->kernels.n * sizeof(*it->on));
		for (size_t i = 0; i < r->kernels.n; i++) {
			status = check_script_on(s, r, it->name, &r->kernels.v[i], &it->on[i]);
			if (status)
				return status < 0 ? NOT_CHECKED : 128 + status;
		}
		check_compare(s, r, it);
	}
	status = is_well(r) ? 0 : 1;
	buf_init(&out);
	check_show(s, r, &out);
	if (fwrite(out.s, 1, out.len, stdout) != out.len || fflush(stdout)) {
		diag_error(s->diag, nowhere, E_IO, "can't write the result: %s", strerror(errno));
		status = NOT_CHECKED;
	}
	buf_deinit(&out);
	return status;
}
