/* SPDX-License-Identifier: GPL-2.0 */
/* The open documents, and places in their texts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/private.h"

struct document *document_find(struct server *s, const char *uri)
{
	for (struct document *d = s->documents; d; d = d->next)
		if (strcmp(d->uri, uri) == 0)
			return d;
	return NULL;
}

/* The path that a file's URI means; otherwise the URI. */
static char *path_of(const char *uri)
{
	static const char scheme[] = "file://";
	const char *from = strncmp(uri, scheme, strlen(scheme)) == 0 ? uri + strlen(scheme) : uri;
	char *path = strdup(from), *to = path;
	unsigned int code;

	for (const char *p = path; *p; p++) {
		if (*p == '%' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2])) {
			sscanf(p + 1, "%2x", &code);
			*to++ = (char)code;
			p += 2;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
	return path;
}

char *document_uri(struct arena *a, const char *path)
{
	char *uri = arena_alloc(a, 3 * strlen(path) + sizeof("file://")), *to = uri;

	to = stpcpy(to, "file://");
	for (const char *p = path; *p; p++) {
		if (isalnum((unsigned char)*p) || strchr("/-_.~", *p))
			*to++ = *p;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*p);
	}
	*to = '\0';
	return uri;
}

void document_set(struct server *s, const char *uri, const char *text)
{
	struct document *d = document_find(s, uri);

	if (!d) {
		d = calloc(1, sizeof(*d));
		d->uri = strdup(uri);
		d->path = path_of(uri);
		d->next = s->documents;
		s->documents = d;
	}
	free(d->text);
	d->text = strdup(text);
	d->changed = true;
}

void document_close(struct server *s, const char *uri)
{
	struct document **at = &s->documents, *d;

	while (*at && strcmp((*at)->uri, uri) != 0)
		at = &(*at)->next;
	d = *at;
	if (!d)
		return;
	*at = d->next;
	free(d->uri);
	free(d->path);
	free(d->text);
	free(d);
}

char *document_line(struct arena *a, const struct document *d, int line)
{
	const char *p = d->text;

	for (; line > 0 && *p; line--) {
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	return arena_strndup(a, p, strcspn(p, "\r\n"));
}

/* The UTF-16 units of the character that begins with @byte: none in the middle of one. */
static int units(unsigned char byte)
{
	return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

size_t document_offset(const char *line, int character)
{
	size_t i = 0;

	while (line[i] && (character > 0 || !units((unsigned char)line[i])))
		character -= units((unsigned char)line[i++]);
	return i;
}

int document_character(const char *line, size_t offset)
{
	int n = 0;

	for (size_t i = 0; i < offset && line[i]; i++)
		n += units((unsigned char)line[i]);
	return n;
}
