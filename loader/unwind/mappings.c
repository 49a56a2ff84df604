/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of /proc/PID/maps says which part of a file is mapped where; the program headers say which
 * addresses of the file that part has. Their difference, the bias, is the same for all mappings of
 * a file that was loaded once. A mapping consists of whole pages, and a page of a file can have
 * code of two segments, as lld and linker scripts lay them out; it is mapped for each of them. The
 * bias tells which one a line is of: with the right one, all segments are where they should be.
 */
#include "unwind/mappings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "unwind/image.h"
#include "unwind/mounts.h"
#include "unwind/perf_map.h"
#include "unwind/table.h"
#include "unwind/table_store.h"

enum {
	PAGE = 4096,
	VDSO_MAX = 1 << 20, /* bytes */
	HURRY = 15,         /* steps of nice */
};

/* A line of the file. */
struct map_line {
	uint64_t start, end, offset;
	bool is_code;
	bool is_written;
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
	ret->is_written = rights[1] == 'w';
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
	bytes = memory_zeroed(1, size);
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

/* ---- files ---- */

static struct mapped_file *known_file(const struct mapped_files *files, const struct stat *st)
{
	int64_t changed = st->st_ctim.tv_sec * 1000000000ll + st->st_ctim.tv_nsec;

	for (struct mapped_file *f = files->first; f; f = f->next)
		if (f->device == st->st_dev && f->inode == st->st_ino && !f->is_gone &&
		    (f->is_map || (f->size == st->st_size && f->changed == changed)))
			return f;
	return NULL;
}

/* @fd belongs to the result. */
static struct mapped_file *add_file(struct mapped_files *files, int fd, const struct stat *st,
				    const char *path)
{
	struct mapped_file *f = memory_zeroed(1, sizeof(*f));

	*f = (struct mapped_file){
		.device = st->st_dev, .inode = st->st_ino, .size = st->st_size,
		.changed = st->st_ctim.tv_sec * 1000000000ll + st->st_ctim.tv_nsec,
		.path = memory_zeroed(1, strlen(path) + 1), .fd = fd, .next = files->first,
	};
	strcpy(f->path, path);
	files->first = f;
	return f;
}

static struct prt_unwind_table *find_table(const char *store, const struct image *image,
					   const struct stat *st)
{
	struct prt_unwind_table *t = store ? table_store_read(store, st) : NULL;
	const char *why;

	if (t)
		return t;
	t = table_compile(image, NULL, &why);
	if (t && store)
		table_store_write(store, st, t);
	return t;
}

/* Reads a program or library. */
static void read_file(struct mapped_file *f, const char *store, const struct stat *st)
{
	struct image image;
	const char *why;

	if (image_open(f->fd, &image, &why) == 0) {
		f->table = find_table(store, &image, st);
		f->segments = image.segments;
		f->nsegments = image.nsegments;
		image.segments = NULL;
	}
	image_close(&image);
}

/* Until a file is read, all stacks through it are incomplete, and the processes that map it keep
 * the processors busy: this thread goes first. It stays as it is where it may not. */
static void read_file_first(struct mapped_file *f, const char *store, const struct stat *st)
{
	int nice_was = getpriority(PRIO_PROCESS, 0);

	setpriority(PRIO_PROCESS, 0, nice_was - HURRY);
	read_file(f, store, st);
	setpriority(PRIO_PROCESS, 0, nice_was);
}

struct mapped_file *mappings_file(struct mapped_files *files, int fd, const char *path)
{
	struct mapped_file *f = NULL;
	struct stat st;

	if (fstat(fd, &st) != 0 || (f = known_file(files, &st))) {
		close(fd);
		return f;
	}
	f = add_file(files, fd, &st, path);
	read_file_first(f, files->store, &st);
	return f;
}

/* Every process of 64 bits has the same vdso, in a file of its own here, and every one of 32 bits
 * has another one. */
static struct mapped_file *find_vdso(struct mapped_files *files, pid_t pid,
				     const struct map_line *line)
{
	struct stat st = {
		.st_size = (off_t)(line->end - line->start), .st_ino = line->end <= UINT32_MAX,
	};
	struct mapped_file *f = known_file(files, &st);
	int fd;

	if (f)
		return f;
	fd = copy_memory(pid, line);
	if (fd < 0)
		return NULL;
	f = add_file(files, fd, &st, line->path);
	read_file(f, NULL, &st);
	return f;
}

/* A file that is known is not opened: that can take a file system long, and a process that has just
 * begun may not live so long. @unread: it may not be read, or can't be. */
static struct mapped_file *find_mapped(struct mapped_files *files, struct mounts *mounts,
				       const struct map_line *line, bool *unread)
{
	struct mapped_file *f = NULL;
	struct stat st;
	char path[96];
	int fd;

	*unread = false;
	if (strcmp(line->path, "[vdso]") == 0)
		return find_vdso(files, mounts->pid, line);
	if (line->path[0] != '/')
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 (int)mounts->pid, line->start, line->end);
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	*unread = !mounts_allow(mounts, fd);
	if (*unread || fstat(fd, &st) != 0 || (f = known_file(files, &st))) {
		close(fd);
		return f;
	}
	fd = mounts_reopen(fd);
	*unread = fd < 0 && S_ISREG(st.st_mode);
	return fd < 0 ? NULL : mappings_file(files, fd, line->path);
}

/* ---- code that was made at run time ---- */

/* The process whose mappings are read. */
struct process {
	struct mounts mounts;     /* of the process */
	const struct map_line *lines;
	size_t nlines;
	bool looked;              /* for `made` */
	struct mapped_file *made; /* names of code that it made; NULL: there are none */
};

