/* SPDX-License-Identifier: GPL-2.0 */
#include "show/marked.h"

#include <string.h>

#include "mark_names.h"
#include "show/args.h"

static void put_name(struct marked *m, bool ids, const char *mark, size_t len)
{
	const char *letter = len && *mark && !ids ? strchr(containers_letters, *mark) : NULL;
	const char *name = NULL;

	if (letter)
		name = containers_name(&m->containers,
				       (enum container_kind)(letter - containers_letters), mark + 1,
				       len - 1);
	if (name)
		buf_puts(&m->text, name);
	else if (len)
		buf_write(&m->text, mark + 1, len - 1);
}

/* Writes the string with names to m->text. A mark that was cut has no end. */
static void put_text(struct marked *m, bool ids, const char *s, size_t len)
{
	const char *end = s + len, *mark;

	m->text.len = 0;
	while ((mark = memchr(s, PRT_MARK, (size_t)(end - s))) != NULL) {
		const char *last = memchr(mark + 1, PRT_MARK, (size_t)(end - mark) - 1);

		buf_write(&m->text, s, (size_t)(mark - s));
		if (!last)
			last = end;
		put_name(m, ids, mark + 1, (size_t)(last - mark) - 1);
		s = last < end ? last + 1 : end;
	}
	buf_write(&m->text, s, (size_t)(end - s));
}

static void add_string(struct marked *m)
{
	static const char zeros[8];
	uint32_t n = (uint32_t)m->text.len;

	buf_write(&m->args, (const char *)&n, sizeof(n));
	buf_write(&m->args, m->text.s ? m->text.s : "", n);
	buf_write(&m->args, zeros, -(sizeof(n) + n) & 7);
}

bool marked_replace(struct marked *m, bool ids, const char *types, const void **args, size_t *len)
{
	struct args rest = { types, *args, (const char *)*args + *len };
	struct arg a;

	if (!memchr(*args, PRT_MARK, *len))
		return true;
	m->args.len = 0;
	while (*rest.types) {
		const char *start = rest.p;

		if (args_next(&rest, &a))
			return false;
		if (a.type == 's' && a.len && memchr(a.s, PRT_MARK, a.len)) {
			put_text(m, ids, a.s, a.len);
			add_string(m);
		} else {
			buf_write(&m->args, start, (size_t)(rest.p - start));
		}
	}
	*args = m->args.s;
	*len = m->args.len;
	return true;
}

void marked_deinit(struct marked *m)
{
	containers_deinit(&m->containers);
	buf_deinit(&m->args);
	buf_deinit(&m->text);
}
