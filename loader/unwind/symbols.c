/* SPDX-License-Identifier: GPL-2.0 */
/* The life of a table: a descriptor of the file, then what was read at the first question. */
#include "unwind/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/machine.h"
#include "shared/memory.h"
#include "unwind/symbols_private.h"

/* ---- limits: processes of any user decide how many files there are and how large they are ---- */

enum { HELD_MAX_MB = 512, MEMORY_SHARE = 8, MB = 1 << 20 };

static atomic_size_t held;      /* bytes, of all files */
static atomic_uint left_out;    /* files */

size_t symbols_held_max(void)
{
	return machine_memory_part(MEMORY_SHARE, (size_t)HELD_MAX_MB * MB);
}

void symbols_leave_out(struct symbols *s)
{
	if (s && s->left_out)
		return;
	if (s)
		s->left_out = true;
	left_out++;
}

unsigned symbols_left_out(unsigned *mb)
{
	*mb = (unsigned)(symbols_held_max() / MB);
	return left_out;
}

static size_t size_of(const struct ordered_symbols *o)
{
	return o->n * (sizeof(*o->starts) + sizeof(*o->sizes) + sizeof(*o->names) +
		       sizeof(*o->outer) + sizeof(*o->texts));
}

void symbols_hold(struct symbols *s, const struct found_symbols *f)
{
	s->held = f->names_size + size_of(&s->ordered) + size_of(&s->imports);
	held += s->held;
	if (!f->full && held <= symbols_held_max())
		return;
	symbols_release(s);
	symbols_leave_out(s);
}

void symbols_release(struct symbols *s)
{
	symbols_deinit(&s->ordered);
	symbols_deinit(&s->imports);
	free(s->names);
	s->names = NULL;
	held -= s->held;
	s->held = 0;
}

/* ---- programs and libraries ---- */

static void read_all(struct symbols *s, int fd)
{
	struct found_symbols found = { 0 };
	struct image f;
	const char *why;

	if (image_open(fd, &f, &why) == 0) {
		if (!symbols_read_table(&f, SHT_SYMTAB, &found))
			symbols_read_separate(&f, s->path, "/usr/lib/debug", &found);
		symbols_read_table(&f, SHT_DYNSYM, &found);
		symbols_order(&found, &s->ordered);
		symbols_read_imports(&f, &s->ordered, &found);
		symbols_order(&found, &s->imports);
		s->names = found.names;
		symbols_hold(s, &found);
	}
	image_close(&f);
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
	s = memory_zeroed(1, sizeof(*s));
	s->path = memory_zeroed(1, strlen(path) + 1);
	strcpy(s->path, path);
	s->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (s->fd < 0)
		read_all(s, fd);
	return s;
}

static const char *text_of(const struct symbols *s, const struct ordered_symbols *o, size_t i)
{
	enum symbols_origin origin = !s->path ? OF_MAP :
				     o == &s->imports ? OF_IMPORT : OF_SYMBOL;

	if (!o->texts[i])
		o->texts[i] = symbols_text(s->names + o->names[i], origin);
	return o->texts[i] ? o->texts[i] : s->names + o->names[i];
}

static bool find_symbol(const struct symbols *s, uint64_t address, struct symbol *ret)
{
	const struct ordered_symbols *o = &s->ordered;
	size_t i = symbols_at(o, address);

	if (i == SIZE_MAX) {
		o = &s->imports;
		i = symbols_at(o, address);
	}
	if (i == SIZE_MAX)
		return false;
	*ret = (struct symbol){ .name = text_of(s, o, i), .start = o->starts[i] };
	if (!(o->sizes[i] & SYMBOL_NO_SIZE))
		ret->size = o->sizes[i];
	return true;
}

bool symbols_find(const struct symbols *s, uint64_t address, struct symbol *ret)
{
	if (s->fd >= 0) {
		struct symbols *own = (struct symbols *)s; /* callers see no difference */

		if (s->path) {
			read_all(own, own->fd);
			close(own->fd);
			own->fd = -1;
		} else {
			symbols_refresh(own);
		}
	}
	return find_symbol(s, address, ret);
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	if (!s->path)
		symbols_close_map(s);
	else if (s->fd >= 0)
		close(s->fd);
	symbols_release(s);
	free(s->path);
	free(s);
}
