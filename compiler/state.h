/* SPDX-License-Identifier: GPL-2.0 */
/* All state of one run of probec; passed first to everything. No mutable file-scope variables. */
#ifndef STATE_H
#define STATE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"

/* -D NAME=VALUE, or the default: the caps, by SystemTap's names. */
struct caps {
	int64_t maxstringlen;   /* bytes of a string with its end: 512 */
	int64_t maxmapentries;  /* elements of an array without a size: 2048 */
	int64_t maxaction;      /* steps of one hit: 10000 */
	int64_t maxnesting;     /* nested calls of a recursive function: 32 */
	int64_t maxerrors;      /* soft errors before the session ends: 0 */
	int64_t maxload;        /* percent of a processor that handlers may take: 50; 0: any */
	int64_t hist_width;     /* columns of the longest bar of a histogram: 50 */
	int64_t hist_elision;   /* empty rows around others that it shows: 2; -1: all */
	int64_t show_elements;  /* elements of an array that $value$ shows: 5 */
	/* a new element of a full array: 1: is an error, 0: is not stored */
	int64_t maperrors;
	int64_t maxstacks;      /* most different stacks of a session: 16384 */
	/* most functions of the kernel whose returns are armed one by one: 5000; 0: any */
	int64_t maxreturns;
};

struct program; /* program/program.h */
struct script;  /* ast/ast.h */
struct script_head; /* options/script.h */
struct printer_list; /* locate/locate.h */

/* The version of SystemTap whose language is accepted without --compatible. */
#define LANGUAGE_VERSION "5.6"

/* The kinds of lists that are printed instead of running a script. */
enum list_what {
	LIST_NOTHING,
	LIST_POINTS,     /* -l */
	LIST_VALUES,     /* -L */
	LIST_LINES,      /* --lines */
	LIST_DOC,        /* --doc */
	LIST_FUNCTIONS,  /* --dump-functions */
	LIST_TYPES,      /* --dump-probe-types */
	LIST_ALIASES,    /* --dump-probe-aliases */
};

/* --symbols: paths of a stripped program, and of another build of it that has symbols. */
struct other_build { const char *file, *build; };

/* -D of a name that is no limit: a macro for embedded C. */
struct c_macro { const char *name, *value; };

struct options {
	/* while options are read: their range in a configuration file */
	struct range at;
	const char *script_path;      /* NULL with -e */
	struct script_head *head;     /* what it says about itself; NULL: nothing was read */
	bool describes;               /* it has a description, for users who did not write it */
	VEC(const char *) inline_scripts; /* -e, in order */
	VEC(const char *) added_scripts;  /* -E, after the script */
	VEC(const char *) modinfo;    /* --modinfo NAME=VALUE */
	VEC(const char *) needless;   /* notes about options that do nothing here */
	VEC(struct c_macro) c_macros; /* -D, in order */
	const char *compatible;       /* --compatible, or NULL: LANGUAGE_VERSION */
	const char *tmp_base;         /* --tmpdir, or NULL */
	int64_t overload[2];          /* -D STP_OVERLOAD_THRESHOLD and _INTERVAL */
	int argc; char **argv;        /* script arguments */
	int last_pass;                /* 1..5 */
	const char *last_phase;       /* -p2=NAME: a phase of analyse/analyse.c; NULL: all */
	int verbose;                  /* -v count */
	const char *target;           /* -r */
	VEC(const char *) targets;    /* each -r */
	bool bundle;                  /* probec bundle: -o is the bundle, -r may be repeated */
	/* --debuginfo, PROBEC_DEBUGINFO: directories separated by ':', "": none; NULL: the usual
	 * ones */
	const char *debuginfo;
	/* each --symbols: a stripped program, and another build of it that has symbols */
	VEC(struct other_build) other_builds;
	const char *module_name;      /* -m */
	/* --sign; NULL: not signed; a key without a certificate: --sign auto */
	const char *sign_key, *sign_cert;
	const char *make_key;         /* --make-key: a directory, "": the usual one; or NULL */
	bool keep;                    /* -k */
	const char *output;           /* -o */
	int64_t pid;                  /* -x; 0: none */
	int64_t seconds;              /* -T; 0: none */
	VEC(const char *) globals;    /* -G NAME=VALUE */
	/* NAME=VALUE: globals that are set when the module is loaded, which is built without them,
	 * so that one module in the cache serves all values */
	VEC(const char *) load_globals;
	VEC(const char *) include_dirs; /* -I */
	const char *escape;           /* --escape, or NULL */
	/* Flags, and arguments as they were given or NULL: format, background, metrics, ... */
#define SESSION_OPTION(key, name, takes, arg, help, grant)
#define SESSION_FLAG(key, field, name, help, grant) bool field;
#define SESSION_TEXT(key, field, name, arg, help, grant) const char *field;
#include "shared/session_options.def"
	const char *sort;             /* --sort, or NULL */
	int sort_dir;                 /* of it: 1 least first, -1 greatest first, 0: by its type */
	int64_t top;                  /* --top; 0: what the script says; -1: all */
	bool monitor;                 /* --monitor */
	unsigned monitor_ms;          /* its argument; 0: the loader's default */
	int64_t otlp_seconds;         /* --otlp-interval; 0: the loader's default */
	int keep_mb;                  /* --keep; 0: the loader's default */
	int ring_mb;                  /* -s; 0: by the size of the machine */
	int memory_mb;                /* --memory; 0: no limit */
	bool flight;                  /* --flight; its argument is ring_mb */
	int flight_every;             /* --flight-every; 0: the loader's default */
	bool grant;                   /* --grant */
	bool skip_badvars, no_display, poison_cache, clean_cache;
	bool explain;                 /* --explain of a script */
	bool check;                   /* --check: do not print the result of pass 2 */
	bool facts;                   /* probec check: print what the script uses of the kernel */
	bool guru, quiet_warnings, unoptimized, werror, no_cache, direct;
	enum list_what list;
	const char *list_what;        /* the pattern of -l, -L; the function of --lines;
				       * the name of --doc */
	VEC(const char *) remotes;    /* --remote: destinations of ssh, each once; node sets are
				       * expanded */
	bool merge;                   /* --merge */
	const char *ssh;              /* --ssh, PROBEC_SSH or "ssh": the program and its first
				       * words, or a template with {}; for --remote never NULL */
	const char *vm;               /* --vm: "" for the default kernel, or a release; NULL: no */
	int colour;                   /* 0 never 1 always 2 auto */
	struct caps caps;
};

