/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of proberun. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "config.h"
#include "records.h"
#include "session/remote_end.h"
#include "shared/memory.h"
#include "shared/word.h"

/* Arguments, as shared/session_options.def names them. */
enum { NONE = no_argument, NEEDED = required_argument, OPTIONAL = optional_argument };
enum { RING_MB_MAX = 1024, KEEP_MB_MAX = 1024, FILE_MB_MAX = 1 << 20, FILES_MAX = 1 << 20,
       OTLP_SECONDS_MAX = 86400, MEMORY_MB_MAX = 1 << 20, FLIGHT_EVERY_MAX = 86400 };

static const struct option long_options[] = {
#define SESSION_OPTION(key, name, takes, arg, help, grant) { name, takes, NULL, key },
#define SESSION_FLAG(key, field, name, help, grant) { name, NONE, NULL, key },
#define SESSION_TEXT(key, field, name, arg, help, grant) { name, NEEDED, NULL, key },
#include "shared/session_options.def"
	{ "attach", NEEDED, NULL, 'A' },
	{ "stop", NEEDED, NULL, OPT_STOP },
	{ "list", NONE, NULL, OPT_LIST },
	{ "snapshot", NEEDED, NULL, OPT_SNAPSHOT },
	{ "debuginfo", NEEDED, NULL, OPT_DEBUGINFO },
	{ "no-warnings", NONE, NULL, 'w' },
	{ "verbose", NONE, NULL, 'v' },
	{ "kernels", NONE, NULL, OPT_KERNELS },
	{ "remote-end", OPTIONAL, NULL, OPT_REMOTE_END },
	{ "grant", NONE, NULL, OPT_GRANT },
	{ "granted", NEEDED, NULL, OPT_GRANTED },
	{ "describe", NONE, NULL, OPT_DESCRIBE },
	{ "vmcore", NONE, NULL, OPT_VMCORE },
	{ "version", NONE, NULL, 'V' },
	{ "help", NONE, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

#define LETTERS "c:x:T:o:S:FA:s:tvwVh"

static const char help_head[] =
	"usage: proberun [OPTION]... MODULE.ko [NAME=VALUE]...\n"
	"       proberun --trust KEY BUNDLE [OPTION]...\n"
	"       proberun --attach NAME | --snapshot NAME | --stop NAME | --list\n"
	"       proberun --vmcore [OPTION]... FILE [SESSION]\n"
	"       proberun --describe > FILE\n"
	"\n"
	"Loads a module that probec -p4 built, shows the output of its script, and removes it.\n"
	"Needs root, or --grant. NAME=VALUE sets a scalar global of the script.\n"
	"\n";
static const char help_tail[] =
	"      --debuginfo DIR    search DIR for the kernel's debug symbols, for source lines\n"
	"                         (/usr/lib/debug)\n"
	"  -A, --attach NAME      show the past and future output of a background session;\n"
	"                         ^C detaches; with --monitor, full-screen\n"
	"      --stop NAME        end a background session and show the rest of its output\n"
	"      --snapshot NAME    make a background session show what it has recorded (--flight)\n"
	"      --list             list the background sessions\n"
	"      --vmcore           show what a session with --flight had recorded, from FILE, an\n"
	"                         ELF dump of a machine whose kernel crashed\n"
	"  -w, --no-warnings      show no warnings\n"
	"  -v, --verbose          show each step and its time\n"
	"      --kernels          list the kernels that a bundle has modules for\n"
	"      --remote-end       for use by probec --remote: run until standard input ends\n"
	"      --grant            run a module that the administrator allows, without root; a\n"
	"                         name without a slash is one of the administrator's modules\n"
	"      --granted LIMITS   for use by probec-grant\n"
	"      --describe         describe this machine for probec -r FILE\n"
	"  -V, --version          print the version\n"
	"  -h, --help             print this text\n";

enum { HELP_COLUMN = 25 };

static void help_row(int key, const char *name, int takes, const char *arg, const char *text)
{
	char letter[8] = "    ";
	int n;

	if (key < OPT_DESCRIBE)
		snprintf(letter, sizeof(letter), "-%c, ", key);
	n = printf("  %s--%s%s%s%s", letter, name, !arg ? "" : takes == OPTIONAL ? "[=" : " ",
		   arg ? arg : "", takes == OPTIONAL ? "]" : "");
	if (n >= HELP_COLUMN) {
		putchar('\n');
		n = 0;
	}
	printf("%*s%s\n", HELP_COLUMN - n, "", text);
}

static void print_help(void)
{
	fputs(help_head, stdout);
#define SESSION_OPTION(key, name, takes, arg, help, grant) help_row(key, name, takes, arg, help);
#define SESSION_FLAG(key, field, name, help, grant) help_row(key, name, NONE, NULL, help);
#define SESSION_TEXT(key, field, name, arg, help, grant) help_row(key, name, NEEDED, arg, help);
#include "shared/session_options.def"
	fputs(help_tail, stdout);
}

/* Options of SystemTap's staprun, and what there is instead. */
static const struct { char letter; const char *instead; } staprun[] = {
	{ 'b', "-s MB sets the size of each processor's ring" },
	{ 'C', "leave it out: proberun's messages have no colours" },
	{ 'd', "--stop NAME ends a session, and its module goes with it; --list names sessions" },
	{ 'D', "-F continues in the background" },
	{ 'L', "-F continues in the background; -A NAME attaches to the session" },
	{ 'M', "--monitor=SECONDS" },
	{ 'N', "leave it out: the ns_*() functions use the namespaces of the process itself" },
	{ 'r', "probec --remote=HOST sets remote_id() and remote_uri()" },
	{ 'R', "leave it out: each session's module has a unique name" },
	{ 'u', "leave it out: the kernel has uprobes" },
};

/* Returns the nearest long option, if at most a third of its letters differ. */
static int unknown(const char *option)
{
	size_t len = strcspn(option, "="), best = len / 3 + 1;
	const char *found = NULL;
	char name[64], hint[96];

	snprintf(name, sizeof(name), "%.*s", (int)len, option);
	for (const struct option *o = long_options; o->name && option[1] == '-'; o++) {
		size_t d = word_distance(name + 2, o->name, best);

		if (d < best) {
			best = d;
			found = o->name;
		}
	}
	for (size_t i = 0; i < sizeof(staprun) / sizeof(staprun[0]) && option[1] != '-'; i++)
		if (staprun[i].letter == option[1]) {
			say_error("E_OPTION", staprun[i].instead,
				  "option '%s' of staprun is not supported", option);
			return -1;
		}
	if (!found)
		return options_refuse("option", option, "unknown");
	snprintf(hint, sizeof(hint), "did you mean --%s?", found);
	say_error("E_OPTION", hint, "option '%s': unknown", option);
	return -1;
}

static int parse_number(const char *option, const char *s, long max, long *ret)
{
	char reason[64], *end;

	errno = 0;
	*ret = strtol(s, &end, 10);
	if (!*end && *s && !errno && *ret >= 1 && *ret <= max)
		return 0;
	snprintf(reason, sizeof(reason), "not a number from 1 to %ld", max);
	return options_refuse(option, s, reason);
}

static int parse_rotate(const char *s, struct options *o)
{
	char *end;
	long mb, files = 0;

	errno = 0;
	mb = strtol(s, &end, 10);
	if (end != s && *end == ',')
		files = strtol(s = end + 1, &end, 10);
	if (end == s || *end || errno || mb < 1 || mb > FILE_MB_MAX || files < 0 ||
	    files > FILES_MAX || (s != optarg && files < 1))
		return options_refuse("-S", optarg,
				    "not MB or MB,N: the size of a file and the number of files to "
				    "keep");
	o->rotate_bytes = (uint64_t)mb << 20;
	o->rotate_files = (unsigned)files;
	return 0;
}

/* Where the text of an option goes that is taken as it is, or NULL. */
static const char **text_option(int c, struct options *o)
{
	switch (c) {
	case 'c': return &o->command;
	case 'o': return &o->output;
	case OPT_CGROUP: return &o->cgroup;
	case OPT_CONTAINER: return &o->container;
	case OPT_POD: return &o->pod;
	case OPT_DEBUGINFO: return &o->debuginfo;
	case OPT_METRICS: return &o->metrics.address;
	case OPT_METRICS_FILE: return &o->metrics.file;
	case OPT_METRICS_TOKEN: return &o->metrics.token_file;
	case OPT_METRICS_TLS: return &o->metrics.tls_file;
	default: return NULL;
	}
}

static int otlp_option(int c, struct metrics_options *o)
{
	const char *host = strstr(optarg, "://");
	long n;

	if (c == OPT_OTLP_INTERVAL) {
		if (parse_number("--otlp-interval", optarg, OTLP_SECONDS_MAX, &n))
			return -1;
		o->otlp_seconds = (unsigned)n;
		return 0;
	}
	if ((strncmp(optarg, "http://", 7) != 0 && strncmp(optarg, "https://", 8) != 0) ||
	    !host[3] || host[3] == '/')
		return options_refuse(c == OPT_OTLP ? "--otlp" : "--otlp-events", optarg,
				    "not a collector's URL, such as http://localhost:4318");
	if (c == OPT_OTLP)
		o->otlp = optarg;
	else
		o->events = optarg;
	return 0;
}

/* Options of the output. */
static int output_option(int c, struct options *o)
{
	long n;

	switch (c) {
	case OPT_STACK_LINES: o->stack_lines = true; return 0;
	case OPT_OTLP:
	case OPT_OTLP_EVENTS:
	case OPT_OTLP_INTERVAL:
		return otlp_option(c, &o->metrics);
	case OPT_MONITOR:
		o->monitor = true;
		o->monitor_ms = optarg ? word_interval_ms(optarg) : INTERVAL_MS;
		return o->monitor_ms ? 0 : options_refuse("--monitor", optarg,
							"not a number of seconds from 0.1 to 3600");
	case 'S':
		return parse_rotate(optarg, o);
	case 'F': o->background = true; return 0;
	case OPT_KEEP:
		if (parse_number("--keep", optarg, KEEP_MB_MAX, &n))
			return -1;
		o->keep_mb = (unsigned)n;
		return 0;
	case 'A':
	case OPT_STOP:
	case OPT_SNAPSHOT:
		o->attach = optarg;
		o->snapshot = c == OPT_SNAPSHOT;
		o->stop = c == OPT_STOP;
		return 0;
	case OPT_VMCORE: o->vmcore = ""; return 0;
	default: /* OPT_LIST */
		o->list = true;
		return 0;
	}
}

/* Options of a bundle. */
static int bundle_option(int c, const struct bundle_file *b, struct options *o)
{
	if (b->fd < 0)
		return options_refuse("option", c == OPT_KERNELS ? "--kernels" : "--remote-end",
				    "this file is not a bundle");
	if (c == OPT_REMOTE_END) {
		o->remote_end = true;
		return remote_end_parse(optarg, &o->remote_id, &o->remote_name) == 0 ? 0 :
			options_refuse("--remote-end", optarg, "it is for probec --remote");
	}
	bundle_kernels(b);
	return 1;
}

static int parse_format(const char *s, enum show_format *ret)
{
	static const char *const names[] = { "text", "json", "csv", "folded", "perfetto",
					     "ctf" };

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(s, names[i]) == 0) {
			*ret = (enum show_format)i;
			return 0;
		}
	return options_refuse("--format", s, "not text, json, csv, folded, perfetto or ctf");
}

static int grant_option(int c, struct options *o)
{
	if (c == OPT_GRANT)
		o->grant = true;
	else if (granted_parse(optarg, &o->granted))
		return options_refuse("--granted", optarg, "not limits of probec-grant");
	return 0;
}

static unsigned setup_flag(int c)
{
	switch (c) {
	case OPT_FORGIVE: return PRT_SETUP_FORGIVE_ERRORS;
	case OPT_NO_TIME_LIMITS: return PRT_SETUP_NO_TIME_LIMITS;
	case OPT_NATIVE_FRAMES: return PRT_SETUP_NATIVE_FRAMES;
	case OPT_SUBTRACT_COST: return PRT_SETUP_SUBTRACT_COST;
	default: return PRT_SETUP_NO_FAST_USER;
	}
}

static int flight_option(int c, struct options *o)
{
	long n;

	if (c == OPT_FLIGHT_EVERY) {
		if (parse_number("--flight-every", optarg, FLIGHT_EVERY_MAX, &n))
			return -1;
		o->flight_every = (unsigned)n;
		return 0;
	}
	o->setup_flags |= PRT_SETUP_FLIGHT;
	if (optarg && parse_number("--flight", optarg, RING_MB_MAX, &n))
		return -1;
	if (optarg)
		o->ring_mb = (unsigned)n;
	return 0;
}

static int one_option(int c, struct options *o)
{
	const char **text = text_option(c, o);
	char *end;
	long n;

	if (text) {
		*text = optarg;
		return 0;
	}
	switch (c) {
	case 'x':
		if (parse_number("-x", optarg, INT32_MAX, &n))
			return -1;
		o->pid = (pid_t)n;
		return 0;
	case 'T':
		o->seconds = strtod(optarg, &end);
		if (*end || end == optarg || !(o->seconds > 0 && o->seconds < 1e9))
			return options_refuse("-T", optarg, "not a positive number of seconds");
		return 0;
	case 's':
		if (parse_number("-s", optarg, RING_MB_MAX, &n))
			return -1;
		o->ring_mb = (unsigned)n;
		return 0;
	case OPT_FLIGHT: case OPT_FLIGHT_EVERY: return flight_option(c, o);
	case OPT_MEMORY:
		if (parse_number("--memory", optarg, MEMORY_MB_MAX, &n))
			return -1;
		o->memory_mb = (unsigned)n;
		return 0;
	case OPT_FORMAT: return parse_format(optarg, &o->format);
	case OPT_PERCENTILES:
		if (percentiles_parse(optarg, &o->percentiles))
			return options_refuse("--percentiles", optarg,
					    "not up to 16 numbers from 0 to 100, with commas "
					    "between");
		return 0;
	case OPT_ESCAPE:
		return escape_parse(optarg, &o->escape) ?
			       options_refuse("--escape", optarg, "not auto, always or never") : 0;
	case 't': o->timing = true; return 0;
	case 'v': o->verbose = 1; return 0;
	case 'w': o->quiet = 1; return 0;
	case OPT_FORGIVE: case OPT_NO_TIME_LIMITS: case OPT_NO_FAST_USER: case OPT_NATIVE_FRAMES:
	case OPT_SUBTRACT_COST:
		o->setup_flags |= setup_flag(c);
		return 0;
	case OPT_OVERRIDE: o->override_any = true; return 0;
	case OPT_DESCRIBE: o->describe = true; return 0;
	case 'V':
		printf("proberun %s\n", PROBEC_VERSION);
		return 1;
	case 'h':
		print_help();
		return 1;
	}
	return output_option(c, o);
}

/* ---- the options of a bundle's script ---- */

/*
 * The arguments of getopt_long(). probec has put proberun's options and globals into a bundle; then
 * come the words of the command line. In these, the script's options come first, as its own letters
 * and names are the ones that its help describes.
 */
struct all_options {
	const struct bundle_file *script; /* whose options there are; NULL: none */
	char *letters;
	struct option *longs;
	char **argv;
	int argc;
	char **set;                       /* NAME=VALUE, of the script's options */
	size_t nset;
};

static const struct bundle_option *by_letter(const struct bundle_file *b, int c)
{
	for (unsigned i = 0; i < b->noptions; i++)
		if (c && b->options[i].letter == c)
			return &b->options[i];
	return NULL;
}

static bool by_name(const struct bundle_file *b, const char *name)
{
	for (unsigned i = 0; i < b->noptions; i++)
		if (strcmp(b->options[i].name, name) == 0)
			return true;
	return false;
}

static void add_letters(struct all_options *t, const struct bundle_file *b)
{
	char *to = t->letters;

	*to++ = ':';
	for (unsigned i = 0; i < b->noptions; i++) {
		if (!b->options[i].letter)
			continue;
		*to++ = b->options[i].letter;
		if (*b->options[i].value)
			*to++ = ':';
	}
	for (const char *p = LETTERS; *p; p++) {
		bool taken = by_letter(b, *p) != NULL, value = p[1] == ':';

		if (!taken)
			*to++ = *p;
		if (!taken && value)
			*to++ = ':';
		p += value;
	}
}

/* The words in the bundle. */
static void make_stored(struct all_options *t, const struct bundle_file *b, char *program)
{
	*t = (struct all_options){ .argc = (int)b->narguments + 1 };
	t->letters = strcpy(memory_zeroed(sizeof(LETTERS) + 1, 1), ":" LETTERS);
	t->longs = memory_zeroed(sizeof(long_options), 1);
	memcpy(t->longs, long_options, sizeof(long_options));
	t->argv = memory_zeroed(b->narguments + 2, sizeof(*t->argv));
	t->argv[0] = program;
	for (unsigned i = 0; i < b->narguments; i++)
		t->argv[i + 1] = (char *)(uintptr_t)b->arguments[i];
}

/* The words of the command line. */
static void make_given(struct all_options *t, const struct bundle_file *b, int argc, char **argv)
{
	size_t own = sizeof(long_options) / sizeof(*long_options), n = 0;

	*t = (struct all_options){ .script = b, .argc = argc };
	t->letters = memory_zeroed(2 * b->noptions + sizeof(LETTERS) + 2, 1);
	t->longs = memory_zeroed(b->noptions + own, sizeof(*t->longs));
	t->argv = memory_zeroed((size_t)argc + 1, sizeof(*t->argv));
	memcpy(t->argv, argv, (size_t)argc * sizeof(*argv));
	add_letters(t, b);
	for (unsigned i = 0; i < b->noptions; i++)
		if (*b->options[i].name)
			t->longs[n++] = (struct option){ b->options[i].name,
							 *b->options[i].value ?
								 required_argument : no_argument,
							 NULL, OPT_SCRIPT + (int)i };
	/* A name that the script has as well means the script's, and can be abbreviated. */
	for (const struct option *o = long_options; o->name; o++)
		if (!by_name(b, o->name))
			t->longs[n++] = *o;
}

/* Adds NAME=VALUE; of several values of a global the last one counts. */
static void take_script(struct all_options *t, const struct bundle_option *of)
{
	char *text;

	if (asprintf(&text, "%s=%s", of->global, *of->value ? optarg : "1") < 0)
		return;
	t->set = memory_resized(t->set, t->nset + 1, sizeof(*t->set));
	t->set[t->nset++] = text;
}

static const struct bundle_option *script_option(const struct bundle_file *b, int c)
{
	if (!b)
		return NULL;
	return c >= OPT_SCRIPT ? &b->options[c - OPT_SCRIPT] : by_letter(b, c);
}

/* Globals in the order in which they are set, so that a later one overrides those before it: of the
 * bundle, of the command line, of options. */
static void join_globals(struct options *o, const struct all_options *stored, int nstored,
			 const struct all_options *given, int ngiven)
{
	size_t n = (size_t)nstored + (size_t)ngiven + given->nset;

	o->globals = memory_zeroed(n + 1, sizeof(*o->globals));
	for (int i = stored->argc - nstored; i < stored->argc; i++)
		o->globals[o->nglobals++] = stored->argv[i];
	for (int i = given->argc - ngiven; i < given->argc; i++)
		o->globals[o->nglobals++] = given->argv[i];
	for (size_t i = 0; i < given->nset; i++)
		o->globals[o->nglobals++] = given->set[i];
}

/* Leaves optind at the first word that is no option. */
static int parse_words(struct all_options *t, const struct bundle_file *b, struct options *ret)
{
	int c, err;

	opterr = 0;
	optind = 0;
	while ((c = getopt_long(t->argc, t->argv, t->letters, t->longs, NULL)) != -1) {
		const struct bundle_option *own = script_option(t->script, c);

		if (c == ':')
			return options_refuse("option", t->argv[optind - 1],
					      "its value is missing");
		if (c == '?' && optopt && optopt < OPT_DESCRIBE)
			return unknown((char[]){ '-', (char)optopt, '\0' });
		if (c == '?')
			return unknown(t->argv[optind - 1]);
		if (own) {
			take_script(t, own);
			continue;
		}
		if (c == 'h' && b->fd >= 0)
			bundle_help(b, t->argv[0]);
		err = c == OPT_KERNELS || c == OPT_REMOTE_END ? bundle_option(c, b, ret) :
		      c == OPT_GRANT || c == OPT_GRANTED ? grant_option(c, ret) :
							   one_option(c, ret);
		if (err)
			return err;
		options_mark_given(ret, c);
	}
	return 0;
}

static void free_words(struct all_options *t)
{
	free(t->letters);
	free(t->longs);
	free(t->argv);
	free(t->set);
}

int options_parse(int argc, char **argv, const struct bundle_file *b, struct options *ret)
{
	struct all_options stored, given;
	int err, nstored = 0;

	*ret = (struct options){ .debuginfo = "/usr/lib/debug" };
	make_stored(&stored, b, argv[0]);
	make_given(&given, b, argc, argv);
	err = parse_words(&stored, b, ret);
	nstored = stored.argc - optind;
	if (!err)
		err = parse_words(&given, b, ret);
	if (!err)
		err = options_check(given.argc, given.argv, b->fd >= 0, ret);
	if (!err)
		join_globals(ret, &stored, nstored, &given, given.argc - optind);
	free_words(&stored);
	free_words(&given);
	return err;
}
