/* SPDX-License-Identifier: GPL-2.0 */
/* The script's text, from wherever it comes. */
#include "text.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "session.h"

static const struct range nowhere;

static struct source *read_inline(struct session *s)
{
	struct source *src;
	struct buf b;

	buf_init(&b);
	vec_each(text, &s->opt.inline_scripts) {
		buf_puts(&b, *text);
		buf_putc(&b, '\n');
	}
	src = source_from_text(s->arena, "<input>", b.s, b.len);
	buf_deinit(&b);
	return src;
}

int text_read(struct session *s)
{
	const char *path = s->opt.script_path;

	if (!path && !s->opt.inline_scripts.n)
		return 0;
	if (!path)
		s->text = read_inline(s);
	else if (!strcmp(path, "-"))
		s->text = source_from_fd(s->arena, "<stdin>", 0);
	else
		s->text = source_from_file(s->arena, path);
	if (s->text)
		return 0;
	diag_error(s->diag, nowhere, E_IO, "can't read the script '%s': %s", path, strerror(errno));
	return -1;
}

void text_check_arguments(struct session *s)
{
	for (int i = 0; i < s->opt.argc && i < 64; i++)
		if (!(s->arg_used >> i & 1))
			diag_warn(s->diag, nowhere, E_UNUSED,
				  "the script does not use its argument %d, '%s'", i + 1,
				  s->opt.argv[i]);
}
