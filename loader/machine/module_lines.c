/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A module's file is relocatable: each of its sections has been loaded at an address of its own,
 * which /sys/module/NAME/sections tells. Files are found by name and taken by build-id.
 * Modules come and go while a session runs, so the list of them is read again when it is old.
 */
#include "machine/module_lines.h"

#include <elf.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "machine/debug_directories.h"
#include "machine/kernel.h"
#include "shared/clock.h"
#include "shared/lines.h"
#include "shared/memory.h"
#include "unwind/debug_file.h"
#include "unwind/image.h"
#include "unwind/lines.h"

enum {
	NAME_SIZE = 64,          /* bytes of a module's name with its NUL; the kernel has 56 */
	LIST_NS = 1000000000,    /* a list of modules is old then */
};

/* Code of a module, and the number of its section. */
struct code {
	uint64_t start, size;
	uint64_t section;
};

struct loaded {
	char name[NAME_SIZE];
	uint64_t start;          /* of its code */
	bool searched;           /* the rest is set */
	struct lines *lines;     /* NULL: there are none */
	struct code *code;
	size_t n;
};

struct module_lines {
	const char *directories;
	struct loaded *v;        /* in no order */
	size_t n;
	int64_t read;            /* when, by clock_ns(); 0: never */
};

/* ---- which modules there are ---- */

static void forget(struct loaded *it)
{
	lines_free(it->lines);
	free(it->code);
}

static void read_list(struct module_lines *m)
{
	FILE *f = fopen("/proc/modules", "re");
	struct loaded *old = m->v;
	size_t nold = m->n, room = 0;
	char line[4096];

	m->v = NULL;
	m->n = 0;
	while (f && fgets(line, sizeof(line), f)) {
		struct loaded one = { 0 };
		const char *address = strstr(line, " 0x");

		if (!address || sscanf(line, "%63s", one.name) != 1 ||
		    sscanf(address, "%" SCNx64, &one.start) != 1 || !one.start)
			continue;
		for (size_t i = 0; i < nold; i++)
			if (old[i].start == one.start && strcmp(old[i].name, one.name) == 0) {
				one = old[i];
				old[i] = old[--nold];
				break;
			}
		memory_grow(m->v, m->n, room, 64);
		m->v[m->n++] = one;
	}
	if (f)
		fclose(f);
	for (size_t i = 0; i < nold; i++)
		forget(&old[i]);
	free(old);
}

static void refresh(struct module_lines *m)
{
	int64_t now = clock_ns();

	if (m->read && now - m->read < LIST_NS)
		return;
	m->read = now;
	read_list(m);
}

/* The module whose code begins last before @address. */
static struct loaded *module_before(struct module_lines *m, uint64_t address)
{
	struct loaded *found = NULL;

	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].start <= address && (!found || m->v[i].start > found->start))
			found = &m->v[i];
	return found;
}

/* ---- its file ---- */

static bool is_of(const struct image *f, const struct loaded *it)
{
	char ours[KERNEL_BUILD_ID_SIZE], its[2 * FILE_ID_MAX + 1] = "";
	struct file_id id;

	kernel_module_build_id(it->name, ours);
	debug_file_id(f, &id);
	for (size_t i = 0; i < id.n; i++)
		sprintf(its + 2 * i, "%02x", id.v[i]);
	return ours[0] && strcmp(ours, its) == 0;
}

/* 0: it is not loaded, or the kernel hides the address. */
static uint64_t section_address(const char *module, const char *section)
{
	char path[PATH_MAX], text[32] = "";
	uint64_t ret = 0;
	FILE *f;
	int n = snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module, section);

	if (n < 0 || (size_t)n >= sizeof(path) || strchr(section, '/'))
		return 0;
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fgets(text, sizeof(text), f))
		ret = strtoull(text, NULL, 16);
	fclose(f);
	return ret;
}

static void read_code(const struct image *f, struct loaded *it)
{
	it->code = memory_zeroed(f->nsections + 1, sizeof(*it->code));
	for (size_t i = 0; i < f->nsections; i++) {
		struct image_head head = image_head(f, i);
		uint64_t start;

		if (!(head.flags & SHF_EXECINSTR) || !head.size)
			continue;
		start = section_address(it->name, head.name);
		if (start)
			it->code[it->n++] = (struct code){ start, head.size, i };
	}
}

/* true: the file is the module's, and the search is over. */
static bool try_file(void *module, const char *path)
{
	struct loaded *it = module;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool found = false;
	struct image f;
	const char *why;

	if (fd < 0)
		return false;
	if (image_open_unloaded(fd, &f, &why) == 0 && image_has_debug_info(&f) && is_of(&f, it)) {
		found = true;
		read_code(&f, it);
		it->lines = lines_read(fd, NULL);
	}
	image_close(&f);
	close(fd);
	return found;
}

/* Whether that is the name of a file of the module: its name, in which the kernel has _ for -, and
 * ".ko" or ".ko.debug". */
static bool is_named(const char *file, const char *module)
{
	size_t n = strlen(module);

	if (strlen(file) <= n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((file[i] == '-' ? '_' : file[i]) != module[i])
			return false;
	return strcmp(file + n, ".ko") == 0 || strcmp(file + n, ".ko.debug") == 0;
}

static bool search_below(struct loaded *it, const char *directory)
{
	char *paths[] = { (char *)directory, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	bool found = false;

	for (FTSENT *e = fts ? fts_read(fts) : NULL; e && !found; e = fts_read(fts))
		found = e->fts_info != FTS_D && e->fts_info != FTS_DP &&
			is_named(e->fts_name, it->name) && try_file(it, e->fts_path);
	if (fts)
		fts_close(fts);
	return found;
}

/* @directory: "" for the root; it may also be the file itself. */
static bool search_directory(void *module, const char *directory)
{
	struct loaded *it = module;
	char path[PATH_MAX + 256], id[KERNEL_BUILD_ID_SIZE];
	struct utsname u;

	kernel_module_build_id(it->name, id);
	if (strlen(id) < 3)
		return false;
	if (try_file(it, *directory ? directory : "/") ||
	    debug_directories_by_id(directory, id, try_file, it))
		return true;
	snprintf(path, sizeof(path), "%s/%s.ko", directory, it->name);
	if (try_file(it, path))
		return true;
	uname(&u);
	snprintf(path, sizeof(path), "%s/lib/modules/%s", directory, u.release);
	return search_below(it, path);
}

/* The module's own file comes last: the symbols are mostly apart. */
static void search(struct loaded *it, const char *directories)
{
	it->searched = true;
	if (!debug_directories_search(directories, search_directory, it) && *directories)
		search_directory(it, "");
}

/* ---- interface ---- */

struct module_lines *module_lines_open(const char *directories)
{
	struct module_lines *m = memory_zeroed(1, sizeof(*m));

	m->directories = directories;
	return m;
}

size_t module_lines_find(struct module_lines *m, uint64_t address, const struct line_frame **ret)
{
	struct loaded *it;

	*ret = NULL;
	refresh(m);
	it = module_before(m, address);
	if (!it)
		return 0;
	if (!it->searched)
		search(it, m->directories);
	for (size_t i = 0; i < it->n; i++) {
		const struct code *code = &it->code[i];

		if (address - code->start < code->size)
			return lines_find(it->lines, code->section << LINES_SECTION |
						     (address - code->start), ret);
	}
	return 0;
}

void module_lines_free(struct module_lines *m)
{
	for (size_t i = 0; i < m->n; i++)
		forget(&m->v[i]);
	free(m->v);
	free(m);
}
