/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The last link, without a linker. A script's object is small, the runtime went through the
 * kernel's linker script when it was built, and ld takes 11 million instructions to copy it. Here
 * each section of the script is appended to the runtime's section of the same name, or becomes a
 * new one, and its symbols and relocations are adjusted.
 *
 * ld links everything unusual, and reports what is wrong: groups, common symbols, a symbol that
 * both define, relocations without addends, two sections of one name, and sections that the
 * kernel's linker script could rename or sort.
 */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "shared/file.h"
#include "target/arch/names.h"
#include "base/identity.h"
#include "base/map.h"
#include "build/private.h"
#include "records.h"
#include "state.h"

/* One of the two object files. */
struct link_input {
	struct buf file;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *sections;
	size_t n;
	const char *section_names;
	const Elf64_Sym *symbols;
	size_t nsymbols, nlocal;
	const Elf64_Shdr *strings;
	uint32_t *to;                /* number of each section in the module; 0: left out */
	uint64_t *at;                /* its offset within that section */
};

/* A section of the module. It consists of a section of the runtime, or none, and then of those of
 * the script that have its number: gcc 14 writes one __patchable_function_entries for each
 * function. */
struct link_section {
	Elf64_Shdr head;
	const char *name;
	const Elf64_Shdr *first;     /* of the runtime, or NULL */
	const struct build_note *note; /* instead of parts */
	uint64_t at;                 /* offset of the last part */
	uint32_t symbol;             /* number of its section symbol, or 0 */
};

/* A note with a build-id, as the linker writes it. */
struct build_note {
	Elf64_Nhdr head;
	char name[4];
	unsigned char id[IDENTITY_LEN / 2];
};

enum { RUNTIME, SCRIPT };

/* The greatest alignment of a section: a page. */
enum { ALIGN_MAX = 4096 };

struct append {
	struct state *s;
	struct link_input in[2];
	VEC(struct link_section) sections;
	VEC(Elf64_Sym) local, global; /* symbols of the module */
	uint32_t *symbol_to;         /* number in the module of each of the script's symbols */
	uint32_t shift;              /* added to the numbers of the runtime's global symbols */
};

static const char *bytes(const struct link_input *o, const Elf64_Shdr *h)
{
	return o->file.s + h->sh_offset;
}

/* ---- reading ---- */

static bool is_inside(const struct link_input *o, uint64_t offset, uint64_t size)
{
	return offset <= o->file.len && size <= o->file.len - offset;
}

static bool is_string_table(const struct link_input *o, const Elf64_Shdr *h)
{
	return h->sh_type == SHT_STRTAB && h->sh_size && !bytes(o, h)[h->sh_size - 1];
}

static bool has_usual_alignment(const Elf64_Shdr *h)
{
	return h->sh_addralign <= ALIGN_MAX && !(h->sh_addralign & (h->sh_addralign - 1));
}

