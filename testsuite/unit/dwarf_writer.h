/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes small objects with debug information in memory: one unit with one function at
 * [WRITER_CODE, WRITER_CODE + 0x100), whose variables have the location bytes that a test gives.
 * Its frame is CFA = sp + 8 for four bytes, then sp + 0x40. There are a data section, with the
 * variable `counter` at its start, and a section of per-CPU data at address 0.
 */
#ifndef DWARF_WRITER_H
#define DWARF_WRITER_H

#include <dwarf.h>
#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "shared/buf.h"
#include "target/dwarf/private.h"
#include "target/kernel/private.h"
#include "state.h"

enum { WRITER_CODE = 0x1000, WRITER_DATA = 0x3000, WRITER_SIZE = 0x100 };

/* Offsets in the unit of the types that a variable may have and that expressions may name. */
enum writer_type {
	WRITER_INT, WRITER_UINT, WRITER_LONG, WRITER_ULONG, WRITER_CHAR, WRITER_DOUBLE, WRITER_PAIR,
	WRITER_SIGNED_12, WRITER_UNSIGNED_12,
	WRITER_TYPES
};

enum writer_form {
	WRITER_EXPR,     /* the bytes are DW_AT_location */
	WRITER_LIST,     /* ... from byte 0x10 to 0x20 of the function only */
	WRITER_BYTES,    /* DW_AT_const_value, a block */
	WRITER_NUMBER,   /* DW_AT_const_value, sdata in bytes */
	WRITER_BYTE,     /* DW_AT_const_value, data1 */
	WRITER_NOTHING,  /* no attribute */
};

struct writer {
	struct buf info, abbrev, loc, frame;
	uint32_t type[WRITER_TYPES];
	struct buf elf;
};

static inline void put_u8(struct buf *b, unsigned v) { buf_putc(b, (char)v); }
static inline void put_u16(struct buf *b, uint16_t v) { buf_write(b, &v, 2); }
static inline void put_u32(struct buf *b, uint32_t v) { buf_write(b, &v, 4); }
static inline void put_u64(struct buf *b, uint64_t v) { buf_write(b, &v, 8); }
static inline void put_text(struct buf *b, const char *s) { buf_write(b, s, strlen(s) + 1); }
static inline void put_uleb(struct buf *b, uint64_t v)
{
	do {
		put_u8(b, (unsigned)(v & 0x7f) | (v >> 7 ? 0x80 : 0));
		v >>= 7;
	} while (v);
}

enum { A_UNIT = 1, A_BASE, A_STRUCT, A_MEMBER, A_FUNCTION, A_EXPR, A_LIST, A_BYTES, A_NUMBER,
       A_BYTE, A_NOTHING };

static void writer_abbrev(struct buf *b, unsigned code, unsigned tag, bool children,
			  const uint8_t *pairs, size_t n)
{
	put_uleb(b, code);
	put_uleb(b, tag);
	put_u8(b, children);
	for (size_t i = 0; i < n; i++)
		put_uleb(b, pairs[i]);
	put_u16(b, 0);
}

#define ABBREV(b, code, tag, children, ...) do { \
		static const uint8_t pairs[] = { __VA_ARGS__ }; \
		writer_abbrev(b, code, tag, children, pairs, sizeof(pairs)); \
	} while (0)

