/* SPDX-License-Identifier: GPL-2.0 */
/* The programs that a script probes: programs.h. Only headers and notes of a file are read, and as
 * by libdw, segments of notes before sections. */
#include "machine/programs.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/elf_32bit.h"
#include "common/say.h"
#include "module/meta.h"
#include "shared/memory.h"

enum { MOST_NOTES = 1 << 16 }; /* maximum size of a segment of notes, in bytes */

#define LOOK_NS 1000000000LL

/* The identity of a file, as stat() returns it. */
struct programs_file {
	dev_t device;
	ino_t inode;
	struct timespec changed;
	bool settled; /* it is not watched, or its change was reported */
};

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static bool find_in_notes(int fd, uint64_t offset, uint64_t size, char buf[KERNEL_BUILD_ID_SIZE])
{
	char *notes;
	bool found;

	if (!size || size > MOST_NOTES)
		return false;
	notes = memory_zeroed(size, 1);
	found = read_at(fd, notes, size, offset) && kernel_build_id_find(notes, size, buf);
	free(notes);
	return found;
}

/* Entry @i of the table of segments. */
static bool read_segment(int fd, const Elf64_Ehdr *head, unsigned i, Elf64_Phdr *ret)
{
	Elf32_Phdr narrow;

	if (!elf_is_32bit(head->e_ident))
		return head->e_phentsize == sizeof(*ret) &&
		       read_at(fd, ret, sizeof(*ret), head->e_phoff + i * sizeof(*ret));
	if (head->e_phentsize != sizeof(narrow) ||
	    !read_at(fd, &narrow, sizeof(narrow), head->e_phoff + i * sizeof(narrow)))
		return false;
	*ret = elf_wide_segment(&narrow);
	return true;
}

/* The same of that of sections. */
static bool read_section(int fd, const Elf64_Ehdr *head, unsigned i, Elf64_Shdr *ret)
{
	Elf32_Shdr narrow;

	if (!elf_is_32bit(head->e_ident))
		return head->e_shentsize == sizeof(*ret) &&
		       read_at(fd, ret, sizeof(*ret), head->e_shoff + i * sizeof(*ret));
	if (head->e_shentsize != sizeof(narrow) ||
	    !read_at(fd, &narrow, sizeof(narrow), head->e_shoff + i * sizeof(narrow)))
		return false;
	*ret = elf_wide_section(&narrow);
	return true;
}

static bool find_in_segments(int fd, const Elf64_Ehdr *head, char buf[KERNEL_BUILD_ID_SIZE])
{
	Elf64_Phdr it;

	for (unsigned i = 0; i < head->e_phnum; i++) {
		if (!read_segment(fd, head, i, &it))
			return false;
		if (it.p_type == PT_NOTE && find_in_notes(fd, it.p_offset, it.p_filesz, buf))
			return true;
	}
	return false;
}

/* The linker of Go 1.27 writes a section that is in no segment of notes. */
static bool find_in_sections(int fd, const Elf64_Ehdr *head, char buf[KERNEL_BUILD_ID_SIZE])
{
	Elf64_Shdr it;

	for (unsigned i = 0; i < head->e_shnum; i++) {
		if (!read_section(fd, head, i, &it))
			return false;
		if (it.sh_type == SHT_NOTE && find_in_notes(fd, it.sh_offset, it.sh_size, buf))
			return true;
	}
	return false;
}

static void find_in_file(int fd, char buf[KERNEL_BUILD_ID_SIZE])
{
	Elf64_Ehdr head;

	if (!read_at(fd, &head, sizeof(head), 0) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
		return;
	if (elf_is_32bit(head.e_ident))
		elf_widen_head(&head);
	else if (head.e_ident[EI_CLASS] != ELFCLASS64)
		return;
	if (!find_in_segments(fd, &head, buf))
		find_in_sections(fd, &head, buf);
}

void programs_build_id(const char *path, char buf[KERNEL_BUILD_ID_SIZE])
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	buf[0] = '\0';
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		find_in_file(fd, buf);
	close(fd);
}

int programs_check(const struct meta *m)
{
	int err = 0;

	for (uint32_t i = 0; i < m->nprograms; i++) {
		const struct meta_module *program = &m->programs[i];
		char id[KERNEL_BUILD_ID_SIZE];

		programs_build_id(program->name, id);
		if (access(program->name, F_OK) != 0 || strcmp(program->build_id, "-") == 0 ||
		    strcmp(program->build_id, id) == 0)
			continue;
		say_error("E_WRONG_PROGRAM", "build the script again, where this file is",
			  "%s is not the file that the script was compiled for: build-id %s, "
			  "compiled for %s",
			  program->name, id[0] ? id : "(none)", program->build_id);
		err = -1;
	}
	return err;
}

/* A path below /proc/PID goes with its process, and leads to what that process has. */
static bool is_of_process(const char *path)
{
	return strncmp(path, "/proc/", 6) == 0;
}

static int look_at(const char *path, struct programs_file *ret)
{
	struct stat st;

	if (stat(path, &st))
		return -1;
	ret->device = st.st_dev;
	ret->inode = st.st_ino;
	ret->changed = st.st_mtim;
	return 0;
}

void programs_watch(struct programs *p, const struct meta *m)
{
	if (!m->nprograms)
		return;
	p->files = memory_zeroed(m->nprograms, sizeof(*p->files));
	/* A file that is missing now was reported when its sites were armed. */
	for (uint32_t i = 0; i < m->nprograms; i++)
		p->files[i].settled = is_of_process(m->programs[i].name) ||
				      look_at(m->programs[i].name, &p->files[i]) != 0;
}

static bool is_changed(const struct programs_file *then, const char *path)
{
	struct programs_file now = { .settled = false };

	return look_at(path, &now) || now.device != then->device || now.inode != then->inode ||
	       now.changed.tv_sec != then->changed.tv_sec ||
	       now.changed.tv_nsec != then->changed.tv_nsec;
}

void programs_turn(struct programs *p, const struct meta *m, int64_t now)
{
	if (!p->files || now < p->next_look)
		return;
	p->next_look = now + LOOK_NS;
	for (uint32_t i = 0; i < m->nprograms; i++) {
		const char *path = m->programs[i].name;

		if (p->files[i].settled || !is_changed(&p->files[i], path))
			continue;
		p->files[i].settled = true;
		say_warn("E_WRONG_PROGRAM", "start the session again for those",
			 "%s was replaced or changed while the session runs: processes that start "
			 "from now on are not probed as the script was compiled", path);
	}
}

void programs_deinit(struct programs *p)
{
	free(p->files);
	p->files = NULL;
}
