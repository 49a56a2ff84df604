/* SPDX-License-Identifier: GPL-2.0 */
/* Answers about the word at the cursor: hover, completion, definition. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/private.h"

/* The position that a request is about. */
struct request_position {
	struct server *s;
	struct arena *a;
	struct document *d;
	char *line;      /* the text of its line */
	size_t at;       /* byte in it */
	int number;      /* of the line */
};

static bool find_cursor(struct server *s, struct arena *a, struct json_object *params,
			struct request_position *ret)
{
	struct json_object *position = wire_get(params, "position");
	const char *uri = json_object_get_string(wire_get(wire_get(params, "textDocument"), "uri"));

	ret->s = s;
	ret->a = a;
	ret->d = uri ? document_find(s, uri) : NULL;
	if (!ret->d || !position)
		return false;
	ret->number = json_object_get_int(wire_get(position, "line"));
	ret->line = document_line(a, ret->d, ret->number);
	ret->at = document_offset(ret->line, json_object_get_int(wire_get(position, "character")));
	return true;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }
static bool in_point(char c) { return in_name(c) || c == '.'; }

/* The longest run of characters that @in accepts around the cursor, with a @ or $ before it. */
static char *word_at(const struct request_position *c, bool (*in)(char))
{
	size_t from = c->at, to = c->at;

	while (from > 0 && in(c->line[from - 1]))
		from--;
	while (in(c->line[to]))
		to++;
	if (from > 0 && strchr("@$", c->line[from - 1]))
		from--;
	return arena_strndup(c->a, c->line + from, to - from);
}

/* ---- the probe around the cursor ---- */

/* The text of the document up to the cursor. */
static char *text_before(const struct request_position *c)
{
	const char *p = c->d->text;

	for (int i = 0; i < c->number && *p; i++) {
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	return arena_strndup(c->a, c->d->text, (size_t)(p - c->d->text) + c->at);
}

/* The probe points of the probe in which the cursor is, from the word "probe" on; NULL: in none.
 * @body: the handler has begun. */
static char *probe_points(const struct request_position *c, bool *body)
{
	char *text = text_before(c), *found = NULL, *points, *brace;

	for (char *p = text; (p = strstr(p, "probe")); p += 5)
		if ((p == text || !(in_name(p[-1]) || p[-1] == '@')) &&
		    isspace((unsigned char)p[5]))
			found = p;
	if (!found)
		return NULL;
	points = found + 5 + strspn(found + 5, " \t\n");
	brace = strchr(points, '{');
	*body = brace != NULL;
	if (brace)
		*brace = '\0';
	/* The definition of an alias. */
	brace = strchr(points, '=');
	if (brace)
		points = brace + 1 + strspn(brace + 1, "= \t\n");
	return points;
}

/* The last of the points, which is being written. */
static char *last_point(char *points)
{
	bool in_string = false;
	char *from = points;

	for (char *p = points; *p; p++) {
		in_string ^= *p == '"';
		if (!in_string && *p == ',')
			from = p + 1;
	}
	return from + strspn(from, " \t\n");
}

/* The first of the points, without what belongs to no point. */
static char *first_point(char *points)
{
	bool in_string = false;
	char *p = points;

	for (; *p && (in_string || !strchr(",?!", *p)); p++) {
		in_string ^= *p == '"';
		if (!in_string && strncmp(p, " if", 3) == 0)
			break;
	}
	*p = '\0';
	while (p > points && isspace((unsigned char)p[-1]))
		*--p = '\0';
	return points;
}

/* Calls @found for each variable of the point around the cursor: "$count", "size_t". */
static void each_variable(const struct request_position *c,
			  void (*found)(const char *name, const char *type, void *data),
			  void *data)
{
	bool body = false;
	char *points = probe_points(c, &body), *listed, *save = NULL, *type;
	const char *words[] = { "-w", "-L", NULL, NULL };

	if (!points || !body)
		return;
	words[2] = first_point(points);
	listed = ask_probec(c->s, c->a, words, false);
	listed[strcspn(listed, "\n")] = '\0';
	for (char *p = strtok_r(listed, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
		type = strchr(p, ':');
		if (!type || strpbrk(p, "()\""))
			continue;
		*type++ = '\0';
		found(p, type, data);
	}
}

/* ---- hover ---- */

struct variable_query {
	const char *name;
	const char *type; /* the answer; NULL: there is no such variable */
	struct arena *a;
};

static void match_variable(const char *name, const char *type, void *data)
{
	struct variable_query *q = data;

	if (strcmp(name, q->name) == 0)
		q->type = arena_strdup(q->a, type);
}

/* The documentation of the word at the cursor: as a point or, if it is none, as a name. */
static const char *documentation(const struct request_position *c)
{
	const char *words[] = { "-w", "--doc", word_at(c, in_point), NULL };
	const char *text = "";

	if (*words[2])
		text = ask_probec(c->s, c->a, words, false);
	if (!*text) {
		words[2] = word_at(c, in_name);
		text = *words[2] ? ask_probec(c->s, c->a, words, false) : "";
	}
	return text;
}

struct json_object *answer_hover(struct server *s, struct json_object *params)
{
	struct arena *a = arena_create();
	struct json_object *ret = NULL, *contents;
	struct request_position c;
	const char *text = "";

	if (find_cursor(s, a, params, &c)) {
		struct variable_query q = { .name = word_at(&c, in_name), .a = a };

		if (q.name[0] != '@')
			each_variable(&c, match_variable, &q);
		text = q.type ? arena_printf(a, "%s: %s\n", q.name, q.type) : documentation(&c);
	}
	if (*text) {
		ret = json_object_new_object();
		contents = json_object_new_object();
		json_object_object_add(contents, "kind", json_object_new_string("plaintext"));
		json_object_object_add(contents, "value", json_object_new_string(text));
		json_object_object_add(ret, "contents", contents);
	}
	arena_destroy(a);
	return ret;
}

/* ---- completion ---- */

enum { KIND_FUNCTION = 3, KIND_VARIABLE = 6, KIND_EVENT = 23 };

struct items {
	const struct request_position *c;
	struct json_object *list;
	size_t from;      /* the byte of the line where what is replaced begins */
	const char *word; /* from there to the cursor */
};

/* Adds @text, which replaces the word before the cursor. */
static void add_item(const struct items *to, const char *text, const char *detail, int kind)
{
	struct json_object *item = json_object_new_object(), *edit = json_object_new_object();
	struct json_object *range = wire_range(to->c->number,
					       document_character(to->c->line, to->from),
					       document_character(to->c->line, to->c->at));

	json_object_object_add(edit, "range", range);
	json_object_object_add(edit, "newText", json_object_new_string(text));
	json_object_object_add(item, "label", json_object_new_string(text));
	json_object_object_add(item, "kind", json_object_new_int(kind));
	if (detail)
		json_object_object_add(item, "detail", json_object_new_string(detail));
	json_object_object_add(item, "filterText", json_object_new_string(text));
	json_object_object_add(item, "textEdit", edit);
	json_object_array_add(to->list, item);
}

static void add_variable(const char *name, const char *type, void *data)
{
	const struct items *to = data;

	if (strncmp(name, to->word, strlen(to->word)) == 0)
		add_item(to, name, type, KIND_VARIABLE);
}

/* Adds the candidates of probec --complete for the argument of @option. */
static void add_candidates(const struct items *to, const char *option, int kind)
{
	const char *words[] = { "--complete", option, to->word, NULL };
	char *text = ask_probec(to->c->s, to->c->a, words, false), *save = NULL;

	for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
		char *detail = strchr(p, '\t');

		if (detail)
			*detail++ = '\0';
		if (p[0] != ':')
			add_item(to, p, detail, kind);
	}
}

/* The word before the cursor that @in accepts, with a @ or $ before it. */
static void take_word(struct items *to, bool (*in)(char))
{
	const char *line = to->c->line;

	to->from = to->c->at;
	while (to->from > 0 && in(line[to->from - 1]))
		to->from--;
	if (to->from > 0 && strchr("@$", line[to->from - 1]))
		to->from--;
	to->word = arena_strndup(to->c->a, line + to->from, to->c->at - to->from);
}

struct json_object *answer_completion(struct server *s, struct json_object *params)
{
	struct arena *a = arena_create();
	struct items to = { .list = json_object_new_array() };
	struct request_position c;
	bool body = true;
	char *points;

	to.c = &c;
	if (find_cursor(s, a, params, &c)) {
		points = probe_points(&c, &body);
		if (points && !body) {
			to.word = last_point(points);
			/* A point that began on an earlier line is replaced from here on. */
			if (strlen(to.word) <= c.at) {
				to.from = c.at - strlen(to.word);
				add_candidates(&to, "-l", KIND_EVENT);
			}
		} else {
			take_word(&to, in_name);
			each_variable(&c, add_variable, &to);
			if (*to.word && to.word[0] != '$')
				add_candidates(&to, "--doc", KIND_FUNCTION);
		}
	}
	arena_destroy(a);
	return to.list;
}

/* ---- definition ---- */

/* The beginning of line @line, from 1, of a file. */
static struct json_object *location(struct arena *a, const char *path, int line)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "uri", json_object_new_string(document_uri(a, path)));
	json_object_object_add(o, "range", wire_range(line - 1, 0, 0));
	return o;
}

