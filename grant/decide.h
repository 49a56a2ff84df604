/* SPDX-License-Identifier: GPL-2.0 */
/* Looks for the rule that allows a request. */
#ifndef GRANT_DECIDE_H
#define GRANT_DECIDE_H

#include "content.h"
#include "peer.h"
#include "policy.h"
#include "request.h"

/* Why there is no session, and what the user can do. */
struct refusal {
	char why[640], next[640];
};

/**
 * decide_rule - find the first rule of @policy that allows @peer what @request asks for
 *
 * @content: the module that came with the request, or empty (fd -1): the request has a name, and
 *           the file that the rule names is opened
 *
 * Opens the directories and keys of rules about this user, and nothing else. Returns the rule, or
 * NULL with the reason in @why: that of the rule that came nearest to allowing it.
 */
const struct policy_rule *decide_rule(const struct policy *policy, const struct peer *peer,
				      const struct request *request, struct content *content,
				      struct refusal *why);

/** decide_refuse - set the texts of a refusal; @next: what the user can do. */
void decide_refuse(struct refusal *r, const char *next, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
