/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of code, compared with a search of the symbol table for each of them: for a kernel
 * without a cache, with a cached file, also a damaged one, and for a module.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "dwarf_cache_fixture.h"
#include "unit.h"

#include "shared/file.h"

/* Aliases, labels within functions and beside them, padding, clones; symbols of other sections. */
static const char text[] =
	".text\n"
	"first:	nop; nop\n"
	".type f,@function; .globl g; .type g,@function\n"
	"f: g: same_place: nop\n"
	"within: nop\n"
	".size f, . - f; .size g, . - g\n"
	".skip 70\n"
	".type no_size,@function\n"
	"no_size: nop\n"
	".type f.isra.0,@function; f.isra.0: nop; .size f.isra.0, 1\n"
	".type f.part.1.cold,@function; f.part.1.cold: nop; .size f.part.1.cold, 1\n"
	".type f.constprop.0,@function; f.constprop.0: nop; .size f.constprop.0, 1\n"
	".type f_longer,@function; f_longer: nop; .size f_longer, 1\n"
	"f.label: nop\n"
	".type twin,@function; twin: nop; .size twin, 1\n"
	".section .init.text,\"ax\"\n"
	".type at_start,@function; at_start: nop; nop; .size at_start, 2\n"
	".section .exit.text,\"ax\"\n"
	".type leave,@function; leave: nop; .size leave, 1\n"
	".data\n"
	"no_code: .long 1\n";

/* Namesakes of those, in another file. */
static const char other_text[] =
	".section .init.text,\"ax\"\n"
	".type twin,@function; twin: nop; .size twin, 1\n"
	".type f.isra.0,@function; f.isra.0: nop; .size f.isra.0, 1\n"
	".text\n"
	".type at_start,@function; at_start: nop; nop; .size at_start, 2\n"
	".type leave,@function; leave: nop; .size leave, 1\n"
	".type zz_long_and_alike_1,@function; zz_long_and_alike_1: nop\n"
	".type zz_long_and_alike_0,@function; zz_long_and_alike_0: nop\n";

static const char *const names[] = {
	"first", "f", "g", "same_place", "within", "no_size", "f.isra.0", "f.part.1.cold", "f.",
	"f.constprop.0", "f_longer", "f.label", "twin", "at_start", "leave", "no_code", "", "a",
	"zzz", "zz_long_and_alike_1", "zz_long_and_alike_0", "zz_long_",
};

struct fixture {
	struct cache_fixture c; /* first, for cache_fixture_end() */
	uint64_t from, to;     /* the range of addresses that are queried */
	const char *answers;
};

/* ---- the answers ---- */

static void put(struct buf *b, struct dwarf_db *db, const struct dwarf_symbol *s)
{
	if (s)
		buf_printf(b, " %s=%llx+%u%s%s%s", dwarf_symbols_name(db, s),
			   (unsigned long long)s->address, s->size, s->exact ? " exact" : "",
			   s->global ? " global" : "", s->init ? " init" : "");
}

static const char *ask(struct fixture *f)
{
	const struct dwarf_symbol *s = NULL;
	struct dwarf_db *db = f->c.db;
	struct buf b;

	buf_init(&b);
	for (uint64_t pc = f->from; pc < f->to; pc++) {
		buf_printf(&b, "%llu", (unsigned long long)pc);
		put(&b, db, dwarf_symbols_at(db, pc));
		buf_putc(&b, '\n');
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_printf(&b, "'%s':", names[i]);
		while ((s = dwarf_symbols_named(db, names[i], s))) {
			put(&b, db, s);
			buf_printf(&b, " #%d", dwarf_symbols_namesake(db, s));
		}
		buf_puts(&b, "; clones");
		while ((s = dwarf_symbols_clone(db, names[i], s)))
			put(&b, db, s);
		buf_putc(&b, '\n');
	}
	dwarf_symbols_close(db);

	const char *copy = arena_strndup(f->c.s.arena, b.s, b.len);

	buf_deinit(&b);
	return copy;
}

/* ---- the expected answers ---- */

struct known { GElf_Sym sym; uint64_t address; const char *name; int nr; bool init; };
struct all { struct known v[64]; size_t n; };

static bool is_exact(const struct known *k)
{
	return GELF_ST_TYPE(k->sym.st_info) == STT_FUNC;
}

static bool is_global(const struct known *k)
{
	return GELF_ST_BIND(k->sym.st_info) != STB_LOCAL;
}

static int by_address(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (is_exact(x) != is_exact(y))
		return is_exact(y) ? -1 : 1;
	if (is_global(x) != is_global(y))
		return is_global(y) ? -1 : 1;
	return y->nr - x->nr;
}

