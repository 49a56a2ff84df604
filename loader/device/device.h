/* SPDX-License-Identifier: GPL-2.0 */
/* The device of a loaded module: the calls of runtime/abi/records.h, one function each. */
#ifndef LOADER_DEVICE_H
#define LOADER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/ring.h"
#include "mark_names.h"
#include "records.h"
#include "script_frames.h"
#include "snapshot.h"
#include "unwind.h"
#include "vmcore.h"

struct meta;

struct device {
	int fd; /* -1: not open */
	struct prt_hello hello;
	uint64_t ring_limit; /* the most bytes of each CPU's ring; 0: no limit */
	uint64_t rest_limit; /* bytes of all CPUs' rings and of arrays that grow; 0: no limit */
	uint64_t calls_limit; /* the most bytes for calls of return probes; 0: no limit */
	uint32_t ring_most; /* bytes that each CPU's ring may have, after device_setup() */
	bool records; /* the rings of processors are the flight recorder's, after device_setup() */
	struct rings rings; /* valid after device_map() */
	bool *mapped; /* by number of a ring: it is in `rings` */
};

/* Each function returns 0, or -1 after reporting the error. */

/** device_open - open the device of the module @name, by our own node if /dev has none. */
int device_open(struct device *d, const char *name);
/** device_hello - read versions and counts; refuses a module that disagrees with @m. */
int device_hello(struct device *d, const struct meta *m);
/** device_limit - let the session of the module @name, which is loaded, take at most @bytes of the
 * kernel: the module, its tables, its rings, the room for calls of return probes and arrays that
 * grow, of which device_setup() makes the last three smaller if they would exceed it, but for rings
 * of @ring_mb.
 * @by_rule: a rule of probec-grant says so, and not the user. Before device_setup(), after
 * device_hello(). -1 after reporting E_GRANT or E_NO_MEMORY: it is not enough for the smallest
 * ones. */
int device_limit(struct device *d, const char *name, uint64_t bytes, unsigned ring_mb,
		 bool by_rule);
/** device_setup - @ring_mb: -s, or 0 for a size that suits this machine; @target: the process of -x
 * or -c, or 0; @flags: enum prt_setup_flags. */
int device_setup(struct device *d, unsigned ring_mb, int64_t target, unsigned flags);
/** device_environment - set the time zone if the script has globals for it, and what this host is
 * for probec --remote unless @remote is NULL. */
int device_environment(struct device *d, const struct meta *m, int remote_id, const char *remote);
/** device_globals - set the NAME=VALUEs that device_globals_check() has accepted. */
int device_globals(struct device *d, const struct meta *m, char *const *assignments, size_t n);
/** device_variables - set the addresses of kernel variables, one for each global of @m that holds
 * one. */
int device_variables(struct device *d, const struct meta *m, const uint64_t *addresses);
/** device_globals_check - check names and values against @m, before anything is loaded. */
int device_globals_check(const struct meta *m, char *const *assignments, size_t n);
/** device_sites - set the addresses of the first @n sites; 0: not available. */
int device_sites(struct device *d, const uint64_t *addresses, uint32_t n);
/** device_map - map all rings that exist and are not mapped yet; they stay mapped until
 * device_close(). Called again when prt_status.rings is larger than their number. */
int device_map(struct device *d);
/** device_map_grown - map the rings that have grown anew, after ring_look() and before ring_next():
 * a group that ring_next() has returned is no longer valid. */
int device_map_grown(struct device *d);
/** device_unmap - unmap all rings: a part of device_close(). */
void device_unmap(struct device *d);
/** device_start / device_stop - begin the session, or request its end, without waiting. */
int device_start(struct device *d);
int device_stop(struct device *d);
/** device_run - make the session thread run @n timers from number @first on once; @at_end: when all
 * probes are disarmed, asked for before device_start(). 0 or -errno as in struct prt_run, not
 * reported. */
int device_run(struct device *d, uint32_t first, uint32_t n, bool at_end);
/** device_switch - switch @probe off or on. 0 or -errno as in struct prt_switch, not reported. */
int device_switch(struct device *d, uint32_t probe, bool off);
/** device_snapshot / device_record - the calls of the flight recorder; 0 or -errno as in records.h,
 * without a message. */
int device_snapshot(struct device *d, struct prt_snapshot *s);
int device_record(struct device *d, const struct prt_snapshot_end *set);
/** device_about - have the text of the module's section .probec found in a dump of the machine:
 * PRT_IOC_ABOUT. 0 or -errno, without a message. */
int device_about(struct device *d, const char *text, size_t len);
/** device_status - read the state, the clock and the counters of the session. */
int device_status(struct device *d, struct prt_status *ret);
/** device_site_status / device_counts - read those of all @n sites or probes into @ret. */
int device_site_status(struct device *d, struct prt_site_status *ret, uint32_t n);
int device_counts(struct device *d, struct prt_probe_counts *ret, uint32_t n);
/** device_array - find the next array, from number @ret->at on, that had no room for new elements.
 * Returns true with the array in @ret; false if there is none. */
bool device_array(struct device *d, struct prt_array_get *ret);
/** device_stacks - read the counters of stacks. */
int device_stacks(struct device *d, struct prt_stack_counts *ret);
/** device_symbol - look up the kernel's name of get->address. -1: it has none; not reported. */
int device_symbol(struct device *d, struct prt_symbol_get *get);
/** device_cgroup - limit the hits of a module that was built for that to tasks in the control group
 * @fd, or below it. Before device_start(). @fd: a directory of a control group of version 2, which
 * may be closed afterwards. Returns 0, or -1 after reporting E_CGROUP. */
int device_cgroup(struct device *d, int fd);
/** device_marks - replace the names that marks stand for. 0 or -errno as in mark_names.h, not
 *  reported.
 *  device_marks_wanted - whether one was wanted that is not there. */
int device_marks(struct device *d, const struct prt_mark_row *rows, uint32_t n);
bool device_marks_wanted(struct device *d);
/** device_script_object - copy the description of an object of script_frames.h.
 *  device_script_counts - read how often frames of scripts are missing. 0 or -errno, not
 *  reported. */
int device_script_object(struct device *d, struct prt_script_get *get);
int device_script_counts(struct device *d, struct prt_script_counts *ret);
/** device_input - give the runtime a line or a character of standard input: PRT_IOC_INPUT. */
int device_input(struct device *d, const struct prt_input *set);
/** device_space_wanted - wait for a process whose mappings are wanted: PRT_IOC_SPACE_WANTED.
 * device_code_file / device_code_key / device_space - give the runtime the unwind table of a file,
 * how hits find it, and the mappings of a process. Another thread may make other calls meanwhile.
 * 0 or -errno, not reported. */
int device_space_wanted(struct device *d, struct prt_space_wanted *ret);
int device_code_file(struct device *d, const struct prt_code_file_set *set);
int device_code_key(struct device *d, const struct prt_code_key *key);
int device_space(struct device *d, const struct prt_space_set *set);
/** device_file_wanted - a descriptor, to close(), of a file without a number that hits have met:
 *  PRT_IOC_FILE_WANTED. -errno; -EAGAIN: there is none. */
int device_file_wanted(struct device *d);
/** device_close - unmap and close; from here on no handler runs. Accepts a device that is not
 * open. */
void device_close(struct device *d);

#endif
