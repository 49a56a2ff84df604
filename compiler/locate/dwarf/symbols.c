/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of an object's code, as its symbol table has them: between addresses of debug
 * information, and the symbols and their namesakes by which sites are named.
 *
 * /proc/kallsyms has the kernel's by address; those of a module in the order of its symbol table,
 * but what is in __init code after the rest, because it is gone once the module runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "locate/dwarf/dwarf_private.h"

/* What is known of a section. */
struct section {
	uint64_t address; /* that its symbols' values are added to */
	bool code, init;
};

static void read_sections(Elf *elf, bool linked, struct section *sections, size_t n)
{
	size_t names;
	if (elf_getshdrstrndx(elf, &names) != 0)
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		GElf_Shdr head;
		size_t i = elf_ndxscn(scn);
		if (i >= n || !gelf_getshdr(scn, &head))
			continue;
		const char *name = elf_strptr(elf, names, head.sh_name);
		sections[i] = (struct section){
			.address = linked ? 0 : head.sh_addr,
			.code = (head.sh_flags & SHF_EXECINSTR) && (head.sh_flags & SHF_ALLOC),
			.init = name && strncmp(name, ".init", 5) == 0,
		};
	}
}

/* Names of assembler's labels that no kernel lists. */
static bool is_local_label(const char *name)
{
	return name[0] == '.' && name[1] == 'L';
}

/* The names of a table; NULL: they are damaged. */
static const char *names_of(Elf *elf, const GElf_Shdr *head, size_t *size)
{
	Elf_Data *data = elf_getdata(elf_getscn(elf, head->sh_link), NULL);
	const char *text = data ? data->d_buf : NULL;
	*size = text ? data->d_size : 0;
	return *size && text[*size - 1] == '\0' ? text : NULL;
}

/* Straight from the table: libelf's own functions for a symbol and a name would take half of the time. */
static void add_table(struct dwarf_db *db, Elf *elf, Elf_Scn *scn, const GElf_Shdr *head,
		      const struct section *sections, size_t nsections)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data ? data->d_size / sizeof(Elf64_Sym) : 0, names_size;
	const Elf64_Sym *table = n && gelf_getclass(elf) == ELFCLASS64 ? data->d_buf : NULL;
	const char *names = names_of(elf, head, &names_size);
	if (!table || !names)
		return;
	db->symbols.v = calloc(n, sizeof(*db->symbols.v));
	for (size_t i = 1; db->symbols.v && i < n; i++) {
		const Elf64_Sym *sym = &table[i];
		unsigned type = ELF64_ST_TYPE(sym->st_info);
		if ((type != STT_FUNC && type != STT_NOTYPE) || sym->st_shndx >= nsections ||
		    !sections[sym->st_shndx].code || sym->st_name >= names_size)
			continue;
		const char *name = names + sym->st_name;
		if (!*name || is_local_label(name))
			continue;
		db->symbols.v[db->symbols.n++] = (struct dwarf_symbol){
			.address = sym->st_value + sections[sym->st_shndx].address,
			.size = sym->st_size, .name = name, .nr = (uint32_t)i,
			.exact = type == STT_FUNC,
			.global = ELF64_ST_BIND(sym->st_info) != STB_LOCAL,
			.init = sections[sym->st_shndx].init,
		};
	}
}

/* ---- in order ---- */

/*
 * By address; at one address what is best to name it comes last: functions, names that others use, the
 * first of the table. A kernel has 100000 symbols, and comparing them with each other took as long as
 * the rest of pass 2: they are dealt out by one digit of the address after the other, the lowest first.
 */
enum { DIGIT = 11 /* bits */, DIGITS = 1 << DIGIT };

struct dealt { uint64_t key; uint32_t at; };

static void deal(const struct dealt *from, struct dealt *to, size_t n, unsigned shift)
{
	uint32_t place[DIGITS + 1] = {0};
	for (size_t i = 0; i < n; i++)
		place[(from[i].key >> shift) % DIGITS + 1]++;
	for (size_t d = 1; d < DIGITS; d++)
		place[d] += place[d - 1];
	for (size_t i = 0; i < n; i++)
		to[place[(from[i].key >> shift) % DIGITS]++] = from[i];
}

/* Both have room for all symbols; one of them comes back. */
static const struct dealt *deal_all(const struct dwarf_db *db, struct dealt *to, struct dealt *other)
{
	uint64_t lowest = UINT64_MAX, highest = 0;
	size_t n = db->symbols.n;
	for (size_t i = 0; i < n; i++) {
		if (db->symbols.v[i].address < lowest)
			lowest = db->symbols.v[i].address;
	}
	for (size_t i = 0; i < n; i++) {
		const struct dwarf_symbol *sym = &db->symbols.v[n - 1 - i];
		to[i] = (struct dealt){
			.key = (sym->address - lowest) << 2 | sym->exact << 1 | sym->global,
			.at = (uint32_t)(n - 1 - i),
		};
		highest |= to[i].key;
	}
	for (unsigned shift = 0; shift < 64 && highest >> shift; shift += DIGIT) {
		struct dealt *from = to;
		deal(from, other, n, shift);
		to = other;
		other = from;
	}
	return to;
}

