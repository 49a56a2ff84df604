/* SPDX-License-Identifier: GPL-2.0 */
#include "check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content.h"
#include "trusted.h"

int check_load(const char *path, struct policy *ret, struct check_problem *why)
{
	struct trusted_problem problem;
	struct policy_mistake wrong;
	char *text;
	size_t len;
	int fd = trusted_open(path, NULL, &problem), err;

	*ret = (struct policy){ 0 };
	if (fd < 0) {
		snprintf(why->line, sizeof(why->line), "probec-grant: error: %s [E_POLICY]",
			 problem.text);
		why->next = fd == -ENOENT ? "probec-policy(5) describes the file" :
			    "chown root and chmod go-w, for the file and all directories above it";
		return -1;
	}
	err = trusted_read(fd, POLICY_BYTES_MAX, &text, &len);
	close(fd);
	if (err) {
		snprintf(why->line, sizeof(why->line), "%s: error: %s [E_POLICY]", path,
			 err == -EFBIG ? "the policy is larger than 256 KB" : strerror(-err));
		why->next = "rules about directories and keys need fewer lines than hashes";
		return -1;
	}
	if (!policy_parse(text, len, ret, &wrong))
		return 0;
	snprintf(why->line, sizeof(why->line), "%s:%u:%u: error: %s [E_POLICY]", path, wrong.line,
		 wrong.col, wrong.text);
	why->next = "no rule of the file is in force until this is corrected; probec-policy(5)";
	return -1;
}

/* Returns whether a rule's key can be used, or what is wrong in @why. */
static bool check_key(const char *path, struct trusted_problem *why)
{
	int fd = trusted_open(path, NULL, why);
	char *key = NULL;
	size_t len;
	bool good;

	if (fd < 0)
		return false;
	good = !trusted_read(fd, CONTENT_KEY_BYTES_MAX, &key, &len) && content_is_key(key, len);
	close(fd);
	free(key);
	if (!good)
		snprintf(why->text, sizeof(why->text), "'%.200s' is not an Ed25519 public key",
			 path);
	return good;
}

/* The same for a directory, in which a file is looked for that need not be there. */
static bool check_directory(const char *path, struct trusted_problem *why)
{
	int fd = trusted_open(path, "-", why);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -ENOENT;
}

static bool check_rule(const char *path, const struct policy_rule *rule)
{
	struct trusted_problem why;

	if (rule->object == POLICY_SHA256 ||
	    (rule->object == POLICY_SIGNED ? check_key(rule->path, &why) :
					     check_directory(rule->path, &why)))
		return true;
	fprintf(stderr, "%s:%u:1: error: %s [E_POLICY]\n      = this rule allows nothing\n", path,
		rule->line, why.text);
	return false;
}

int check_report(const char *path)
{
	struct check_problem why;
	struct policy policy;
	int status = 0;

	if (check_load(path, &policy, &why)) {
		fprintf(stderr, "%s\n      = %s\n", why.line, why.next);
		status = 1;
	}
	for (size_t i = 0; i < policy.n; i++)
		if (!check_rule(path, &policy.rules[i]))
			status = 1;
	if (!status)
		printf("%s: %zu rule%s\n", path, policy.n, policy.n == 1 ? "" : "s");
	policy_deinit(&policy);
	return status;
}
