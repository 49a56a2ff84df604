/* SPDX-License-Identifier: GPL-2.0 */
/* The reader of module files, on one made by hand: complete, renamed, cut, and damaged at every
 * byte. */
#include <elf.h>

#include "arch/arch.h"
#include "module/module.h"
#include "records.h"
#include "unit.h"

static const char section_names[] = "\0.shstrtab\0.modinfo\0.probec\0.bss\0.this";
static const char modinfo[] = "license=GPL\0name=" PRT_PLACEHOLDER "\0vermagic=6.1";
static const char meta[] = "probec\t12\t0.1\nend\n";
static const char this_module[] = "xx" PRT_PLACEHOLDER "\0yy";

enum { NSECTIONS = 6, ROOM = 2048 };

static void add_section(char *image, size_t *at, unsigned i, unsigned name, unsigned type,
			const void *data, size_t size)
{
	Elf64_Shdr sh = { .sh_name = name, .sh_type = type, .sh_offset = *at, .sh_size = size };

	memcpy(image + sizeof(Elf64_Ehdr) + i * sizeof(sh), &sh, sizeof(sh));
	if (type == SHT_NOBITS)
		return;
	memcpy(image + *at, data, size);
	*at += size;
}

/* On the heap in exactly its size, so that sanitizers report each byte read outside. */
static char *make_image(size_t *len)
{
	static char image[ROOM];
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB },
		.e_type = ET_REL,
		.e_machine = ARCH_MACHINE,
		.e_shoff = sizeof(eh),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NSECTIONS,
		.e_shstrndx = 1,
	};
	size_t at = sizeof(eh) + NSECTIONS * sizeof(Elf64_Shdr);
	char *ret;

	memset(image, 0, sizeof(image));
	memcpy(image, &eh, sizeof(eh));
	add_section(image, &at, 1, 1, SHT_STRTAB, section_names, sizeof(section_names));
	add_section(image, &at, 2, 11, SHT_PROGBITS, modinfo, sizeof(modinfo));
	add_section(image, &at, 3, 20, SHT_PROGBITS, meta, sizeof(meta));
	add_section(image, &at, 4, 28, SHT_NOBITS, NULL, 1 << 30);
	add_section(image, &at, 5, 33, SHT_PROGBITS, this_module, sizeof(this_module));
	ret = malloc(at);
	memcpy(ret, image, at);
	*len = at;
	return ret;
}

TEST(reads)
{
	struct module m;
	const char *why;
	size_t len;
	char *image = make_image(&len);

	assert_int_equal(module_parse(image, len, &m, &why), 0);
	assert_string_equal(m.name, PRT_PLACEHOLDER);
	assert_true(m.has_placeholder);
	assert_int_equal(m.meta_len, sizeof(meta) - 1);
	assert_memory_equal(m.meta, meta, sizeof(meta) - 1);
	assert_int_equal(m.nname_at, 2);
	module_deinit(&m);
}

TEST(renames)
{
	static const char zeros[PRT_NAME_LEN];
	struct module m;
	const char *why;
	size_t len;
	char *image = make_image(&len), *p;

	assert_int_equal(module_parse(image, len, &m, &why), 0);
	module_rename(&m, "probec_1_longer");
	module_rename(&m, "probec_1_0");
	assert_string_equal(m.name, "probec_1_0");
	assert_null(memmem(image, len, PRT_PLACEHOLDER, PRT_NAME_LEN));
	assert_null(memmem(image, len, "longer", 6));
	p = memmem(image, len, "name=probec_1_0", 16);
	assert_non_null(p);
	assert_memory_equal(p + 15, zeros, PRT_NAME_LEN - 10);
	assert_memory_equal(p + 5 + PRT_NAME_LEN + 1, "vermagic=", 9);
	assert_non_null(memmem(image, len, "xxprobec_1_0", 13));
	assert_memory_equal(image + len - 4, "\0yy", 4);
	module_deinit(&m);
}

TEST(own_name)
{
	struct module m;
	const char *why;
	size_t len;
	char *image = make_image(&len);
	char *p = memmem(image, len, PRT_PLACEHOLDER, PRT_NAME_LEN);

	strcpy(p, "reads");
	assert_int_equal(module_parse(image, len, &m, &why), 0);
	assert_string_equal(m.name, "reads");
	assert_false(m.has_placeholder);
	module_deinit(&m);
}

TEST(keeps_signed)
{
	static const char mark[] = "~Module signature appended~\n";
	struct module m;
	const char *why;
	size_t len;
	char *image = make_image(&len);

	image = realloc(image, len + sizeof(mark) - 1);
	memcpy(image + len, mark, sizeof(mark) - 1);
	assert_int_equal(module_parse(image, len + sizeof(mark) - 1, &m, &why), 0);
	assert_true(m.is_signed);
	assert_false(m.has_placeholder);
	module_deinit(&m);
}

TEST(cut)
{
	size_t whole;

	free(make_image(&whole));
	for (size_t len = 0; len < whole; len++) {
		struct module m;
		const char *why;
		char *image = make_image(&whole), *part = malloc(len ? len : 1);

		memcpy(part, image, len);
		free(image);
		module_parse(part, len, &m, &why);
		module_deinit(&m);
	}
}

TEST(any_byte)
{
	static const unsigned char bytes[] = { 0, 1, 0x7f, 0x80, 0xff, '/' };
	size_t len;

	free(make_image(&len));
	for (size_t i = 0; i < len; i++)
		for (size_t b = 0; b < sizeof(bytes); b++) {
			struct module m;
			const char *why;
			char *image = make_image(&len);

			image[i] = (char)bytes[b];
			module_parse(image, len, &m, &why);
			module_deinit(&m);
		}
}
