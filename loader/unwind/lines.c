/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file's descriptor, then that of the file with its debug information, then a process that reads
 * it. Processes take memory, so few run at a time: the one that was asked longest ago makes room.
 */
#include "unwind/lines.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/say.h"
#include "shared/bytes.h"
#include "shared/lines.h"
#include "shared/memory.h"
#include "unwind/debug_file.h"
#include "unwind/debug_parts.h"
#include "unwind/image.h"
#include "unwind/line_reader.h"
#include "unwind/symbols_private.h"

enum {
	READERS_MAX = 8,         /* processes at a time */
	KNOWN_MAX = 1 << 16,     /* answers that are kept of a file */
};

#define DEBUG_ROOT "/usr/lib/debug"

static const struct line_files NO_FILES = { -1, -1, -1 };

struct known {
	bool used;
	uint64_t address;
	struct line_frame *frames;
	size_t n;
};

struct lines {
	/* Until it is located, the file itself. file.file: -1 if there is no debug information, or
	 * it can't be read. */
	struct line_files files;
	bool located;
	char *path;              /* NULL: it has its debug information itself */
	struct line_reader reader;
	uint64_t asked;          /* number of the last question */
	struct known *known;     /* by address; a hash table with open addressing */
	size_t n, capacity;
};

/* These belong to the process, as there is one session in it. */
static struct lines *running[READERS_MAX];
static uint64_t questions;

/* ---- answers ---- */

static char *text_of(struct bytes *c, bool is_name)
{
	const char *s = bytes_string(c);
	char *ret;

	if (!s)
		return NULL;
	ret = is_name ? symbols_text(s, OF_SYMBOL) : NULL;
	if (ret)
		return ret;
	ret = memory_zeroed(1, strlen(s) + 1);
	for (size_t i = 0; s[i]; i++)
		ret[i] = iscntrl((unsigned char)s[i]) ? '?' : s[i];
	return ret;
}

size_t lines_decode(const void *answer, size_t size, struct line_frame *ret)
{
	struct bytes c = { .p = answer, .end = (const unsigned char *)answer + size };
	uint64_t n = bytes_fixed(&c, 4);

	if (n > LINES_FRAMES)
		n = LINES_FRAMES;
	for (size_t i = 0; i < n; i++) {
		uint32_t line = (uint32_t)bytes_fixed(&c, 4);
		char *function = text_of(&c, true), *file = text_of(&c, false);

		if (c.bad) {
			free(function);
			free(file);
			return i;
		}
		ret[i] = (struct line_frame){ function, file, line };
	}
	return n;
}

void lines_forget(struct line_frame *frames, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free((char *)frames[i].function);
		free((char *)frames[i].file);
	}
}

/* ---- what is known ---- */

static struct known *place_of(const struct lines *l, uint64_t address)
{
	size_t i = (size_t)((address * 0x9e3779b97f4a7c15ull) >> 32) & (l->capacity - 1);

	while (l->known[i].used && l->known[i].address != address)
		i = (i + 1) & (l->capacity - 1);
	return &l->known[i];
}

static void forget_all(struct lines *l)
{
	for (size_t i = 0; i < l->capacity; i++)
		if (l->known[i].used) {
			lines_forget(l->known[i].frames, l->known[i].n);
			free(l->known[i].frames);
		}
	free(l->known);
	l->known = NULL;
	l->n = l->capacity = 0;
}

static void grow(struct lines *l)
{
	struct known *old = l->known;
	size_t n = l->capacity;

	if (l->n == KNOWN_MAX) {
		forget_all(l);
		old = NULL;
		n = 0;
	}
	if (l->capacity && l->n * 2 < l->capacity)
		return;
	l->capacity = l->capacity ? l->capacity * 2 : 64;
	l->known = memory_zeroed(l->capacity, sizeof(*l->known));
	for (size_t i = 0; i < n; i++)
		if (old[i].used)
			*place_of(l, old[i].address) = old[i];
	free(old);
}

/* ---- the file with debug information ---- */

/* The reader's own descriptors come first. */
static int duplicate(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, LINES_UNUSED);
}