static void writer_abbrevs(struct buf *b)
{
	ABBREV(b, A_UNIT, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_string,
	       DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4);
	ABBREV(b, A_BASE, DW_TAG_base_type, false, DW_AT_name, DW_FORM_string,
	       DW_AT_byte_size, DW_FORM_data1, DW_AT_encoding, DW_FORM_data1);
	ABBREV(b, A_STRUCT, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_string,
	       DW_AT_byte_size, DW_FORM_data1);
	ABBREV(b, A_MEMBER, DW_TAG_member, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_data1);
	ABBREV(b, A_FUNCTION, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string,
	       DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
	       DW_AT_frame_base, DW_FORM_exprloc);
	ABBREV(b, A_EXPR, DW_TAG_variable, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4, DW_AT_location, DW_FORM_exprloc);
	ABBREV(b, A_LIST, DW_TAG_variable, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4, DW_AT_location, DW_FORM_sec_offset);
	ABBREV(b, A_BYTES, DW_TAG_variable, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4, DW_AT_const_value, DW_FORM_block1);
	ABBREV(b, A_NUMBER, DW_TAG_variable, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4, DW_AT_const_value, DW_FORM_sdata);
	ABBREV(b, A_BYTE, DW_TAG_variable, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4, DW_AT_const_value, DW_FORM_data1);
	ABBREV(b, A_NOTHING, DW_TAG_variable, false, DW_AT_name, DW_FORM_string,
	       DW_AT_type, DW_FORM_ref4);
	put_u8(b, 0);
}

static void writer_base(struct writer *w, enum writer_type type, const char *name, unsigned size,
			unsigned encoding)
{
	w->type[type] = (uint32_t)w->info.len;
	put_uleb(&w->info, A_BASE);
	put_text(&w->info, name);
	put_u8(&w->info, size);
	put_u8(&w->info, encoding);
}

static void writer_pair(struct writer *w)
{
	w->type[WRITER_PAIR] = (uint32_t)w->info.len;
	put_uleb(&w->info, A_STRUCT);
	put_text(&w->info, "halves");
	put_u8(&w->info, 16);
	for (unsigned i = 0; i < 4; i++) {
		static const char *const names[] = { "a", "b", "c", "d" };

		put_uleb(&w->info, A_MEMBER);
		put_text(&w->info, names[i]);
		put_u32(&w->info, w->type[WRITER_INT]);
		put_u8(&w->info, i * 4);
	}
	put_u8(&w->info, 0);
}

static void writer_frame(struct buf *b)
{
	static const uint8_t cie[] = {
		0xff, 0xff, 0xff, 0xff, 1, 0, 1, 0x78, 16,
		DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1, 0, 0, 0, 0, 0, 0,
	};

	put_u32(b, sizeof(cie));
	buf_write(b, cie, sizeof(cie));
	put_u32(b, 4 + 16 + 4);
	put_u32(b, 0);
	put_u64(b, WRITER_CODE);
	put_u64(b, WRITER_SIZE);
	put_u8(b, DW_CFA_advance_loc | 4);
	put_u8(b, DW_CFA_def_cfa_offset);
	put_u8(b, 0x40);
	put_u8(b, DW_CFA_nop);
}

/** writer_begin - Writes everything up to the function, whose variables follow. */
static inline void writer_begin(struct writer *w)
{
	memset(w, 0, sizeof(*w));
	writer_abbrevs(&w->abbrev);
	writer_frame(&w->frame);
	put_u32(&w->info, 0); /* writer_end() fills in the length */
	put_u16(&w->info, 4);
	put_u32(&w->info, 0);
	put_u8(&w->info, 8);
	put_uleb(&w->info, A_UNIT);
	put_text(&w->info, "dir/unit.c");
	put_u64(&w->info, WRITER_CODE);
	put_u32(&w->info, WRITER_SIZE);
	writer_base(w, WRITER_INT, "int", 4, DW_ATE_signed);
	writer_base(w, WRITER_UINT, "unsigned int", 4, DW_ATE_unsigned);
	writer_base(w, WRITER_ULONG, "long unsigned int", 8, DW_ATE_unsigned);
	writer_base(w, WRITER_CHAR, "char", 1, DW_ATE_signed_char);
	writer_base(w, WRITER_DOUBLE, "double", 8, DW_ATE_float);
	writer_base(w, WRITER_SIGNED_12, "DW_ATE_signed_12", 2, DW_ATE_signed);
	writer_base(w, WRITER_UNSIGNED_12, "DW_ATE_unsigned_12", 2, DW_ATE_unsigned);
	writer_base(w, WRITER_LONG, "long int", 8, DW_ATE_signed);
	writer_pair(w);
	put_uleb(&w->info, A_FUNCTION);
	put_text(&w->info, "f");
	put_u64(&w->info, WRITER_CODE);
	put_u32(&w->info, WRITER_SIZE);
	put_u8(&w->info, 1);
	put_u8(&w->info, DW_OP_call_frame_cfa);
}

