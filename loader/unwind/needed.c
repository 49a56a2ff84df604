/* SPDX-License-Identifier: GPL-2.0 */
/* ld.so(8) says where libraries are looked for. Nothing is lost where one is not found. */
#include "unwind/needed.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "unwind/debug_file.h"
#include "unwind/image.h"

enum { FILES_MAX = 512, DEPTH_MAX = 32 };

struct needed {
	needed_visit *visit;
	void *arg;
	unsigned n;              /* files that were looked at */
};

/* A file's dynamic section. */
struct dynamic {
	const char *folder;      /* of the file, for $ORIGIN */
	struct image_part entries, strings; /* strings: ends with a NUL */
	bool is_32bit;
	const char *paths;       /* DT_RUNPATH or DT_RPATH; "": there is none */
};

static void look_at(struct needed *s, const char *path, unsigned depth);

/* ---- where a library is ---- */

/* Writes DIRECTORY/NAME, where the directory is @n bytes at @from and may begin with $ORIGIN. */
static bool join(const char *folder, const char *from, size_t n, const char *name,
		 char ret[PATH_MAX])
{
	static const char *const origins[] = { "$ORIGIN", "${ORIGIN}" };
	int size;

	for (size_t i = 0; i < 2; i++) {
		size_t length = strlen(origins[i]);

		if (n < length || memcmp(from, origins[i], length) != 0)
			continue;
		size = snprintf(ret, PATH_MAX, "%s%.*s/%s", folder, (int)(n - length),
				from + length, name);
		return size > 0 && size < PATH_MAX && access(ret, F_OK) == 0;
	}
	size = snprintf(ret, PATH_MAX, "%.*s/%s", (int)n, from, name);
	return n && size > 0 && size < PATH_MAX && access(ret, F_OK) == 0;
}

static bool find_in(const char *folder, const char *paths, const char *name, char ret[PATH_MAX])
{
	while (*paths) {
		size_t n = strcspn(paths, ":");

		if (join(folder, paths, n, name, ret))
			return true;
		paths += n + (paths[n] == ':');
	}
	return false;
}

static bool find_library(const struct dynamic *d, const char *name, char ret[PATH_MAX])
{
	static const char usual[] = "/lib/" ARCH_LIBRARIES ":/usr/lib/" ARCH_LIBRARIES ":/lib64:"
				    "/usr/lib64:/lib:/usr/lib:/usr/local/lib";

	static const char usual_32[] = "/lib/" ARCH_LIBRARIES_32 ":/usr/lib/" ARCH_LIBRARIES_32
				       ":/lib32:/usr/lib32:/lib:/usr/lib:/usr/local/lib";

	if (strchr(name, '/'))
		return snprintf(ret, PATH_MAX, "%s", name) < PATH_MAX;
	return find_in(d->folder, d->paths, name, ret) ||
	       find_in("", d->is_32bit ? usual_32 : usual, name, ret);
}

/* ---- what a file needs ---- */

static const char *string_at(const struct dynamic *d, uint64_t offset)
{
	return offset < d->strings.size ? (const char *)d->strings.bytes + offset : "";
}

/* The next entry with that tag, from number *@at on; NULL: there is none. */
static const Elf64_Dyn *next_entry(const struct dynamic *d, size_t *at, int64_t tag)
{
	const Elf64_Dyn *all = (const Elf64_Dyn *)d->entries.bytes;
	size_t n = d->entries.size / sizeof(*all);

	while (*at < n && all[*at].d_tag != DT_NULL) {
		const Elf64_Dyn *it = &all[(*at)++];

		if (it->d_tag == tag)
			return it;
	}
	return NULL;
}

static bool read_dynamic(const struct image *f, struct dynamic *ret)
{
	size_t i = image_find(f, ".dynamic"), at = 0;
	const Elf64_Dyn *paths;

	if (i == f->nsections || !image_bytes(f, i, &ret->entries))
		return false;
	if (!image_bytes(f, image_head(f, i).link, &ret->strings))
		return false;
	ret->strings.bytes[ret->strings.size - 1] = 0;
	paths = next_entry(ret, &at, DT_RUNPATH);
	at = 0;
	if (!paths)
		paths = next_entry(ret, &at, DT_RPATH);
	ret->paths = paths ? string_at(ret, paths->d_un.d_val) : "";
	return true;
}

static void look_at_libraries(struct needed *s, const struct image *f, const char *path,
			      unsigned depth)
{
	char folder[PATH_MAX], library[PATH_MAX];
	struct dynamic d = { .folder = folder, .is_32bit = f->is_32bit };
	const Elf64_Dyn *it;
	size_t at = 0;

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	if (read_dynamic(f, &d))
		while ((it = next_entry(&d, &at, DT_NEEDED)))
			if (find_library(&d, string_at(&d, it->d_un.d_val), library))
				look_at(s, library, depth + 1);
	free(d.entries.bytes);
	free(d.strings.bytes);
}

static void look_at_interpreter(struct needed *s, const struct image *f, unsigned depth)
{
	struct image_part path;

	if (!image_section(f, ".interp", &path))
		return;
	path.bytes[path.size - 1] = 0;
	look_at(s, (const char *)path.bytes, depth + 1);
	free(path.bytes);
}

/* The program that runs the script. */
static void look_at_script(struct needed *s, int fd, unsigned depth)
{
	char head[PATH_MAX] = "";
	ssize_t n = pread(fd, head, sizeof(head) - 1, 0);
	char *name = head + 2;

	if (n < 2 || memcmp(head, "#!", 2) != 0)
		return;
	name += strspn(name, " \t");
	name[strcspn(name, " \t\r\n")] = 0;
	if (*name == '/')
		look_at(s, name, depth + 1);
}

static void look_at(struct needed *s, const char *path, unsigned depth)
{
	char real[PATH_MAX];
	struct image f;
	const char *why;
	int fd;

	if (depth > DEPTH_MAX || s->n == FILES_MAX || !realpath(path, real))
		return;
	s->n++;
	fd = debug_file_open(real);
	if (fd < 0)
		return;
	if (image_open(fd, &f, &why) != 0) {
		look_at_script(s, fd, depth);
	} else if (s->visit(s->arg, fcntl(fd, F_DUPFD_CLOEXEC, 3), real)) {
		look_at_interpreter(s, &f, depth);
		look_at_libraries(s, &f, real, depth);
	}
	image_close(&f);
	close(fd);
}

void needed_each(const char *path, needed_visit *visit, void *arg)
{
	struct needed s = { visit, arg, 0 };

	look_at(&s, path, 0);
}
