/* SPDX-License-Identifier: GPL-2.0 */
/* A module's file is a relocatable ELF object, so its symbols lie in sections. */
#include "target/kernel/module_file.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>

#include "shared/file.h"
#include "target/arch/names.h"
#include "base/source.h"
#include "base/words.h"
#include "target/kernel/decompress.h"
#include "target/kernel/private.h"
#include "target/object/section.h"

static int read_bytes(struct arena *a, const char *path, struct buf *b, const char **why)
{
	struct stat st;

	/* The tools below would wait for a FIFO's writer, and read a device without end. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		*why = source_why(S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP);
		return -ENOENT;
	}
	if (words_end(path, ".xz"))
		return decompress_by_tool(a, "xz", path, b, why);
	if (words_end(path, ".zst"))
		return decompress_by_tool(a, "zstd", path, b, why);
	if (words_end(path, ".gz"))
		return decompress_by_tool(a, "gzip", path, b, why);

	int err = file_read(path, b);

	if (err)
		*why = source_why(-err);
	return err ? -ENOENT : 0;
}

static Elf_Data *data_of(Elf *elf, const char *name)
{
	GElf_Shdr head;
	Elf_Scn *scn = section_find(elf, name, &head);

	return scn ? elf_rawdata(scn, NULL) : NULL;
}

/* Finds "name=loop" among the strings of .modinfo. */
static const char *name_of(struct arena *a, const Elf_Data *info)
{
	const char *p = info ? info->d_buf : NULL, *end = p ? p + info->d_size : NULL;

	while (p && p < end) {
		size_t n = strnlen(p, (size_t)(end - p));

		if (n > 5 && memcmp(p, "name=", 5) == 0)
			return arena_strndup(a, p + 5, n - 5);
		p += n + 1;
	}
	return NULL;
}

static bool is_function(Elf *elf, const GElf_Sym *sym)
{
	GElf_Shdr head;
	Elf_Scn *scn = sym->st_shndx && sym->st_shndx < SHN_LORESERVE ?
			       elf_getscn(elf, sym->st_shndx) : NULL;
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return scn && gelf_getshdr(scn, &head) && (head.sh_flags & SHF_EXECINSTR) &&
	       (type == STT_FUNC || type == STT_NOTYPE);
}

static void read_symbols(Elf *elf, struct buf *text)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr head;
		GElf_Sym sym;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &head) || head.sh_type != SHT_SYMTAB ||
		    !(data = elf_getdata(scn, NULL)))
			continue;
		for (int i = 1; gelf_getsym(data, i, &sym); i++) {
			const char *name = elf_strptr(elf, head.sh_link, sym.st_name);

			if (name && *name && is_function(elf, &sym))
				buf_printf(text, "t %s\n", name);
		}
	}
}

static int read_elf(struct arena *a, Elf *elf, struct module_file *ret, const char **why)
{
	GElf_Ehdr head;

	if (!elf || !gelf_getehdr(elf, &head) || head.e_type != ET_REL ||
	    head.e_machine != arch_names->elf_machine) {
		*why = arena_printf(a, "it is not a module for %s", arch_names->machine);
		return -EINVAL;
	}
	ret->name = name_of(a, data_of(elf, ".modinfo"));
	if (!ret->name) {
		*why = "it is not a module: it has no name";
		return -EINVAL;
	}

	Elf_Data *notes = data_of(elf, ".note.gnu.build-id");

	if (notes)
		ret->build_id = kernel_build_id_of_notes(a, notes->d_buf, notes->d_size);

	Elf_Data *btf = data_of(elf, ".BTF");

	if (btf && data_of(elf, ".BTF.base"))
		ret->btf_why = "its BTF has its own base, which is not supported; load it";
	else if (btf)
		buf_write(&ret->btf, btf->d_buf, btf->d_size);
	read_symbols(elf, &ret->symbols);
	return 0;
}

int module_file_read(struct arena *a, const char *path, struct module_file *ret, const char **why)
{
	struct buf bytes;

	*ret = (struct module_file){0};
	buf_init(&ret->symbols);
	buf_init(&ret->btf);
	buf_init(&bytes);

	int err = read_bytes(a, path, &bytes, why);

	if (!err) {
		elf_version(EV_CURRENT);

		Elf *elf = elf_memory(bytes.s, bytes.len);

		err = read_elf(a, elf, ret, why);
		elf_end(elf);
	}
	buf_deinit(&bytes);
	return err;
}

void module_file_deinit(struct module_file *f)
{
	buf_deinit(&f->symbols);
	buf_deinit(&f->btf);
}