static inline void writer_variable(struct writer *w, const char *name, enum writer_type type,
				   enum writer_form form, const void *bytes, size_t n)
{
	static const unsigned codes[] = {
		[WRITER_EXPR] = A_EXPR, [WRITER_LIST] = A_LIST, [WRITER_BYTES] = A_BYTES,
		[WRITER_NUMBER] = A_NUMBER, [WRITER_BYTE] = A_BYTE, [WRITER_NOTHING] = A_NOTHING,
	};

	put_uleb(&w->info, codes[form]);
	put_text(&w->info, name);
	put_u32(&w->info, w->type[type]);
	if (form == WRITER_EXPR)
		put_uleb(&w->info, n);
	if (form == WRITER_BYTES)
		put_u8(&w->info, (unsigned)n);
	if (form == WRITER_LIST) {
		put_u32(&w->info, (uint32_t)w->loc.len);
		put_u64(&w->loc, 0x10);
		put_u64(&w->loc, 0x20);
		put_u16(&w->loc, (uint16_t)n);
		buf_write(&w->loc, bytes, n);
		put_u64(&w->loc, 0);
		put_u64(&w->loc, 0);
	} else if (form != WRITER_NOTHING) {
		buf_write(&w->info, bytes, n);
	}
}

/* ---- the file ---- */

struct writer_section {
	const char *name;
	uint32_t type;
	uint64_t flags, address, size;
	const struct buf *data;
	uint32_t link, info, entry;
};

static void writer_symbols(struct buf *symbols, struct buf *names)
{
	static const struct { const char *name; unsigned type, section; uint64_t at; } all[] = {
		{ "f", STT_FUNC, 1, WRITER_CODE }, { "_stext", STT_NOTYPE, 1, WRITER_CODE },
		{ "counter", STT_OBJECT, 2, WRITER_DATA },
	};
	Elf64_Sym sym = {0};

	put_u8(names, 0);
	buf_write(symbols, &sym, sizeof(sym));
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		sym.st_name = (uint32_t)names->len;
		sym.st_info = (uint8_t)ELF64_ST_INFO(STB_GLOBAL, all[i].type);
		sym.st_shndx = (uint16_t)all[i].section;
		sym.st_value = all[i].at;
		sym.st_size = i == 0 ? WRITER_SIZE : 0;
		put_text(names, all[i].name);
		buf_write(symbols, &sym, sizeof(sym));
	}
}

static void writer_elf(struct buf *elf, struct writer_section *v, size_t n)
{
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(head), .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (uint16_t)n, .e_shstrndx = (uint16_t)(n - 1),
	};
	Elf64_Shdr *table = calloc(n, sizeof(*table));
	struct buf names;

	buf_init(&names);
	put_u8(&names, 0);
	for (size_t i = 1; i < n; i++) {
		table[i].sh_name = (uint32_t)names.len;
		put_text(&names, v[i].name);
	}
	v[n - 1].data = &names;
	buf_write(elf, &head, sizeof(head));
	for (size_t i = 1; i < n; i++) {
		while (elf->len % 8)
			put_u8(elf, 0);
		table[i].sh_type = v[i].type;
		table[i].sh_flags = v[i].flags;
		table[i].sh_addr = v[i].address;
		table[i].sh_offset = elf->len;
		table[i].sh_size = v[i].data ? v[i].data->len : v[i].size;
		table[i].sh_link = v[i].link;
		table[i].sh_info = v[i].info;
		table[i].sh_entsize = v[i].entry;
		table[i].sh_addralign = 1;
		if (v[i].data && v[i].data->len)
			buf_write(elf, v[i].data->s, v[i].data->len);
	}
	while (elf->len % 8)
		put_u8(elf, 0);
	head.e_shoff = elf->len;
	buf_write(elf, table, n * sizeof(*table));
	memcpy(elf->s, &head, sizeof(head));
	buf_deinit(&names);
	free(table);
}

