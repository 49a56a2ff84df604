/* SPDX-License-Identifier: GPL-2.0 */
/* Names of addresses, in files made by hand: which of several symbols is found, where one ends, and
 * names of code that was made at run time. */
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "shared/buf.h"
#include "unit.h"
#include "unwind/symbols.h"
#include "unwind/symbols_private.h"

enum { TEXT = 0x1000, TEXT_SIZE = 0x1000, DATA = 0x3000, DATA_SIZE = 0x100 };
enum { S_NONE, S_NAMES, S_TEXT, S_DATA, S_SYMTAB, S_STRTAB, SECTIONS };

struct one {
	const char *name;
	uint64_t value, size;
	unsigned char info;
	uint16_t section;
};

static const char section_names[] = "\0.shstrtab\0.text\0.data\0.symtab\0.strtab";

/* A file's bytes. */
struct bytes {
	char *v;
	size_t n;
};

static uint64_t put(struct bytes *b, const void *from, size_t size)
{
	uint64_t at = (b->n + 7) & ~7ull;

	b->v = realloc(b->v, at + size);
	assert_non_null(b->v);
	memset(b->v + b->n, 0, at - b->n);
	memcpy(b->v + at, from, size);
	b->n = at + size;
	return at;
}

static int file_of(const void *bytes, size_t size)
{
	int fd = memfd_create("program", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	return fd;
}

/* A file with these symbols, the first of which is null, and their names. */
static int make_file(const Elf64_Sym *symbols, size_t n, const char *names, size_t size)
{
	struct bytes b = { 0 };
	Elf64_Ehdr head = { .e_type = ET_DYN, .e_machine = ARCH_MACHINE, .e_phnum = 1,
			    .e_phentsize = sizeof(Elf64_Phdr), .e_shnum = SECTIONS,
			    .e_shentsize = sizeof(Elf64_Shdr), .e_shstrndx = S_NAMES };
	Elf64_Phdr segment = { .p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = TEXT,
			       .p_memsz = TEXT_SIZE };
	Elf64_Shdr sections[SECTIONS] = {
		[S_NAMES] = { .sh_name = 1, .sh_type = SHT_STRTAB },
		[S_TEXT] = { .sh_name = 11, .sh_type = SHT_PROGBITS, .sh_addr = TEXT,
			     .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_size = TEXT_SIZE },
		[S_DATA] = { .sh_name = 17, .sh_type = SHT_NOBITS, .sh_addr = DATA,
			     .sh_flags = SHF_ALLOC | SHF_WRITE, .sh_size = DATA_SIZE },
		[S_SYMTAB] = { .sh_name = 23, .sh_type = SHT_SYMTAB, .sh_link = S_STRTAB,
			       .sh_entsize = sizeof(Elf64_Sym) },
		[S_STRTAB] = { .sh_name = 31, .sh_type = SHT_STRTAB },
	};
	int fd;

	put(&b, &head, sizeof(head));
	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = ELFCLASS64;
	head.e_ident[EI_DATA] = ELFDATA2LSB;
	sections[S_STRTAB].sh_size = size;
	sections[S_STRTAB].sh_offset = put(&b, names, size);
	sections[S_SYMTAB].sh_size = n * sizeof(*symbols);
	sections[S_SYMTAB].sh_offset = put(&b, symbols, n * sizeof(*symbols));
	sections[S_NAMES].sh_size = sizeof(section_names);
	sections[S_NAMES].sh_offset = put(&b, section_names, sizeof(section_names));
	head.e_phoff = put(&b, &segment, sizeof(segment));
	head.e_shoff = put(&b, sections, sizeof(sections));
	memcpy(b.v, &head, sizeof(head));
	fd = file_of(b.v, b.n);
	free(b.v);
	return fd;
}

static int make_program(const struct one *all, size_t n)
{
	Elf64_Sym symbols[64] = { { 0 } };
	char names[1024] = "";
	size_t size = 1;

	for (size_t i = 0; i < n; i++) {
		symbols[i + 1] = (Elf64_Sym){ .st_name = (uint32_t)size, .st_info = all[i].info,
					      .st_shndx = all[i].section, .st_size = all[i].size,
					      .st_value = all[i].value };
		size += (size_t)sprintf(names + size, "%s", all[i].name) + 1;
	}
	return make_file(symbols, n + 1, names, size);
}

static struct symbols *read_program(const struct one *all, size_t n)
{
	int fd = make_program(all, n);
	struct symbols *s = symbols_read(fd, "/none/program");

	assert_non_null(s);
	close(fd);
	return s;
}

#define READ(all) read_program(all, sizeof(all) / sizeof(*(all)))

/* @name NULL: none is found. */
static void expect(const struct symbols *s, uint64_t address, const char *name, uint64_t start,
		   uint64_t size)
{
	struct symbol found;

	assert_int_equal(symbols_find(s, address, &found), name != NULL);
	if (!name)
		return;
	assert_string_equal(found.name, name);
	assert_int_equal(found.start, start);
	assert_int_equal(found.size, size);
}

enum { GLOBAL = STB_GLOBAL << 4, WEAK = STB_WEAK << 4, LOCAL = STB_LOCAL << 4 };

TEST(a_symbol_ends)
{
	static const struct one all[] = {
		{ "second", 0x1020, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "first", 0x1000, 0x18, GLOBAL | STT_FUNC, S_TEXT },
		{ "chosen", 0x1030, 8, GLOBAL | STT_GNU_IFUNC, S_TEXT },
		{ "cut", 0x1ff0, 0x1000, GLOBAL | STT_FUNC, S_TEXT },
		{ "table", 0x3010, 0x10, LOCAL | STT_OBJECT, S_DATA },
	};
	struct symbols *s = READ(all);

	expect(s, 0xfff, NULL, 0, 0);
	expect(s, 0x1000, "first", 0x1000, 0x18);
	expect(s, 0x1017, "first", 0x1000, 0x18);
	expect(s, 0x1018, NULL, 0, 0);
	expect(s, 0x1020, "second", 0x1020, 0x10);
	expect(s, 0x1030, "chosen", 0x1030, 8);
	expect(s, 0x1038, NULL, 0, 0);
	expect(s, 0x1fff, "cut", 0x1ff0, 0x10);
	expect(s, 0x2000, NULL, 0, 0);
	expect(s, 0x301f, "table", 0x3010, 0x10);
	expect(s, 0x3020, NULL, 0, 0);
	expect(s, UINT64_MAX, NULL, 0, 0);
	symbols_free(s);
}

TEST(one_of_several_is_found)
{
	static const struct one all[] = {
		{ "local", 0x1000, 0x10, LOCAL | STT_FUNC, S_TEXT },
		{ "weak", 0x1000, 0x10, WEAK | STT_FUNC, S_TEXT },
		{ "__global", 0x1000, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "_global", 0x1000, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "_later", 0x1000, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "no_type", 0x1000, 0x10, GLOBAL | STT_NOTYPE, S_TEXT },
		{ "no_size", 0x1000, 0, GLOBAL | STT_FUNC, S_TEXT },
		{ "longer", 0x1000, 0x18, LOCAL | STT_FUNC, S_TEXT },
		{ "shorter", 0x1000, 4, LOCAL | STT_FUNC, S_TEXT },
		{ "data", 0x1100, 4, GLOBAL | STT_OBJECT, S_TEXT },
		{ "code", 0x1100, 4, LOCAL | STT_FUNC, S_TEXT },
	};
	struct symbols *s = READ(all);

	expect(s, 0x1000, "_global", 0x1000, 0x10);
	expect(s, 0x1010, "longer", 0x1000, 0x18);
	expect(s, 0x1018, NULL, 0, 0);
	expect(s, 0x1100, "code", 0x1100, 4);
	symbols_free(s);
}

TEST(the_innermost_is_found)
{
	static const struct one all[] = {
		{ "outer", 0x1000, 0x100, GLOBAL | STT_FUNC, S_TEXT },
		{ "inner", 0x1010, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "label", 0x1018, 0, GLOBAL | STT_FUNC, S_TEXT },
		{ "next", 0x1040, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "crosses", 0x10f0, 0x20, GLOBAL | STT_FUNC, S_TEXT },
	};
	struct symbols *s = READ(all);

	expect(s, 0x100f, "outer", 0x1000, 0x100);
	expect(s, 0x1018, "inner", 0x1010, 0x10);
	expect(s, 0x1020, "outer", 0x1000, 0x100);
	expect(s, 0x1050, "outer", 0x1000, 0x100);
	expect(s, 0x10ff, "crosses", 0x10f0, 0x20);
	expect(s, 0x110f, "crosses", 0x10f0, 0x20);
	expect(s, 0x1110, NULL, 0, 0);
	symbols_free(s);
}

TEST(without_size_to_the_next)
{
	static const struct one all[] = {
		{ "_start", 0x1000, 0, GLOBAL | STT_NOTYPE, S_TEXT },
		{ "sized", 0x1010, 0x10, GLOBAL | STT_FUNC, S_TEXT },
		{ "last", 0x1080, 0, LOCAL | STT_FUNC, S_TEXT },
		{ "_etext", 0x2000, 0, GLOBAL | STT_NOTYPE, S_TEXT },
		{ "_edata", 0x3000, 0, GLOBAL | STT_NOTYPE, S_DATA },
	};
	struct symbols *s = READ(all);

	expect(s, 0x100f, "_start", 0x1000, 0);
	expect(s, 0x1010, "sized", 0x1010, 0x10);
	expect(s, 0x1020, NULL, 0, 0);
	expect(s, 0x1fff, "last", 0x1080, 0);
	expect(s, 0x2000, NULL, 0, 0);
	expect(s, 0x3000, NULL, 0, 0);
	symbols_free(s);
}

TEST(names_are_made_readable)
{
	static const struct one all[] = {
		{ "open@@LIB_2", 0x1000, 8, GLOBAL | STT_FUNC, S_TEXT },
		{ "open@LIB_1", 0x1010, 8, GLOBAL | STT_FUNC, S_TEXT },
		{ "two\nlines\x7f", 0x1020, 8, GLOBAL | STT_FUNC, S_TEXT },
		{ ".Llabel", 0x1030, 8, LOCAL | STT_FUNC, S_TEXT },
		{ ".marker", 0x1040, 8, LOCAL | STT_OBJECT, S_TEXT },
		{ "", 0x1050, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "@odd", 0x1060, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "_Z", 0x1070, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "_Z3runIiEvT_", 0x1080, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "_ZN2ns4Type6methodEv@@V_1", 0x1090, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "_Z4partv.cold", 0x10a0, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "_RNvCs1_4rust4main", 0x10b0, 8, LOCAL | STT_FUNC, S_TEXT },
		{ "_ZN4rust4main17h0123456789abcdefE", 0x10c0, 8, LOCAL | STT_FUNC, S_TEXT },
	};
	struct symbols *s = READ(all);
	struct symbol once, again;

	expect(s, 0x1000, "open", 0x1000, 8);
	expect(s, 0x1010, "open", 0x1010, 8);
	expect(s, 0x1020, "two?lines?", 0x1020, 8);
	expect(s, 0x1030, NULL, 0, 0);
	expect(s, 0x1040, NULL, 0, 0);
	expect(s, 0x1050, NULL, 0, 0);
	expect(s, 0x1060, "@odd", 0x1060, 8);
	expect(s, 0x1070, "_Z", 0x1070, 8);
	expect(s, 0x1080, "run<int>(int)", 0x1080, 8);
	expect(s, 0x1090, "ns::Type::method()", 0x1090, 8);
	expect(s, 0x10a0, "part() [clone .cold]", 0x10a0, 8);
	expect(s, 0x10b0, "rust::main", 0x10b0, 8);
	expect(s, 0x10c0, "rust::main", 0x10c0, 8);
	assert_true(symbols_find(s, 0x1000, &once) && symbols_find(s, 0x1001, &again));
	assert_ptr_equal(once.name, again.name);
	symbols_free(s);
}

/* Each parameter is a function with two parameters of the type before it. */
TEST(a_name_that_doubles_is_not_decoded)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char name[512] = "_Z1fPFiiiE";
	const struct one one = { name, 0x1000, 8, GLOBAL | STT_FUNC, S_TEXT };
	struct symbols *s;

	for (size_t i = 0; i < 36; i += 2)
		sprintf(name + strlen(name), "PFiS%c_S%c_E", digits[i], digits[i]);
	s = read_program(&one, 1);
	expect(s, 0x1000, name, 0x1000, 8);
	symbols_free(s);
}

