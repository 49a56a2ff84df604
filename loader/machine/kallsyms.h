/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of a module's sites, from one pass over /proc/kallsyms or what is kept of it. */
#ifndef LOADER_KALLSYMS_H
#define LOADER_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

struct meta;

struct kallsyms {
	uint64_t *addresses; /* one a site of the meta, offset added; 0: not found */
	uint64_t *variables; /* one a global of the meta: the address it is to hold */
	uint32_t *namesakes; /* how many symbols of that name there are; 0: not found */
	uint32_t *data;      /* the same of sites that are variables */
	size_t symbols;      /* lines that were looked at */
	int hidden;          /* the kernel shows no addresses (kptr_restrict) */
	int has_kprobes;     /* register_kprobe was seen */
};

/** kallsyms_init - for a session in which nothing is looked up: no address is known. */
void kallsyms_init(const struct meta *m, struct kallsyms *ret);
/** kallsyms_resolve - fill @ret (the caller frees it by kallsyms_deinit()) for all sites of @m from
 *  the file @path, or where no module's symbols are wanted and it shows addresses from @kept
 *  (kept.h), which is made of it when there is none; NULL: nothing is kept. A site of vmlinux is
 *  the namesake-th of the text symbols (t T w W) of its name in the file's order that belong to no
 *  module; a site of a module the same among the symbols of that module. 0 or -errno. */
int kallsyms_resolve(const char *path, const char *kept, const struct meta *m,
		     struct kallsyms *ret);
void kallsyms_deinit(struct kallsyms *k);

/** kallsyms_wanted - whether anything of @m has to be looked up. */
int kallsyms_wanted(const struct meta *m);
/** kallsyms_report_variables - an error for each variable of the kernel that is missing or not the
 *  only one of its name. 0 or -1. */
int kallsyms_report_variables(const struct kallsyms *k, const struct meta *m);
/** kallsyms_report - say which sites of vmlinux are missing: an error for each named one (at most
 * ten) with the next step, one warning and a count for the members of wildcards. 0, or -1 when the
 * session can't go on. */
int kallsyms_report(const struct kallsyms *k, const struct meta *m);

#endif
