/* SPDX-License-Identifier: GPL-2.0 */
/* The policy as a file, for sessions and for the administrator who has changed it. */
#ifndef GRANT_CHECK_H
#define GRANT_CHECK_H

#include "policy.h"

/* Why a policy can't be used: a whole line, and what the administrator can do. */
struct check_problem {
	char line[640];
	const char *next;
};

/** check_load - read the policy in the file @path, which has to be trusted (trusted.h). 0, or -1
 *  with @why. policy_deinit() accepts the result either way. */
int check_load(const char *path, struct policy *ret, struct check_problem *why);
/** check_report - read it, look at the directories and keys that it names, and print what is wrong
 *  to standard error, or that nothing is. Returns the status of the program. */
int check_report(const char *path);

#endif
