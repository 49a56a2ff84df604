/* SPDX-License-Identifier: GPL-2.0 */
/* Checks the options of proberun together, and the words after them. */
#include "options.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

#include "common/say.h"
#include "records.h"

int options_refuse(const char *option, const char *value, const char *what)
{
	say_error("E_OPTION", "proberun --help", "%s '%s': %s", option, value, what);
	return -1;
}

/* FILE [SESSION] */
static int take_dump(int argc, char **argv, struct options *o)
{
	if (optind == argc)
		return options_refuse("option", "--vmcore", "which dump?");
	o->vmcore = argv[optind++];
	if (optind < argc)
		o->module = argv[optind++];
	return 0;
}

static bool is_trace(const struct options *o)
{
	return o->format == SHOW_PERFETTO || o->format == SHOW_CTF;
}

static int check_trace(const struct options *o)
{
	if (o->format == SHOW_PERFETTO && o->rotate_bytes)
		return options_refuse("--format", "perfetto", "a trace is one file, without -S");
	if (o->format == SHOW_PERFETTO && o->background && !o->output)
		return options_refuse("--format", "perfetto", "with -F it needs -o FILE: a trace "
				      "is read from its beginning");
	if (o->format == SHOW_CTF && o->rotate_bytes)
		return options_refuse("--format", "ctf", "a trace is one directory, without -S");
	if (o->format == SHOW_CTF && !o->output)
		return options_refuse("--format", "ctf", "it needs -o DIRECTORY");
	return 0;
}

int options_check(int argc, char **argv, bool is_bundle, struct options *o)
{
	const char *alone = o->describe ? "--describe" : o->list ? "--list" :
			    o->vmcore ? "--vmcore" : !o->attach ? NULL : o->stop ? "--stop" :
			    o->snapshot ? "--snapshot" : "--attach";

	if (o->grant && alone)
		return options_refuse("--grant", alone, "background sessions belong to root");
	if (o->monitor && alone && (!o->attach || o->stop || o->snapshot))
		return options_refuse("option", "--monitor", "with --attach NAME, or a module");
	o->background |= o->monitor && !alone;
	o->metrics.monitor = o->background;
	if (o->vmcore && (take_dump(argc, argv, o) || check_trace(o)))
		return -1;
	if (alone) {
		if (optind == argc)
			return 0;
		return options_refuse(alone, argv[optind],
				      o->vmcore ? "takes one session" : "takes no module");
	}
	if (optind == argc && !is_bundle) {
		say_error("E_OPTION", "proberun --help", "which module?");
		return -1;
	}
	if (o->command && o->pid)
		return options_refuse("-c", o->command, "only one of -c and -x");
	if (o->command && o->monitor)
		return options_refuse("-c", o->command,
				    "--monitor has no terminal for a command; -x takes a process");
	if (o->command && o->background)
		return options_refuse("-c", o->command,
				    "-F has no terminal for a command; -x takes a process");
	if (o->remote_end && o->background)
		return options_refuse("option", "-F", "a remote end belongs to its connection");
	if (o->rotate_bytes && !o->output)
		return options_refuse("option", "-S", "needs -o FILE");
	if (check_trace(o))
		return -1;
	if (!!o->cgroup + !!o->container + !!o->pod > 1)
		return options_refuse("option", o->pod ? "--pod" : "--container",
				      "only one of --cgroup, --container and --pod");
	if ((o->metrics.token_file || o->metrics.tls_file) && !o->metrics.address)
		return options_refuse("option", o->metrics.tls_file ? "--metrics-tls" :
				    "--metrics-token", "needs --metrics [ADDRESS:]PORT");
	if (o->metrics.otlp_seconds && !o->metrics.otlp)
		return options_refuse("option", "--otlp-interval", "needs --otlp URL");
	if (o->flight_every && !(o->setup_flags & PRT_SETUP_FLIGHT))
		return options_refuse("option", "--flight-every", "needs --flight");
	if (o->setup_flags & PRT_SETUP_FLIGHT && o->output && !is_trace(o) && !o->rotate_bytes)
		o->rotate_bytes = UINT64_MAX; /* each snapshot has a file of its own */
	if (o->keep_mb && !o->background)
		return options_refuse("option", "--keep", "needs -F");
	if (!o->keep_mb)
		o->keep_mb = 1;
	o->module = is_bundle ? NULL : argv[optind++];
	for (int i = optind; i < argc; i++)
		if (!strchr(argv[i], '=') || argv[i][0] == '=')
			return options_refuse("argument", argv[i], "not NAME=VALUE, where NAME is "
					      "a global of the script");
	return o->grant ? options_check_grant(o) : 0;
}