/* Comparing such names byte by byte, a hundred thousand symbols take hours. */
TEST(a_long_name_is_cut)
{
	enum { SYMBOLS = 100000, LENGTH = 16 << 20 };
	Elf64_Sym *symbols = calloc(SYMBOLS, sizeof(*symbols));
	char *names = malloc(LENGTH);
	struct symbol found;
	struct symbols *s;
	int fd;

	assert_true(symbols && names);
	for (size_t i = 1; i < SYMBOLS; i++)
		symbols[i] = (Elf64_Sym){ .st_name = 1 + i % 1000, .st_size = 16, .st_value = TEXT,
					  .st_info = GLOBAL | STT_FUNC, .st_shndx = S_TEXT };
	memset(names, '_', LENGTH);
	names[0] = names[LENGTH - 1] = '\0';
	fd = make_file(symbols, SYMBOLS, names, LENGTH);
	s = symbols_read(fd, "/none/program");
	close(fd);
	assert_true(symbols_find(s, TEXT, &found));
	assert_int_equal(strlen(found.name), 32768);
	symbols_free(s);
	free(symbols);
	free(names);
}

TEST(other_symbols_are_left_out)
{
	static const struct one all[] = {
		{ "undefined", 0x1000, 8, GLOBAL | STT_FUNC, SHN_UNDEF },
		{ "absolute", 0x1010, 8, GLOBAL | STT_FUNC, SHN_ABS },
		{ "elsewhere", 0x1020, 8, GLOBAL | STT_FUNC, S_DATA },
		{ "no_section", 0x1030, 8, GLOBAL | STT_FUNC, SECTIONS },
		{ "file.c", 0x1040, 8, LOCAL | STT_FILE, S_TEXT },
		{ "tls", 0x1050, 8, GLOBAL | STT_TLS, S_TEXT },
	};
	struct symbols *s = READ(all);

	for (uint64_t at = 0x1000; at < 0x1060; at += 0x10)
		expect(s, at, NULL, 0, 0);
	symbols_free(s);
	symbols_free(NULL);
}