static bool read_sections(struct link_input *o)
{
	const Elf64_Ehdr *h = o->head = (const void *)o->file.s;

	if (o->file.len < sizeof(*h) || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 ||
	    h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
	    h->e_type != ET_REL || h->e_shentsize != sizeof(Elf64_Shdr) || !h->e_shnum ||
	    h->e_shoff % sizeof(uint64_t) != 0 || h->e_shstrndx >= h->e_shnum ||
	    !is_inside(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
		return false;
	o->sections = (const void *)(o->file.s + h->e_shoff);
	o->n = h->e_shnum;
	for (size_t i = 1; i < o->n; i++)
		if (!has_usual_alignment(&o->sections[i]) ||
		    (o->sections[i].sh_type != SHT_NOBITS &&
		     !is_inside(o, o->sections[i].sh_offset, o->sections[i].sh_size)))
			return false;
	if (!is_string_table(o, &o->sections[h->e_shstrndx]))
		return false;
	o->section_names = bytes(o, &o->sections[h->e_shstrndx]);
	for (size_t i = 1; i < o->n; i++)
		if (o->sections[i].sh_name >= o->sections[h->e_shstrndx].sh_size)
			return false;
	return true;
}

static bool read_symbols(struct link_input *o, const Elf64_Shdr *h)
{
	if (o->symbols || h->sh_offset % sizeof(uint64_t) != 0 || h->sh_link >= o->n ||
	    !is_string_table(o, &o->sections[h->sh_link]))
		return false;
	o->symbols = (const void *)bytes(o, h);
	o->nsymbols = h->sh_size / sizeof(Elf64_Sym);
	o->nlocal = h->sh_info;
	o->strings = &o->sections[h->sh_link];
	for (size_t i = 0; i < o->nsymbols; i++)
		if (o->symbols[i].st_name >= o->strings->sh_size ||
		    (o->symbols[i].st_shndx >= o->n && o->symbols[i].st_shndx != SHN_ABS))
			return false;
	return o->nlocal && o->nlocal <= o->nsymbols;
}

static bool read_relocations(const struct link_input *o, const Elf64_Shdr *h)
{
	const Elf64_Rela *r = (const void *)bytes(o, h);

	if (h->sh_offset % sizeof(uint64_t) != 0 || h->sh_addralign != sizeof(uint64_t) ||
	    h->sh_size % sizeof(*r) != 0 || h->sh_info >= o->n)
		return false;
	for (size_t i = 0; i < h->sh_size / sizeof(*r); i++)
		if (ELF64_R_SYM(r[i].r_info) >= o->nsymbols)
			return false;
	return true;
}

static bool read_object(struct append *l, struct link_input *o, const char *path)
{
	if (file_read(path, &o->file) || !read_sections(o))
		return false;
	for (size_t i = 1; i < o->n; i++)
		if (o->sections[i].sh_type == SHT_SYMTAB && !read_symbols(o, &o->sections[i]))
			return false;
	for (size_t i = 1; i < o->n; i++) {
		uint32_t type = o->sections[i].sh_type;

		if (type == SHT_REL || type == SHT_GROUP || type == SHT_SYMTAB_SHNDX ||
		    (type == SHT_RELA && !read_relocations(o, &o->sections[i])))
			return false;
	}
	o->to = arena_alloc(l->s->arena, o->n * sizeof(*o->to));
	o->at = arena_alloc(l->s->arena, o->n * sizeof(*o->at));
	return o->symbols;
}

/* ---- sections ---- */

static struct link_section *find_section(struct append *l, const char *name)
{
	for (size_t i = 1; i < l->sections.n; i++)
		if (strcmp(l->sections.v[i].name, name) == 0)
			return &l->sections.v[i];
	return NULL;
}

/* Whether the module gets nothing of a section of the script: the kernel's linker script drops it,
 * or, of properties, the linker keeps those that the runtime has as well. */
static bool is_left_out(const Elf64_Shdr *h, const char *name)
{
	return !h->sh_size || strcmp(name, ".discard") == 0 || strncmp(name, ".discard.", 9) == 0 ||
	       strcmp(name, ".comment") == 0 || strcmp(name, ".note.GNU-stack") == 0 ||
	       strcmp(name, ".note.gnu.property") == 0;
}

/* Whether the kernel's linker script leaves this name as it is. It renames and sorts some others,
 * such as .init_array.N. */
static bool keeps_name(const char *name)
{
	static const char *const names[] = {
		".text", ".rodata", ".data", ".bss", PRT_META_SECTION,
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t len = strlen(names[i]);

		if (strncmp(name, names[i], len) == 0 && (!name[len] || name[len] == '.'))
			return true;
	}
	return false;
}

static bool is_table(const Elf64_Shdr *h)
{
	return h->sh_type == SHT_SYMTAB || h->sh_type == SHT_STRTAB;
}

static uint64_t align(uint64_t at, uint64_t to)
{
	return to > 1 ? (at + to - 1) / to * to : at;
}

/* Returns false if the two sections of one name can't be one. Constants and strings that the linker
 * could merge remain as they are. */
static bool append_section(struct link_section *to, const Elf64_Shdr *h)
{
	const uint64_t same = ~(uint64_t)(SHF_MERGE | SHF_STRINGS);

	if (to->head.sh_type != h->sh_type ||
	    ((to->head.sh_flags ^ h->sh_flags) & same))
		return false;
	if (to->head.sh_flags != h->sh_flags || to->head.sh_entsize != h->sh_entsize) {
		to->head.sh_flags &= same;
		to->head.sh_entsize = 0;
	}
	to->at = align(to->head.sh_size, h->sh_addralign);
	to->head.sh_size = to->at + h->sh_size;
	if (to->head.sh_addralign < h->sh_addralign)
		to->head.sh_addralign = h->sh_addralign;
	return true;
}

static bool add_sections(struct append *l, int which)
{
	struct link_input *o = &l->in[which];

	for (size_t i = 1; i < o->n; i++) {
		const Elf64_Shdr *h = &o->sections[i];
		const char *name = o->section_names + h->sh_name;
		struct link_section *to = which ? find_section(l, name) : NULL;

		/* Relocations come after the section that they are for, and only they and sections
		 * in the order of others refer to another section. */
		if (h->sh_type == SHT_RELA ? !h->sh_info || h->sh_info >= i :
		    !is_table(h) && h->sh_link && !(h->sh_flags & SHF_LINK_ORDER))
			return false;
		if (is_table(h) || (which && is_left_out(h, name)) ||
		    (h->sh_type == SHT_RELA && !o->to[h->sh_info]))
			continue;
		if (to) {
			if (!append_section(to, h))
				return false;
		} else if (which && h->sh_type != SHT_RELA && !keeps_name(name)) {
			return false;
		} else {
			struct link_section new = { .head = *h, .name = name };

			new.first = which == RUNTIME ? h : NULL;
			vec_push(l->s->arena, &l->sections, new);
			to = &l->sections.v[l->sections.n - 1];
		}
		o->to[i] = (uint32_t)(to - l->sections.v);
		o->at[i] = to->at;
		if (h->sh_type == SHT_RELA)
			to->head.sh_info = o->to[h->sh_info];
	}
	return true;
}

/* A section in the order of others refers to one of them, which must be in the module. */
static bool move_links(struct append *l, int which)
{
	const struct link_input *o = &l->in[which];

	for (size_t i = 1; i < o->n; i++) {
		const Elf64_Shdr *h = &o->sections[i];

		if (h->sh_type == SHT_RELA || !o->to[i] || !h->sh_link)
			continue;
		if (h->sh_link >= o->n || !o->to[h->sh_link])
			return false;
		if (which == RUNTIME || !l->sections.v[o->to[i]].first)
			l->sections.v[o->to[i]].head.sh_link = o->to[h->sh_link];
	}
	return true;
}

/* ---- symbols ---- */

static const char *symbol_name(const struct link_input *o, const Elf64_Sym *sym)
{
	return bytes(o, o->strings) + sym->st_name;
}

/* A symbol as it is in the module, where the names of the script's symbols follow those of the
 * runtime. */
static Elf64_Sym moved_symbol(const struct append *l, int which, const Elf64_Sym *sym)
{
	const struct link_input *o = &l->in[which];
	Elf64_Sym ret = *sym;

	if (which)
		ret.st_name += (uint32_t)l->in[RUNTIME].strings->sh_size;
	if (sym->st_shndx != SHN_UNDEF && sym->st_shndx != SHN_ABS) {
		ret.st_shndx = (uint16_t)o->to[sym->st_shndx];
		ret.st_value += o->at[sym->st_shndx];
	}
	return ret;
}

static void add_locals(struct append *l, int which)
{
	const struct link_input *o = &l->in[which];

	for (size_t i = which ? 1 : 0; i < o->nlocal; i++) {
		const Elf64_Sym *sym = &o->symbols[i];
		Elf64_Sym new = moved_symbol(l, which, sym);
		struct link_section *of = NULL;

		if (which && sym->st_shndx != SHN_ABS && !new.st_shndx)
			continue;
		if (ELF64_ST_TYPE(sym->st_info) == STT_SECTION) {
			of = &l->sections.v[new.st_shndx];
			new.st_value = 0;
		}
		if (which)
			l->symbol_to[i] = of && of->symbol ? of->symbol : (uint32_t)l->local.n;
		if (which && of && of->symbol)
			continue;
		if (of)
			of->symbol = (uint32_t)l->local.n;
		vec_push(l->s->arena, &l->local, new);
	}
}

/* Makes one symbol of two of the same name, of which at most one is defined. */
static bool unite_symbols(Elf64_Sym *to, const Elf64_Sym *new)
{
	unsigned other = to->st_other | new->st_other;

	if ((to->st_shndx && new->st_shndx) ||
	    (to->st_other && new->st_other && to->st_other != new->st_other))
		return false;
	if (new->st_shndx) {
		uint32_t name = to->st_name;

		*to = *new;
		to->st_name = name;
	} else if (!to->st_shndx && ELF64_ST_BIND(new->st_info) == STB_GLOBAL) {
		to->st_info = new->st_info;
	}
	to->st_other = (unsigned char)other;
	return true;
}

static bool add_globals(struct append *l)
{
	const struct link_input *runtime = &l->in[RUNTIME], *script = &l->in[SCRIPT];
	struct map by_name;

	map_init(&by_name, l->s->arena);
	for (size_t i = runtime->nlocal; i < runtime->nsymbols; i++) {
		vec_push(l->s->arena, &l->global, moved_symbol(l, RUNTIME, &runtime->symbols[i]));
		map_set(&by_name, symbol_name(runtime, &runtime->symbols[i]),
			(void *)(uintptr_t)l->global.n);
	}
	for (size_t i = script->nlocal; i < script->nsymbols; i++) {
		Elf64_Sym new = moved_symbol(l, SCRIPT, &script->symbols[i]);
		size_t nr = (uintptr_t)map_get(&by_name, symbol_name(script, &script->symbols[i]));

		if (script->symbols[i].st_shndx && !new.st_shndx)
			return false;
		if (nr && !unite_symbols(&l->global.v[nr - 1], &new))
			return false;
		if (!nr) {
			vec_push(l->s->arena, &l->global, new);
			nr = l->global.n;
		}
		l->symbol_to[i] = (uint32_t)(nr - 1 + l->local.n);
	}
	return true;
}

static bool add_symbols(struct append *l)
{
	l->symbol_to = arena_alloc(l->s->arena, l->in[SCRIPT].nsymbols * sizeof(*l->symbol_to));
	add_locals(l, RUNTIME);
	add_locals(l, SCRIPT);
	l->shift = (uint32_t)(l->local.n - l->in[RUNTIME].nlocal);
	return add_globals(l);
}

/* ---- relocations ---- */

/* Adjusts the runtime's relocations, whose places and local symbols stay where they are. */
static void move_first(const struct append *l, char *copy, size_t size)
{
	for (size_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela *r = (Elf64_Rela *)copy + i;

		if (ELF64_R_SYM(r->r_info) >= l->in[RUNTIME].nlocal)
			r->r_info += (uint64_t)l->shift << 32;
	}
}

/* Adjusts relocations of the script for its section @place. Returns false if one of them refers to
 * something that the module lacks. */
static bool move_second(const struct append *l, char *copy, size_t size, uint32_t place)
{
	const struct link_input *o = &l->in[SCRIPT];

	for (size_t i = 0; i < size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela *r = (Elf64_Rela *)copy + i;
		const Elf64_Sym *sym = &o->symbols[ELF64_R_SYM(r->r_info)];

		if (ELF64_R_SYM(r->r_info) && !l->symbol_to[ELF64_R_SYM(r->r_info)])
			return false;
		r->r_offset += o->at[place];
		if (ELF64_ST_TYPE(sym->st_info) == STT_SECTION)
			r->r_addend += (int64_t)o->at[sym->st_shndx];
		r->r_info = ELF64_R_INFO((uint64_t)l->symbol_to[ELF64_R_SYM(r->r_info)],
					 ELF64_R_TYPE(r->r_info));
	}
	return true;
}

/* ---- writing ---- */

static void pad(struct buf *b, uint64_t to, int byte)
{
	while (b->len < to)
		buf_putc(b, (char)byte);
}

/* Returns false if the script's section @i can't be adjusted to its place. */
static bool write_second(const struct append *l, const struct link_section *s, size_t i,
			 struct buf *out)
{
	const struct link_input *o = &l->in[SCRIPT];
	const Elf64_Shdr *h = &o->sections[i];
	size_t at;

	pad(out, s->head.sh_offset + o->at[i],
	    s->head.sh_flags & SHF_EXECINSTR ? arch_names->code_fill : 0);
	at = out->len;
	buf_write(out, bytes(o, h), h->sh_size);
	return h->sh_type != SHT_RELA || move_second(l, out->s + at, h->sh_size, h->sh_info);
}

static bool write_section(struct append *l, size_t number, struct buf *out)
{
	struct link_section *s = &l->sections.v[number];

	pad(out, align(out->len, s->head.sh_addralign), 0);
	s->head.sh_offset = out->len;
	if (s->head.sh_type == SHT_NOBITS)
		return true;
	if (s->note)
		buf_write(out, s->note, sizeof(*s->note));
	if (s->first) {
		size_t at = out->len;

		buf_write(out, bytes(&l->in[RUNTIME], s->first), s->first->sh_size);
		if (s->head.sh_type == SHT_RELA)
			move_first(l, out->s + at, s->first->sh_size);
	}
	for (size_t i = 1; i < l->in[SCRIPT].n; i++) {
		if (l->in[SCRIPT].to[i] == number && !write_second(l, s, i, out))
			return false;
	}
	return true;
}

/* The three tables at the end: symbols, their names, the sections' names. */
static void write_tables(struct append *l, struct buf *out)
{
	uint32_t first = (uint32_t)l->sections.n;
	struct link_section symbols = { .name = ".symtab", .head = {
		.sh_type = SHT_SYMTAB, .sh_link = first + 1, .sh_info = (uint32_t)l->local.n,
		.sh_addralign = 8, .sh_entsize = sizeof(Elf64_Sym),
		.sh_size = (l->local.n + l->global.n) * sizeof(Elf64_Sym) } };
	struct link_section strings = { .name = ".strtab", .head = {
		.sh_type = SHT_STRTAB, .sh_addralign = 1,
		.sh_size = l->in[RUNTIME].strings->sh_size + l->in[SCRIPT].strings->sh_size } };
	struct link_section names = { .name = ".shstrtab", .head = {
		.sh_type = SHT_STRTAB, .sh_addralign = 1 } };

	pad(out, align(out->len, 8), 0);
	symbols.head.sh_offset = out->len;
	buf_write(out, l->local.v, l->local.n * sizeof(Elf64_Sym));
	buf_write(out, l->global.v, l->global.n * sizeof(Elf64_Sym));
	strings.head.sh_offset = out->len;
	for (int i = 0; i < 2; i++)
		buf_write(out, bytes(&l->in[i], l->in[i].strings), l->in[i].strings->sh_size);
	names.head.sh_offset = out->len;
	vec_push(l->s->arena, &l->sections, symbols);
	vec_push(l->s->arena, &l->sections, strings);
	vec_push(l->s->arena, &l->sections, names);
	for (size_t i = 0; i < l->sections.n; i++) {
		struct link_section *s = &l->sections.v[i];

		s->head.sh_name = (uint32_t)(out->len - names.head.sh_offset);
		buf_write(out, s->name, strlen(s->name) + 1);
		if (s->head.sh_type == SHT_RELA)
			s->head.sh_link = first;
	}
	l->sections.v[l->sections.n - 1].head.sh_size = out->len - names.head.sh_offset;
}

static bool write_module(struct append *l, struct buf *out)
{
	Elf64_Ehdr head = *l->in[RUNTIME].head;

	buf_write(out, &head, sizeof(head));
	for (size_t i = 1; i < l->sections.n; i++)
		if (!write_section(l, i, out))
			return false;
	write_tables(l, out);
	pad(out, align(out->len, 8), 0);
	head.e_shoff = out->len;
	head.e_shnum = (uint16_t)l->sections.n;
	head.e_shstrndx = (uint16_t)(l->sections.n - 1);
	memcpy(out->s, &head, sizeof(head));
	for (size_t i = 0; i < l->sections.n; i++)
		buf_write(out, &l->sections.v[i].head, sizeof(Elf64_Shdr));
	return l->sections.n < SHN_LORESERVE;
}

static void add_build_id(struct append *l, const char *hex)
{
	struct build_note *note = NEW(l->s->arena, struct build_note);
	struct link_section new = { .name = ".note.gnu.build-id", .note = note, .head = {
		.sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC, .sh_addralign = 4,
		.sh_size = sizeof(*note) } };

	note->head = (Elf64_Nhdr){ sizeof(note->name), sizeof(note->id), NT_GNU_BUILD_ID };
	memcpy(note->name, ELF_NOTE_GNU, sizeof(note->name));
	for (size_t i = 0; i < sizeof(note->id); i++)
		sscanf(hex + 2 * i, "%2hhx", &note->id[i]);
	vec_push(l->s->arena, &l->sections, new);
}

/* Decides where everything goes. Returns false if ld has to link the two. */
static bool join(struct append *l, const char *build_id)
{
	if (l->in[RUNTIME].head->e_machine != l->in[SCRIPT].head->e_machine ||
	    !add_sections(l, RUNTIME) || !add_sections(l, SCRIPT) ||
	    !move_links(l, RUNTIME) || !move_links(l, SCRIPT) || !add_symbols(l) ||
	    (build_id && find_section(l, ".note.gnu.build-id")))
		return false;
	if (build_id)
		add_build_id(l, build_id);
	return true;
}

int build_append(struct state *s, const char *runtime, const char *object, const char *build_id,
		 const char *module)
{
	struct append l = { .s = s };
	struct link_section none = { .name = "" };
	struct buf out;
	int ret = -ENOTSUP;

	buf_init(&out);
	buf_init(&l.in[RUNTIME].file);
	buf_init(&l.in[SCRIPT].file);
	vec_push(s->arena, &l.sections, none);
	if (read_object(&l, &l.in[RUNTIME], runtime) && read_object(&l, &l.in[SCRIPT], object) &&
	    join(&l, build_id) && write_module(&l, &out))
		ret = file_write(module, out.s, out.len);
	buf_deinit(&l.in[RUNTIME].file);
	buf_deinit(&l.in[SCRIPT].file);
	buf_deinit(&out);
	return ret;
}
