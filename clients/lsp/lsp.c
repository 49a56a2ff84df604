/* SPDX-License-Identifier: GPL-2.0 */
/* The loop of the server: requests are answered in their order; a script is checked when it is
 * opened or saved, and a moment after its last change. */
#include "lsp/lsp.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lsp/private.h"

#define PAUSE_MS 300 /* without a message, before changed scripts are checked */

enum { METHOD_NOT_FOUND = -32601, SYNC_FULL = 1 };

static const char help[] =
	"Usage: probec lsp [OPTION]...\n"
	"\n"
	"Runs a language server (Language Server Protocol) on standard input and output:\n"
	"diagnostics, hover, completion, definitions. OPTIONs are those that probec takes for\n"
	"all scripts, such as -I DIR, -g, -r KERNEL.\n";

static struct json_object *answer_initialize(struct server *s, struct json_object *params)
{
	struct json_object *capabilities = json_tokener_parse(
		"{\"textDocumentSync\":{\"openClose\":true,\"change\":1,\"save\":true},"
		"\"hoverProvider\":true,\"definitionProvider\":true,"
		"\"completionProvider\":{\"triggerCharacters\":[\".\",\"\\\"\",\"$\",\"@\"]}}");
	struct json_object *result = json_object_new_object(), *info = json_object_new_object();

	(void)s;
	(void)params;
	json_object_object_add(info, "name", json_object_new_string("probec"));
	json_object_object_add(result, "capabilities", capabilities);
	json_object_object_add(result, "serverInfo", info);
	return result;
}

static struct json_object *answer_shutdown(struct server *s, struct json_object *params)
{
	(void)params;
	s->shut_down = true;
	return NULL;
}

static const struct {
	const char *method;
	struct json_object *(*answer)(struct server *s, struct json_object *params);
} requests[] = {
	{ "initialize", answer_initialize },
	{ "shutdown", answer_shutdown },
	{ "textDocument/hover", answer_hover },
	{ "textDocument/completion", answer_completion },
	{ "textDocument/definition", answer_definition },
};

static void reply(struct server *s, const char *method, struct json_object *id,
		  struct json_object *params)
{
	struct json_object *message = json_object_new_object(), *error;
	size_t i = 0, n = sizeof(requests) / sizeof(*requests);

	while (i < n && strcmp(requests[i].method, method) != 0)
		i++;
	json_object_object_add(message, "jsonrpc", json_object_new_string("2.0"));
	json_object_object_add(message, "id", json_object_get(id));
	if (i < n) {
		json_object_object_add(message, "result", requests[i].answer(s, params));
	} else {
		error = json_object_new_object();
		json_object_object_add(error, "code", json_object_new_int(METHOD_NOT_FOUND));
		json_object_object_add(error, "message", json_object_new_string(method));
		json_object_object_add(message, "error", error);
	}
	wire_write(message);
}

static void take_notification(struct server *s, const char *method, struct json_object *params)
{
	struct json_object *document = wire_get(params, "textDocument"), *changes, *text = NULL;
	const char *uri = json_object_get_string(wire_get(document, "uri"));
	struct document *d;

	if (!uri)
		return;
	if (strcmp(method, "textDocument/didOpen") == 0) {
		text = wire_get(document, "text");
	} else if (strcmp(method, "textDocument/didChange") == 0) {
		changes = wire_get(params, "contentChanges");
		/* Each change is a whole text. */
		if (json_object_is_type(changes, json_type_array) &&
		    json_object_array_length(changes))
			text = wire_get(json_object_array_get_idx(
				changes, json_object_array_length(changes) - 1), "text");
	} else if (strcmp(method, "textDocument/didClose") == 0) {
		document_close(s, uri);
	} else if (strcmp(method, "textDocument/didSave") == 0) {
		d = document_find(s, uri);
		if (d)
			d->changed = true;
	}
	if (text)
		document_set(s, uri, json_object_get_string(text));
}

static bool any_changed(const struct server *s)
{
	for (const struct document *d = s->documents; d; d = d->next)
		if (d->changed)
			return true;
	return false;
}

static int serve(struct server *s)
{
	for (;;) {
		struct json_object *message;
		const char *method;

		if (!wire_wait(any_changed(s) ? PAUSE_MS : -1)) {
			for (struct document *d = s->documents; d; d = d->next)
				if (d->changed)
					check_document(s, d);
			continue;
		}
		message = wire_read();
		if (!message)
			return 1;
		method = json_object_get_string(wire_get(message, "method"));
		if (method && strcmp(method, "exit") == 0) {
			json_object_put(message);
			return s->shut_down ? 0 : 1;
		}
		if (method && wire_get(message, "id"))
			reply(s, method, wire_get(message, "id"), wire_get(message, "params"));
		else if (method)
			take_notification(s, method, wire_get(message, "params"));
		json_object_put(message);
	}
}

int lsp_main(struct arena *a, int argc, char **argv)
{
	struct server s = { .options = argv + 1, .noptions = argc - 1 };
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	int status;

	if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
		fputs(help, stdout);
		return 0;
	}
	exe[n < 0 ? 0 : n] = '\0';
	s.program = arena_strdup(a, exe);
	status = serve(&s);
	while (s.documents)
		document_close(&s, s.documents->uri);
	return status;
}
