/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/undescribed.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"

static bool begins_entry(const struct image_part *part, size_t at)
{
	uint64_t word;

	return arch_plt_word(part->bytes + at, part->size - at, part->address + at, &word);
}

/* An entry has one or two slots, and its jump is in the first one. */
static bool is_jumps_only(const struct image_part *part)
{
	bool may_go_on = false;

	for (size_t at = 0; at < part->size; at += ARCH_PLT_SHORT_ENTRY) {
		bool begins = begins_entry(part, at);

		if (!begins && !may_go_on)
			return false;
		may_go_on = begins;
	}
	return part->address && part->address <= UINT64_MAX - part->size;
}

size_t undescribed_jumps(const struct image *f, struct undescribed *ret)
{
	static const char *const names[UNDESCRIBED_JUMPS] = { ".plt", ".plt.got", ".plt.sec" };
	struct image_part part;
	size_t n = 0;

	/* The rule of jumps is for words of 8 bytes. */
	for (size_t i = 0; i < UNDESCRIBED_JUMPS && !f->is_32bit; i++) {
		if (!image_section(f, names[i], &part))
			continue;
		if (is_jumps_only(&part))
			ret[n++] = (struct undescribed){ part.address, part.address + part.size };
		free(part.bytes);
	}
	return n;
}

bool undescribed_entry(const struct image *f, uint64_t next, struct undescribed *ret)
{
	static const unsigned char begin[] = ARCH_LOADER_ENTRY;
	unsigned char code[sizeof(begin)];

	*ret = (struct undescribed){ f->entry, f->entry + ARCH_LOADER_ENTRY_SIZE };
	if (ret->end > next)
		ret->end = next;
	return !f->is_32bit && f->entry && f->entry < ret->end &&
	       image_read(f, f->entry, code, sizeof(code)) &&
	       memcmp(code, begin, sizeof(code)) == 0;
}

static bool is_builtin(const Elf64_Sym *it, const struct image_part *names)
{
	static const char prefix[] = "Builtins_";
	const size_t len = sizeof(prefix) - 1;

	return ELF64_ST_TYPE(it->st_info) == STT_FUNC && it->st_value <= UINT64_MAX - it->st_size &&
	       it->st_name < names->size && names->size - it->st_name > len &&
	       memcmp(names->bytes + it->st_name, prefix, len) == 0;
}

static bool span_builtins(const struct image_part *symbols, const struct image_part *names,
			  struct undescribed *ret)
{
	Elf64_Sym it;

	*ret = (struct undescribed){ .start = UINT64_MAX };
	for (size_t at = 0; at + sizeof(it) <= symbols->size; at += sizeof(it)) {
		memcpy(&it, symbols->bytes + at, sizeof(it));
		if (!is_builtin(&it, names))
			continue;
		if (it.st_value < ret->start)
			ret->start = it.st_value;
		if (it.st_value + it.st_size > ret->end)
			ret->end = it.st_value + it.st_size;
	}
	return ret->start < ret->end;
}

bool undescribed_builtins(const struct image *f, struct undescribed *ret)
{
	struct image_part symbols, names;
	bool found = false;

	for (size_t i = 0; i < f->nsections; i++) {
		struct image_head head = image_head(f, i);

		if (head.type != SHT_SYMTAB)
			continue;
		if (head.link >= f->nsections || !image_bytes(f, i, &symbols))
			return false;
		if (image_bytes(f, head.link, &names)) {
			found = span_builtins(&symbols, &names, ret);
			free(names.bytes);
		}
		free(symbols.bytes);
		return found;
	}
	return false;
}

/* The value of a dynamic symbol; 0: there is none of that name. */
static uint64_t value_of(const struct image_part *symbols, const struct image_part *names,
			 const char *name)
{
	Elf64_Sym it;

	for (size_t at = 0; at + sizeof(it) <= symbols->size; at += sizeof(it)) {
		memcpy(&it, symbols->bytes + at, sizeof(it));
		if (it.st_name < names->size && names->size - it.st_name > strlen(name) &&
		    memcmp(names->bytes + it.st_name, name, strlen(name) + 1) == 0)
			return it.st_value;
	}
	return 0;
}

static uint64_t dynamic_symbol(const struct image *f, const char *name)
{
	struct image_part symbols, names;
	uint64_t found = 0;

	for (size_t i = 0; i < f->nsections; i++) {
		struct image_head head = image_head(f, i);

		if (head.type != SHT_DYNSYM)
			continue;
		if (head.link >= f->nsections || !image_bytes(f, i, &symbols))
			return 0;
		if (image_bytes(f, head.link, &names)) {
			found = value_of(&symbols, &names, name);
			free(names.bytes);
		}
		free(symbols.bytes);
		return found;
	}
	return 0;
}

bool undescribed_sigreturn(const struct image *f, struct undescribed *ret)
{
	static const unsigned char code[] = ARCH_SIGRETURN_CODE;
	const char *name = ARCH_SIGRETURN;
	unsigned char there[sizeof(code)];
	uint64_t at = name && !f->is_32bit ? dynamic_symbol(f, name) : 0;

	*ret = (struct undescribed){ at - 1, at + sizeof(code) };
	return at && at < UINT64_MAX - sizeof(code) && image_read(f, at, there, sizeof(there)) &&
	       memcmp(there, code, sizeof(code)) == 0;
}
