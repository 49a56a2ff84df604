/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "arch/arch.h"
#include "common/elf_32bit.h"
#include "shared/file.h"
#include "shared/machine.h"
#include "shared/memory.h"

enum {
	PART_MAX = 256 << 20,   /* bytes, */
	PART_SHARE = 32,        /* and at most one in so many of the machine's memory */
	SEGMENTS_MAX = 1024,
};

uint64_t image_part_max(void)
{
	return machine_memory_part(PART_SHARE, PART_MAX);
}

static bool read_at(const struct image *f, uint64_t offset, void *to, size_t size)
{
	return offset <= f->size && size <= f->size - offset &&
	       file_read_at(f->fd, to, size, offset) == 0;
}

static bool read_part(const struct image *f, uint64_t offset, uint64_t size, uint64_t address,
		      struct image_part *ret)
{
	if (!size || size > image_part_max() || offset > f->size || size > f->size - offset)
		return false;
	*ret = (struct image_part){ .bytes = memory_zeroed(size, 1), .size = size,
				    .address = address };
	if (read_at(f, offset, ret->bytes, size))
		return true;
	free(ret->bytes);
	*ret = (struct image_part){ 0 };
	return false;
}

/* Reads @n entries of the table at @offset into @all, which has room for those of 64 bits; false:
 * they are not all there. */
static bool read_headers(const struct image *f, uint64_t offset, Elf64_Phdr *all, size_t n)
{
	if (!f->is_32bit)
		return read_at(f, offset, all, n * sizeof(*all));
	if (!read_at(f, offset, all, n * sizeof(Elf32_Phdr)))
		return false;
	/* The last one first: no entry lies below its narrow one. */
	while (n--) {
		Elf32_Phdr narrow;

		memcpy(&narrow, (const Elf32_Phdr *)(const void *)all + n, sizeof(narrow));
		all[n] = elf_wide_segment(&narrow);
	}
	return true;
}

static bool read_section_headers(const struct image *f, uint64_t offset, Elf64_Shdr *all, size_t n)
{
	if (!f->is_32bit)
		return read_at(f, offset, all, n * sizeof(*all));
	if (!read_at(f, offset, all, n * sizeof(Elf32_Shdr)))
		return false;
	while (n--) {
		Elf32_Shdr narrow;

		memcpy(&narrow, (const Elf32_Shdr *)(const void *)all + n, sizeof(narrow));
		all[n] = elf_wide_section(&narrow);
	}
	return true;
}

static int read_segments(struct image *f, const Elf64_Ehdr *head, const char **why)
{
	Elf64_Phdr *all;

	if (head->e_phentsize != (f->is_32bit ? sizeof(Elf32_Phdr) : sizeof(*all)) ||
	    !head->e_phnum || head->e_phnum > SEGMENTS_MAX) {
		*why = "it has no program headers";
		return -1;
	}
	all = memory_zeroed(head->e_phnum, sizeof(*all));
	if (!read_headers(f, head->e_phoff, all, head->e_phnum)) {
		free(all);
		*why = "its program headers can't be read";
		return -1;
	}
	f->segments = memory_zeroed(head->e_phnum, sizeof(*f->segments));
	for (size_t i = 0; i < head->e_phnum; i++) {
		const Elf64_Phdr *it = &all[i];

		if (it->p_type == PT_GNU_EH_FRAME)
			f->frames_header = it->p_vaddr;
		if (it->p_type != PT_LOAD || it->p_offset > f->size)
			continue;
		f->segments[f->nsegments++] = (struct image_segment){
			.address = it->p_vaddr, .offset = it->p_offset,
			.size = it->p_filesz < f->size - it->p_offset ? it->p_filesz :
									f->size - it->p_offset,
			.is_code = it->p_flags & PF_X,
		};
	}
	free(all);
	return 0;
}

