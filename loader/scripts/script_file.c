/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols of a file by their names. Every file that a process has mapped is asked for those of
 * interpreters, so dynamic symbols are looked for by the hash table that dynamic linkers use
 * (.gnu.hash; its format is described in binutils, gold/dynobj.cc, and in glibc, elf/dl-lookup.c):
 * a file that has none of them costs a few small reads. Other tables are read as a whole.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "unwind/frames.h"
#include "unwind/image.h"
#include "unwind/rows.h"

enum {
	NAME_MAX_BYTES = 128,        /* of a symbol that is asked for */
	CHAIN_MAX = 1 << 16,         /* symbols of a bucket that are looked at */
	OUTLINED_MAX = 64,           /* different places that jumps lead to */
	CODE_MAX = 1 << 20,          /* bytes of a function */
};

#define GNU_HASH_TYPE 0x6ffffff6u

/* The symbols of a section. */
struct symbol_section {
	struct image_part symbols, strings;
	bool is_read;
};

struct script_file {
	struct image image;
	struct image_head dynamic, strings, hash; /* without a name: there is none */
	uint32_t buckets, first, words, shift;    /* of the hash table; buckets: 0: it is none */
	struct symbol_section whole[2];                    /* .dynsym, .symtab */
	bool deep;                                /* .symtab is looked in */
};

/* ---- the hash table ---- */

static void find_hash(struct script_file *f)
{
	uint32_t head[4];
	struct image_head it;

	for (size_t i = 0; i < f->image.nsections; i++) {
		it = image_head(&f->image, i);
		if (it.type == SHT_DYNSYM && it.link < f->image.nsections) {
			f->dynamic = it;
			f->strings = image_head(&f->image, it.link);
		} else if (it.type == GNU_HASH_TYPE) {
			f->hash = it;
		}
	}
	if (!f->hash.type || !f->dynamic.type || f->dynamic.entry != sizeof(Elf64_Sym) ||
	    !image_read(&f->image, f->hash.address, head, sizeof(head)) || !head[2] ||
	    head[2] > f->hash.size / sizeof(uint64_t))
		return;
	f->buckets = head[0];
	f->first = head[1];
	f->words = head[2];
	f->shift = head[3];
}

static uint32_t hash_of(const char *name)
{
	uint32_t h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return h;
}

static bool may_have(const struct script_file *f, uint32_t h)
{
	uint64_t word;

	return image_read(&f->image, f->hash.address + 16 + h / 64 % f->words * 8ull, &word, 8) &&
	       word >> h % 64 & word >> (f->shift < 32 ? h >> f->shift : 0) % 64 & 1;
}

/* Reads the dynamic symbol of that number if it has that name. */
static bool read_named(const struct script_file *f, uint32_t number, const char *name,
		       Elf64_Sym *ret)
{
	size_t size = strlen(name) + 1;
	char text[NAME_MAX_BYTES];

	return image_read(&f->image, f->dynamic.address + number * sizeof(*ret), ret,
			  sizeof(*ret)) &&
	       size <= sizeof(text) &&
	       image_read(&f->image, f->strings.address + ret->st_name, text, size) &&
	       memcmp(text, name, size) == 0;
}

static bool find_hashed(const struct script_file *f, const char *name, Elf64_Sym *ret)
{
	uint64_t buckets = f->hash.address + 16 + f->words * 8ull;
	uint64_t chains = buckets + f->buckets * 4ull;
	uint32_t h = hash_of(name), number, it = 0;

	if (!may_have(f, h) ||
	    !image_read(&f->image, buckets + h % f->buckets * 4ull, &number, 4) ||
	    number < f->first)
		return false;
	for (unsigned i = 0; i < CHAIN_MAX && !(it & 1); i++, number++) {
		if (!image_read(&f->image, chains + (number - f->first) * 4ull, &it, 4))
			return false;
		if ((it | 1) == (h | 1) && read_named(f, number, name, ret))
			return true;
	}
	return false;
}

/* ---- tables without one ---- */