static bool take(const struct image *f, int fd, void *arg)
{
	struct line_files *ret = arg;
	int alternate;

	if (image_has_debug_info(f))
		ret->file = duplicate(fd);
	if (ret->file < 0)
		return false;
	alternate = debug_parts_alternate(f, fd, DEBUG_ROOT);
	ret->alternate = duplicate(alternate);
	if (alternate >= 0)
		close(alternate);
	return true;
}

static void close_files(struct line_files *files)
{
	if (files->file >= 0)
		close(files->file);
	if (files->alternate >= 0)
		close(files->alternate);
	if (files->package >= 0)
		close(files->package);
	*files = NO_FILES;
}

/* Replaces the file by the one with its debug information. */
static void locate(struct lines *l)
{
	struct line_files found = NO_FILES;
	struct image f;
	const char *why;
	int package;

	if (l->located)
		return;
	l->located = true;
	if (image_open(l->files.file, &f, &why) == 0 && !take(&f, l->files.file, &found))
		debug_file_find(&f, l->path, DEBUG_ROOT, take, &found);
	image_close(&f);
	if (found.file >= 0) {
		package = debug_parts_package(found.file, l->path);
		found.package = duplicate(package);
		if (package >= 0)
			close(package);
	}
	close_files(&l->files);
	l->files = found;
}

static int open_split(void *arg, const char *folder, const char *name)
{
	const struct lines *l = arg;

	return debug_parts_split(l->files.file, l->path, folder, name);
}

/* ---- the reader ---- */

static int stop(struct lines *l)
{
	for (size_t i = 0; i < READERS_MAX; i++)
		if (running[i] == l)
			running[i] = NULL;
	return line_reader_stop(&l->reader);
}

static void give_up(struct lines *l, const char *why)
{
	static bool said;

	if (stop(l) == LINES_UNCONFINED)
		why = "the process that reads them cannot drop its privileges "
		      "(CONFIG_SECCOMP_FILTER)";
	close_files(&l->files);
	if (said)
		return;
	said = true;
	say_warn("E_LINES", NULL, "source lines and inlined functions may be missing: %s", why);
}

static bool start(struct lines *l)
{
	size_t room = 0;
	int err;

	for (size_t i = 0; i < READERS_MAX; i++) {
		if (!running[i]) {
			room = i;
			break;
		}
		if (running[i]->asked < running[room]->asked)
			room = i;
	}
	if (running[room])
		stop(running[room]);
	err = line_reader_start(&l->reader, &l->files);
	if (err) {
		give_up(l, err == -ENOENT ? "probec, which reads them, is not beside proberun" :
					    strerror(-err));
		return false;
	}
	running[room] = l;
	return true;
}

static void ask(struct lines *l, uint64_t address, struct known *ret)
{
	static unsigned char answer[LINES_ANSWER_MAX];
	struct line_frame frames[LINES_FRAMES];
	ssize_t size;

	*ret = (struct known){ .used = true, .address = address };
	if (l->files.file < 0 || (!l->reader.pid && !start(l)))
		return;
	l->asked = ++questions;
	size = line_reader_ask(&l->reader, address, open_split, l, answer, sizeof(answer));
	if (size < 0) {
		give_up(l, "the debug information of a file could not be read");
		return;
	}
	ret->n = lines_decode(answer, (size_t)size, frames);
	ret->frames = memory_zeroed(ret->n, sizeof(*frames));
	memcpy(ret->frames, frames, ret->n * sizeof(*frames));
}

/* ---- interface ---- */

struct lines *lines_read(int fd, const char *path)
{
	struct lines *l;
	int own = duplicate(fd);

	if (own < 0)
		return NULL;
	l = memory_zeroed(1, sizeof(*l));
	l->files = NO_FILES;
	l->files.file = own;
	l->located = !path;
	if (path) {
		l->path = memory_zeroed(1, strlen(path) + 1);
		strcpy(l->path, path);
	}
	return l;
}

size_t lines_find(struct lines *l, uint64_t address, const struct line_frame **ret)
{
	struct known *known;

	*ret = NULL;
	if (!l)
		return 0;
	locate(l);
	if (l->files.file < 0 && !l->n)
		return 0;
	grow(l);
	known = place_of(l, address);
	if (!known->used) {
		ask(l, address, known);
		l->n++;
	}
	*ret = known->frames;
	return known->n;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	stop(l);
	close_files(&l->files);
	forget_all(l);
	free(l->path);
	free(l);
}
