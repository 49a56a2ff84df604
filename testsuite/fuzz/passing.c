/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/*
 * Functions of any language, by any compiler, with any parameters and results: the input makes the
 * debug information of a unit with types, one function and its parameters, with calling
 * conventions, special methods, locations for a part of the function, and what does not fit
 * together. Passes 1 to 3 compile a script that reads all values at the entry and the return.
 */
#include "fuzz.h"

/* The fixture uses assertions; here they are without cmocka. */
#define CMOCKA_H_
#define assert_true(c) FUZZ_MUST(c)
#define assert_non_null(p) FUZZ_MUST(p)
#define assert_int_equal(a, b) FUZZ_MUST((a) == (b))
#define fail_msg(...) abort()

#include "../unit/locate_fixture.h"
#include "../unit/dwarf_writer.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "analyse/analyse.h"
#include "emit/emit.h"
#include "target/object/object.h"
#include "parse/parse.h"

enum { TYPES = 12, PARAMS = 7, MEMBERS = 5, MOST = 12 };

/* Entries of debug information; each has an abbreviation of its own. */
struct dies {
	struct fuzz_input in;
	struct buf info, abbrev, loc, frame;
	unsigned code;
	uint32_t types[TYPES];
	unsigned ntypes;
};

static void begin(struct dies *d, unsigned tag, bool children)
{
	put_uleb(&d->abbrev, ++d->code);
	put_uleb(&d->abbrev, tag);
	put_u8(&d->abbrev, children);
	put_uleb(&d->info, d->code);
}

static void end(struct dies *d) { put_u16(&d->abbrev, 0); }

static void form(struct dies *d, unsigned attribute, unsigned form)
{
	put_uleb(&d->abbrev, attribute);
	put_uleb(&d->abbrev, form);
}

static void text(struct dies *d, unsigned attribute, const char *s)
{
	form(d, attribute, DW_FORM_string);
	put_text(&d->info, s);
}

static void byte(struct dies *d, unsigned attribute, unsigned v)
{
	form(d, attribute, DW_FORM_data1);
	put_u8(&d->info, v);
}

static unsigned any(struct dies *d, unsigned below) { return fuzz_number(&d->in, 1) % below; }

/* An attribute that is there in one of @of inputs. */
static void maybe(struct dies *d, unsigned attribute, unsigned of)
{
	if (any(d, of) == 1)
		byte(d, attribute, (unsigned)fuzz_number(&d->in, 1));
}

/* A type that is there already, the next one, or none: void. */
static void type(struct dies *d)
{
	unsigned n = any(d, TYPES);

	if (!d->ntypes || n == TYPES - 1)
		return;
	form(d, DW_AT_type, DW_FORM_ref4);
	put_u32(&d->info, d->types[n % d->ntypes]);
}

/* A constructor, destructor or method, perhaps deleted, by default or virtual. */
static void method(struct dies *d)
{
	static const char *const names[] = { "T", "~T", "m", "operator=" };

	begin(d, DW_TAG_subprogram, true);
	text(d, DW_AT_name, names[any(d, 4)]);
	maybe(d, DW_AT_deleted, 3);
	maybe(d, DW_AT_defaulted, 3);
	maybe(d, DW_AT_virtuality, 4);
	maybe(d, DW_AT_declaration, 2);
	end(d);
	for (unsigned n = any(d, 3); n; n--) {
		begin(d, DW_TAG_formal_parameter, false);
		type(d);
		maybe(d, DW_AT_artificial, 2);
		end(d);
	}
	put_u8(&d->info, 0);
}

static void member(struct dies *d, unsigned n)
{
	static const unsigned tags[] = { DW_TAG_member, DW_TAG_inheritance, DW_TAG_variant_part };
	const char name[] = { (char)('m' + n), '\0' };
	unsigned which = any(d, 8);

	begin(d, tags[which % 7 % 3], false);
	if (which < 7) /* the last is a member without a name */
		text(d, DW_AT_name, name);
	type(d);
	byte(d, DW_AT_data_member_location, (unsigned)fuzz_number(&d->in, 1));
	maybe(d, DW_AT_virtuality, 9);
	if (any(d, 6) == 1) {
		byte(d, DW_AT_bit_size, (unsigned)fuzz_number(&d->in, 1));
		byte(d, DW_AT_data_bit_offset, (unsigned)fuzz_number(&d->in, 1));
	}
	end(d);
}

static void members(struct dies *d)
{
	for (unsigned i = 0, n = any(d, MEMBERS); i < n; i++)
		member(d, i);
	for (unsigned n = any(d, 3); n; n--)
		method(d);
	put_u8(&d->info, 0);
}