TEST(no_program_has_no_symbols)
{
	int fd = file_of("#!/bin/sh\n", 10), folder = open("/", O_RDONLY | O_CLOEXEC);

	assert_null(symbols_read(fd, "/none"));
	assert_null(symbols_read(folder, "/"));
	assert_null(symbols_read_perf_map(folder));
	close(fd);
	close(folder);
}

TEST(map_grows)
{
	static const char first[] = "#!/bin/sh\n", second[] = "1000 10 made\n2000 10 unfin";
	static const char third[] = "ished\n1000 20 again\n";
	int fd = file_of(first, sizeof(first) - 1);
	struct symbols *s = symbols_read_perf_map(fd);

	expect(s, 0x1000, NULL, 0, 0);
	assert_int_equal(write(fd, second, sizeof(second) - 1), sizeof(second) - 1);
	s->next = 0;
	expect(s, 0x1008, "made", 0x1000, 0x10);
	expect(s, 0x2000, NULL, 0, 0);
	assert_int_equal(write(fd, third, sizeof(third) - 1), sizeof(third) - 1);
	s->next = 0;
	expect(s, 0x1018, "again", 0x1000, 0x20);
	expect(s, 0x2000, "unfinished", 0x2000, 0x10);
	close(fd);
	symbols_free(s);
}