/* Whether a line defines @name, which is an alias only if "=" follows. */
static bool defines(const char *line, const char *name)
{
	static const char *const before[] = { "function ", "global ", "@define ", "probe " };
	enum { PROBE = 3 };

	if (strncmp(line, "private ", 8) == 0)
		line += 8 + strspn(line + 8, " \t");
	for (int i = 0; i <= PROBE; i++) {
		size_t len = strlen(before[i]);
		const char *rest = line + len + strlen(name);

		if (strncmp(line, before[i], len) == 0 &&
		    strncmp(line + len, name, strlen(name)) == 0 && !in_point(*rest) &&
		    (i < PROBE || rest[strspn(rest, " \t")] == '='))
			return true;
	}
	return false;
}

/* The line of the script that defines @name, from 1; 0: none. */
static int line_in_script(const struct document *d, const char *name)
{
	int line = 1;

	for (const char *p = d->text; *p; line++) {
		size_t n = strcspn(p, "\n");

		if (defines(p + strspn(p, " \t"), name))
			return line;
		p += n + (p[n] == '\n');
	}
	return 0;
}

struct json_object *answer_definition(struct server *s, struct json_object *params)
{
	static const char defined[] = "Defined in: ";
	struct arena *a = arena_create();
	struct json_object *ret = NULL;
	struct request_position c;

	if (find_cursor(s, a, params, &c)) {
		const char *name = word_at(&c, in_point), *at;
		char *path, *colon;
		int line;

		name += *name == '@';
		line = *name ? line_in_script(c.d, name) : 0;
		at = line ? NULL : strstr(documentation(&c), defined);
		if (line) {
			ret = location(a, c.d->path, line);
		} else if (at) {
			at += strlen(defined);
			path = arena_strndup(a, at, strcspn(at, "\n"));
			colon = strrchr(path, ':');
			line = colon ? atoi(colon + 1) : 0;
			if (colon)
				*colon = '\0';
			ret = location(a, path, line > 0 ? line : 1);
		}
	}
	arena_destroy(a);
	return ret;
}
