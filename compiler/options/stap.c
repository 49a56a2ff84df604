/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of SystemTap that probec does not have. Options that change nothing here are accepted
 * with a note; those whose effect would be missed are refused with an alternative. A name of -D
 * that is no limit is a macro for embedded C, as it is for SystemTap, which hands it to the C
 * compiler; for names of SystemTap's runtime, the note says what there is instead, and there is
 * none for those that only choose how that runtime does what it does anyway. The options of probec
 * are in table.c and take.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "target/arch/names.h"
#include "options/private.h"

struct foreign {
	const char *name;         /* of an option, without its hyphens */
	enum option_takes takes;
	const char *does;         /* a value for which it is what probec does anyway; or NULL */
	bool refused;
	const char *why;          /* why it does nothing, or the alternative */
};

static const struct foreign options[] = {
	{ "a", NEEDED, ARCH_OWN_MACHINE, true, "the architecture is that of the kernel: -r" },
	{ "b", NONE, NULL, false, "output of all processors is one stream, in order of time" },
	{ "B", NEEDED, NULL, false, "a script is compiled with the kernel's own flags" },
	{ "i", NONE, NULL, true, "edit a file; --check says at once what is wrong with it" },
	{ "interactive", NONE, NULL, true,
	  "edit a file; --check says at once what is wrong with it" },
	{ "P", NONE, NULL, false, "values are taken from where debug information or the calling "
	  "convention says they are" },
	{ "prologue-searching", OPTIONAL, NULL, false, "values are taken from where debug "
	  "information or the calling convention says they are" },
	{ "q", NONE, NULL, false, "there is no coverage database" },
	{ "R", NEEDED, NULL, false, "probec has its own runtime" },
	{ "debug", NONE, NULL, false, "-k keeps the C and the objects" },
	{ "ldd", NONE, NULL, false, "symbols of a stack are looked up when it is shown" },
	{ "check-version", NONE, NULL, false, "no construct of the language has changed here" },
	{ "download-debuginfo", OPTIONAL, NULL, false,
	  "DEBUGINFOD_URLS names servers; --debuginfo names directories" },
	{ "save-uprobes", NONE, NULL, false, "the kernel has uprobes" },
	{ "use-server-on-error", OPTIONAL, NULL, false, "there are no compile servers" },
	{ "semantic-keep-going", NONE, NULL, false, "all errors of a pass are shown" },
	{ "privilege", OPTIONAL, "stapdev", true, "loading a module needs root; -p4 -m NAME "
	  "builds one that root can load" },
	{ "unprivileged", NONE, NULL, true, "loading a module needs root; -p4 -m NAME builds one "
	  "that root can load" },
	{ "runtime", NEEDED, "kernel", true, "scripts run in the kernel, as a module" },
	{ "dyninst", NONE, NULL, true, "scripts run in the kernel, as a module" },
	{ "bpf", NONE, NULL, true, "scripts run in the kernel, as a module" },
	{ "rlimit-as", NEEDED, NULL, true, "set it in the shell: ulimit -v" },
	{ "rlimit-cpu", NEEDED, NULL, true, "set it in the shell: ulimit -t" },
	{ "rlimit-nproc", NEEDED, NULL, true, "set it in the shell: ulimit -u" },
	{ "rlimit-stack", NEEDED, NULL, true, "set it in the shell: ulimit -s" },
	{ "rlimit-fsize", NEEDED, NULL, true, "set it in the shell: ulimit -f" },
	{ "sysroot", NEEDED, NULL, true, "proberun --describe on that machine, then -r FILE here" },
	{ "sysenv", NEEDED, NULL, true, "proberun --describe on that machine, then -r FILE here" },
	{ "remote-prefix", NONE, NULL, false, "with --remote, each line begins with its host" },
	{ "use-server", OPTIONAL, NULL, true, "probec -r TARGET compiles for another machine" },
	{ "list-servers", OPTIONAL, NULL, true, "probec -r TARGET compiles for another machine" },
	{ "trust-servers", OPTIONAL, NULL, true, "probec -r TARGET compiles for another machine" },
	{ "use-http-server", NEEDED, NULL, true,
	  "probec -r TARGET compiles for another machine" },
	{ "client-options", NONE, NULL, true, "probec -r TARGET compiles for another machine" },
	{ "sign-module", OPTIONAL, NULL, true, "--sign KEY CERT signs it" },
	{ "example", NONE, NULL, true, "give the path of the script" },
	{ "language-server", NONE, NULL, true, "--check reports errors as FILE:LINE:COLUMN" },
	{ "target-namespaces", NEEDED, NULL, true,
	  "process numbers are those of the initial namespace" },
	{ "build-as", OPTIONAL, NULL, true, "passes 1 to 4 need no privileges; sudo proberun "
					    "loads" },
	{ "disable-hook", NEEDED, NULL, true, "there are no hooks" },
	{ "benchmark-sdt", NONE, NULL, true, "it measures SystemTap's own probes" },
	{ "benchmark-sdt-loops", NEEDED, NULL, true, "it measures SystemTap's own probes" },
	{ "benchmark-sdt-threads", NEEDED, NULL, true, "it measures SystemTap's own probes" },
};
#define NOPTIONS (sizeof(options) / sizeof(options[0]))