/* Lines that were read are not read again, and count for less than later ones. */
TEST(map_is_read_on)
{
	static const char second[] = "5040 10 middle\n";
	struct buf first = { 0 };
	struct symbols *s;
	int fd;

	buf_puts(&first, "5000 100 early\n");
	for (unsigned i = 1; i <= 1000; i++)
		buf_printf(&first, "%x 10 f%u\n", 0x10000 * i, i);
	fd = file_of(first.s, first.len);
	s = symbols_read_perf_map(fd);
	expect(s, 0x5040, "early", 0x5000, 0x100);
	assert_int_equal(pwrite(fd, "6", 1, 0), 1);
	assert_int_equal(pwrite(fd, second, sizeof(second) - 1, (off_t)first.len),
			 sizeof(second) - 1);
	s->next = 0;
	expect(s, 0x5040, "middle", 0x5040, 0x10);
	expect(s, 0x5000, NULL, 0, 0);
	expect(s, 0x6000, NULL, 0, 0);
	expect(s, 0x3e80000, "f1000", 0x3e80000, 0x10);
	/* A file that is written anew is read anew. */
	assert_int_equal(ftruncate(fd, 0), 0);
	for (unsigned i = 0; i < first.len; i++)
		if (first.s[i] == 'f')
			first.s[i] = 'g';
	assert_int_equal(pwrite(fd, first.s, first.len, 0), first.len);
	assert_int_equal(pwrite(fd, "7000 10 last\n", 13, (off_t)first.len), 13);
	s->next = 0;
	expect(s, 0x5040, "early", 0x5000, 0x100);
	expect(s, 0x3e80000, "g1000", 0x3e80000, 0x10);
	expect(s, 0x7000, "last", 0x7000, 0x10);
	assert_int_equal(ftruncate(fd, 15), 0);
	s->next = 0;
	expect(s, 0x5040, "early", 0x5000, 0x100);
	expect(s, 0x3e80000, NULL, 0, 0);
	symbols_free(s);
	buf_deinit(&first);
	close(fd);
}