static void read_table(struct script_file *f, struct symbol_section *t, uint32_t type)
{
	t->is_read = true;
	for (size_t i = 0; i < f->image.nsections; i++) {
		struct image_head it = image_head(&f->image, i);

		if (it.type != type || it.entry != sizeof(Elf64_Sym))
			continue;
		if (!image_bytes(&f->image, it.link, &t->strings) ||
		    !image_bytes(&f->image, i, &t->symbols))
			t->symbols.size = 0;
		return;
	}
}

static bool find_in(const struct symbol_section *t, const char *name, Elf64_Sym *ret)
{
	const Elf64_Sym *all = (const Elf64_Sym *)(const void *)t->symbols.bytes;
	size_t size = strlen(name) + 1;

	for (size_t i = 0; i < t->symbols.size / sizeof(*all); i++) {
		if (all[i].st_name >= t->strings.size ||
		    size > t->strings.size - all[i].st_name ||
		    memcmp(t->strings.bytes + all[i].st_name, name, size) != 0)
			continue;
		*ret = all[i];
		if (ret->st_shndx != SHN_UNDEF)
			return true;
	}
	return false;
}

static bool find_whole(struct script_file *f, unsigned which, const char *name, Elf64_Sym *ret)
{
	struct symbol_section *t = &f->whole[which];

	if (!t->is_read)
		read_table(f, t, which ? SHT_SYMTAB : SHT_DYNSYM);
	return find_in(t, name, ret);
}

/* ---- symbols and bytes ---- */

/* Callers see no difference when a table is read. */
static struct script_file *own(const struct script_file *f)
{
	return (struct script_file *)f;
}

bool script_file_symbol(const struct script_file *f, const char *name, uint64_t *address,
			uint64_t *size)
{
	Elf64_Sym found;
	bool is_found = f->buckets ? find_hashed(f, name, &found) && found.st_shndx != SHN_UNDEF :
				     find_whole(own(f), 0, name, &found);

	if (!is_found && f->deep)
		is_found = find_whole(own(f), 1, name, &found);
	if (!is_found || ELF64_ST_TYPE(found.st_info) == STT_TLS ||
	    found.st_shndx == SHN_ABS || found.st_shndx == SHN_COMMON)
		return false;
	*address = found.st_value;
	*size = found.st_size;
	return true;
}

bool script_file_bytes(const struct script_file *f, uint64_t address, void *to, size_t n)
{
	return image_read(&f->image, address, to, n);
}

struct script_file *script_file_open(int fd)
{
	struct script_file *f = memory_zeroed(1, sizeof(*f));
	const char *why;

	if (image_open(fd, &f->image, &why) != 0 || f->image.is_32bit) {
		script_file_close(f);
		return NULL;
	}
	find_hash(f);
	return f;
}

void script_file_close(struct script_file *f)
{
	if (!f)
		return;
	for (unsigned i = 0; i < 2; i++) {
		free(f->whole[i].symbols.bytes);
		free(f->whole[i].strings.bytes);
	}
	image_close(&f->image);
	free(f);
}

void script_file_deepen(struct script_file *f)
{
	f->deep = true;
}

/* ---- code that a compiler has put elsewhere ---- */

/* A part of code to which jumps lead. */
struct candidate {
	const struct frames_function *part;
	unsigned jumps;
};

/* The rules of a part. */
struct part_rules {
	struct prt_unwind_rule first;
	bool has_first, has_other;
};

static void take_rule(void *arg, uint64_t address, const struct prt_unwind_rule *rule)
{
	struct part_rules *rules = arg;

	(void)address;
	if (!rules->has_first)
		rules->first = *rule;
	rules->has_first = true;
	rules->has_other |= rule->cfa != PRT_UNWIND_REG;
}

/* Whether the stack at the beginning of @part is that of the middle of a function. A function that
 * another one has called, or ends by jumping to, finds it without a frame; a procedure linkage
 * table has a rule of its own form. */
static bool has_frame(struct frames *frames, const struct frames_function *part)
{
	struct part_rules rules = { 0 };

	rows_run(frames, part, take_rule, &rules);
	return rules.has_first && !rules.has_other &&
	       (rules.first.reg != PRT_UNWIND_SP || rules.first.offset != ARCH_ENTRY_CFA);
}