/* Macros that change neither results nor limits of SystemTap's runtime, but the code and the rooms
 * by which it gets there. */
static const char *const inner_macros[] = {
	"STP_LEGACY_PRINT", "MAPHASHBIAS", "STP_LOG_BUF_LEN", "STP_LOG_BUF_ENTRIES_SHIFT",
	"STP_BUFFER_SIZE_SHIFT", "STP_RELAY_TIMER_INTERVAL", "STP_CTL_TIMER_INTERVAL",
	"STP_TIMELOCKDELAY", "STP_TIMELOCKTRIES", "STP_TIME_SYNC_INTERVAL",
	"STP_TIME_SYNC_INTERVAL_CPUFREQ", "STP_TIME_SYNC_INTERVAL_NOCPUFREQ",
	"STP_MAX_PROCFS_FILES", "STAP_SPIN_TRYLOCK_MAX_COUNT", "TASK_FINDER_MAP_ENTRY_ITEMS",
	"TASK_FINDER_VMA_ENTRY_ITEMS", "TASK_UTRACE_HASH_BITS", "UPROBES_HASH_BITS",
};
#define NINNER (sizeof(inner_macros) / sizeof(inner_macros[0]))

/* Macros of SystemTap's runtime for whose purpose there is something else here. */
static const struct { const char *name, *why; } macros[] = {
	{ "MAXSKIPPED", "skipped hits are counted and shown, and never end a session" },
	{ "MAXTRYLOCK", "the wait for a lock is bounded; hits that did not get one are counted" },
	{ "TRYLOCKDELAY", "the wait for a lock is bounded; hits that did not get one are counted" },
	{ "MINSTACKSPACE", "handlers have their own memory for data" },
	{ "MAXBACKTRACE", "the functions that show a stack have their own limit" },
	{ "INTERRUPTIBLE", "a handler is never interrupted by another" },
	{ "KRETACTIVE", "it is chosen for each function; .maxactive(N) sets it for one" },
	{ "STP_ALIBI", "handlers run; -t counts their hits" },
	{ "STP_BUFFER_SIZE", "-s MB sets the size of the rings" },
	{ "STP_MAXMEMORY", "--memory=MB limits what a session takes" },
	{ "STP_PROCFS_BUFSIZE", "a text has as much room as a string; .read.maxsize(N) sets it" },
	{ "STP_FORCE_STDOUT_TTY", "ansi_*() print the same wherever the output goes" },
	{ "STP_BULKMODE", "output of all processors is one stream, in order of time" },
	{ "STP_USE_DROPPED_FILE", "losses are always counted and shown" },
	{ "STP_NO_BUILDID_CHECK", "the kernel's identity is always checked" },
	{ "STP_NO_STAPDEV_CHECK", "loading needs root" },
	{ "STP_TIMING_NSECS", "-t shows times of each probe" },
	{ "STP_EXECTRACE", "no statements are traced; -t counts the hits of each probe, and "
	  "log(\"...\") shows that a statement is reached" },
};
#define NMACROS (sizeof(macros) / sizeof(macros[0]))

static void say_needless(struct state *s, const char *what, const char *why)
{
	vec_push(s->arena, &s->opt.needless,
		 arena_printf(s->arena, "%s does nothing here: %s", what, why));
}

struct option_row options_foreign(size_t i)
{
	struct option_row row = { 0 };

	if (i == NOPTIONS)
		return row;
	row.takes = options[i].takes;
	row.arg = "a value";
	row.key = options[i].name[1] ? OPT_FOREIGN + (int)i : options[i].name[0];
	row.name = options[i].name[1] ? options[i].name : NULL;
	return row;
}

/* Options that do nothing here, and the values that SystemTap accepts. */
static const struct { const char *name, *values; } closed[] = {
	{ "prologue-searching", "never, auto or always" },
	{ "use-server-on-error", "yes, y, true, no, n or false" },
};

/* Reports a value that SystemTap would refuse, because it is misspelt. */
static bool is_wrong_value(struct state *s, const char *name, const char *arg)
{
	const char *at;

	for (size_t i = 0; arg && i < sizeof(closed) / sizeof(closed[0]); i++) {
		if (strcmp(closed[i].name, name) != 0)
			continue;
		for (at = *arg ? strstr(closed[i].values, arg) : NULL; at; at = strstr(at + 1, arg))
			if ((at == closed[i].values || at[-1] == ' ') &&
			    !words_is_part(at[strlen(arg)]))
				return false;
		wrong(s, "--%s is %s, not '%s'", name, closed[i].values, arg);
		return true;
	}
	return false;
}