static void put_in_order(struct dwarf_db *db)
{
	size_t n = db->symbols.n;
	struct dwarf_symbol *ordered = calloc(n + 1, sizeof(*ordered));
	struct dealt *room = calloc(n + 1, 2 * sizeof(*room));
	if (ordered && room) {
		const struct dealt *order = deal_all(db, room, room + n);
		for (size_t i = 0; i < n; i++)
			ordered[i] = db->symbols.v[order[i].at];
	} else {
		db->symbols.n = 0;
	}
	free(room);
	free(db->symbols.v);
	db->symbols.v = ordered;
}

/* ---- by name ---- */

static void index_names(struct dwarf_db *db)
{
	uint32_t size = 16;
	while (size < db->symbols.n)
		size *= 2;
	db->names = calloc(size, sizeof(*db->names));
	if (!db->names) {
		db->symbols.n = 0;
		return;
	}
	db->names_mask = size - 1;
	for (size_t i = db->symbols.n; i-- > 0;) {
		struct dwarf_symbol *sym = &db->symbols.v[i];
		uint32_t *slot = &db->names[hash_name(sym->name) & db->names_mask];
		sym->next = *slot;
		*slot = (uint32_t)i + 1;
	}
}

static void need_symbols(struct dwarf_db *db)
{
	GElf_Ehdr ehdr;
	size_t n;
	if (db->symbols_read)
		return;
	db->symbols_read = true;
	if (!gelf_getehdr(db->elf, &ehdr) || elf_getshdrnum(db->elf, &n) != 0)
		return;
	struct section *sections = arena_alloc(db->arena, n * sizeof(*sections));
	read_sections(db->elf, ehdr.e_type != ET_REL, sections, n);
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(db->elf, scn)) && !db->symbols.v;) {
		GElf_Shdr head;
		if (gelf_getshdr(scn, &head) && head.sh_type == SHT_SYMTAB)
			add_table(db, db->elf, scn, &head, sections, n);
	}
	put_in_order(db);
	index_names(db);
}

/* ---- the door ---- */

const struct dwarf_symbol *dwarf_symbols_at(struct dwarf_db *db, uint64_t pc)
{
	const struct dwarf_symbol *all, *label = NULL;
	size_t low = 0, high;
	need_symbols(db);
	all = db->symbols.v;
	for (high = db->symbols.n; low < high;) {
		size_t mid = low + (high - low) / 2;
		if (all[mid].address <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	/* A label may lie within a function; the padding before one belongs to none. */
	for (size_t i = low; i-- > 0 && i + 64 > low;) {
		if (all[i].exact && (!all[i].size || pc < all[i].address + all[i].size))
			return &all[i];
		label = label || all[i].exact ? label : &all[i];
	}
	return label;
}

const struct dwarf_symbol *dwarf_symbols_named(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last)
{
	uint32_t i;
	need_symbols(db);
	if (!db->symbols.n)
		return NULL;
	i = last ? last->next : db->names[hash_name(name) & db->names_mask];
	for (; i; i = db->symbols.v[i - 1].next) {
		if (strcmp(db->symbols.v[i - 1].name, name) == 0)
			return &db->symbols.v[i - 1];
	}
	return NULL;
}

const struct dwarf_symbol *dwarf_symbols_clone(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last)
{
	size_t len = strlen(name);
	need_symbols(db);
	for (size_t i = last ? (size_t)(last - db->symbols.v) + 1 : 0; i < db->symbols.n; i++) {
		const char *other = db->symbols.v[i].name;
		if (strncmp(other, name, len) == 0 && other[len] == '.' && db->symbols.v[i].exact &&
		    !strstr(other + len, ".cold"))
			return &db->symbols.v[i];
	}
	return NULL;
}

/* Whether kallsyms has @a before @b. */
static bool comes_first(const struct dwarf_db *db, const struct dwarf_symbol *a,
			const struct dwarf_symbol *b)
{
	if (!db->is_module)
		return a->address < b->address;
	return a->init != b->init ? b->init : a->nr < b->nr;
}

int dwarf_symbols_namesake(struct dwarf_db *db, const struct dwarf_symbol *symbol)
{
	int n = 0;
	for (const struct dwarf_symbol *other = dwarf_symbols_named(db, symbol->name, NULL); other;
	     other = dwarf_symbols_named(db, symbol->name, other))
		n += comes_first(db, other, symbol);
	return n;
}