/* As long as its descriptor @fd is open, no other file gets the inode. A hit may have met it as a
 * file that is mapped. */
static struct mapped_file *names_file(struct mapped_files *files, int fd, const char *path)
{
	struct mapped_file *f;
	struct stat st;

	if (fstat(fd, &st) != 0) {
		close(fd);
		return NULL;
	}
	f = known_file(files, &st);
	if (f && f->is_map) {
		close(fd);
		return f;
	}
	f = add_file(files, fd, &st, path);
	f->is_map = true;
	f->table = table_of_frame_pointers();
	return f;
}

static struct mapped_file *find_names(struct mapped_files *files, struct process *process)
{
	char path[PERF_MAP_PATH];
	int fd = perf_map_open(&process->mounts, path);

	if (fd >= 0)
		return names_file(files, fd, path);
	for (size_t i = 0; i < process->nlines; i++) {
		const struct map_line *it = &process->lines[i];

		if (!it->is_code || !perf_map_is_dump(it->path))
			continue;
		fd = perf_map_open_dump(&process->mounts, it->start, it->end, it->path);
		if (fd >= 0)
			return names_file(files, fd, it->path);
	}
	return NULL;
}

/* Anonymous memory, also where it has a name or is shared. */
static bool may_be_made(const char *path)
{
	static const char *const known[] = { "[anon", "[heap]", "[stack]", "//anon", "/memfd:",
					     "/dev/zero", "/SYSV" };

	if (!path[0])
		return true;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strncmp(path, known[i], strlen(known[i])) == 0)
			return true;
	return false;
}

/* Whether the segment is at @address in the process. */
static bool is_at(const struct process *p, const char *path, const struct image_segment *segment,
		  uint64_t address)
{
	for (size_t i = 0; i < p->nlines; i++) {
		const struct map_line *it = &p->lines[i];

		if (address >= it->start && address < it->end && strcmp(it->path, path) == 0)
			return address - it->start + it->offset == segment->offset;
	}
	return false;
}

static size_t segments_with(const struct process *p, const struct mapped_file *f, const char *path,
			    uint64_t bias)
{
	size_t n = 0;

	for (size_t i = 0; i < f->nsegments; i++)
		n += is_at(p, path, &f->segments[i], f->segments[i].address + bias);
	return n;
}

/* Finds the difference of addresses in the process and in the file that a line maps. */
static bool bias_of(const struct process *p, const struct mapped_file *f,
		    const struct map_line *line, uint64_t *ret)
{
	uint64_t offset = line->path[0] == '[' ? 0 : line->offset;
	bool found = false;

	for (size_t i = 0; i < f->nsegments; i++) {
		const struct image_segment *it = &f->segments[i];
		uint64_t bias = line->start - (it->address - it->offset + offset);

		/* A segment is mapped from the beginning of its first page on. */
		if (!it->is_code || offset + PAGE <= it->offset || offset >= it->offset + it->size)
			continue;
		if (!found || (bias != *ret && segments_with(p, f, line->path, bias) >
					       segments_with(p, f, line->path, *ret)))
			*ret = bias;
		found = true;
	}
	return found;
}

static struct mapping map(struct mapped_files *files, struct process *process,
			  const struct map_line *line)
{
	struct mapping ret = { .start = line->start, .end = line->end };

	if (perf_map_is_dump(line->path))
		return ret;
	ret.file = find_mapped(files, &process->mounts, line, &ret.is_unread);
	if (ret.file && !bias_of(process, ret.file, line, &ret.bias))
		ret.file = NULL;
	if (ret.file || !may_be_made(line->path))
		return ret;
	if (!process->looked)
		process->made = find_names(files, process);
	process->looked = true;
	ret.file = process->made;
	ret.bias = 0;
	return ret;
}

/* ---- processes ---- */

int mappings_open(pid_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Their paths stay in @text. */
static struct map_line *parse_lines(struct buf *text, size_t *n)
{
	struct map_line *all = memory_zeroed(buf_lines(text) + 1, sizeof(*all));
	size_t at = 0;
	char *line;

	*n = 0;
	while ((line = buf_line(text, &at)))
		*n += parse_line(line, &all[*n]);
	return all;
}

int mappings_read(struct mapped_files *files, pid_t pid, int fd, struct mappings *ret)
{
	struct process process = { .mounts = { .pid = pid } };
	struct buf text = { 0 };
	struct map_line *lines;
	int err = file_read_fd(fd, &text);

	close(fd);
	*ret = (struct mappings){ 0 };
	if (err) {
		buf_deinit(&text);
		return err;
	}
	process.lines = lines = parse_lines(&text, &process.nlines);
	ret->v = memory_zeroed(process.nlines + 1, sizeof(*ret->v));
	for (size_t i = 0; i < process.nlines; i++) {
		if (!lines[i].is_code)
			continue;
		if (!lines[i].is_written && strcmp(lines[i].path, "[vsyscall]") != 0)
			ret->pages += (lines[i].end - lines[i].start) / PAGE;
		ret->v[ret->n++] = map(files, &process, &lines[i]);
	}
	free(lines);
	mounts_deinit(&process.mounts);
	buf_deinit(&text);
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

void mappings_free_files(struct mapped_files *files)
{
	while (files->first) {
		struct mapped_file *f = files->first;

		files->first = f->next;
		if (f->fd >= 0)
			close(f->fd);
		free(f->path);
		free(f->segments);
		free(f->table);
		free(f);
	}
}