TEST(later_code_replaces_earlier)
{
	static const char text[] = "7f0000001000 100 Lold;::gone\n"
				   "7f0000002000 40 LazyCompile:*run /a/@b/c.js:1\n"
				   "7f0000001080 20 a name of words\n"
				   "7f0000000ff0 20 before\n"
				   "0x7f0000003000 0x10 prefixed\n"
				   "7f0000004000 10 twice\n"
				   "7f0000004000 20 again\n"
				   "\n"
				   "no numbers here\n"
				   "7f0000005000 0 empty\n"
				   "7f0000005000 10\n"
				   "ffffffffffffffff 10 beyond\n"
				   "7f0000006000 10 unfinished";
	int fd = file_of(text, sizeof(text) - 1);
	struct symbols *s = symbols_read_perf_map(fd);

	close(fd);
	expect(s, 0x7f0000001020, NULL, 0, 0);
	expect(s, 0x7f0000001000, "before", 0x7f0000000ff0, 0x20);
	expect(s, 0x7f000000109f, "a name of words", 0x7f0000001080, 0x20);
	expect(s, 0x7f00000010a0, NULL, 0, 0);
	expect(s, 0x7f0000002004, "LazyCompile:*run /a/@b/c.js:1", 0x7f0000002000, 0x40);
	expect(s, 0x7f0000003000, "prefixed", 0x7f0000003000, 0x10);
	expect(s, 0x7f0000004008, "again", 0x7f0000004000, 0x20);
	expect(s, 0x7f0000005000, NULL, 0, 0);
	expect(s, UINT64_MAX, NULL, 0, 0);
	expect(s, 0x7f000000600f, NULL, 0, 0);
	symbols_free(s);
}

/* A file that is as large as it wants and has nothing in it takes no memory, and one that ends with
 * its process is read once more. */
TEST(map_of_nothing)
{
	static const char text[] = "1000 10 made\n";
	int fd = file_of(text, sizeof(text) - 1);
	struct symbols *s = symbols_read_perf_map(fd);

	assert_int_equal(ftruncate(fd, 1ll << 40), 0);
	expect(s, 0x1008, "made", 0x1000, 0x10);
	assert_true(s->held < 100);
	assert_int_equal(pwrite(fd, "2000 10 last\n", 13, sizeof(text) - 1), 13);
	assert_int_equal(ftruncate(fd, (1ll << 40) + 1), 0);
	symbols_end_map(s);
	assert_int_equal(s->fd, -1);
	expect(s, 0x2008, "last", 0x2000, 0x10);
	symbols_free(s);
	close(fd);
}

/* Only so many are open; each that has ended makes room for another. */
TEST(maps_are_limited)
{
	static const char text[] = "1000 10 made\n";
	static struct symbols *all[2000];
	int fd = file_of(text, sizeof(text) - 1);
	unsigned mb, before = symbols_left_out(&mb), open = 0;

	for (size_t i = 0; i < 1000; i++) {
		all[i] = symbols_read_perf_map(fd);
		open += all[i] != NULL;
	}
	assert_int_equal(open, 512);
	assert_int_equal(symbols_left_out(&mb) - before, 1000 - 512);
	assert_true(mb > 0 && mb <= 512);
	for (size_t i = 0; i < 512; i++)
		symbols_end_map(all[i]);
	for (size_t i = 1000; i < 1512; i++) {
		all[i] = symbols_read_perf_map(fd);
		assert_non_null(all[i]);
	}
	expect(all[0], 0x1008, "made", 0x1000, 0x10);
	for (size_t i = 0; i < 2000; i++)
		symbols_free(all[i]);
	close(fd);
}