/** options_want_snapshots - whether the module prints its globals when the loader asks for it. */
static inline bool options_want_snapshots(const struct options *o)
{
	return o->metrics || o->metrics_file || o->otlp || o->monitor;
}

/** options_limit_group - whether hits are limited to a control group, which the loader finds. */
static inline bool options_limit_group(const struct options *o)
{
	return o->cgroup || o->container || o->pod;
}

/* The surroundings of a run on which its module may depend. The key of a module in the cache does
 * not have these, since most scripts depend on none; code that looks at one sets its bit in
 * state.around. */
enum around {
	AROUND_COMMAND = 1 << 0,   /* of -c, and whether it runs here */
	AROUND_PROCESS = 1 << 1,   /* the program of the process of -x, and whether it runs here */
	AROUND_DIRECTORY = 1 << 2, /* the current one */
	AROUND_PATH = 1 << 3,
	AROUND_LIBRARIES = 1 << 4, /* LD_LIBRARY_PATH */
};

struct state {
	struct arena *arena;
	struct diag *diag;
	struct options opt;
	const char *exe_dir;          /* directory of the probec binary, absolute */
	/* in the build tree, or installed */
	const char *runtime_dir, *tapset_dir, *tool_dir, *proberun, *lab_dir;
	const char *static_proberun;  /* for bundles; it may not have been built */
	/* $PROBEC_CACHE, or $XDG_CACHE_HOME/probec, ~/.cache/probec; NULL: none is safe to use */
	const char *cache_dir;
	/* this run's own, with mode 0700; removed at the end without -k */
	const char *tmp_dir;
	struct kernel *kernel;        /* kernel/kernel.h */
	struct dwarf_dbs *dwarf;      /* dwarf/db.c; NULL: not needed yet */
	/* object/object.c: path -> struct object_file; NULL: not needed yet */
	struct map *objects;
	/* LD_LIBRARY_PATH in the command of -c; NULL: that of the environment */
	const char *library_path;
	struct object_cache *library_cache; /* object/libraries.c: caches of ld.so that were read */
	struct header_types *headers; /* locate/values/headers.c; NULL: not needed yet */
	struct source *text;          /* the user's script, read before pass 1 */
	int text_error;               /* errno if it could not be read */
	VEC(struct source *) sources;
	/* the user's, then tapsets in the order in which they were needed */
	VEC(struct script *) scripts;
	struct script *main;
	const char *cache_key;        /* identity of the module in the cache; NULL: not cached */
	unsigned around;              /* enum around: what the module depends on besides */
	VEC(const char *) files_read; /* tapsets and scripts on which a cached module depends */
	struct printer_list *printers; /* NULL: the script is not resolved */
	struct map *library_macros;   /* name -> struct macro; NULL: not read yet */
	struct program *program;
	/* bit n: script argument n + 1 was used (64 at most) */
	uint64_t arg_used;
};

#endif
