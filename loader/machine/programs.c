/* SPDX-License-Identifier: GPL-2.0 */
/* Programs that a script probes: programs.h. Only program headers and notes of a file are read. */
#include "machine/programs.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/say.h"
#include "module/meta.h"

enum { MOST_NOTES = 1 << 16 }; /* bytes of a segment of notes */

static int read_at(int fd, void *to, size_t size, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

static int find_in_notes(int fd, const Elf64_Phdr *head, char buf[KERNEL_BUILD_ID_SIZE])
{
	char *notes;
	int found = 0;

	if (head->p_type != PT_NOTE || !head->p_filesz || head->p_filesz > MOST_NOTES)
		return 0;
	notes = alloc_array(head->p_filesz, 1);
	if (read_at(fd, notes, head->p_filesz, head->p_offset))
		found = kernel_build_id_find(notes, head->p_filesz, buf);
	free(notes);
	return found;
}

static void find_in_file(int fd, char buf[KERNEL_BUILD_ID_SIZE])
{
	Elf64_Ehdr head;

	if (!read_at(fd, &head, sizeof(head), 0) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(Elf64_Phdr))
		return;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		Elf64_Phdr segment;

		if (!read_at(fd, &segment, sizeof(segment), head.e_phoff + i * sizeof(segment)) ||
		    find_in_notes(fd, &segment, buf))
			return;
	}
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
