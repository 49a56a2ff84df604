/* SPDX-License-Identifier: GPL-2.0 */
/* The command lines of probec flame and probec pprof. */
#include "profile/command.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "profile/pprof.h"
#include "profile/profile.h"
#include "profile/svg.h"

enum { GOOD, TROUBLE = 2 };
enum { OPT_NAME = 256, OPT_UNIT, OPT_COUNT, OPT_TITLE, OPT_ICICLE, OPT_COLOUR, OPT_WIDTH,
       OPT_NARROWEST };
enum { WIDTH_MIN = 600, WIDTH_MAX = 100000, WIDTH = 1200 };

struct profile_request {
	bool help, counts;
	const char *name, *unit, *path;
	struct svg_options svg;
};

static const struct range nowhere;

#define COMMON_HELP                                                                            \
	"FILE is the output of a session with --format=folded, json or text; - is standard\n"    \
	"input. Folded lines from other tools are accepted as well.\n"                          \
	"\n"                                                                                    \
	"      --name=GLOBAL     use the stacks of GLOBAL, if the file has those of several\n"   \
	"      --unit=UNIT       the unit of the numbers: ns, bytes; without it, taken from the\n" \
	"                        end of the global's name: _ns, _us, _ms, _bytes\n"

static const char flame_help[] =
	"Usage: probec flame [OPTION]... FILE >GRAPH.svg\n"
	"\n"
	"Draws a flame graph of saved stacks: an image that a browser zooms and searches.\n"
	COMMON_HELP
	"      --count           draw the counts of aggregates instead of their sums\n"
	"      --title=TEXT      the heading of the graph\n"
	"      --icicle          draw the outermost frames on top\n"
	"      --colour=BY       colour by kind (kernel, programs; the default), module, or name\n"
	"      --width=PIXELS    the width, 600 to 100000; without it, that of the window\n"
	"      --narrowest=PIXELS  leave out narrower frames (0.1)\n"
	"  -h, --help            this text\n"
	"\n"
	"In the browser: a click or Enter zooms, Escape resets, / or Ctrl-F searches for a\n"
	"regular expression, arrow keys move.\n";

static const char pprof_help[] =
	"Usage: probec pprof [OPTION]... FILE >PROFILE.pb.gz\n"
	"\n"
	"Writes saved stacks in pprof's format, for 'go tool pprof' and other viewers.\n"
	COMMON_HELP
	"  -h, --help            this text\n";

static const struct option flame_longs[] = {
	{ "name", required_argument, NULL, OPT_NAME },
	{ "unit", required_argument, NULL, OPT_UNIT },
	{ "count", no_argument, NULL, OPT_COUNT },
	{ "title", required_argument, NULL, OPT_TITLE },
	{ "icicle", no_argument, NULL, OPT_ICICLE },
	{ "colour", required_argument, NULL, OPT_COLOUR },
	{ "color", required_argument, NULL, OPT_COLOUR },
	{ "width", required_argument, NULL, OPT_WIDTH },
	{ "narrowest", required_argument, NULL, OPT_NARROWEST },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};
static const struct option pprof_longs[] = {
	{ "name", required_argument, NULL, OPT_NAME },
	{ "unit", required_argument, NULL, OPT_UNIT },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static bool refuse_value(struct diag *d, const char *option, const char *value, const char *what)
{
	diag_error(d, nowhere, E_OPTION, "%s must be %s, not '%s'", option, what, value);
	return false;
}

static bool take_colour(struct diag *d, const char *word, struct profile_request *ret)
{
	static const char *const names[] = { "kind", "module", "name" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(word, names[i]) == 0) {
			ret->svg.colours = (enum svg_colours)i;
			return true;
		}
	return refuse_value(d, "--colour", word, "kind, module or name");
}

static bool take_width(struct diag *d, const char *word, struct profile_request *ret)
{
	char *end;
	unsigned long v = strtoul(word, &end, 10);

	if (*end || v < WIDTH_MIN || v > WIDTH_MAX)
		return refuse_value(d, "--width", word, "600 to 100000");
	ret->svg.width = (unsigned)v;
	ret->svg.fit = false;
	return true;
}

static bool take_narrowest(struct diag *d, const char *word, struct profile_request *ret)
{
	char *end;
	double v = strtod(word, &end);

	if (*end || end == word || !(v >= 0 && v <= 100))
		return refuse_value(d, "--narrowest", word, "0 to 100");
	ret->svg.narrowest = v;
	return true;
}

static bool take_option(struct diag *d, int c, const char *command, const char *word,
			struct profile_request *ret)
{
	switch (c) {
	case 'h': ret->help = true; break;
	case OPT_NAME: ret->name = optarg; break;
	case OPT_UNIT: ret->unit = optarg; break;
	case OPT_COUNT: ret->counts = true; break;
	case OPT_TITLE: ret->svg.title = optarg; break;
	case OPT_ICICLE: ret->svg.icicle = true; break;
	case OPT_COLOUR: return take_colour(d, optarg, ret);
	case OPT_WIDTH: return take_width(d, optarg, ret);
	case OPT_NARROWEST: return take_narrowest(d, optarg, ret);
	default:
		diag_error(d, nowhere, E_OPTION, "wrong option '%s'", word);
		diag_hint(d, "probec %s --help lists the options", command);
		return false;
	}
	return true;
}

static bool parse(struct diag *d, int argc, char **argv, const struct option *longs,
		  struct profile_request *ret)
{
	int c;

	*ret = (struct profile_request){ .svg = { .width = WIDTH, .fit = true, .narrowest = 0.1 } };
	opterr = 0;
	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1)
		if (!take_option(d, c, argv[0], argv[optind - 1], ret))
			return false;
	if (ret->help)
		return true;
	if (argc - optind != 1) {
		diag_error(d, nowhere, E_OPTION, "probec %s needs one file with stacks", argv[0]);
		diag_hint(d, "save stacks with probec --format=folded -o FILE; a script named %s "
			     "is ./%s", argv[0], argv[0]);
		return false;
	}
	ret->path = argv[optind];
	return true;
}

