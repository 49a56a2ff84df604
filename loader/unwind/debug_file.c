/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where gdb looks for separate debug files: "Debugging Information in Separate Files" in its
 * manual. The file chooses the name of its debug file, and its owner may have put anything there,
 * so only a regular file is opened, and it is taken only if its build-id is the same, or, without
 * build-ids, if the checksum is.
 */
#include "unwind/debug_file.h"

#include <errno.h>
#include <limits.h>
#include <lzma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/elf.h"
#include "unwind/image.h"
#include "unwind/mounts.h"

enum {
	BLOCK = 1 << 16,           /* bytes */
	DEBUG_FILE_MAX = 1 << 30,  /* bytes that a checksum is computed of */
};

struct search {
	const char *root;
	struct file_id id;
	debug_file_take *take;
	void *arg;
};

void debug_file_id(const struct image *f, struct file_id *ret)
{
	struct image_part part;
	struct elf_build_id id;

	*ret = (struct file_id){ 0 };
	if (!image_section(f, ".note.gnu.build-id", &part))
		return;
	if (elf_find_build_id(part.bytes, part.size, &id) && id.n <= FILE_ID_MAX) {
		ret->n = id.n;
		memcpy(ret->v, id.v, id.n);
	}
	free(part.bytes);
}

int debug_file_open(const char *path)
{
	struct mounts mounts = { 0 };
	int fd = mounts_open(&mounts, mounts_find(&mounts, path));

	mounts_deinit(&mounts);
	return fd;
}

static bool has_checksum(int fd, uint32_t wanted)
{
	unsigned char bytes[BLOCK];
	uint32_t sum = 0;
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(fd, bytes, sizeof(bytes), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 && sum == wanted;
		sum = lzma_crc32(bytes, (size_t)n, sum);
		at += n;
		if (at > DEBUG_FILE_MAX)
			return false;
	}
}

/* Whether @s takes the file at @path, which must be the debug file of the one with that build-id,
 * or that checksum, if one is given. */
static bool try_file(const struct search *s, const char *path, const uint32_t *checksum)
{
	const struct file_id *id = &s->id;
	int fd = debug_file_open(path);
	struct file_id other;
	struct image f;
	const char *why;
	bool found = false;

	if (fd < 0)
		return false;
	if (image_open(fd, &f, &why) == 0) {
		debug_file_id(&f, &other);
		if (id->n && other.n)
			found = id->n == other.n && memcmp(id->v, other.v, id->n) == 0;
		else
			found = checksum && has_checksum(fd, *checksum);
		found = found && s->take(&f, fd, s->arg);
	}
	image_close(&f);
	close(fd);
	return found;
}

bool debug_file_by_id(const struct file_id *id, const char *root, char ret[PATH_MAX])
{
	size_t at;

	if (id->n < 2)
		return false;
	at = (size_t)snprintf(ret, PATH_MAX, "%s/.build-id/%02x/", root, id->v[0]);
	for (size_t i = 1; i < id->n && at + 8 < PATH_MAX; i++)
		at += (size_t)sprintf(ret + at, "%02x", id->v[i]);
	if (at + 8 >= PATH_MAX)
		return false;
	strcpy(ret + at, ".debug");
	return true;
}

static bool try_build_id(const struct search *s)
{
	char path[PATH_MAX];

	return debug_file_by_id(&s->id, s->root, path) && try_file(s, path, NULL);
}

static bool try_link(const struct search *s, const struct image *f, const char *path)
{
	const char *slash = strrchr(path, '/'), *name;
	int folder = slash ? (int)(slash - path) : 0;
	struct image_part part;
	uint32_t checksum;
	char file[PATH_MAX];
	bool found = false;

	if (!slash || path[0] != '/' || !image_section(f, ".gnu_debuglink", &part))
		return false;
	name = (const char *)part.bytes;
	if (part.size > 4 && memchr(name, 0, part.size - 4) && *name && !strchr(name, '/')) {
		const char *const forms[] = { "%2$.*3$s/%4$s", "%2$.*3$s/.debug/%4$s",
					      "%1$s%2$.*3$s/%4$s" };

		memcpy(&checksum, part.bytes + part.size - 4, sizeof(checksum));
		for (size_t i = 0; i < 3 && !found; i++) {
			int n = snprintf(file, sizeof(file), forms[i], s->root, path, folder, name);

			found = n > 0 && (size_t)n < sizeof(file) &&
				try_file(s, file, &checksum);
		}
	}
	free(part.bytes);
	return found;
}

bool debug_file_find(const struct image *f, const char *path, const char *root,
		     debug_file_take *take, void *arg)
{
	struct search s = { .root = root, .take = take, .arg = arg };

	debug_file_id(f, &s.id);
	return try_build_id(&s) || try_link(&s, f, path);
}