void options_take_foreign(struct state *s, int key, const char *arg)
{
	const struct foreign *f = options;

	while (options_foreign((size_t)(f - options)).key != key)
		f++;

	const char *name = f->name;
	const char *what = arena_printf(s->arena, "%s%s%s%s", name[1] ? "--" : "-", name,
					arg ? name[1] ? "=" : " " : "", arg ? arg : "");

	if (f->does && arg && strcmp(f->does, arg) == 0)
		return;
	if (is_wrong_value(s, name, arg))
		return;
	if (!f->refused) {
		say_needless(s, what, f->why);
		return;
	}
	diag_error(s->diag, s->opt.at, E_NOT_SUPPORTED, "option %s of SystemTap is not supported",
		   what);
	diag_hint(s->diag, "%s", f->why);
}

/* Computes the percentage of a processor above which SystemTap ends a session, from two numbers of
 * cycles. */
static void set_load(struct state *s)
{
	struct options *o = &s->opt;

	o->caps.maxload = o->overload[0] / (o->overload[1] / 100 ? o->overload[1] / 100 : 1);
	if (o->caps.maxload > 100)
		o->caps.maxload = 100;
	if (!o->caps.maxload)
		o->caps.maxload = 1;
}

/* Takes an option of SystemTap that has a counterpart in probec. */
static bool take_counterpart(struct state *s, const char *name, const char *value)
{
	static const char *const overload[] = { "STP_OVERLOAD_THRESHOLD", "STP_OVERLOAD_INTERVAL" };
	struct options *o = &s->opt;

	for (int i = 0; i < 2; i++) {
		char *end = NULL;
		long long n = value ? strtoll(value, &end, 0) : 0;

		if (strcmp(name, overload[i]) != 0)
			continue;
		if (n <= 0 || end[strspn(end, "uUlL")])
			wrong(s, "-D %s needs a number of cycles above 0", name);
		else
			o->overload[i] = n;
		set_load(s);
		return true;
	}
	if (strcmp(name, "STP_NO_OVERLOAD") == 0 || strcmp(name, "STAP_NO_OVERLOAD") == 0)
		o->caps.maxload = 0;
	else if (strcmp(name, "STAP_SUPPRESS_TIME_LIMITS_ENABLE") == 0)
		o->no_time_limits = true;
	else if (strcmp(name, "STAP_SUPPRESS_HANDLER_ERRORS") == 0)
		o->forgive_errors = true;
	else if (strcmp(name, "STP_TIMING") == 0)
		o->timing = true;
	else
		return false;
	return true;
}

static const char *nearest_macro(const char *name, const char *const *limits, size_t n)
{
	static const char *const counterparts[] = {
		"STP_NO_OVERLOAD", "STP_OVERLOAD_THRESHOLD", "STP_OVERLOAD_INTERVAL", "STP_TIMING",
	};
	enum { MORE = sizeof(counterparts) / sizeof(counterparts[0]) };
	const char *names[MORE + NINNER + NMACROS], *near = diag_nearest(name, limits, n);

	if (near)
		return near;
	memcpy(names, counterparts, sizeof(counterparts));
	memcpy(names + MORE, inner_macros, sizeof(inner_macros));
	for (size_t i = 0; i < NMACROS; i++)
		names[MORE + NINNER + i] = macros[i].name;
	return diag_nearest(name, names, MORE + NINNER + NMACROS);
}

void options_take_macro(struct state *s, const char *name, const char *value,
			const char *const *limits, size_t n)
{
	struct c_macro macro = { name, value ? value : "1" };
	const char *near, *note;

	if (take_counterpart(s, name, value))
		return;
	vec_push(s->arena, &s->opt.c_macros, macro);
	for (size_t i = 0; i < NINNER; i++)
		if (strcmp(inner_macros[i], name) == 0)
			return;
	for (size_t i = 0; i < NMACROS; i++) {
		if (strcmp(macros[i].name, name) != 0)
			continue;
		say_needless(s, arena_printf(s->arena, "-D %s", name), macros[i].why);
		return;
	}
	near = nearest_macro(name, limits, n);
	note = arena_printf(s->arena, "-D %s defines a macro for embedded C; it is not a limit",
			    name);
	if (near)
		note = arena_printf(s->arena, "%s; did you mean '%s'?", note, near);
	vec_push(s->arena, &s->opt.needless, note);
}

void options_say_needless(struct state *s)
{
	static const struct range nowhere;

	if (s->opt.quiet_warnings || diag_errors(s->diag))
		return;
	vec_each(text, &s->opt.needless)
		diag_note(s->diag, nowhere, "%s", *text);
}