/* ---- units ---- */

/* The unit by the end of the global's name; NULL if it does not have one. */
static const char *unit_of(const char *name)
{
	static const char *const units[] = { "ns", "us", "ms", "bytes" };
	const char *last = strrchr(name, '_');

	last = last ? last + 1 : name;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(last, units[i]) == 0)
			return units[i];
	return NULL;
}

static const char *choose_unit(const struct profile_request *req, const struct profile_set *set)
{
	const char *unit = req->unit ? req->unit : unit_of(set->name);

	if (req->counts)
		return "samples";
	return unit ? unit : set->aggregate ? "" : "samples";
}

/* ---- the commands ---- */

static struct profile_set *read_set(struct arena *a, struct diag *d,
				    const struct profile_request *req, struct profile *p)
{
	struct profile_set *set;

	if (profile_read(a, d, req->path, p))
		return NULL;
	set = profile_choose(p, d, req->path, req->name);
	if (set && req->counts && !set->aggregate) {
		diag_error(d, nowhere, E_OPTION,
			   "'%s' has no aggregate: its stacks have one number", req->path);
		diag_hint(d, "leave out --count");
		return NULL;
	}
	return set;
}

static int finish(struct diag *d)
{
	if (!fflush(stdout) && !ferror(stdout))
		return GOOD;
	diag_error(d, nowhere, E_IO, "can't write the result");
	return TROUBLE;
}

static const char *subtitle(struct arena *a, const struct profile *p,
			    const struct profile_set *set, uint64_t total, const char *unit)
{
	const char *s = arena_printf(a, "%" PRIu64 "%s%s", total, *unit ? " " : "", unit);

	if (*set->name)
		s = arena_printf(a, "%s: %s", set->name, s);
	if (p->kernel)
		s = arena_printf(a, "%s, %.1f s, kernel %s", s, p->seconds, p->kernel);
	if (p->lost)
		s = arena_printf(a, "%s; %" PRIu64 " hits or elements were lost", s, p->lost);
	return s;
}

int command_flame(struct arena *a, int argc, char **argv)
{
	struct diag *d = diag_create(a, 2);
	struct profile_request req;
	struct profile p;
	struct profile_set *set;
	struct tree_node *root;

	if (!parse(d, argc, argv, flame_longs, &req))
		return TROUBLE;
	if (req.help) {
		fputs(flame_help, stdout);
		return GOOD;
	}
	set = read_set(a, d, &req, &p);
	if (!set)
		return TROUBLE;
	root = tree_build(a, set, req.counts);
	if (!root->value) {
		diag_error(d, nowhere, E_BAD_PROFILE, "the sums in '%s' are 0", req.path);
		diag_hint(d, "--count draws how often");
		return TROUBLE;
	}
	req.svg.unit = choose_unit(&req, set);
	if (!req.svg.title)
		req.svg.title = p.script ? p.script : "Flame graph";
	req.svg.subtitle = subtitle(a, &p, set, root->value, req.svg.unit);
	svg_write(stdout, root, &req.svg);
	return finish(d);
}

int command_pprof(struct arena *a, int argc, char **argv)
{
	struct diag *d = diag_create(a, 2);
	struct profile_request req;
	struct profile p;
	struct profile_set *set;

	if (!parse(d, argc, argv, pprof_longs, &req))
		return TROUBLE;
	if (req.help) {
		fputs(pprof_help, stdout);
		return GOOD;
	}
	if (isatty(STDOUT_FILENO)) {
		diag_error(d, nowhere, E_OPTION, "probec pprof does not write to a terminal");
		diag_hint(d, "probec pprof %s >profile.pb.gz", req.path);
		return TROUBLE;
	}
	set = read_set(a, d, &req, &p);
	if (!set)
		return TROUBLE;
	if (!pprof_write(a, stdout, &p, set, req.unit ? req.unit : unit_of(set->name))) {
		diag_error(d, nowhere, E_IO, "can't write the profile");
		return TROUBLE;
	}
	return finish(d);
}