static void read_all(Elf *elf, struct all *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr head = {0}, own;
	size_t section_names;
	struct known k = {0};

	ret->n = 0;
	assert_int_equal(elf_getshdrstrndx(elf, &section_names), 0);
	while (head.sh_type != SHT_SYMTAB) {
		scn = elf_nextscn(elf, scn);
		assert_non_null(gelf_getshdr(scn, &head));
	}

	Elf_Data *data = elf_getdata(scn, NULL);

	for (; gelf_getsym(data, k.nr, &k.sym); k.nr++) {
		unsigned type = GELF_ST_TYPE(k.sym.st_info);

		if (!k.nr || (type != STT_FUNC && type != STT_NOTYPE) ||
		    !gelf_getshdr(elf_getscn(elf, k.sym.st_shndx), &own) ||
		    !(own.sh_flags & SHF_EXECINSTR) ||
		    strcmp(elf_strptr(elf, section_names, own.sh_name), ".data") == 0)
			continue;
		k.address = own.sh_addr + k.sym.st_value;
		k.name = elf_strptr(elf, head.sh_link, k.sym.st_name);
		k.init = strcmp(elf_strptr(elf, section_names, own.sh_name), ".init.text") == 0;
		assert_true(ret->n < 64);
		ret->v[ret->n++] = k;
	}
	qsort(ret->v, ret->n, sizeof(*ret->v), by_address);
}

/* Covers all code, and a few bytes around it. */
static void span(struct fixture *f)
{
	struct all all;

	read_all(f->c.db->elf, &all);
	f->from = all.v[0].address > 3 ? all.v[0].address - 3 : 0;
	f->to = all.v[all.n - 1].address + 8;
	assert_true(f->to - f->from < 1000);
}

static void put_known(struct buf *b, const struct known *k)
{
	buf_printf(b, " %s=%llx+%llu%s%s%s", k->name, (unsigned long long)k->address,
		   (unsigned long long)k->sym.st_size, is_exact(k) ? " exact" : "",
		   is_global(k) ? " global" : "", k->init ? " init" : "");
}

static const struct known *known_at(const struct all *all, uint64_t pc)
{
	const struct known *label = NULL;

	for (size_t i = all->n; i-- > 0;) {
		const struct known *k = &all->v[i];

		if (k->address <= pc && is_exact(k) &&
		    (!k->sym.st_size || pc < k->address + k->sym.st_size))
			return k;
		if (k->address <= pc && !is_exact(k) && !label)
			label = k;
	}
	return label;
}

/* Returns whether kallsyms lists @a before @b. */
static bool is_before(const struct known *a, const struct known *b, bool module)
{
	if (!module)
		return a->address < b->address;
	return a->init != b->init ? b->init : a->nr < b->nr;
}

static void put_named(struct buf *b, const struct all *all, const char *name, bool module)
{
	for (int n = 0; n < (int)all->n; n++) {
		for (size_t i = 0; i < all->n; i++) {
			int before = 0;

			if (strcmp(all->v[i].name, name) != 0)
				continue;
			for (size_t j = 0; j < all->n; j++)
				before += strcmp(all->v[j].name, name) == 0 &&
					  is_before(&all->v[j], &all->v[i], module);
			if (before != n)
				continue;
			put_known(b, &all->v[i]);
			buf_printf(b, " #%d", before);
		}
	}
	buf_puts(b, "; clones");
	for (size_t i = 0; i < all->n; i++) {
		size_t len = strlen(name);
		const char *other = all->v[i].name;

		if (strncmp(other, name, len) == 0 && other[len] == '.' && is_exact(&all->v[i]) &&
		    !strstr(other + len, ".cold"))
			put_known(b, &all->v[i]);
	}
}

static const char *expected(struct fixture *f)
{
	struct all all;
	struct buf b;

	read_all(f->c.db->elf, &all);
	assert_true(all.n > 10);
	buf_init(&b);
	for (uint64_t pc = f->from; pc < f->to; pc++) {
		const struct known *k = known_at(&all, pc);

		buf_printf(&b, "%llu", (unsigned long long)pc);
		if (k)
			put_known(&b, k);
		buf_putc(&b, '\n');
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_printf(&b, "'%s':", names[i]);
		put_named(&b, &all, names[i], f->c.db->is_module);
		buf_putc(&b, '\n');
	}

	const char *copy = arena_strndup(f->c.s.arena, b.s, b.len);

	buf_deinit(&b);
	return copy;
}

