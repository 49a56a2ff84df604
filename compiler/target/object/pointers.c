/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words of data that contain addresses of the same file, once it is relocated: words of the global
 * offset table, and pointers in constant data.
 */
#include <stdlib.h>
#include <string.h>

#include "target/object/relocations.h"
#include "shared/search.h"
#include "state.h"

static int by_address(const void *x, const void *y)
{
	const struct object_pointer *a = x, *b = y;

	return (a->address > b->address) - (a->address < b->address);
}

/* The address that a relocation stores. Returns false if it is in another file or is not known. */
static bool relocated(const struct relocation *one, uint64_t *ret)
{
	*ret = one->addend;
	if (one->kind == ARCH_RELOCATION_RELATIVE)
		return true;
	if (one->kind != ARCH_RELOCATION_SYMBOL || !one->name ||
	    one->symbol.st_shndx == SHN_UNDEF ||
	    GELF_ST_TYPE(one->symbol.st_info) == STT_GNU_IFUNC)
		return false;
	*ret += one->symbol.st_value;
	return true;
}

static void read_pointers(struct state *s, struct object_file *f)
{
	struct relocation_reader reader;
	struct relocation one;
	GElf_Addr bias;
	Elf *elf = f->module ? dwfl_module_getelf(f->module, &bias) : NULL;

	f->has_pointers = true;
	if (!elf)
		return;
	relocations_start(&reader, f, elf);
	while (relocations_next(&reader, &one)) {
		struct object_pointer p = { .address = one.address };

		p.is_known = relocated(&one, &p.value);
		vec_push(s->arena, &f->pointers, p);
	}
	if (f->pointers.n)
		qsort(f->pointers.v, f->pointers.n, sizeof(*f->pointers.v), by_address);
}

bool object_pointer_at(struct state *s, struct object_file *f, uint64_t address, uint64_t *ret)
{
	size_t size = f->o.is_32bit ? sizeof(uint32_t) : sizeof(*ret), i;
	const unsigned char *data = object_data_at(f, address, size, true);

	if (!data)
		return false;
	if (!f->has_pointers)
		read_pointers(s, f);
	search_first(i, f->pointers.n, f->pointers.v[i].address < address);
	if (i < f->pointers.n && f->pointers.v[i].address == address) {
		*ret = f->pointers.v[i].value;
		return f->pointers.v[i].is_known;
	}
	/* Compressed relocations (DT_RELR) add to what is in the file. Other numbers are no
	 * addresses of code. */
	*ret = 0;
	memcpy(ret, data, size);
	return true;
}
