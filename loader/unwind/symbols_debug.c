/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols that are not in the file itself, where gdb looks for them: "Debugging Information in
 * Separate Files" and "MiniDebugInfo" in its manual. The file chooses the name of its debug file,
 * and its owner may have put anything there, so only a regular file is opened, and it is taken only
 * if its build-id is the same, or, without build-ids, if the checksum is.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file.h"
#include "unwind/symbols_private.h"

enum {
	BLOCK = 1 << 16,           /* bytes */
	DEBUG_FILE_MAX = 1 << 30,  /* bytes that a checksum is computed of */
	UNPACKED_MAX = 256 << 20,  /* bytes of .gnu_debugdata */
	UNPACK_MEMORY = 128 << 20, /* bytes that liblzma may use for it */
	BUILD_ID_MAX = 64,         /* bytes */
};

/* ---- which file ---- */

struct file_id {
	size_t n;                  /* 0: there is none */
	unsigned char v[BUILD_ID_MAX];
};

static void read_build_id(const struct image *f, struct file_id *ret)
{
	struct image_part part;
	Elf64_Nhdr head;

	*ret = (struct file_id){ 0 };
	if (!image_section(f, ".note.gnu.build-id", &part))
		return;
	if (part.size >= sizeof(head) + 4) {
		memcpy(&head, part.bytes, sizeof(head));
		if (head.n_namesz == 4 && head.n_type == NT_GNU_BUILD_ID &&
		    memcmp(part.bytes + sizeof(head), "GNU", 4) == 0 &&
		    head.n_descsz <= BUILD_ID_MAX &&
		    head.n_descsz <= part.size - sizeof(head) - 4) {
			ret->n = head.n_descsz;
			memcpy(ret->v, part.bytes + sizeof(head) + 4, ret->n);
		}
	}
	free(part.bytes);
}

/* Opening a device may have effects, so a file is opened when it is known that it is none. */
static int open_regular(const char *path)
{
	int found = open(path, O_PATH | O_CLOEXEC), fd = -1;
	char name[64];
	struct stat st;

	if (found < 0)
		return -1;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", found);
	if (fstat(found, &st) == 0 && S_ISREG(st.st_mode))
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	close(found);
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

/* Adds the symbols of the file at @path if it is the debug file of the one with that build-id, or
 * that checksum, if one is given. */
static bool try_file(const char *path, const struct file_id *id, const uint32_t *checksum,
		     struct found_symbols *ret)
{
	int fd = open_regular(path);
	struct file_id other;
	struct image f;
	const char *why;
	bool found = false;

	if (fd < 0)
		return false;
	if (image_open(fd, &f, &why) == 0) {
		read_build_id(&f, &other);
		if (id->n && other.n)
			found = id->n == other.n && memcmp(id->v, other.v, id->n) == 0;
		else
			found = checksum && has_checksum(fd, *checksum);
		found = found && symbols_read_table(&f, SHT_SYMTAB, ret);
	}
	image_close(&f);
	close(fd);
	return found;
}

static bool read_by_build_id(const struct file_id *id, const char *root,
			     struct found_symbols *ret)
{
	char path[PATH_MAX];
	size_t at;

	if (id->n < 2)
		return false;
	at = (size_t)snprintf(path, sizeof(path), "%s/.build-id/%02x/", root, id->v[0]);
	for (size_t i = 1; i < id->n && at + 8 < sizeof(path); i++)
		at += (size_t)sprintf(path + at, "%02x", id->v[i]);
	if (at + 8 >= sizeof(path))
		return false;
	strcpy(path + at, ".debug");
	return try_file(path, id, NULL, ret);
}

static bool read_by_link(const struct image *f, const struct file_id *id, const char *path,
			 const char *root, struct found_symbols *ret)
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
			int n = snprintf(file, sizeof(file), forms[i], root, path, folder, name);

			found = n > 0 && (size_t)n < sizeof(file) &&
				try_file(file, id, &checksum, ret);
		}
	}
	free(part.bytes);
	return found;
}

/* ---- .gnu_debugdata ---- */

/* Unpacks to a file in memory; -1: it is damaged, or too large. */
static int unpack(const struct image_part *part)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	unsigned char bytes[BLOCK];
	int fd = memfd_create("symbols", MFD_CLOEXEC);
	lzma_ret state = LZMA_OK;

	if (fd < 0 || lzma_stream_decoder(&stream, UNPACK_MEMORY, 0) != LZMA_OK) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	stream.next_in = part->bytes;
	stream.avail_in = part->size;
	while (state == LZMA_OK) {
		size_t n;

		stream.next_out = bytes;
		stream.avail_out = sizeof(bytes);
		state = lzma_code(&stream, LZMA_FINISH);
		n = sizeof(bytes) - stream.avail_out;
		if (stream.total_out > UNPACKED_MAX || file_write_all(fd, bytes, n) != 0)
			state = LZMA_DATA_ERROR;
	}
	lzma_end(&stream);
	if (state == LZMA_STREAM_END)
		return fd;
	close(fd);
	return -1;
}

static void read_packed(const struct image *f, struct found_symbols *ret)
{
	struct image_part part;
	struct image unpacked;
	const char *why;
	int fd;

	if (!image_section(f, ".gnu_debugdata", &part))
		return;
	fd = unpack(&part);
	free(part.bytes);
	if (fd < 0)
		return;
	if (image_open(fd, &unpacked, &why) == 0)
		symbols_read_table(&unpacked, SHT_SYMTAB, ret);
	image_close(&unpacked);
	close(fd);
}

void symbols_read_separate(const struct image *f, const char *path, const char *root,
			   struct found_symbols *ret)
{
	struct file_id id;

	read_build_id(f, &id);
	if (!read_by_build_id(&id, root, ret) && !read_by_link(f, &id, path, root, ret))
		read_packed(f, ret);
}
