/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel is loaded at another address than the one that it was linked at. The difference is
 * that of _text, which is where the section .text begins.
 */
#include "machine/kernel_lines.h"

#include <fcntl.h>
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
#include "machine/module_lines.h"
#include "shared/memory.h"
#include "unwind/image.h"
#include "unwind/lines.h"

struct kernel_lines {
	struct lines *lines;     /* of vmlinux; NULL: there are none */
	struct module_lines *modules;
	uint64_t slide;          /* of an address here, above the one in the file */
};

/* 0: it is not shown. */
static uint64_t loaded_at(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	uint64_t address, ret = 0;
	char line[512], name[64];

	while (f && !ret && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 " %*c %63s", &address, name) == 2 &&
		    strcmp(name, "_text") == 0)
			ret = address;
	if (f)
		fclose(f);
	return ret;
}

static bool is_this_kernel(const struct image *f)
{
	char ours[KERNEL_BUILD_ID_SIZE], its[KERNEL_BUILD_ID_SIZE] = "";
	struct image_part notes;

	if (!image_section(f, ".notes", &notes))
		return false;
	kernel_build_id(ours);
	kernel_build_id_find(notes.bytes, notes.size, its);
	free(notes.bytes);
	return ours[0] && strcmp(ours, its) == 0;
}

static bool try_file(void *lines, const char *path)
{
	struct kernel_lines *k = lines;
	struct image f;
	const char *why;
	uint64_t address;
	size_t text;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;
	if (image_open(fd, &f, &why) == 0 && is_this_kernel(&f) &&
	    image_has_debug_info(&f) &&
	    (text = image_find(&f, ".text")) < f.nsections && (address = loaded_at())) {
		k->lines = lines_read(fd, NULL);
		k->slide = address - image_head(&f, text).address;
	}
	image_close(&f);
	close(fd);
	return k->lines;
}

/* It may also be the file itself. */
static bool try_directory(void *k, const char *directory)
{
	static const char *const forms[] = { "%s/boot/vmlinux-%s", "%s/lib/modules/%s/vmlinux",
					     "%s/vmlinux-%s" };
	char path[PATH_MAX + 256], id[KERNEL_BUILD_ID_SIZE];
	struct utsname u;

	if (try_file(k, directory))
		return true;
	uname(&u);
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		snprintf(path, sizeof(path), forms[i], directory, u.release);
		if (try_file(k, path))
			return true;
	}
	kernel_build_id(id);
	return debug_directories_by_id(directory, id, try_file, k);
}

struct kernel_lines *kernel_lines_open(const char *directories)
{
	struct kernel_lines *k = memory_zeroed(1, sizeof(*k));

	k->modules = module_lines_open(directories);
	debug_directories_search(directories, try_directory, k);
	return k;
}

size_t kernel_lines_find(struct kernel_lines *k, uint64_t address, const struct line_frame **ret)
{
	size_t n;

	*ret = NULL;
	if (!k)
		return 0;
	n = lines_find(k->lines, address - k->slide, ret);
	return n ? n : module_lines_find(k->modules, address, ret);
}

void kernel_lines_free(struct kernel_lines *k)
{
	if (!k)
		return;
	lines_free(k->lines);
	module_lines_free(k->modules);
	free(k);
}
