/* SPDX-License-Identifier: GPL-2.0 */
/* Diagnostics: probec --check of the text in the editor, and its messages as the protocol has
 * them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp/private.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_NOTE };

/* A message: "FILE:LINE:COLUMN[-END]: KIND: TEXT [E_NAME]". Columns are bytes from 1, and END is
 * the last one of the range, which otherwise has one byte. */
struct check_message {
	int line, column, end, severity;
	char *text, *id;
};

/* Cuts the id off the text of @m. */
static void split_id(struct check_message *m)
{
	m->id = strrchr(m->text, '[');
	if (m->id && m->id > m->text && strncmp(m->id, "[E_", 3) == 0) {
		m->id[-1] = '\0';
		m->id++;
		m->id[strcspn(m->id, "]")] = '\0';
	} else {
		m->id = NULL;
	}
}

/* Reads an error that is not about a place in the script: a missing argument, a mistake in a
 * tapset. It is shown at the first line. Returns false if the line is none. */
static bool read_other(char *p, struct check_message *ret)
{
	static const char program[] = "probec: error: ";

	if (*p == ' ' || !strstr(p, ": error: "))
		return false;
	*ret = (struct check_message){ .line = 1, .column = 1, .end = 1, .text = p,
				       .severity = SEVERITY_ERROR };
	if (strncmp(p, program, strlen(program)) == 0)
		ret->text += strlen(program);
	split_id(ret);
	return true;
}

/* Reads a line of the messages about @path. Returns false if it is another. */
static bool read_message(char *p, const char *path, struct check_message *ret)
{
	static const char *const kinds[] = { "error: ", "warning: ", "note: " };
	size_t len = strlen(path);
	int n = 0;

	if (strncmp(p, path, len) != 0 || sscanf(p + len, ":%d:%d%n", &ret->line, &ret->column,
						 &n) < 2)
		return false;
	p += len + n;
	ret->end = ret->column;
	if (*p == '-')
		ret->end = (int)strtol(p + 1, &p, 10);
	if (strncmp(p, ": ", 2) != 0)
		return false;
	p += 2;
	for (int i = 0; i < 3; i++) {
		if (strncmp(p, kinds[i], strlen(kinds[i])) != 0)
			continue;
		ret->severity = SEVERITY_ERROR + i;
		ret->text = p + strlen(kinds[i]);
		split_id(ret);
		return true;
	}
	return false;
}

static struct json_object *diagnostic(struct arena *a, const struct document *d,
				      const struct check_message *f)
{
	struct json_object *o = json_object_new_object();
	const char *line = document_line(a, d, f->line - 1);
	int from = document_character(line, (size_t)(f->column > 0 ? f->column - 1 : 0));
	int to = document_character(line, (size_t)(f->end > 0 ? f->end : 0));

	json_object_object_add(o, "range", wire_range(f->line - 1, from, to));
	json_object_object_add(o, "severity", json_object_new_int(f->severity));
	if (f->id)
		json_object_object_add(o, "code", json_object_new_string(f->id));
	json_object_object_add(o, "source", json_object_new_string("probec"));
	json_object_object_add(o, "message", json_object_new_string(f->text));
	return o;
}

/* Adds the next step, "      = TEXT", to the last message. */
static void add_hint(struct arena *a, struct json_object *list, const char *hint)
{
	size_t n = json_object_array_length(list);
	struct json_object *last, *text;

	if (!n)
		return;
	last = json_object_array_get_idx(list, n - 1);
	text = wire_get(last, "message");
	text = json_object_new_string(arena_printf(a, "%s\n%s", json_object_get_string(text),
						   hint));
	json_object_object_add(last, "message", text);
}

static struct json_object *diagnostics(struct arena *a, const struct document *d,
				       const char *path, char *messages)
{
	struct json_object *list = json_object_new_array();
	struct check_message f;
	bool last_is_ours = false;
	char *save = NULL;

	for (char *p = strtok_r(messages, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		size_t blanks = strspn(p, " ");

		if (read_message(p, path, &f) || read_other(p, &f)) {
			json_object_array_add(list, diagnostic(a, d, &f));
			last_is_ours = true;
		} else if (blanks && strncmp(p + blanks, "= ", 2) == 0) {
			if (last_is_ours)
				add_hint(a, list, p + blanks + 2);
		} else if (!blanks) {
			last_is_ours = false;
		}
	}
	return list;
}

/* Writes the text of the editor, which may differ from the file, to a file of its own. */
static char *write_copy(struct arena *a, const struct document *d)
{
	const char *dir = getenv("TMPDIR");
	char *path = arena_printf(a, "%s/probec-lsp.XXXXXX.kp", dir && *dir ? dir : "/tmp");
	int fd = mkstemps(path, 3);
	size_t n = strlen(d->text);

	if (fd < 0)
		return NULL;
	if (write(fd, d->text, n) != (ssize_t)n) {
		close(fd);
		unlink(path);
		return NULL;
	}
	close(fd);
	return path;
}

void check_document(struct server *s, struct document *d)
{
	struct arena *a = arena_create();
	struct json_object *message = json_object_new_object(), *params = json_object_new_object();
	struct json_object *list = NULL;
	char *path = write_copy(a, d);

	d->changed = false;
	if (path) {
		const char *const words[] = { "--color=never", "--check", path, NULL };

		list = diagnostics(a, d, path, ask_probec(s, a, words, true));
		unlink(path);
	}
	json_object_object_add(params, "uri", json_object_new_string(d->uri));
	json_object_object_add(params, "diagnostics", list ? list : json_object_new_array());
	json_object_object_add(message, "jsonrpc", json_object_new_string("2.0"));
	json_object_object_add(message, "method",
			       json_object_new_string("textDocument/publishDiagnostics"));
	json_object_object_add(message, "params", params);
	wire_write(message);
	arena_destroy(a);
}
