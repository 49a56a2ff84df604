/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The administrator's rules: who, other than root, may run which modules within which limits. Their
 * form is documented in probec-policy(5). A text with a mistake gives no rules at all.
 */
#ifndef GRANT_POLICY_H
#define GRANT_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POLICY_FILE "/etc/probec/policy"

/* A file of 256 KB has about 2,000 rules by hash. */
enum { POLICY_BYTES_MAX = 256 << 10, POLICY_RULES_MAX = 4096, POLICY_HASH_BYTES = 32 };

/* The largest values of limits. */
enum { POLICY_SECONDS_MAX = 7 * 86400, POLICY_SESSIONS_MAX = 64 };
#define POLICY_BYTES_LIMIT_MAX (UINT64_C(1) << 40)

enum policy_subject { POLICY_USER, POLICY_GROUP };
enum policy_object { POLICY_SHA256, POLICY_DIRECTORY, POLICY_SIGNED };

struct policy_limits {
	unsigned seconds;      /* how long a session runs from when its probes are armed */
	unsigned sessions;     /* of one user at a time, whichever rules allow them */
	uint64_t memory;       /* bytes of the kernel that a session may take */
	uint64_t output;       /* bytes of output and messages */
	bool globals;          /* NAME=VALUE is allowed */
	bool process;          /* -x is allowed, for processes of the same user */
	bool guru;             /* modules of guru mode are allowed */
};

struct policy_rule {
	unsigned line;
	enum policy_subject subject;
	const char *name;      /* of the user or group */
	enum policy_object object;
	const char *path;      /* of the directory or key; NULL with POLICY_SHA256 */
	unsigned char hash[POLICY_HASH_BYTES];
	struct policy_limits limits;
};

struct policy {
	char *text;            /* memory of the strings */
	struct policy_rule *rules; /* in the order of the file */
	size_t n;
};

/* The first mistake. */
struct policy_mistake {
	unsigned line, col;    /* from 1; col counts bytes */
	char text[160];
};

/** policy_parse - read the @len bytes at @text, which are changed, belong to the policy from then
 *  on and were allocated by malloc() with room for one byte more. 0, or -1 with the mistake in
 *  @wrong; the policy has no rules then. Either way policy_deinit() frees it. */
int policy_parse(char *text, size_t len, struct policy *ret, struct policy_mistake *wrong);
void policy_deinit(struct policy *p);

#endif
