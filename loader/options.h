/* SPDX-License-Identifier: GPL-2.0 */
/* The command line of proberun. */
#ifndef LOADER_OPTIONS_H
#define LOADER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bundle/bundle.h"
#include "common/escape.h"
#include "metrics/metrics.h"
#include "session/granted.h"
#include "show/show.h"

/* Results of getopt_long() for options without a letter. */
enum {
	OPT_DESCRIBE = 256, OPT_FORGIVE, OPT_NO_TIME_LIMITS, OPT_KEEP, OPT_STOP, OPT_LIST,
	OPT_FORMAT, OPT_PERCENTILES, OPT_OVERRIDE, OPT_ESCAPE, OPT_NO_FAST_USER, OPT_STACK_LINES,
	OPT_NATIVE_FRAMES, OPT_SUBTRACT_COST, OPT_DEBUGINFO, OPT_METRICS, OPT_METRICS_FILE,
	OPT_METRICS_TOKEN, OPT_METRICS_TLS, OPT_OTLP, OPT_OTLP_EVENTS, OPT_OTLP_INTERVAL,
	OPT_MONITOR, OPT_KERNELS, OPT_REMOTE_END, OPT_CGROUP, OPT_CONTAINER, OPT_POD, OPT_GRANT,
	OPT_GRANTED, OPT_MEMORY,
	OPT_FLIGHT, OPT_FLIGHT_EVERY, OPT_SNAPSHOT, OPT_VMCORE,
	OPT_SCRIPT = 4096,
};

struct options {
	const char *module;      /* NULL: that of the bundle */
	char **globals; /* NAME=VALUE */
	size_t nglobals;
	const char *command; /* -c, or NULL */
	pid_t pid;           /* -x, or 0 */
	const char *cgroup;  /* --cgroup, or NULL */
	const char *container, *pod; /* --container, --pod, or NULL; at most one of the three */
	double seconds;      /* -T, or 0 */
	const char *output;  /* -o, or NULL: standard output */
	uint64_t rotate_bytes;  /* -S: of each file; 0: one file */
	unsigned rotate_files;  /* how many files remain; 0: all */
	bool background;         /* -F */
	unsigned keep_mb;       /* --keep: MB of a background session's backlog */
	const char *attach;     /* --attach or --stop: the name of a session, or NULL */
	bool stop, snapshot, list; /* --stop and --snapshot of that session, --list */
	unsigned ring_mb;    /* -s: MB of each CPU's ring; 0: a size that suits the machine */
	unsigned memory_mb;  /* --memory: MB of the kernel that the session may take; 0: no limit */
	unsigned setup_flags; /* enum prt_setup_flags */
	unsigned flight_every; /* --flight-every, seconds; 0: the default */
	bool override_any;     /* --override-any */
	enum show_format format;
	enum escape_when escape; /* --escape */
	bool stack_lines; /* --stack-lines */
	const char *debuginfo; /* --debuginfo: directories with debug symbols of the kernel */
	struct percentiles percentiles; /* --percentiles; n 0: none */
	struct metrics_options metrics; /* --metrics, --metrics-file */
	bool monitor; /* --monitor: a session in the background, shown on the whole screen */
	unsigned monitor_ms; /* with it: from one snapshot to the next */
	bool timing; /* -t */
	int verbose, quiet;
	bool describe; /* --describe */
	const char *vmcore; /* --vmcore: a dump of a machine, or NULL; then module is the session,
			     * or NULL */
	bool remote_end; /* --remote-end */
	int remote_id; /* with it: the number of this host among those of probec --remote */
	const char *remote_name; /* and its name there; NULL: neither is known */
	uint64_t given; /* a bit for each row of shared/session_options.def */
	bool grant; /* --grant: ask probec-grant for the session */
	struct granted granted; /* --granted: it was asked */
};

/** options_parse - @ret refers to @argv. @b: open, or its fd is -1; then a module is named, and
 * otherwise its script's options are known, and its arguments precede those of @argv. Returns 0 to
 * continue, 1 if nothing is left to do (--help, --version), -1 after reporting an error. */
int options_parse(int argc, char **argv, const struct bundle_file *b, struct options *ret);
/** options_refuse - report E_OPTION: @what is wrong with the @value of @option. Returns -1. */
int options_refuse(const char *option, const char *value, const char *what);
/** options_check - check what the options in @o say together, and take the words of @argv from
 * optind on. @is_bundle: there is no word for the module. 0, or -1 after reporting an error. */
int options_check(int argc, char **argv, bool is_bundle, struct options *o);
/** options_mark_given - note in @o that the option with that key was given. */
void options_mark_given(struct options *o, int key);
/** options_check_grant - check that @o has only what a session of --grant can have. 0, or -1 after
 * reporting E_OPTION. */
int options_check_grant(const struct options *o);

#endif