static int by_start(const void *x, const void *y)
{
	const struct frames_function *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* The functions are in order. */
static const struct frames_function *part_at(const struct frames *frames, uint64_t address)
{
	size_t i;

	search_first(i, frames->nfunctions, frames->functions[i].start <= address);
	return i && address < frames->functions[i - 1].end ? &frames->functions[i - 1] : NULL;
}

/* Reads the functions that call frame information describes, in order. To frames_deinit(). */
static bool read_functions(const struct script_file *f, struct frames *ret)
{
	struct image_part part;

	if (!image_section(&f->image, ".eh_frame", &part))
		return false;
	frames_read(&part, FRAMES_SECTION, false, ret);
	if (ret->nfunctions)
		qsort(ret->functions, ret->nfunctions, sizeof(*ret->functions), by_start);
	return true;
}

static void count_jump(const struct frames *frames, uint64_t to, struct candidate *all, size_t *n)
{
	size_t i = 0;
	const struct frames_function *part;

	while (i < *n && (to < all[i].part->start || to >= all[i].part->end))
		i++;
	if (i < *n) {
		all[i].jumps++;
		return;
	}
	part = *n < OUTLINED_MAX ? part_at(frames, to) : NULL;
	if (part)
		all[(*n)++] = (struct candidate){ part, 1 };
}

bool script_file_function(const struct script_file *f, uint64_t address, uint64_t *start,
			  uint64_t *end)
{
	const struct frames_function *it;
	struct frames frames;

	if (!read_functions(f, &frames))
		return false;
	it = part_at(&frames, address);
	if (it) {
		*start = it->start;
		*end = it->end;
	}
	frames_deinit(&frames);
	return it;
}

/* Counts the jumps of @code, which is loaded at @start, by where they lead. What looks like a jump
 * in the middle of an instruction leads nowhere, or to a place that hardly another one leads to. */
static size_t count_jumps(const struct frames *frames, const unsigned char *code, uint64_t size,
			  uint64_t start, struct candidate *all)
{
	size_t n = 0;
	uint64_t to;

	for (uint64_t i = 0; i < size; i++)
		if (arch_far_jump(code + i, size - i, start + i, &to) &&
		    (to < start || to >= start + size))
			count_jump(frames, to, all, &n);
	return n;
}

/* The number of jumps from @part to [start, start + size). */
static unsigned jumps_back(const struct script_file *f, const struct frames_function *part,
			   uint64_t start, uint64_t size)
{
	uint64_t length = part->end - part->start, to;
	unsigned char *code;
	unsigned n = 0;

	if (length > CODE_MAX)
		return 0;
	code = memory_zeroed(length, 1);
	if (script_file_bytes(f, part->start, code, length))
		for (uint64_t i = 0; i < length; i++)
			n += arch_far_jump(code + i, length - i, part->start + i, &to) &&
			     to >= start && to < start + size;
	free(code);
	return n;
}

/* The part with most jumps between the function and itself; a single one is chance. */
static bool choose(const struct script_file *f, struct frames *frames, uint64_t start,
		   uint64_t size, const struct candidate *all, size_t n, uint64_t *at,
		   uint64_t *length)
{
	unsigned best = 1;

	for (size_t i = 0; i < n; i++) {
		unsigned jumps;

		if (!has_frame(frames, all[i].part))
			continue;
		jumps = all[i].jumps + jumps_back(f, all[i].part, start, size);
		if (jumps <= best)
			continue;
		best = jumps;
		*at = all[i].part->start;
		*length = all[i].part->end - all[i].part->start;
	}
	return best > 1;
}

bool script_file_outlined(const struct script_file *f, uint64_t start, uint64_t size,
			  uint64_t *at, uint64_t *length)
{
	struct candidate all[OUTLINED_MAX];
	struct frames frames;
	unsigned char *code;
	bool found = false;
	size_t n;

	if (!size || size > CODE_MAX || !read_functions(f, &frames))
		return false;
	code = memory_zeroed(size, 1);
	if (script_file_bytes(f, start, code, size)) {
		n = count_jumps(&frames, code, size, start, all);
		found = choose(f, &frames, start, size, all, n, at, length);
	}
	frames_deinit(&frames);
	free(code);
	return found;
}
