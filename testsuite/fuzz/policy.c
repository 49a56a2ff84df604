/* SPDX-License-Identifier: GPL-2.0 */
/* links: grant */
/* Reads a policy. Rules that are accepted are complete, and a mistake has a place in the text. */
#include "fuzz.h"

#include "policy.h"

static void walk(const struct policy *p)
{
	FUZZ_MUST(p->n <= POLICY_RULES_MAX);
	for (size_t i = 0; i < p->n; i++) {
		const struct policy_rule *r = &p->rules[i];

		FUZZ_MUST(r->line >= 1 && (!i || r->line > p->rules[i - 1].line));
		FUZZ_MUST(r->name && *r->name && !strpbrk(r->name, " \t\n#"));
		FUZZ_MUST((r->object == POLICY_SHA256) == !r->path);
		FUZZ_MUST(!r->path || (*r->path == '/' && r->path[1] && !strstr(r->path, "//") &&
				       !strstr(r->path, "/../")));
		FUZZ_MUST(r->limits.seconds && r->limits.seconds <= POLICY_SECONDS_MAX);
		FUZZ_MUST(r->limits.sessions && r->limits.sessions <= POLICY_SESSIONS_MAX);
		FUZZ_MUST(r->limits.memory && r->limits.memory <= POLICY_BYTES_LIMIT_MAX);
		FUZZ_MUST(r->limits.output && r->limits.output <= POLICY_BYTES_LIMIT_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct policy_mistake wrong;
	struct policy p;

	memcpy(text, data, size);
	if (policy_parse(text, size, &p, &wrong) == 0)
		walk(&p);
	else
		FUZZ_MUST(!p.n && *wrong.text && wrong.line >= 1 && wrong.col >= 1 &&
			  wrong.line <= size + 1 && wrong.col <= size + 1);
	policy_deinit(&p);
	return 0;
}