/* A file may have no section headers; then it has no sections. */
static void read_sections(struct image *f, const Elf64_Ehdr *head)
{
	Elf64_Shdr *all;
	struct image_part names;

	if (head->e_shentsize != (f->is_32bit ? sizeof(Elf32_Shdr) : sizeof(*all)) ||
	    !head->e_shnum)
		return;
	all = memory_zeroed(head->e_shnum, sizeof(*all));
	f->sections = all;
	if (!read_section_headers(f, head->e_shoff, all, head->e_shnum) ||
	    head->e_shstrndx >= head->e_shnum ||
	    !read_part(f, all[head->e_shstrndx].sh_offset, all[head->e_shstrndx].sh_size, 0,
		       &names))
		return;
	f->nsections = head->e_shnum;
	f->names = memory_resized(names.bytes, names.size + 1, 1);
	f->names[names.size] = 0;
	f->names_size = names.size;
}

static int read_head(int fd, struct image *ret, Elf64_Ehdr *head, const char **why)
{
	struct stat st;

	*ret = (struct image){ .fd = fd };
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 0) {
		*why = "it is not a regular file";
		return -1;
	}
	ret->size = (uint64_t)st.st_size;
	if (read_at(ret, 0, head, sizeof(*head)) &&
	    memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
	    head->e_ident[EI_DATA] == ELFDATA2LSB) {
		ret->is_32bit = ARCH_MACHINE_32 && elf_is_32bit(head->e_ident);
		if (ret->is_32bit)
			elf_widen_head(head);
		if (ret->is_32bit ? head->e_machine == ARCH_MACHINE_32 :
		    head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_machine == ARCH_MACHINE)
			return 0;
	}
	*why = "it is not a file for this processor";
	return -1;
}

int image_open(int fd, struct image *ret, const char **why)
{
	Elf64_Ehdr head;

	if (read_head(fd, ret, &head, why) != 0)
		return -1;
	if (head.e_type != ET_EXEC && head.e_type != ET_DYN) {
		*why = "it is not a program or library";
		return -1;
	}
	if (read_segments(ret, &head, why) != 0)
		return -1;
	ret->entry = head.e_entry;
	read_sections(ret, &head);
	return 0;
}

int image_open_unloaded(int fd, struct image *ret, const char **why)
{
	Elf64_Ehdr head;

	if (read_head(fd, ret, &head, why) != 0)
		return -1;
	read_sections(ret, &head);
	return 0;
}

void image_close(struct image *f)
{
	free(f->segments);
	free(f->sections);
	free(f->names);
	*f = (struct image){ 0 };
}

/* The size of an entry that has one of 64 bits, which widen() makes of it; 0: it stays as it is. */
static size_t narrow_entry(const struct image *f, uint32_t type)
{
	if (!f->is_32bit)
		return 0;
	return type == SHT_SYMTAB || type == SHT_DYNSYM ? sizeof(Elf32_Sym) :
	       type == SHT_DYNAMIC ? sizeof(Elf32_Dyn) : 0;
}

static size_t wide_entry(uint32_t type)
{
	return type == SHT_DYNAMIC ? sizeof(Elf64_Dyn) : sizeof(Elf64_Sym);
}

struct image_head image_head(const struct image *f, size_t number)
{
	const Elf64_Shdr *it = (const Elf64_Shdr *)f->sections + number;

	return (struct image_head){
		.name = it->sh_name < f->names_size ? f->names + it->sh_name : "",
		.address = it->sh_addr, .size = it->sh_size, .flags = it->sh_flags,
		.entry = narrow_entry(f, it->sh_type) == it->sh_entsize && it->sh_entsize ?
			 wide_entry(it->sh_type) : it->sh_entsize,
		.type = it->sh_type, .link = it->sh_link,
	};
}

