/* SPDX-License-Identifier: GPL-2.0 */
/* Short forms of probe points, for arguments of scripts. */
#include <ctype.h>
#include <string.h>

#include "base/words.h"
#include "options/private.h"
#include "parse/foreign.h"

/* "p::vfs_read", "r:c:malloc", as in bcc, where the "c" of a library is libc. */
static const char *of_bcc(struct arena *a, const char *word)
{
	const char *colon = word[0] && word[1] == ':' ? strchr(word + 2, ':') : NULL;
	const char *end = word[0] == 'p' ? ".call" : word[0] == 'r' ? ".return" : NULL;
	const char *file;
	int len;

	/* "p:hz:99" is bpftrace's. */
	if (!colon || !end || !colon[1] || isdigit((unsigned char)colon[1]))
		return NULL;
	file = word + 2;
	len = (int)(colon - file);
	if (!len)
		return arena_printf(a, "kernel.function(\"%s\")%s", colon + 1, end);
	return arena_printf(a, "process(\"%s%.*s\").function(\"%s\")%s",
			    len == 1 && *file == 'c' ? "lib" : "", len, file, colon + 1, end);
}

/* "PATH:FUNCTION", or a tracepoint, "SYSTEM:NAME". */
static const char *pair(struct arena *a, const char *word, const char *colon)
{
	const char *left = arena_strndup(a, word, (size_t)(colon - word)), *event;

	if (strchr(left, '/') || strstr(left, ".so") || strncmp(left, "lib", 3) == 0)
		return arena_printf(a, "process(\"%s\").function(\"%s\").call", left, colon + 1);
	event = foreign_event(a, word, strlen(word));
	return event ? event : arena_printf(a, "kernel.trace(\"%s\")", word);
}

/* A name with a dot is that of an alias, but for copies of a function that the compiler made. */
static bool is_alias(const char *word)
{
	static const char *const copies[] = { ".isra.", ".constprop.", ".part.", ".cold" };

	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++)
		if (strstr(word, copies[i]))
			return false;
	return strchr(word, '.') != NULL;
}

const char *point_translate(struct arena *a, const char *word)
{
	const char *colon = strchr(word, ':'), *text;

	if (strchr(word, '('))
		return word;
	text = of_bcc(a, word);
	if (!text)
		text = foreign_translate(a, word, strlen(word));
	if (text)
		return text;
	if (colon && colon > word && colon[1])
		return pair(a, word, colon);
	if (is_alias(word))
		return word;
	return arena_printf(a, "kernel.function(\"%s\").call", word);
}

const char *point_function(struct arena *a, const char *word)
{
	const char *text = point_translate(a, word), *last;

	if (words_end(text, ".call"))
		text = arena_strndup(a, text, strlen(text) - strlen(".call"));
	else if (words_end(text, ".return"))
		text = arena_strndup(a, text, strlen(text) - strlen(".return"));
	last = strstr(text, ".function(");
	return last && words_end(text, ")") && !strstr(last, ").") ? text : NULL;
}