static void a_type(struct dies *d)
{
	static const unsigned tags[] = {
		DW_TAG_base_type, DW_TAG_structure_type, DW_TAG_class_type, DW_TAG_pointer_type,
		DW_TAG_union_type, DW_TAG_enumeration_type, DW_TAG_typedef, DW_TAG_reference_type,
		DW_TAG_rvalue_reference_type, DW_TAG_ptr_to_member_type, DW_TAG_array_type,
		DW_TAG_const_type, DW_TAG_unspecified_type,
	};
	unsigned tag = tags[any(d, sizeof(tags) / sizeof(*tags))];
	bool parts = tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		     tag == DW_TAG_union_type;
	uint32_t at = (uint32_t)d->info.len;

	begin(d, tag, parts);
	text(d, DW_AT_name, "T");
	byte(d, DW_AT_byte_size, (unsigned)fuzz_number(&d->in, 1) % 40);
	if (tag == DW_TAG_base_type)
		byte(d, DW_AT_encoding, (unsigned)fuzz_number(&d->in, 1) % 20);
	else if (!parts)
		type(d);
	maybe(d, DW_AT_calling_convention, 3);
	maybe(d, DW_AT_alignment, 5);
	maybe(d, DW_AT_declaration, 9);
	maybe(d, DW_AT_export_symbols, 9);
	end(d);
	d->types[d->ntypes++] = at;
	if (parts)
		members(d);
}

/* A location for all of the function, from some byte of it, a constant, or none. */
static void location(struct dies *d)
{
	unsigned how = any(d, 5);
	size_t n;
	char *bytes = fuzz_bytes(&d->in, how < 2 ? any(d, MOST) : 0, &n);

	if (how == 0) {
		form(d, DW_AT_location, DW_FORM_exprloc);
		put_uleb(&d->info, n);
		buf_write(&d->info, bytes, n);
	} else if (how == 1) {
		form(d, DW_AT_location, DW_FORM_sec_offset);
		put_u32(&d->info, (uint32_t)d->loc.len);
		put_u64(&d->loc, any(d, 4));
		put_u64(&d->loc, 0x20);
		put_u16(&d->loc, (uint16_t)n);
		buf_write(&d->loc, bytes, n);
		put_u64(&d->loc, 0);
		put_u64(&d->loc, 0);
	} else if (how == 2) {
		byte(d, DW_AT_const_value, (unsigned)fuzz_number(&d->in, 1));
	}
	free(bytes);
}

static void function(struct dies *d)
{
	begin(d, DW_TAG_subprogram, true);
	text(d, DW_AT_name, "f");
	form(d, DW_AT_low_pc, DW_FORM_addr);
	put_u64(&d->info, WRITER_CODE);
	form(d, DW_AT_high_pc, DW_FORM_data4);
	put_u32(&d->info, WRITER_SIZE);
	form(d, DW_AT_frame_base, DW_FORM_exprloc);
	put_u8(&d->info, 1);
	put_u8(&d->info, DW_OP_call_frame_cfa);
	type(d);
	maybe(d, DW_AT_calling_convention, 3);
	maybe(d, DW_AT_external, 2);
	maybe(d, DW_AT_prototyped, 2);
	maybe(d, DW_AT_deleted, 9);
	maybe(d, DW_AT_noreturn, 9);
	end(d);
	for (unsigned i = 0, n = any(d, PARAMS); i < n; i++) {
		const char name[] = { (char)('a' + i), '\0' };

		begin(d, DW_TAG_formal_parameter, false);
		text(d, DW_AT_name, name);
		type(d);
		location(d);
		maybe(d, DW_AT_artificial, 5);
		maybe(d, DW_AT_variable_parameter, 5);
		end(d);
	}
	put_u8(&d->info, 0);
}

static void unit(struct dies *d)
{
	static const char *const producers[] = {
		"GNU C17 12.2.0", "GNU C++17 12.2.0 -O2", "clang version 14.0.6",
		"clang LLVM (rustc version 1.63.0)", "Go cmd/compile go1.19; regabi", "other", "",
	};
	static const uint16_t languages[] = {
		DW_LANG_C11, DW_LANG_C_plus_plus_14, DW_LANG_Rust, DW_LANG_Go, DW_LANG_C_plus_plus,
		DW_LANG_D, DW_LANG_Swift, DW_LANG_Fortran90, 0x8001, 0,
	};

	put_u32(&d->info, 0); /* the length, which object() fills in */
	put_u16(&d->info, 4);
	put_u32(&d->info, 0);
	put_u8(&d->info, 8);
	begin(d, DW_TAG_compile_unit, true);
	text(d, DW_AT_name, "unit.c");
	text(d, DW_AT_producer, producers[any(d, 7)]);
	form(d, DW_AT_language, DW_FORM_data2);
	put_u16(&d->info, languages[any(d, 10)]);
	form(d, DW_AT_low_pc, DW_FORM_addr);
	put_u64(&d->info, WRITER_CODE);
	form(d, DW_AT_high_pc, DW_FORM_data4);
	put_u32(&d->info, WRITER_SIZE);
	end(d);
	for (unsigned n = any(d, TYPES + 1); n; n--)
		a_type(d);
	function(d);
	put_u8(&d->info, 0);
	put_u8(&d->abbrev, 0);

	uint32_t length = (uint32_t)d->info.len - 4;

	memcpy(d->info.s, &length, 4);
}

