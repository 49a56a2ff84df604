/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a profile: finds out the format of the file. */
#include <string.h>

#include "base/arena.h"
#include "profile/private.h"

static const struct range nowhere;

/* ---- numbers ---- */

bool read_number(const char *s, size_t len, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < len; i++) {
		uint64_t digit = (uint64_t)(s[i] - '0');

		if (s[i] < '0' || s[i] > '9' || v > (INT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*ret = v;
	return len > 0;
}

bool read_kernel_address(uint64_t address)
{
	return address >> 63;
}

/* ---- files ---- */

/* Whether the last word is a number of any size. */
static bool is_folded(const struct line_reader *l)
{
	const char *last = memrchr(l->text, ' ', l->len);
	size_t digits;

	if (!last || last == l->text)
		return false;
	last += last[1] == '-' ? 2 : 1;
	digits = strspn(last, "0123456789");
	return digits && !last[digits] && *l->text != ' ';
}

static int read_all(struct profile *p, struct line_reader *l)
{
	int more;

	while ((more = saved_lines_next(l)) > 0 && !l->len)
		;
	if (more < 0)
		return -1;
	if (!more) {
		diag_error(l->d, nowhere, E_BAD_PROFILE, "'%s' is empty", l->path);
		diag_hint(l->d, "save stacks with probec --format=folded -o FILE");
		return -1;
	}
	if (*l->text == '{')
		return read_json(p, l) ? 0 : -1;
	if (is_folded(l))
		return read_folded(p, l) ? 0 : -1;
	return read_text(p, l) ? 0 : -1;
}

int profile_read(struct arena *a, struct diag *d, const char *path, struct profile *ret)
{
	struct line_reader l;
	int status = -1;

	*ret = (struct profile){ .a = a };
	map_init(&ret->frames, a);
	map_init(&ret->sets, a);
	if (saved_lines_open(a, d, path, E_BAD_PROFILE, &l))
		status = read_all(ret, &l);
	saved_lines_close(&l);
	return status;
}

static const char *names_of(const struct profile *p)
{
	const char *names = "";

	map_each(it, &p->sets)
		names = arena_printf(p->a, "%s%s%s", names, *names ? ", " : "", it->key);
	return names;
}

struct profile_set *profile_choose(const struct profile *p, struct diag *d, const char *path,
				   const char *name)
{
	struct profile_set *set = NULL;

	if (!p->sets.n) {
		diag_error(d, nowhere, E_BAD_PROFILE, "'%s' has no stacks", path);
		diag_hint(d, "a global that the script never reads, with backtrace() as a key, is "
			     "shown at the end");
		return NULL;
	}
	if (name) {
		set = map_get(&p->sets, name);
		if (!set) {
			diag_error(d, nowhere, E_OPTION, "'%s' has no stacks under the name '%s'",
				   path, name);
			diag_hint(d, "it has %s", names_of(p));
			return NULL;
		}
	} else if (p->sets.n > 1) {
		diag_error(d, nowhere, E_OPTION, "'%s' has stacks under several names", path);
		diag_hint(d, "choose one with --name: %s", names_of(p));
		return NULL;
	} else {
		set = p->sets.first->value;
	}
	if (set->sum || set->count)
		return set;
	diag_error(d, nowhere, E_BAD_PROFILE, "the stacks of '%s' add up to 0", path);
	return NULL;
}
