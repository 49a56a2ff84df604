/* SPDX-License-Identifier: GPL-2.0 */
/* The life of a table: a descriptor of the file, then what was read at the first question. */
#include "unwind/symbols.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/alloc.h"
#include "unwind/symbols_private.h"

static void read_all(struct symbols *s, int fd)
{
	struct found_symbols found = { 0 };
	struct image f;
	const char *why;

	if (image_open(fd, &f, &why) == 0)
		symbols_read_image(&f, &found);
	image_close(&f);
	symbols_order(&found, &s->ordered);
	s->names = found.names;
}

struct symbols *symbols_read(int fd, const char *path)
{
	struct symbols *s;
	struct image f;
	const char *why;
	bool is_program = image_open(fd, &f, &why) == 0;

	image_close(&f);
	if (!is_program)
		return NULL;
	s = alloc_array(1, sizeof(*s));
	s->path = alloc_array(1, strlen(path) + 1);
	strcpy(s->path, path);
	s->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (s->fd < 0)
		read_all(s, fd);
	return s;
}

static const char *text_of(struct symbols *s, size_t i)
{
	const char *name = s->names + s->ordered.names[i];
	char **text = &s->ordered.texts[i];

	if (!*text)
		*text = symbols_text(name, s->path ? OF_SYMBOL : OF_MAP);
	return *text ? *text : name;
}

bool symbols_find(const struct symbols *s, uint64_t address, struct symbol *ret)
{
	struct symbols *own = (struct symbols *)s; /* what is kept does not change what is found */
	size_t i;

	if (own->fd >= 0) {
		read_all(own, own->fd);
		close(own->fd);
		own->fd = -1;
	}
	i = symbols_at(&s->ordered, address);
	if (i == SIZE_MAX)
		return false;
	*ret = (struct symbol){ .name = text_of(own, i), .start = s->ordered.starts[i] };
	if (!(s->ordered.sizes[i] & SYMBOL_NO_SIZE))
		ret->size = s->ordered.sizes[i];
	return true;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	symbols_deinit(&s->ordered);
	free(s->names);
	free(s->path);
	free(s);
}
