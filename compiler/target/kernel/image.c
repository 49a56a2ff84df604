/* SPDX-License-Identifier: GPL-2.0 */
/* Documentation/arch/x86/boot.rst, "The Real-Mode Kernel Header", has the layout of a vmlinuz. */
#include "target/kernel/image.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/file.h"
#include "target/arch/boot.h"
#include "target/arch/names.h"
#include "target/kernel/decompress.h"
#include "target/kernel/private.h"
#include "state.h"

/* The bytes of the original size, which follow all compressed formats but gzip's. */
enum { SIZE_BEHIND = 4 };

/* ---- from file to ELF ---- */

static const char *no_image(struct arena *a)
{
	return arena_printf(a, "it is not an image of a kernel for %s", arch_names->machine);
}

static int map_file(const char *path, struct image *ret, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		*why = strerror(errno);
	} else if (!S_ISREG(st.st_mode) || st.st_size < ARCH_BOOT_END) {
		*why = "it is not an image of a kernel";
	} else {
		ret->map_size = (size_t)st.st_size;
		ret->map = mmap(NULL, ret->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (ret->map == MAP_FAILED) {
			*why = strerror(errno);
			ret->map = NULL;
		}
	}
	if (fd >= 0)
		close(fd);
	return ret->map ? 0 : -ENOENT;
}

static int decompress_payload(struct state *s, const uint8_t *data, size_t size, struct buf *to,
			      const char **why)
{
	static const struct { const char *magic; size_t len; const char *tool, *suffix; } list[] = {
		{ "\x1f\x8b", 2, "gzip", "gz" },   { "\xfd" "7zXZ", 5, "xz", "xz" },
		{ "\x5d\0\0", 3, "lzma", "lzma" }, { "BZh", 3, "bzip2", "bz2" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd", "zst" },
	};

	if (size < 16) {
		*why = no_image(s->arena);
		return -EINVAL;
	}
	if (memcmp(data, "\x02\x21\x4c\x18", 4) == 0) {
		*why = "it is damaged";
		return decompress_lz4(data, size - SIZE_BEHIND, to);
	}
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		size_t rest = strcmp(list[i].tool, "gzip") == 0 ? 0 : SIZE_BEHIND;
		const char *path = arena_printf(s->arena, "%s/image.%s", s->tmp_dir,
						list[i].suffix);

		if (memcmp(data, list[i].magic, list[i].len) != 0)
			continue;

		int err = file_write(path, data, size - rest);

		if (err)
			*why = arena_printf(s->arena, "%s: %s", path, strerror(-err));
		else
			err = decompress_by_tool(s->arena, list[i].tool, path, to, why);
		unlink(path);
		return err;
	}
	*why = "its compression format is not supported";
	return -EINVAL;
}

/* Maps the ELF file, or decompresses it into ret->text. */
static int find_elf(struct state *s, struct image *ret, const char **why)
{
	const uint8_t *head = ret->map;
	uint32_t offset, length;

	if (memcmp(head, ELFMAG, SELFMAG) == 0)
		return 0;
	*why = no_image(s->arena);
	if (memcmp(head + ARCH_BOOT_MAGIC, ARCH_BOOT_MAGIC_TEXT, 4) != 0)
		return -EINVAL;
	memcpy(&offset, head + ARCH_BOOT_PAYLOAD, sizeof(offset));
	memcpy(&length, head + ARCH_BOOT_PAYLOAD_LENGTH, sizeof(length));

	size_t setup = head[ARCH_BOOT_SECTORS];

	if (!setup)
		setup = ARCH_BOOT_SECTORS_DEFAULT;

	size_t start = (setup + 1) * ARCH_BOOT_SECTOR + offset;

	if (start > ret->map_size || length > ret->map_size - start)
		return -EINVAL;
	return decompress_payload(s, head + start, length, &ret->text, why);
}

/* ---- parts of it ---- */

static bool inside(uint64_t offset, uint64_t size, size_t whole)
{
	return offset <= whole && size <= whole - offset;
}

static void take_segments(struct arena *a, Elf *elf, const char *file, size_t size,
			  struct image *ret)
{
	size_t n = 0;
	GElf_Phdr p;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &p); i++) {
		if (p.p_type != PT_LOAD || !inside(p.p_offset, p.p_filesz, size))
			continue;

		struct image_part part = { p.p_vaddr, p.p_filesz,
					   (const uint8_t *)file + p.p_offset };

		vec_push(a, &ret->parts, part);
	}
}

static void take_sections(struct arena *a, Elf *elf, const char *file, size_t size,
			  struct image *ret)
{
	size_t names = 0;

	elf_getshdrstrndx(elf, &names);
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr head;
		const char *name = gelf_getshdr(scn, &head) ?
					   elf_strptr(elf, names, head.sh_name) : NULL;

		if (!name || head.sh_type == SHT_NOBITS ||
		    !inside(head.sh_offset, head.sh_size, size))
			continue;
		if (strcmp(name, ".BTF") == 0) {
			ret->btf = file + head.sh_offset;
			ret->btf_size = head.sh_size;
		} else if (strcmp(name, ".notes") == 0) {
			ret->build_id = kernel_build_id_of_notes(a, file + head.sh_offset,
								 head.sh_size);
		}
	}
}

int image_open(struct state *s, const char *path, struct image *ret, const char **why)
{
	GElf_Ehdr head;

	*ret = (struct image){0};
	buf_init(&ret->text);

	int err = map_file(path, ret, why);

	err = err ? err : find_elf(s, ret, why);
	if (err)
		return err;

	char *file = ret->text.len ? ret->text.s : ret->map;
	size_t size = ret->text.len ? ret->text.len : ret->map_size;

	elf_version(EV_CURRENT);

	Elf *elf = elf_memory(file, size);

	if (!elf || !gelf_getehdr(elf, &head) || head.e_machine != arch_names->elf_machine ||
	    head.e_type == ET_REL) {
		*why = no_image(s->arena);
		err = -EINVAL;
	} else {
		take_segments(s->arena, elf, file, size, ret);
		take_sections(s->arena, elf, file, size, ret);
	}
	elf_end(elf);
	return err;
}

void image_close(struct image *img)
{
	buf_deinit(&img->text);
	if (img->map)
		munmap(img->map, img->map_size);
	*img = (struct image){0};
}

const void *image_at(const struct image *img, uint64_t addr, uint64_t size)
{
	vec_each(part, &img->parts) {
		if (addr >= part->addr && addr - part->addr <= part->size &&
		    size <= part->size - (addr - part->addr))
			return part->data + (addr - part->addr);
	}
	return NULL;
}

bool image_word(const struct image *img, uint64_t addr, uint64_t *ret)
{
	const void *p = image_at(img, addr, sizeof(*ret));

	if (p)
		memcpy(ret, p, sizeof(*ret));
	return p;
}