/** writer_end - Completes the file in w->elf, which the caller frees. */
static inline void writer_end(struct writer *w)
{
	struct buf symbols, strings;

	buf_init(&symbols);
	buf_init(&strings);
	writer_symbols(&symbols, &strings);
	put_u16(&w->info, 0); /* ends the function and the unit */

	uint32_t length = (uint32_t)w->info.len - 4;

	memcpy(w->info.s, &length, 4);

	struct writer_section v[] = {
		{ .name = "" },
		{ .name = ".text", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_EXECINSTR,
		  .address = WRITER_CODE, .size = WRITER_SIZE },
		{ .name = ".data", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_WRITE,
		  .address = WRITER_DATA, .size = WRITER_SIZE },
		{ .name = ".data..percpu", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_WRITE,
		  .size = WRITER_SIZE },
		{ .name = ".debug_info", .type = SHT_PROGBITS, .data = &w->info },
		{ .name = ".debug_abbrev", .type = SHT_PROGBITS, .data = &w->abbrev },
		{ .name = ".debug_loc", .type = SHT_PROGBITS, .data = &w->loc },
		{ .name = ".debug_frame", .type = SHT_PROGBITS, .data = &w->frame },
		{ .name = ".symtab", .type = SHT_SYMTAB, .data = &symbols, .link = 9, .info = 1,
		  .entry = sizeof(Elf64_Sym) },
		{ .name = ".strtab", .type = SHT_STRTAB, .data = &strings },
		{ .name = ".shstrtab", .type = SHT_STRTAB },
	};

	writer_elf(&w->elf, v, sizeof(v) / sizeof(*v));
	buf_deinit(&symbols);
	buf_deinit(&strings);
	buf_deinit(&w->info);
	buf_deinit(&w->abbrev);
	buf_deinit(&w->loc);
	buf_deinit(&w->frame);
}

/** writer_open - Opens the file as the kernel's debug information; writer_close() closes it and
 * frees w->elf. Returns false if libdw cannot read it. */
static inline bool writer_open(struct writer *w, struct arena *a, struct dwarf_db *db)
{
	memset(db, 0, sizeof(*db));
	elf_version(EV_CURRENT);
	db->arena = a;
	db->s = NEW(a, struct state);
	db->s->kernel = NEW(a, struct kernel);
	db->object = "kernel";
	db->fd = -1;
	db->elf = elf_memory(w->elf.s, w->elf.len);
	db->dwarf = db->elf ? dwarf_begin_elf(db->elf, DWARF_C_READ, NULL) : NULL;
	return db->dwarf;
}

/** writer_find - Finds the function and its first variable. */
static inline bool writer_find(struct dwarf_db *db, Dwarf_Die *function, Dwarf_Die *variable)
{
	Dwarf_Off next;
	size_t head;
	Dwarf_Die die;

	if (dwarf_nextcu(db->dwarf, 0, &next, &head, NULL, NULL, NULL) != 0 ||
	    !dwarf_offdie(db->dwarf, head, &die) || dwarf_child(&die, function) != 0)
		return false;
	while (dwarf_tag(function) != DW_TAG_subprogram) {
		if (dwarf_siblingof(function, function) != 0)
			return false;
	}
	return dwarf_child(function, variable) == 0;
}

static inline void writer_close(struct writer *w, struct dwarf_db *db)
{
	if (db->dwarf)
		dwarf_end(db->dwarf);
	if (db->elf)
		elf_end(db->elf);
	dwarf_symbols_close(db);
	buf_deinit(&w->elf);
}

#endif
