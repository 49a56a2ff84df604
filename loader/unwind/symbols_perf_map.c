/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that compilers at run time write for perf: linux/tools/perf/Documentation/jit-interface.
 * They append a line whenever they have made code, and say nothing when they drop it, so that later
 * code may be where earlier code was. symbols_jit_dump.c reads the records of a jitdump file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/buf.h"
#include "shared/clock.h"
#include "shared/memory.h"
#include "unwind/symbols.h"
#include "unwind/symbols_private.h"

enum {
	MAP_MAX = 64 << 20, BLOCK = 1 << 16, /* bytes */
	MAP_SHARE = 4,     /* of what all names may have */
	OPEN_MAX = 512,    /* files; the rest of 1,024 descriptors is for everything else */
	PAUSE = 100000000, /* ns between two readings of a file */
	SHARE = 9,         /* and at least so many times as long as the first one took */
	SAME = 256,        /* bytes before what is new, by which a file is known again */
};

static atomic_int open_maps;

/* A sparse file has nothing but NULs behind what was written. */
static void read_text(int fd, struct buf *ret)
{
	size_t share = symbols_held_max() / MAP_SHARE, most = share < MAP_MAX ? share : MAP_MAX;
	ssize_t n = 1;

	while (ret->len < most && n) {
		size_t real;

		buf_reserve(ret, BLOCK);
		n = pread(fd, ret->s + ret->len, BLOCK, (off_t)ret->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		real = strnlen(ret->s + ret->len, (size_t)n);
		ret->len += real;
		ret->s[ret->len] = '\0';
		if (real < (size_t)n)
			break;
	}
}

static bool parse_line(char *line, const char *text, struct found_symbol *ret)
{
	char *at, *name;
	uint64_t size;

	*ret = (struct found_symbol){ .start = strtoull(line, &at, 16) };
	if (at == line || *at != ' ')
		return false;
	size = strtoull(at, &name, 16);
	if (name == at || *name != ' ' || !name[1] || !size || size > UINT64_MAX - ret->start)
		return false;
	ret->end = ret->start + size;
	ret->name = (uint32_t)(name + 1 - text);
	return true;
}

static int by_start(const void *x, const void *y)
{
	const struct found_symbol *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* Where two overlap, removes the one that was found first. Those that are kept do not overlap, so
 * only the last of them can reach the next one. */
static void drop_replaced(struct found_symbols *f)
{
	size_t kept = 0;

	if (f->n)
		qsort(f->v, f->n, sizeof(*f->v), by_start);
	for (size_t i = 0; i < f->n; i++) {
		const struct found_symbol *it = &f->v[i];
		bool overlaps = kept && f->v[kept - 1].end > it->start;

		if (overlaps && f->v[kept - 1].number > it->number)
			continue;
		kept -= overlaps;
		f->v[kept++] = *it;
	}
	f->n = kept;
}

/* Whether the lines that were read are still there: a file may be written anew. */
static bool goes_on(const struct symbols *s)
{
	size_t n = s->read < SAME ? s->read : SAME, at = s->read - n;
	char now[SAME];

	if (!s->names || pread(s->fd, now, n, (off_t)at) != (ssize_t)n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((now[i] == '\n' ? '\0' : now[i]) != s->names[at + i])
			return false;
	return true;
}

/* Begins with the lines that are known. */
static void take_known(struct symbols *s, struct buf *text, struct found_symbols *ret)
{
	const struct ordered_symbols *o = &s->ordered;

	for (size_t i = 0; i < o->n; i++)
		symbols_add(ret, &(struct found_symbol){ .start = o->starts[i],
							 .end = o->starts[i] + o->sizes[i],
							 .name = o->names[i] });
	*text = (struct buf){ .s = s->names, .len = s->read, .cap = s->read + 1 };
	s->names = NULL;
}

/* A later line may replace any earlier one. */
static void read_lines(struct symbols *s, struct found_symbols *ret)
{
	struct found_symbol one;
	struct buf text = { 0 };
	size_t at;
	char *line;

	if (goes_on(s))
		take_known(s, &text, ret);
	symbols_release(s);
	at = text.len;
	read_text(s->fd, &text);
	while (text.len > at && text.s[text.len - 1] != '\n')
		text.s[--text.len] = '\0';
	while (text.len > at && (line = buf_line(&text, &at)))
		if (parse_line(line, text.s, &one))
			symbols_add(ret, &one);
	s->read = text.len;
	ret->names = memory_resized(text.s, text.len + 1, 1);
	ret->names[text.len] = '\0';
	ret->names_size = text.len + 1;
}

static void read_map(struct symbols *s)
{
	struct found_symbols found = { 0 };

	if (symbols_is_dump(s->fd)) {
		symbols_release(s);
		symbols_read_dump(s->fd, &found);
	} else {
		read_lines(s, &found);
	}
	s->names = found.names;
	drop_replaced(&found);
	symbols_order(&found, &s->ordered);
	symbols_hold(s, &found);
}

void symbols_refresh(struct symbols *s)
{
	int64_t begun = clock_ns(), pause;
	struct stat st;

	if (begun < s->next || fstat(s->fd, &st) != 0 || st.st_size == s->size)
		return;
	read_map(s);
	s->size = st.st_size;
	pause = SHARE * (clock_ns() - begun);
	s->next = clock_ns() + (pause > PAUSE ? pause : PAUSE);
}

struct symbols *symbols_read_perf_map(int fd)
{
	struct symbols *s;
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return NULL;
	fd = open_maps < OPEN_MAX ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
	if (fd < 0) {
		symbols_leave_out(NULL);
		return NULL;
	}
	open_maps++;
	s = memory_zeroed(1, sizeof(*s));
	*s = (struct symbols){ .fd = fd };
	return s;
}

void symbols_close_map(struct symbols *s)
{
	if (s->fd < 0)
		return;
	close(s->fd);
	s->fd = -1;
	open_maps--;
}

void symbols_end_map(struct symbols *s)
{
	s->next = 0;
	symbols_refresh(s);
	symbols_close_map(s);
}
