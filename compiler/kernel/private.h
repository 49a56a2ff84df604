/* SPDX-License-Identifier: GPL-2.0 */
/* The open kernel, for the files of this folder. */
#ifndef KERNEL_PRIVATE_H
#define KERNEL_PRIVATE_H

#include "base/buf.h"
#include "base/map.h"
#include "kernel/kernel.h"
#include "kernel/names.h"
#include "kernel/target.h"

struct btf_db;

struct kernel {
	struct arena *arena;
	const char *release;
	const char *build_id;     /* NULL: not known, or not read yet */
	const char *build_tree;   /* NULL: none */
	bool has_target;          /* symbols, lists and BTF come from @target */
	bool is_running;          /* ... or from /proc and /sys */
	struct target target;
	const char *cache_dir;    /* that of struct state; may be NULL */
	/* Sources that have been read, or tried. */
	bool read_build_id, read_btf, read_events, read_aliases;
	struct kernel_names names[KERNEL_NAMES];
	struct map aliases;       /* symbol -> the names of its address, separated by spaces */
	bool events_known;
	struct map event_systems; /* name of an event -> its system */
	struct buf btf_text;      /* BTF of the running kernel, if it was read */
	struct cache_mapping btf_kept; /* ... or was in the cache */
	bool read_joined, is_joined;
	bool read_calls;
	struct map calls;         /* a file that the build generates -> struct kernel_calls */
	bool read_modules;
	struct map modules;       /* name, or path of a file -> struct kernel_module */
	struct kernel_module *last_module; /* to which a symbol was added last */
	struct buf modules_text;
	const void *btf_data;
	size_t btf_size;          /* bytes */
	struct btf_db *btf;       /* NULL: not opened, or damaged */
	bool btf_opened;
	const char *btf_why;      /* why there is none */
	const char *image_why;    /* why no installed image is used; NULL: none was searched */
};

/** kernel_cache_file - the cache file of facts about this build of the kernel. @suffix: their kind;
 *  @head: as in struct cache_file. Both live as long as the state. */
struct cache_file kernel_cache_file(struct kernel *k, const char *suffix, const char *head);

/* The hint if nothing is known about a kernel. */
#define KERNEL_HOW_TO_DESCRIBE                                                                     \
	"on a machine that runs it: `sudo proberun --describe > FILE`, then here: -r FILE"

/** kernel_releases_newest - the installed release that a version or its beginning means, as for
 *  --vm: the newest of the cloud kernels, or of the flavour after it ("6.1-rt"), or the only one of
 *  that version. NULL if there is none, or several without such a rule. */
const char *kernel_releases_newest(struct state *s, const char *version);
/** kernel_releases_report - report that -r names an unknown kernel, and list the known ones. */
void kernel_releases_report(struct state *s, const char *release);

/** kernel_btf - the opened BTF, or NULL with a hint in *@why. */
struct btf_db *kernel_btf(struct kernel *k, const char **why);

/** kernel_symbols_nearest - the symbol whose name is nearest to @name, or NULL. */
const char *kernel_symbols_nearest(struct state *s, struct kernel *k, const char *name);
/** kernel_symbols_clone - a clone that the compiler made of @name ("name.isra.0"), or NULL. */
const char *kernel_symbols_clone(struct state *s, struct kernel *k, const char *name);
/** kernel_symbols_blacklisted, kernel_symbols_untraceable - the two parts of kernel_forbids(). The
 *  first one concerns every mechanism. False if the lists are not known. */
bool kernel_symbols_blacklisted(struct kernel *k, const char *symbol);
bool kernel_symbols_untraceable(struct kernel *k, const char *symbol);
/** kernel_symbols_is_second - whether a pattern that matches @symbol also matches another name of
 *  the same address that comes first: the name in the list of traceable functions, or an earlier
 *  one in kallsyms. */
bool kernel_symbols_is_second(struct kernel *k, const char *symbol, const char *pattern);

/** kernel_tracepoint_systems_known - whether the kernel's list of events is known.
 *  kernel_tracepoint_system - the system of the event with a tracepoint's name, or NULL. */
bool kernel_tracepoint_systems_known(struct kernel *k);
const char *kernel_tracepoint_system(struct kernel *k, const char *name);

#endif
