/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations shared by the files of this folder. The server knows the texts of the open scripts;
 * all else it asks probec, which it starts as a user would: a script that makes probec fail does
 * not end the server.
 */
#ifndef LSP_PRIVATE_H
#define LSP_PRIVATE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* An open script. Lines and columns are those of the protocol: from 0, in UTF-16 units. */
struct document {
	struct document *next;
	char *uri;
	char *path;    /* of its file */
	char *text;
	bool changed;  /* since it was checked */
};

struct server {
	const char *program;         /* probec */
	char **options;              /* for it: those of the command line */
	int noptions;
	struct document *documents;
	bool shut_down;
};

/* ---- wire.c ---- */

/** wire_wait - wait until a message begins or @ms are over (-1: no limit). Returns false then. */
bool wire_wait(int ms);
/** wire_read - the next message; NULL at the end of the input, or if it is malformed. The caller
 *  puts it. */
struct json_object *wire_read(void);
/** wire_get - the member @name of @o, which owns it; NULL: @o has none, or is no object. */
struct json_object *wire_get(struct json_object *o, const char *name);
/** wire_range - the range between two columns of a line. The caller puts it. */
struct json_object *wire_range(int line, int from, int to);
/** wire_write - send a message, and put it. */
void wire_write(struct json_object *message);

/* ---- document.c ---- */

/** document_find - the open document of that URI, or NULL. */
struct document *document_find(struct server *s, const char *uri);
/** document_set - open a document, or replace its text. */
void document_set(struct server *s, const char *uri, const char *text);
void document_close(struct server *s, const char *uri);
/** document_line - line @line of the text, without its end, "" after the last one. */
char *document_line(struct arena *a, const struct document *d, int line);
/** document_offset - the byte of @line at column @character. */
size_t document_offset(const char *line, int character);
/** document_character - the column of the byte at @offset of @line. */
int document_character(const char *line, size_t offset);
/** document_uri - the URI of a file. */
char *document_uri(struct arena *a, const char *path);

/* ---- ask.c ---- */

/** ask_probec - the output of probec for the options of the server and @words, which end with NULL;
 *  @messages: its standard error instead. */
char *ask_probec(struct server *s, struct arena *a, const char *const *words, bool messages);

/* ---- check.c ---- */

/** check_document - check the script and send its diagnostics. */
void check_document(struct server *s, struct document *d);

/* ---- answer.c ---- */

/** answer_hover, answer_completion, answer_definition - the results of these requests; NULL for
 *  null. */
struct json_object *answer_hover(struct server *s, struct json_object *params);
struct json_object *answer_completion(struct server *s, struct json_object *params);
struct json_object *answer_definition(struct server *s, struct json_object *params);

#endif
