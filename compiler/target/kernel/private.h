/* SPDX-License-Identifier: GPL-2.0 */
/* The open kernel, for the files of this folder. */
#ifndef KERNEL_PRIVATE_H
#define KERNEL_PRIVATE_H

#include "base/map.h"
#include "shared/buf.h"
#include "target/kernel/kernel.h"
#include "target/kernel/names.h"
#include "target/kernel/target.h"

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

/* The hint if nothing is known about a kernel. */
#define KERNEL_HOW_TO_DESCRIBE                                                                     \
	"on a machine that runs it: `sudo proberun --describe > FILE`, then here: -r FILE"

/** kernel_releases_newest - the installed release that a version or its beginning means, as for
 *  --vm: the newest of the cloud kernels, or of the flavour after it ("6.1-rt"), or the only one of
 *  that version. NULL if there is none, or several without such a rule. */
const char *kernel_releases_newest(struct state *s, const char *version);
/** kernel_releases_report - report that -r names an unknown kernel, and list the known ones. */
void kernel_releases_report(struct state *s, const char *release);

#endif
