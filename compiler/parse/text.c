/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the script's text from a file, the command line or standard input. */
#include "parse/text.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "state.h"

static const struct range nowhere;

static struct source *read_inline(struct state *s)
{
	struct source *src;
	struct buf b;

	buf_init(&b);
	buf_puts(&b, "");
	vec_each(text, &s->opt.inline_scripts) {
		buf_puts(&b, *text);
		buf_putc(&b, '\n');
	}
	src = source_from_text(s->arena, "<input>", b.s, b.len);
	buf_deinit(&b);
	return src;
}

/* -E: line numbers continue after those of the script. */
static struct source *with_added(struct state *s, const struct source *script)
{
	struct source *src;
	struct buf b;

	buf_init(&b);
	buf_write(&b, script->text, script->len);
	vec_each(text, &s->opt.added_scripts) {
		if (b.len && b.s[b.len - 1] != '\n')
			buf_putc(&b, '\n');
		buf_puts(&b, *text);
	}
	buf_putc(&b, '\n');
	src = source_from_text(s->arena, script->name, b.s, b.len);
	buf_deinit(&b);
	return src;
}

/* A program, or UTF-16: one message, not one for each byte. */
static int refuse_binary(struct state *s, struct source *text)
{
	const char *zero = memchr(text->text, 0, text->len);
	uint32_t at;

	if (!zero)
		return 0;
	at = (uint32_t)(zero - text->text);
	diag_error(s->diag, (struct range){ text, at, at + 1, NULL }, E_LEX,
		   "a NUL byte: the script is not text");
	if (text->len > 1 && (memcmp(text->text, "\xff\xfe", 2) == 0 ||
			      memcmp(text->text, "\xfe\xff", 2) == 0))
		diag_hint(s->diag, "it is UTF-16: save it as UTF-8");
	return -1;
}

/* It may be a pipe: /dev/stdin, or <(...) of a shell. */
static struct source *read_path(struct state *s, const char *path)
{
	int fd = file_open_input(path), saved;
	struct source *src;

	if (fd < 0)
		return NULL;
	src = source_from_fd(s->arena, path, fd);
	saved = errno;
	close(fd);
	errno = saved;
	return src;
}

void text_read_script(struct state *s)
{
	const char *path = s->opt.script_path;

	s->text = strcmp(path, "-") == 0 ? source_from_fd(s->arena, "<stdin>", 0) :
					   read_path(s, path);
	s->text_error = s->text ? 0 : errno;
}

int text_read(struct state *s)
{
	const char *path = s->opt.script_path;

	if (!path && !s->opt.inline_scripts.n && !s->opt.added_scripts.n)
		return 0;
	if (!path)
		s->text = read_inline(s);
	else if (!s->text && !s->text_error)
		text_read_script(s);
	if (s->text && s->opt.added_scripts.n)
		s->text = with_added(s, s->text);
	if (s->text)
		return refuse_binary(s, s->text);
	diag_error(s->diag, nowhere, E_IO, "can't read the script '%s': %s", path,
		   source_why(s->text_error));
	return -1;
}

void text_check_arguments(struct state *s)
{
	for (int i = 0; i < s->opt.argc && i < 64; i++) {
		if (s->arg_used >> i & 1)
			continue;
		diag_warn(s->diag, nowhere, E_UNUSED,
			  "the script does not use its argument %d, '%s'", i + 1, s->opt.argv[i]);
		if (!s->opt.command && subprocess_find(s->arena, s->opt.argv[i]))
			diag_hint(s->diag, "to run a command while it is probed: -c '%s'",
				  s->opt.argv[i]);
	}
}
