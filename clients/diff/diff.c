/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of probec diff. */
#include "diff/diff.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "diff/show.h"

enum { SAME, DIFFERENT, TROUBLE };
enum { OPT_FORMAT = 256, OPT_SORT, OPT_ALL };

struct request {
	bool json, all, help;
	enum diff_order order;
};

static const struct range nowhere;

static const char help[] =
	"Usage: probec diff [OPTION]... A B\n"
	"\n"
	"Compares two runs that were saved with probec --format=json -o FILE. Shows the globals\n"
	"that the script never reads and the histograms that it prints, where they differ:\n"
	"scalars, array elements, the values of aggregates, the buckets of histograms. - is\n"
	"standard input.\n"
	"\n"
	"      --sort=ORDER   sort by absolute change (largest first), relative change, or name\n"
	"      --all          also show equal values\n"
	"      --format=WHAT  print text, or json (one object per line)\n"
	"  -h, --help         this text\n"
	"\n"
	"The status is 0 if the runs have the same values, 1 if they differ, 2 after an error.\n";

static const struct option longs[] = {
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "all", no_argument, NULL, OPT_ALL },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/* The index of @word in @names, which end with NULL. Returns -1 after a report if it is not
 * there. */
static int choose(struct diag *d, const char *option, const char *word, const char *const *names,
		  const char *what)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(word, names[i]) == 0)
			return i;
	diag_error(d, nowhere, E_OPTION, "%s must be %s, not '%s'", option, what, word);
	return -1;
}

static int parse(struct diag *d, int argc, char **argv, struct request *ret)
{
	static const char *const formats[] = { "text", "json", NULL };
	static const char *const orders[] = { "absolute", "relative", "name", NULL };
	int c, n = 0;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+h", longs, NULL)) != -1) {
		switch (c) {
		case 'h':
			ret->help = true;
			return 0;
		case OPT_ALL:
			ret->all = true;
			break;
		case OPT_FORMAT:
			n = choose(d, "--format", optarg, formats, "text or json");
			ret->json = n == 1;
			break;
		case OPT_SORT:
			n = choose(d, "--sort", optarg, orders, "absolute, relative or name");
			ret->order = (enum diff_order)n;
			break;
		default:
			diag_error(d, nowhere, E_OPTION, "wrong option '%s'", argv[optind - 1]);
			diag_hint(d, "probec diff --help lists the options");
			return -1;
		}
		if (n < 0)
			return -1;
	}
	if (argc - optind == 2 && strcmp(argv[optind], "-") == 0 &&
	    strcmp(argv[optind + 1], "-") == 0) {
		diag_error(d, nowhere, E_OPTION, "only one of the runs can be standard input");
		return -1;
	}
	if (argc - optind == 2)
		return 0;
	diag_error(d, nowhere, E_OPTION, "probec diff needs two saved runs");
	diag_hint(d, "save a run with probec --format=json -o FILE; a script named diff is ./diff");
	return -1;
}

static bool common_name(struct arena *a, const struct saved_run *runs)
{
	struct map names;

	map_init(&names, a);
	map_each(it, &runs[0].elements)
		map_set(&names, ((struct saved_element *)it->value)->name, it->value);
	map_each(it, &runs[1].elements)
		if (map_get(&names, ((struct saved_element *)it->value)->name))
			return true;
	return false;
}

/* If the runs have nothing in common, they are probably not the files that the user means. */
static int check(struct arena *a, struct diag *d, const struct saved_run *runs)
{
	for (int i = 0; i < 2; i++) {
		if (runs[i].elements.n)
			continue;
		diag_error(d, nowhere, E_BAD_RUN, "'%s' has no values to compare", runs[i].path);
		diag_hint(d, "a run has the globals that its script never reads, and the "
			     "histograms that it prints");
		return -1;
	}
	if (common_name(a, runs))
		return 0;
	diag_error(d, nowhere, E_BAD_RUN, "the two runs have no name in common");
	diag_hint(d, "compare runs of the same script");
	return -1;
}

int diff_main(struct arena *a, int argc, char **argv)
{
	struct diag *d = diag_create(a, 2);
	struct request req = { 0 };
	struct saved_run runs[2];
	struct diff diff;

	if (parse(d, argc, argv, &req))
		return TROUBLE;
	if (req.help) {
		fputs(help, stdout);
		return SAME;
	}
	for (int i = 0; i < 2; i++)
		if (saved_read(a, d, argv[optind + i], &runs[i]))
			return TROUBLE;
	if (check(a, d, runs))
		return TROUBLE;
	diff_compare(a, runs, req.order, req.all, &diff);
	if (req.json)
		diff_show_json(a, runs, &diff);
	else
		diff_show_text(a, runs, &diff);
	if (fflush(stdout) || ferror(stdout)) {
		diag_error(d, nowhere, E_IO, "can't write the comparison");
		return TROUBLE;
	}
	return diff.different ? DIFFERENT : SAME;
}
