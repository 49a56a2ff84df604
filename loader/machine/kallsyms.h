/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of a module's sites, from one pass over /proc/kallsyms or from cached symbols. */
#ifndef LOADER_KALLSYMS_H
#define LOADER_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct meta;

struct kallsyms {
	uint64_t *addresses; /* one for each site, offset added; 0: not found */
	uint64_t *variables; /* one for each global: the address that it is to hold */
	uint32_t *namesakes; /* number of symbols of that name, by site; 0: not found */
	uint32_t *data;      /* the same for sites that are variables */
	size_t symbols;      /* number of lines read */
	bool hidden;          /* the kernel hides its addresses (kptr_restrict) */
	bool has_kprobes;     /* register_kprobe was seen */
};

/** kallsyms_init - for a session that looks nothing up: no address is known. */
void kallsyms_init(const struct meta *m, struct kallsyms *ret);
/** kallsyms_resolve - fill in @ret (the caller frees it by kallsyms_deinit()) for all sites of @m
 * from the file @path. If no module's symbols are wanted and the file shows addresses, the
 * cached symbols @kept (symbol_file.h) are used, or written if there are none; NULL: no cache. A
 * site of vmlinux is the namesake-th of the text symbols (shared/kernel_symbols.h) of its name, in
 * the file's order, that belong to no module; a site of a module likewise among the symbols of that
 * module.
 * 0 or -errno; -EINTR if a signal ends the session (common/signals.h). */
int kallsyms_resolve(const char *path, const char *kept, const struct meta *m,
		     struct kallsyms *ret);
void kallsyms_deinit(struct kallsyms *k);

/** kallsyms_wanted - return whether @m has anything to look up. */
bool kallsyms_wanted(const struct meta *m);
/** kallsyms_report_variables - report an error for each kernel variable that is missing or
 * ambiguous. 0 or -1. */
int kallsyms_report_variables(const struct kallsyms *k, const struct meta *m);
/** kallsyms_report - report the missing sites of vmlinux: an error with the next step for each
 * named one (at most ten), one warning with a count for matches of wildcards. Returns 0, or -1 if
 * the session cannot continue. */
int kallsyms_report(const struct kallsyms *k, const struct meta *m);

#endif
