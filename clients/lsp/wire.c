/* SPDX-License-Identifier: GPL-2.0 */
/* Messages: JSON after a header with its length. Input is buffered here, so that wire_wait() sees
 * what was read already. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp/private.h"
#include "shared/buf.h"

#define MESSAGE_MAX (64 << 20) /* bytes; a longer one is no script */

static struct buf input; /* not yet taken */

bool wire_wait(int ms)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	int n;

	if (input.len)
		return true;
	do
		n = poll(&p, 1, ms);
	while (n < 0 && errno == EINTR);
	return n != 0;
}

static bool read_more(void)
{
	char block[65536];
	ssize_t n;

	do
		n = read(STDIN_FILENO, block, sizeof(block));
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	buf_write(&input, block, (size_t)n);
	return true;
}

static void take(size_t n)
{
	memmove(input.s, input.s + n, input.len - n + 1);
	input.len -= n;
}

struct json_object *wire_read(void)
{
	static const char length[] = "Content-Length:";
	struct json_object *message;
	struct json_tokener *tokener;
	const char *end, *at;
	size_t n;

	while (!input.len || !(end = strstr(input.s, "\r\n\r\n")))
		if (!read_more())
			return NULL;
	at = strcasestr(input.s, length);
	n = at && at < end ? strtoul(at + strlen(length), NULL, 10) : 0;
	take((size_t)(end - input.s) + 4);
	if (!n || n > MESSAGE_MAX)
		return NULL;
	while (input.len < n)
		if (!read_more())
			return NULL;
	tokener = json_tokener_new();
	message = json_tokener_parse_ex(tokener, input.s, (int)n);
	json_tokener_free(tokener);
	take(n);
	return message;
}

struct json_object *wire_get(struct json_object *o, const char *name)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, name, &value);
	return value;
}

static struct json_object *position(int line, int character)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "line", json_object_new_int(line));
	json_object_object_add(o, "character", json_object_new_int(character));
	return o;
}

struct json_object *wire_range(int line, int from, int to)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "start", position(line, from));
	json_object_object_add(o, "end", position(line, to));
	return o;
}

void wire_write(struct json_object *message)
{
	const char *text = json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN);

	printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
	fflush(stdout);
	json_object_put(message);
}
