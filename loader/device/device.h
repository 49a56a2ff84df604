/* SPDX-License-Identifier: GPL-2.0 */
/* The device of a loaded module: the calls of runtime/abi/records.h, one function each. */
#ifndef LOADER_DEVICE_H
#define LOADER_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "device/ring.h"
#include "records.h"

struct meta;

struct device {
	int fd; /* -1: not open */
	struct prt_hello hello;
	uint32_t ring_size; /* bytes of each CPU's ring, once set up */
	struct rings rings; /* once mapped */
};

/* Each returns 0, or -1 after saying what is wrong. */

/** device_open - open the device of the module @name, by a node of our own where /dev has none. */
int device_open(struct device *d, const char *name);
/** device_hello - versions and counts; refuses what disagrees with @m. */
int device_hello(struct device *d, const struct meta *m);
/** device_setup - @ring_mb: -s, or 0 for what suits this machine; @target: -x or -c, or 0;
 * @flags: enum prt_setup_flags. */
int device_setup(struct device *d, unsigned ring_mb, int64_t target, unsigned flags);
/** device_environment - the time zone and our process id, where the script has globals for them. */
int device_environment(struct device *d, const struct meta *m);
/** device_globals - NAME=VALUEs that device_globals_check() has passed. */
int device_globals(struct device *d, const struct meta *m, char *const *assignments, size_t n);
/** device_variables - the addresses of kernel variables, one a global of @m; others are left
 *  alone. */
int device_variables(struct device *d, const struct meta *m, const uint64_t *addresses);
/** device_globals_check - names and values against @m, before anything is loaded. */
int device_globals_check(const struct meta *m, char *const *assignments, size_t n);
/** device_sites - the addresses of the first @n sites; 0: not there. */
int device_sites(struct device *d, const uint64_t *addresses, uint32_t n);
/** device_map - map all rings; until device_close(). */
int device_map(struct device *d);
/** device_start / device_stop - the session begins, or is asked to end; neither waits. */
int device_start(struct device *d);
int device_stop(struct device *d);
/** device_status - the state, the clock and the counters of the session. */
int device_status(struct device *d, struct prt_status *ret);
/** device_site_status / device_counts - for all @n sites or probes, into @ret. */
int device_site_status(struct device *d, struct prt_site_status *ret, uint32_t n);
int device_counts(struct device *d, struct prt_probe_counts *ret, uint32_t n);
/** device_array - the next array that had no room for new elements, from number @ret->at on. 1: it
 *  is in @ret; 0: there is none. */
int device_array(struct device *d, struct prt_array_get *ret);
/** device_stacks - read the counts of stacks. */
int device_stacks(struct device *d, struct prt_stack_counts *ret);
/** device_symbol - the kernel's name of get->address. -1: it has none; not reported. */
int device_symbol(struct device *d, struct prt_symbol_get *get);
/** device_close - unmap and close: from here on no handler runs. Accepts one that is not open. */
void device_close(struct device *d);

#endif
