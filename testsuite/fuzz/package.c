/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/*
 * Takes the .dwo file of a unit out of a .dwp file: the result is a whole object file, in which
 * every string that the unit numbers ends. The input is the contents of the sections, each after
 * its size in two bytes; all bytes are XORed with MASK, so that no input of the corpus has a NUL.
 */
#include "fuzz.h"

#include <elf.h>
#include <libelf.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/object/package.h"

enum { SECTIONS = 9, UNITS = 16, INPUT_MAX = 1 << 16, MASK = 0x85, EXTRACTED_SECTIONS = 11 };

static const char names[SECTIONS][24] = {
	".debug_cu_index", ".debug_info.dwo", ".debug_abbrev.dwo", ".debug_line.dwo",
	".debug_rnglists.dwo", ".debug_str_offsets.dwo", ".debug_str.dwo",
	".debug_loc.dwo", ".debug_loclists.dwo",
};

static void put(int fd, const void *bytes, size_t n)
{
	FUZZ_MUST(write(fd, bytes, n) == (ssize_t)n);
}

/* Writes the package and returns the contents of its index. */
static struct fuzz_input write_package(int fd, struct fuzz_input in)
{
	Elf64_Ehdr file = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_REL, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			    .e_shoff = sizeof(file), .e_ehsize = sizeof(file),
			    .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS + 2,
			    .e_shstrndx = SECTIONS + 1 };
	Elf64_Shdr heads[SECTIONS + 2] = { 0 };
	struct fuzz_input parts[SECTIONS];
	size_t at = sizeof(file) + sizeof(heads);

	for (size_t i = 0; i < SECTIONS; i++) {
		size_t n = fuzz_number(&in, 2);

		n = n < in.left ? n : in.left;
		parts[i] = (struct fuzz_input){ in.p, n };
		heads[i + 1] = (Elf64_Shdr){ .sh_name = (Elf64_Word)(i * sizeof(names[0])),
					     .sh_type = SHT_PROGBITS, .sh_offset = at,
					     .sh_size = n, .sh_addralign = 1 };
		in.p += n;
		in.left -= n;
		at += n;
	}
	/* Its own name is empty. */
	heads[SECTIONS + 1] = (Elf64_Shdr){ .sh_name = sizeof(names) - 1, .sh_type = SHT_STRTAB,
					    .sh_offset = at, .sh_size = sizeof(names),
					    .sh_addralign = 1 };
	put(fd, &file, sizeof(file));
	put(fd, heads, sizeof(heads));
	for (size_t i = 0; i < SECTIONS; i++)
		put(fd, parts[i].p, parts[i].left);
	put(fd, names, sizeof(names));
	return parts[0];
}

static const Elf64_Shdr *check_section(const unsigned char *file, size_t size, size_t number)
{
	const Elf64_Shdr *head = (const Elf64_Shdr *)(file + sizeof(Elf64_Ehdr)) + number;

	FUZZ_MUST(head->sh_offset <= size && head->sh_size <= size - head->sh_offset);
	return head;
}

static void check(int fd)
{
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	const Elf64_Shdr *strings;
	unsigned char *file;

	FUZZ_MUST(size >= sizeof(Elf64_Ehdr) + EXTRACTED_SECTIONS * sizeof(Elf64_Shdr));
	file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	FUZZ_MUST(file != MAP_FAILED && memcmp(file, ELFMAG, SELFMAG) == 0);
	FUZZ_MUST(((const Elf64_Ehdr *)file)->e_shnum == EXTRACTED_SECTIONS);
	for (size_t i = 1; i < EXTRACTED_SECTIONS; i++)
		check_section(file, size, i);
	strings = check_section(file, size, EXTRACTED_SECTIONS - 2);
	FUZZ_MUST(!strings->sh_size || file[strings->sh_offset + strings->sh_size - 1] == 0);
	munmap(file, size);
}

static void extract(const struct package *p, uint64_t unit)
{
	int fd = package_extract(p, unit);

	if (fd < 0)
		return;
	check(fd);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[INPUT_MAX];
	struct fuzz_input index;
	struct package *p;
	int fd = memfd_create("package", 0);

	FUZZ_MUST(fd >= 0);
	size = size < sizeof(bytes) ? size : sizeof(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = data[i] ^ MASK;
	index = write_package(fd, (struct fuzz_input){ bytes, size });
	elf_version(EV_CURRENT);
	p = package_open(fd);
	/* The numbers of units follow the head of the index. */
	for (size_t at = 16; p && at + 8 <= index.left && at < 16 + 8 * UNITS; at += 8) {
		uint64_t unit;

		memcpy(&unit, index.p + at, sizeof(unit));
		extract(p, unit);
	}
	if (p)
		extract(p, 0);
	package_close(p);
	close(fd);
	return 0;
}
