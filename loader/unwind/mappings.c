/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of /proc/PID/maps says which part of a file is mapped where; the program headers say which
 * addresses of the file that part has. Their difference is the same for all mappings of a file.
 */
#include "unwind/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/file.h"
#include "shared/search.h"
#include "unwind/image.h"
#include "unwind/table.h"

enum { PAGE = 4096, VDSO_MAX = 1 << 20 /* bytes */ };

/* A line of the file. */
struct map_line {
	uint64_t start, end, offset;
	bool is_code;
	const char *path;    /* "" if it has none */
};

static bool parse_line(const char *line, struct map_line *ret)
{
	char rights[5];
	int at = 0;

	*ret = (struct map_line){ 0 };
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &ret->start,
		   &ret->end, rights, &ret->offset, &at) != 4 || !at)
		return false;
	ret->is_code = rights[2] == 'x';
	ret->path = line + at;
	return true;
}

/* The code in the process's memory as a file; -1: it can't be read. */
static int copy_memory(pid_t pid, const struct map_line *line)
{
	char path[64], *bytes;
	uint64_t size = line->end - line->start;
	int memory, fd = -1;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	memory = size > VDSO_MAX ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (memory < 0)
		return -1;
	bytes = alloc_array(1, size);
	if (pread(memory, bytes, size, (off_t)line->start) == (ssize_t)size)
		fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && file_write_all(fd, bytes, size) != 0) {
		close(fd);
		fd = -1;
	}
	free(bytes);
	close(memory);
	return fd;
}

static int open_mapped(pid_t pid, const struct map_line *line)
{
	char path[96];

	if (strcmp(line->path, "[vdso]") == 0)
		return copy_memory(pid, line);
	if (line->path[0] != '/')
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid,
		 line->start, line->end);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* The table of the file behind @fd, compiled when it is met first; NULL: it has none. */
static const struct prt_unwind_table *table_of(struct mapped_tables *tables, int fd)
{
	struct mapped_table *t;
	const char *why;
	struct stat st;
	int64_t changed;

	if (fstat(fd, &st) != 0)
		return NULL;
	changed = st.st_ctim.tv_sec * 1000000000ll + st.st_ctim.tv_nsec;
	for (t = tables->first; t; t = t->next)
		if (t->device == st.st_dev && t->inode == st.st_ino && t->size == st.st_size &&
		    t->changed == changed)
			return t->table;
	t = alloc_array(1, sizeof(*t));
	*t = (struct mapped_table){ .device = st.st_dev, .inode = st.st_ino, .size = st.st_size,
				    .changed = changed, .table = table_compile(fd, NULL, &why),
				    .next = tables->first };
	tables->first = t;
	return t->table;
}

/* Finds the difference of addresses in the process and in the file, whose byte @offset is mapped
 * to @start. */
static bool bias_of(int fd, uint64_t start, uint64_t offset, uint64_t *ret)
{
	struct image f;
	const char *why;
	bool found = false;

	if (image_open(fd, &f, &why) == 0)
		for (size_t i = 0; i < f.nsegments && !found; i++) {
			const struct image_segment *it = &f.segments[i];

			/* A segment is mapped from the beginning of its first page on. */
			found = it->is_code && offset + PAGE > it->offset &&
				offset < it->offset + it->size;
			*ret = start - (it->address - it->offset + offset);
		}
	image_close(&f);
	return found;
}

static struct mapping map(struct mapped_tables *tables, pid_t pid, const struct map_line *line)
{
	struct mapping ret = { .start = line->start, .end = line->end };
	int fd = open_mapped(pid, line);

	if (fd < 0)
		return ret;
	if (bias_of(fd, line->start, line->path[0] == '[' ? 0 : line->offset, &ret.bias))
		ret.table = table_of(tables, fd);
	close(fd);
	return ret;
}

int mappings_read(struct mapped_tables *tables, pid_t pid, struct mappings *ret)
{
	struct text text = { 0 };
	struct map_line parsed;
	char path[64], *line;
	size_t at = 0;
	int err;

	*ret = (struct mappings){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	err = file_read(path, &text);
	if (err) {
		text_deinit(&text);
		return err;
	}
	ret->v = alloc_array(text_lines(&text) + 1, sizeof(*ret->v));
	while ((line = text_line(&text, &at)))
		if (parse_line(line, &parsed) && parsed.is_code)
			ret->v[ret->n++] = map(tables, pid, &parsed);
	text_deinit(&text);
	return 0;
}

void mappings_deinit(struct mappings *m)
{
	free(m->v);
	*m = (struct mappings){ 0 };
}

const struct mapping *mappings_find(const struct mappings *m, uint64_t address)
{
	size_t i;

	search_first(i, m->n, m->v[i].end <= address);
	return i < m->n && m->v[i].start <= address ? &m->v[i] : NULL;
}

void mappings_free_tables(struct mapped_tables *tables)
{
	while (tables->first) {
		struct mapped_table *t = tables->first;

		tables->first = t->next;
		free(t->table);
		free(t);
	}
}
