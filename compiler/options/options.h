/* SPDX-License-Identifier: GPL-2.0 */
/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct state;

enum options_result {
	OPTIONS_RUN,   /* s->opt is complete */
	OPTIONS_DONE,  /* -h or -V: the text was printed */
	OPTIONS_WRONG, /* errors were reported */
};

/* The values of --format, and their names. */
enum options_format {
	FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_FOLDED, FORMAT_PERFETTO,
	FORMAT_CTF, FORMATS,
};
extern const char *const options_formats[FORMATS];

/*
 * options_parse - fill s->opt from the configuration file and the command line
 *
 * Makes s->diag first, so that errors can be reported. Options may come before and after the
 * script's name; "--" ends them. Other words are the script (unless -e gave one) and its arguments.
 * Strings point into @argv.
 */
enum options_result options_parse(struct state *s, int argc, char **argv);

/* A limit that -D sets. */
struct options_limit {
	const char *name, *help;
	int64_t init, min, max; /* max INT64_MAX: any number */
};
/** options_limit - limit @i, without other names of the same. Returns false after the last one. */
bool options_limit(size_t i, struct options_limit *ret);

#endif
