/* SPDX-License-Identifier: GPL-2.0 */
/* Regular expressions in handlers: the cost of a match, and its stored result. */
#include <linux/kprobes.h>
#include <linux/string.h>

#include "context.h"

/* The number of instructions tried, or of bytes matched by the table, that cost one step. */
enum { TRIED_PER_STEP = 4, WALKED_PER_STEP = 32 };

static bool search(struct prt_ctx *c, const struct prt_regex *re, struct prt_str s, void *scratch,
		   struct prt_match *m, u32 srcloc)
{
	PRT_STEPS(c, 1 + s.len * re->ninsts / TRIED_PER_STEP, srcloc, fail);
	return prt_regex_find(re, s.s, s.len, scratch, m);
fail:
	return false;
}

bool prt_match(struct prt_ctx *c, const struct prt_regex *re, struct prt_str s, void *scratch,
	       u32 srcloc)
{
	struct prt_matched *matched = c->matched;
	struct prt_match here;

	if (matched)
		matched->m.ngroups = 0;
	if (re->nrows) {
		PRT_STEPS(c, 1 + s.len / WALKED_PER_STEP, srcloc, fail);
		if (!prt_regex_test(re, s.s, s.len))
			return false;
		if (!matched)
			return true;
	}
	if (!matched)
		return search(c, re, s, scratch, &here, srcloc);
	if (!search(c, re, s, scratch, &matched->m, srcloc))
		return false;
	memcpy(matched->text, s.s, s.len);
	matched->len = s.len;
	return true;
fail:
	return false;
}
NOKPROBE_SYMBOL(prt_match);

/* Whether there is a match; otherwise sets an error. */
static bool has_match(struct prt_ctx *c, u32 srcloc)
{
	if (c->matched && c->matched->m.ngroups)
		return true;
	prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("the last =~ had no match"));
	return false;
}

struct prt_str prt_match_capture(struct prt_ctx *c, char *buf, s64 n, u32 srcloc)
{
	const struct prt_matched *matched = c->matched;
	struct prt_str none = { buf, 0 };
	u32 from;

	if (!has_match(c, srcloc))
		return none;
	if (n < 0 || n >= matched->m.ngroups) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc,
			  PRT_LIT("the regular expression has no such group"));
		return none;
	}
	if (matched->m.at[2 * n + 1] == PRT_REGEX_NONE)
		return none;
	from = matched->m.at[2 * n];
	return prt_str_copy(buf, (struct prt_str){ matched->text + from,
						   matched->m.at[2 * n + 1] - from });
}
NOKPROBE_SYMBOL(prt_match_capture);

s64 prt_match_captures(struct prt_ctx *c, u32 srcloc)
{
	return has_match(c, srcloc) ? c->matched->m.ngroups : 0;
}
NOKPROBE_SYMBOL(prt_match_captures);
