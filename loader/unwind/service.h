/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks of processes: a thread that waits until a process is wanted, and gives the runtime its
 * mappings and the unwind tables of its files; and the names of frames.
 */
#ifndef LOADER_SERVICE_H
#define LOADER_SERVICE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device;
struct line_frame;
struct meta;
struct script_frame;
struct service;

/* A frame of a process, as people read it. */
struct service_frame {
	const char *path;     /* of the file; NULL: it is not known */
	const char *function; /* NULL: it has no name; valid until the next call */
	uint64_t address;     /* in the file; without one, in the process */
	uint64_t offset, size; /* of the address in the function; of the function, 0: not known */
};

/** service_start - begin, between SETUP and START. @m: what the module says; the files that it
 *  probes, and what they need, are read now. @programs: paths of @n that will be started, the same.
 *  @lines: what service_lines() needs is kept. @d stays open until service_stop(). The target
 *  process is known when it returns. NULL: the thread could not be created, which was reported. */
struct service *service_start(struct device *d, const struct meta *m, char (*programs)[PATH_MAX],
			      size_t n, bool lines);
/** service_turn - in each turn of the pump: close files of processes that have ended. Accepts
 *  NULL. */
void service_turn(struct service *s);
/** service_report - at the end, warn that files have no names because of a limit, and of
 *  interpreters that are not supported. Accepts NULL. */
void service_report(struct service *s);
/** service_stop - end, and with it the session; accepts NULL. */
void service_stop(struct service *s);
/** service_frame - describe the frame @word of a PRT_STACK_USER part. One thread only. @s may be
 *  NULL. */
struct service_frame service_frame(struct service *s, uint64_t word);
/** service_script - describe such a frame if it is a script's; it has no address then. false: it is
 *  not. @ret: scripts.h. One thread only. @s may be NULL. */
bool service_script(struct service *s, uint64_t word, struct script_frame *ret);
/** service_lines - the source line of such a frame and the functions that are inlined there:
 *  lines_find(). One thread only. @s may be NULL. */
size_t service_lines(struct service *s, uint64_t word, const struct line_frame **ret);

#endif