/* Writes the program, whose code is in one segment. */
static void object(struct dies *d, struct buf *elf)
{
	struct buf symbols, strings, code;
	Elf64_Phdr segment = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = sizeof(Elf64_Ehdr),
		.p_vaddr = WRITER_CODE, .p_filesz = WRITER_SIZE, .p_memsz = WRITER_SIZE,
	};

	buf_init(&symbols);
	buf_init(&strings);
	buf_init(&code);
	for (unsigned i = 0; i < WRITER_SIZE; i++)
		put_u8(&code, i == 0x30 ? 0xc3 : 0x90);
	writer_symbols(&symbols, &strings);

	struct writer_section v[] = {
		{ .name = "" },
		{ .name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR,
		  .address = WRITER_CODE, .data = &code },
		{ .name = ".data", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_WRITE,
		  .address = WRITER_DATA, .size = WRITER_SIZE },
		{ .name = ".debug_info", .type = SHT_PROGBITS, .data = &d->info },
		{ .name = ".debug_abbrev", .type = SHT_PROGBITS, .data = &d->abbrev },
		{ .name = ".debug_loc", .type = SHT_PROGBITS, .data = &d->loc },
		{ .name = ".debug_frame", .type = SHT_PROGBITS, .data = &d->frame },
		{ .name = ".symtab", .type = SHT_SYMTAB, .data = &symbols, .link = 8, .info = 1,
		  .entry = sizeof(Elf64_Sym) },
		{ .name = ".strtab", .type = SHT_STRTAB, .data = &strings },
		{ .name = ".shstrtab", .type = SHT_STRTAB },
	};

	writer_elf(elf, v, sizeof(v) / sizeof(*v));

	Elf64_Ehdr *head = (Elf64_Ehdr *)elf->s;

	head->e_phoff = elf->len;
	head->e_phnum = 1;
	head->e_phentsize = sizeof(segment);
	buf_write(elf, &segment, sizeof(segment));
	buf_deinit(&symbols);
	buf_deinit(&strings);
	buf_deinit(&code);
}

/* Returns a descriptor of a program with the debug information that the input describes. */
static int program(const uint8_t *data, size_t size)
{
	int fd = memfd_create("program", 0);
	struct dies d = { .in = { data, size } };
	struct buf elf;

	buf_init(&d.info);
	buf_init(&d.abbrev);
	buf_init(&d.loc);
	buf_init(&d.frame);
	buf_init(&elf);
	writer_frame(&d.frame);
	unit(&d);
	object(&d, &elf);
	FUZZ_MUST(fd >= 0 && write(fd, elf.s, elf.len) == (ssize_t)elf.len);
	buf_deinit(&d.info);
	buf_deinit(&d.abbrev);
	buf_deinit(&d.loc);
	buf_deinit(&d.frame);
	buf_deinit(&elf);
	return fd;
}

/* A script that reads each value in each way. */
static const char *script(struct state *s, int fd)
{
	static const char *const values[] = {
		"a", "b", "c", "d", "e", "f", "g", "a->m", "b->m", "b->n", "c->m->n", "d->o",
		"d->m[1]",
	};
	const char *point =
		arena_printf(s->arena, "probe process(\"/proc/self/fd/%d\").function(\"f\")", fd);
	struct buf b;
	const char *all;

	buf_init(&b);
	for (int back = 0; back < 2; back++) {
		buf_printf(&b, "%s%s { println($$parms, $$vars, $$parms$$)\n", point,
			   back ? ".return" : "");
		for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
			buf_printf(&b, "if (@defined($%s)) println($%s)\n", values[i], values[i]);
		buf_printf(&b, back ? "if (@defined($return)) println($return) "
				      "if (@defined($return->m)) println($return->m) }\n" : "}\n");
	}
	all = arena_strndup(s->arena, b.s, b.len);
	buf_deinit(&b);
	return all;
}

static void compile(struct state *s, int fd)
{
	const char *all = script(s, fd);
	struct buf c_text;

	s->main = parse_source(s, source_from_text(s->arena, "fuzz", all, strlen(all)));
	FUZZ_MUST(s->main);
	if (analyse_program(s)) {
		FUZZ_MUST(diag_errors(s->diag));
		return;
	}
	buf_init(&c_text);
	if (emit_program(s, &c_text))
		FUZZ_MUST(diag_errors(s->diag));
	buf_deinit(&c_text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char target[32];
	int fd = program(data, size);
	struct state *s;

	if (!*target) {
		struct arena *a = arena_create();
		const char *path = fixture_target(a, WITH_ALL);

		snprintf(target, sizeof(target), "/proc/self/fd/%d", open(path, O_RDONLY));
		unlink(path);
		arena_destroy(a);
	}
	s = fixture_session();
	s->opt.last_pass = 3;
	s->opt.caps = (struct caps){ 512, 2048, 10000, 32, 0, 50, 50, 2, 5, 0, 16384, 5000 };
	s->tapset_dir = "tapsets";
	FUZZ_MUST(kernel_open(s, target, &s->kernel) == 0);
	compile(s, fd);
	dwarf_close(s);
	object_close(s);
	fixture_close(s);
	close(fd);
	return 0;
}
