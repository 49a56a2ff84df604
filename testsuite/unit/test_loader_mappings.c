/* SPDX-License-Identifier: GPL-2.0 */
/* The addresses of code in a process and in its file, for odd layouts of programs, which are mapped
 * here as the kernel and ld.so map them. */
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "unit.h"
#include "unwind/mappings.h"

enum { PAGE = 4096, FILE_SIZE = 16 * PAGE, MOST = 6 };

struct layout {
	const char *name;
	struct { uint64_t address, offset, size; int rights; } v[MOST];
	size_t n;
};

#define CODE (PROT_READ | PROT_EXEC)

static const struct layout layouts[] = {
	{ "a page for each", { { 0, 0, 0x800, PROT_READ }, { 0x1000, 0x1000, 0x900, CODE },
			       { 0x2000, 0x2000, 0x100, CODE } }, 3 },
	{ "code beside data", { { 0, 0, 0x640, PROT_READ }, { 0x1640, 0x640, 0x300, CODE },
				{ 0x2940, 0x940, 0x100, PROT_READ } }, 3 },
	{ "two with code", { { 0, 0, 0x640, PROT_READ }, { 0x1640, 0x640, 0x300, CODE },
			     { 0x2940, 0x940, 0x100, CODE } }, 3 },
	{ "four with code", { { 0x1000, 0, 0x400, CODE }, { 0x2400, 0x400, 0x100, CODE },
			      { 0x3500, 0x500, 0x80, CODE }, { 0x4580, 0x580, 0x100, CODE } }, 4 },
	{ "the last page of one", { { 0x400000, 0, 0x3800, CODE },
				    { 0x404800, 0x3800, 0x2000, CODE } }, 2 },
	{ "others far away", { { 0x10200, 0x200, 0x100, CODE }, { 0x200300, 0x300, 0x1800, CODE },
			       { 0x900b00, 0x1b00, 0x40, PROT_READ } }, 3 },
};

static int make_file(const struct layout *l)
{
	char path[] = "/tmp/mappings.XXXXXX", *bytes = calloc(1, FILE_SIZE);
	Elf64_Ehdr *head = (Elf64_Ehdr *)bytes;
	Elf64_Phdr *segments = (Elf64_Phdr *)(head + 1);
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	memcpy(head->e_ident, ELFMAG, SELFMAG);
	head->e_ident[EI_CLASS] = ELFCLASS64;
	head->e_ident[EI_DATA] = ELFDATA2LSB;
	head->e_type = ET_DYN;
	head->e_machine = ARCH_MACHINE;
	head->e_phoff = sizeof(*head);
	head->e_phentsize = sizeof(*segments);
	head->e_phnum = (Elf64_Half)l->n;
	for (size_t i = 0; i < l->n; i++)
		segments[i] = (Elf64_Phdr){
			.p_type = PT_LOAD, .p_vaddr = l->v[i].address,
			.p_flags = l->v[i].rights & PROT_EXEC ? PF_R | PF_X : PF_R,
			.p_offset = l->v[i].offset,
			.p_filesz = l->v[i].size, .p_memsz = l->v[i].size,
		};
	assert_int_equal(write(fd, bytes, FILE_SIZE), FILE_SIZE);
	free(bytes);
	return fd;
}

/* Maps the pages of each segment; returns the bias. */
static uint64_t load(const struct layout *l, int fd, uint64_t size)
{
	char *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(base != MAP_FAILED);
	for (size_t i = 0; i < l->n; i++) {
		uint64_t in = l->v[i].offset % PAGE;
		char *at = base + (l->v[i].address - in);

		at = mmap(at, in + l->v[i].size, l->v[i].rights, MAP_PRIVATE | MAP_FIXED, fd,
			  (off_t)(l->v[i].offset - in));
		assert_true(at != MAP_FAILED);
	}
	return (uint64_t)(uintptr_t)base;
}

static void check(const struct layout *l, const struct mappings *m, uint64_t bias)
{
	for (size_t i = 0; i < l->n; i++) {
		uint64_t first = bias + l->v[i].address, last = first + l->v[i].size - 1;

		if (!(l->v[i].rights & PROT_EXEC))
			continue;
		for (uint64_t at = first; at <= last; at += last > first ? last - first : 1) {
			const struct mapping *it = mappings_find(m, at);

			if (!it || !it->file || it->bias != bias)
				fail_msg("%s: segment %zu has the bias %lld, not 0", l->name, i,
					 it && it->file ? (long long)(it->bias - bias) : -1);
		}
	}
}

TEST(layouts)
{
	uint64_t size = 0x1000000;

	/* /proc/PID/map_files is only for root. */
	if (geteuid() != 0)
		skip();
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
		const struct layout *l = &layouts[i];
		struct mapped_files files = { 0 };
		struct mappings m;
		int fd = make_file(l);
		/* A library can be loaded twice, by dlmopen(). */
		uint64_t first = load(l, fd, size), second = load(l, fd, size);

		assert_int_equal(mappings_read(&files, getpid(), mappings_open(getpid()), &m), 0);
		check(l, &m, first);
		check(l, &m, second);
		mappings_deinit(&m);
		mappings_free_files(&files);
		munmap((void *)(uintptr_t)first, size);
		munmap((void *)(uintptr_t)second, size);
		close(fd);
	}
}
