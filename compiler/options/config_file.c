/* SPDX-License-Identifier: GPL-2.0 */
/* The configuration file: finds it and reads its words. */
#include "options/config_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rights.h"
#include "shared/buf.h"
#include "state.h"

static const struct range nowhere;

/* Returns NULL if there is none to be read. */
static const char *path_of(struct state *s, bool *must_exist)
{
	const char *own = getenv("PROBEC_CONFIG"), *xdg = getenv("XDG_CONFIG_HOME"), *dir;

	*must_exist = own != NULL;
	if (own)
		return *own ? own : NULL;
	if (xdg && *xdg == '/' && rights_is_own_dir(xdg))
		return arena_printf(s->arena, "%s/probec/config", xdg);
	dir = rights_home();
	return dir ? arena_printf(s->arena, "%s/.config/probec/config", dir) : NULL;
}

static struct source *open_source(struct state *s)
{
	struct source *src = NULL;
	bool must_exist;
	const char *path = path_of(s, &must_exist);
	int fd = path ? rights_open(path) : -ENOENT;

	if (fd >= 0) {
		src = source_from_fd(s->arena, path, fd);
		if (!src)
			diag_error(s->diag, nowhere, E_IO, "can't read '%s': %s", path,
				   source_why(errno));
		close(fd);
	} else if (fd == -EPERM) {
		diag_error(s->diag, nowhere, E_IO,
			   "the configuration file '%s' is not used: others can write to it or to "
			   "a directory above it", path);
		diag_hint(s->diag, "use chown and chmod go-w, or --no-config");
	} else if (path && (must_exist || (fd != -ENOENT && fd != -ENOTDIR))) {
		diag_error(s->diag, nowhere, E_IO, "can't read the configuration file '%s': %s",
			   path, strerror(-fd));
	}
	return src;
}

/* Reads a word from @at on without its quotes. Returns its end, or 0 if a quote is not closed. */
static uint32_t read_word(const struct source *src, uint32_t at, struct buf *word)
{
	char quote = 0;

	for (;; at++) {
		char c = src->text[at];

		if (at == src->len || c == '\n' || (!quote && (c == ' ' || c == '\t')))
			return quote ? 0 : at;
		if (c == '\\' && quote != '\'' && at + 1 < src->len && src->text[at + 1] != '\n')
			buf_putc(word, src->text[++at]);
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		else
			buf_putc(word, c);
	}
}

static void split(struct state *s, struct source *src, struct config_words *ret)
{
	struct buf word;

	buf_init(&word);
	for (uint32_t at = 0; at < src->len;) {
		uint32_t end;

		if (strchr(" \t\n", src->text[at])) {
			at++;
			continue;
		}
		if (src->text[at] == '#') {
			at += (uint32_t)strcspn(src->text + at, "\n");
			continue;
		}
		word.len = 0;
		buf_puts(&word, "");
		end = read_word(src, at, &word);

		struct range r = { .src = src, .start = at, .end = end ? end : at + 1 };

		if (!end) {
			diag_error(s->diag, r, E_OPTION, "a quote has no end on its line");
			end = at + (uint32_t)strcspn(src->text + at, "\n");
		}
		vec_push(s->arena, &ret->w, arena_strndup(s->arena, word.s, word.len));
		vec_push(s->arena, &ret->at, r);
		at = end;
	}
	buf_deinit(&word);
}

void config_read(struct state *s, struct config_words *ret)
{
	struct source *src = open_source(s);

	if (src && memchr(src->text, '\0', src->len))
		diag_error(s->diag, nowhere, E_IO, "the configuration file '%s' is not text",
			   src->name);
	else if (src)
		split(s, src, ret);
}
