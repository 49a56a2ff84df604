/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --granted: this program was started by probec-grant, for a user who is not root. The rule that
 * allows the session limits it; what of this concerns the module or processes is checked here.
 */
#ifndef LOADER_GRANTED_H
#define LOADER_GRANTED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The descriptor with which probec-grant passes the module. */
enum { GRANTED_MODULE = 3 };

struct child;
struct meta;

struct granted {
	bool on;
	uid_t uid;             /* of the user */
	gid_t gid;             /* of the process that asked for the session */
	uint64_t memory;       /* bytes of the kernel that the session may take */
	bool guru;             /* modules of guru mode are allowed */
	bool timed;            /* -T is what the rule allows, not what the user asked for */
};

/** granted_parse - read UID:GID,BYTES[,guru][,timed]. 0, or -1: it is something else. */
int granted_parse(const char *s, struct granted *ret);
/** granted_check_module - check that the rule allows such a module. 0 if it does, or if there is no
 *  rule; -1 after reporting E_GRANT. */
int granted_check_module(const struct granted *g, const struct meta *m);
/** granted_check_process - check that the process of -x, which child_attach() has opened, is one
 *  that the kernel lets the user look into. 0 if it is, or if there is no rule; -1 after reporting
 *  E_GRANT. */
int granted_check_process(const struct granted *g, const struct child *c);
/** granted_flags - return the flags of SETUP that keep the session from seeing more than that
 *  process, or its descendants if the script of @m sees these. */
unsigned granted_flags(const struct granted *g, const struct meta *m, const struct child *c);

#endif