/* Replaces the bytes of a packed section by what is packed in them. false: they are freed. */
static bool unpack(struct image_part *part, bool is_32bit)
{
	struct image_part packed = *part;
	Elf64_Chdr head = { 0 };
	Elf32_Chdr narrow;
	size_t taken = is_32bit ? sizeof(narrow) : sizeof(head);
	uLongf size;
	bool done = false;

	*part = (struct image_part){ 0 };
	if (packed.size > taken && is_32bit) {
		memcpy(&narrow, packed.bytes, taken);
		head = (Elf64_Chdr){ .ch_type = narrow.ch_type, .ch_size = narrow.ch_size };
	} else if (packed.size > taken) {
		memcpy(&head, packed.bytes, taken);
	}
	size = head.ch_size;
	if (head.ch_type == ELFCOMPRESS_ZLIB && size && size <= image_part_max()) {
		part->bytes = memory_zeroed(size, 1);
		part->size = size;
		done = uncompress(part->bytes, &size, packed.bytes + taken,
				  packed.size - taken) == Z_OK && size == part->size;
	}
	free(packed.bytes);
	if (!done) {
		free(part->bytes);
		*part = (struct image_part){ 0 };
	}
	return done;
}

/* Replaces the entries of a table of 32 bits. false: it is too large, and freed. */
static bool widen(const struct image *f, const Elf64_Shdr *head, struct image_part *part)
{
	size_t narrow = narrow_entry(f, head->sh_type), wide = wide_entry(head->sh_type);
	struct image_part old = *part;
	size_t n = narrow ? old.size / narrow : 0;

	if (!narrow)
		return true;
	*part = (struct image_part){ .address = old.address };
	if (n && n <= image_part_max() / wide) {
		part->size = n * wide;
		part->bytes = memory_zeroed(n, wide);
	}
	for (size_t i = 0; i < n && part->bytes; i++) {
		Elf32_Sym symbol;
		Elf32_Dyn entry;

		if (head->sh_type == SHT_DYNAMIC) {
			memcpy(&entry, old.bytes + i * narrow, narrow);
			((Elf64_Dyn *)(void *)part->bytes)[i] = elf_wide_dynamic(&entry);
		} else {
			memcpy(&symbol, old.bytes + i * narrow, narrow);
			((Elf64_Sym *)(void *)part->bytes)[i] = elf_wide_symbol(&symbol);
		}
	}
	free(old.bytes);
	return part->bytes;
}

bool image_bytes(const struct image *f, size_t number, struct image_part *ret)
{
	const Elf64_Shdr *it;

	if (number >= f->nsections)
		return false;
	it = (const Elf64_Shdr *)f->sections + number;
	return it->sh_type != SHT_NOBITS &&
	       read_part(f, it->sh_offset, it->sh_size,
			 it->sh_flags & SHF_ALLOC ? it->sh_addr : 0, ret) &&
	       (!(it->sh_flags & SHF_COMPRESSED) || unpack(ret, f->is_32bit)) &&
	       widen(f, it, ret);
}

size_t image_find(const struct image *f, const char *name)
{
	size_t i = 0;

	while (i < f->nsections && strcmp(image_head(f, i).name, name) != 0)
		i++;
	return i;
}

bool image_has_debug_info(const struct image *f)
{
	size_t i = image_find(f, ".debug_info");

	return i < f->nsections && image_head(f, i).type != SHT_NOBITS;
}

bool image_section(const struct image *f, const char *name, struct image_part *ret)
{
	return image_bytes(f, image_find(f, name), ret);
}

static const struct image_segment *segment_at(const struct image *f, uint64_t address)
{
	for (size_t i = 0; i < f->nsegments; i++)
		if (address >= f->segments[i].address &&
		    address - f->segments[i].address < f->segments[i].size)
			return &f->segments[i];
	return NULL;
}

bool image_read(const struct image *f, uint64_t address, void *to, size_t size)
{
	const struct image_segment *at = segment_at(f, address);
	uint64_t in = at ? address - at->address : 0;

	return at && size <= at->size - in && read_at(f, at->offset + in, to, size);
}

bool image_rest(const struct image *f, uint64_t address, struct image_part *ret)
{
	const struct image_segment *at = segment_at(f, address);
	uint64_t in = at ? address - at->address : 0;

	return at && read_part(f, at->offset + in, at->size - in, address, ret);
}