/* ---- the tests ---- */

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	cache_fixture_begin(&f->c, "dwarf-symbols");

	const char *one = fixture_object(f->c.s.arena, text, ".s", "-g");
	const char *other = fixture_object(f->c.s.arena, other_text, ".s", "-g");

	f->c.object = fixture_write(f->c.s.arena, "", ".o");

	const char *const argv[] = { "ld", "-r", "-o", f->c.object, one, other, NULL };

	fixture_run(argv);

	/* As in Linux 7.x. */
	const char *const data_as_code[] = { "objcopy", "--set-section-flags",
					     ".data=alloc,load,data,code", f->c.object, NULL };

	fixture_run(data_as_code);
	unlink(one);
	unlink(other);
	cache_fixture_open(&f->c);
	span(f);
	f->answers = expected(f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	cache_fixture_end(&f->c);
	return 0;
}

TEST_WITH(made_and_kept, setup, teardown)
{
	struct fixture *f = *state;
	struct stat before, after;

	assert_string_equal(ask(f), f->answers);
	assert_int_equal(stat(f->c.file, &before), 0);
	assert_string_equal(ask(f), f->answers);
	assert_int_equal(stat(f->c.file, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	/* Without a directory for the cache. */
	unlink(f->c.file);
	f->c.kernel.cache_dir = "/proc/nowhere";
	assert_string_equal(ask(f), f->answers);
	f->c.kernel.cache_dir = NULL;
	assert_string_equal(ask(f), f->answers);
	assert_int_equal(stat(f->c.file, &after), -1);
}

TEST_WITH(module, setup, teardown)
{
	struct fixture *f = *state;
	struct stat st;

	f->c.db->is_module = true;

	const char *answers = expected(f);

	assert_string_not_equal(answers, f->answers);
	assert_string_equal(ask(f), answers);
	assert_int_equal(stat(f->c.file, &st), -1);
}

static void expect_good(struct fixture *f, const char *bytes, size_t n, const char *what, size_t at)
{
	struct buf now;
	int fd = open(f->c.file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	close(fd);
	if (strcmp(ask(f), f->answers) != 0)
		fail_msg("%s %zu: another answer", what, at);
	buf_init(&now);
	assert_int_equal(file_read(f->c.file, &now), 0);
	if (now.len != f->c.good.len || memcmp(now.s, f->c.good.s, now.len) != 0)
		fail_msg("%s %zu: the file was not made again", what, at);
	buf_deinit(&now);
}

TEST_WITH(damaged, setup, teardown)
{
	struct fixture *f = *state;

	ask(f);
	assert_int_equal(file_read(f->c.file, &f->c.good), 0);

	char *bad = calloc(1, f->c.good.len + 64);

	memcpy(bad, f->c.good.s, f->c.good.len);
	for (size_t n = 0; n < f->c.good.len; n++)
		expect_good(f, f->c.good.s, n, "cut at", n);
	for (size_t n = 1; n <= 64; n++)
		expect_good(f, bad, f->c.good.len + n, "longer by", n);
	for (size_t at = 0; at < f->c.good.len; at++) {
		bad[at] = (char)(bad[at] ^ 1 << at % 8);
		expect_good(f, bad, f->c.good.len, "flipped at", at);
		bad[at] = f->c.good.s[at];
	}
	/* Words that are exchanged, as when a disk exchanges blocks. */
	for (size_t at = f->c.good.len % 8; at + 16 <= f->c.good.len; at += 8) {
		memcpy(bad + at, f->c.good.s + at + 8, 8);
		memcpy(bad + at + 8, f->c.good.s + at, 8);
		if (memcmp(bad, f->c.good.s, f->c.good.len) != 0)
			expect_good(f, bad, f->c.good.len, "words", at);
		memcpy(bad + at, f->c.good.s + at, 16);
	}
	free(bad);
}

/* A file of another build, or of a symbol table of another size. */
TEST_WITH(others, setup, teardown)
{
	struct fixture *f = *state;
	struct buf first;
	const char *why;

	ask(f);
	buf_init(&first);
	assert_int_equal(file_read(f->c.file, &first), 0);
	f->c.kernel.build_id = "4567";
	f->c.file = arena_printf(f->c.s.arena, "%s/symbols/4567.dwarf-symbols", f->c.cache);
	ask(f);
	assert_int_equal(file_read(f->c.file, &f->c.good), 0);
	assert_string_not_equal(f->c.good.s, first.s);
	expect_good(f, first.s, first.len, "another build", 0);
	buf_deinit(&first);

	const char *object = fixture_object(f->c.s.arena, text, ".s", "-g");
	struct dwarf_db *db = f->c.db;

	f->c.db = dwarf_db_of_file(&f->c.s, object, &why);
	assert_non_null(f->c.db);
	f->c.db->is_module = false;
	assert_string_equal(ask(f), expected(f));
	f->c.db = db;
	assert_string_equal(ask(f), f->answers);
	unlink(object);
}
