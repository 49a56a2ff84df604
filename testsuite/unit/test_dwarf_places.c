/* SPDX-License-Identifier: GPL-2.0 */
/* Functions, copies, lines, labels and calls, found in small objects; also in damaged ones. */
#include <fcntl.h>
#include <sys/stat.h>

#include "dwarf_fixture.h"

#include "locate/dwarf/dwarf_private.h"

/* The lines are counted from 1. */
static const char text[] =
	"volatile int seen;\n"
	"static inline __attribute__((always_inline)) void copied(int x)\n"
	"{\n"
	"	seen = x;\n"                                         /* 4 */
	"}\n"
	"__attribute__((noinline)) int leaf(int x)\n"                /* 6 */
	"{\n"
	"	seen = x;\n"                                         /* 8 */
	"	return seen;\n"
	"}\n"
	"static __attribute__((noinline)) int hidden(int x)\n"       /* 11 */
	"{\n"
	"	return leaf(x) + seen;\n"
	"}\n"
	"int first(int n)\n"                                         /* 15 */
	"{\n"
	"again:\n"
	"	copied(n);\n"                                        /* 18 */
	"	if (hidden(--n))\n"
	"		goto again;\n"
	"	return n;\n"
	"}\n"
	"int second(int n)\n"                                        /* 23 */
	"{\n"
	"	copied(n);\n"                                        /* 25 */
	"\n"
	"	return leaf(n);\n"                                   /* 27 */
	"}\n";

struct fixture {
	struct session s;
	struct dwarf_db *db;
	const char *path;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const char *why;
	f->s.arena = arena_create();
	f->s.diag = diag_create(f->s.arena, 0);
	f->path = fixture_object(f->s.arena, text, ".c", "-O2");
	f->db = dwarf_db_of_file(&f->s, f->path, &why);
	assert_non_null(f->db);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	unlink(f->path);
	dwarf_close(&f->s);
	arena_destroy(f->s.arena);
	free(f);
	return 0;
}

static struct dwarf_spec spec_of(struct fixture *f, const char *of)
{
	struct dwarf_spec spec;
	const char *why;
	assert_true(dwarf_spec_read(f->s.arena, of, &spec, &why));
	return spec;
}

static struct dwarf_places functions(struct fixture *f, const char *of, unsigned wants, size_t n)
{
	struct dwarf_spec spec = spec_of(f, of);
	struct dwarf_places ret = {{0}};
	dwarf_functions(f->db, &spec, wants, &ret);
	if (ret.v.n != n)
		fail_msg("%s: %zu functions, not %zu", of, ret.v.n, n);
	return ret;
}

static struct dwarf_places statements(struct fixture *f, const char *of, bool nearest, size_t n)
{
	struct dwarf_spec spec = spec_of(f, of);
	struct dwarf_places ret = {{0}};
	unsigned before, after;
	dwarf_statements(f->db, &spec, nearest, &ret, &before, &after);
	if (ret.v.n != n)
		fail_msg("%s: %zu places, not %zu", of, ret.v.n, n);
	return ret;
}

static void test_functions(void **state)
{
	struct fixture *f = *state;
	struct dwarf_place *p = functions(f, "first", DWARF_ENTRIES, 1).v.v[0];
	assert_string_equal(p->symbol, "first");
	assert_string_equal(p->function, "first");
	assert_int_equal(p->offset, 0);
	assert_int_equal(p->line, 15);
	assert_true(p->at_entry && p->is_global && !p->inlined && !p->is_init);
	assert_true(dwarf_lines_file_matches("probec-dwarf-*.c", p->file));
	p = functions(f, "hidden", DWARF_ENTRIES, 1).v.v[0];
	assert_false(p->is_global);
	functions(f, "*", DWARF_ENTRIES, 4);
	functions(f, "*d*", DWARF_ENTRIES, 2);
	functions(f, "nothing", DWARF_ENTRIES | DWARF_COPIES, 0);
	functions(f, "first@probec-dwarf-*.c", DWARF_ENTRIES, 1);
	functions(f, "first@elsewhere.c", DWARF_ENTRIES, 0);
	/* By a line that it has. */
	p = functions(f, "*@probec-dwarf-*.c:9", DWARF_ENTRIES, 1).v.v[0];
	assert_string_equal(p->function, "leaf");
	assert_int_equal(p->offset, 0);
}

static void test_copies(void **state)
{
	struct fixture *f = *state;
	functions(f, "copied", DWARF_ENTRIES, 0);
	struct dwarf_places found = functions(f, "copied", DWARF_COPIES, 2);
	vec_each(it, &found.v) {
		assert_true((*it)->inlined && !(*it)->at_entry);
		assert_string_equal((*it)->function, "copied");
		assert_int_equal((*it)->line, 2);
	}
	assert_string_not_equal(found.v.v[0]->symbol, found.v.v[1]->symbol);
	functions(f, "*", DWARF_COPIES, 2);
	assert_false(dwarf_function_copied(f->db, "first"));
	assert_false(dwarf_function_copied(f->db, "copied"));
}

static void test_statements(void **state)
{
	struct fixture *f = *state;
	struct dwarf_places found = statements(f, "*@probec-dwarf-*.c:4", false, 2);
	vec_each(it, &found.v) {
		assert_string_equal((*it)->function, "copied");
		assert_int_equal((*it)->line, 4);
		assert_true((*it)->inlined);
	}
	struct dwarf_place *p = statements(f, "leaf:8", false, 1).v.v[0];
	assert_string_equal(p->symbol, "leaf");
	assert_int_equal(p->line, 8);
	assert_int_equal(statements(f, "leaf+2", false, 1).v.v[0]->pc, p->pc);
	statements(f, "leaf:4", false, 0);
	statements(f, "leaf@elsewhere.c:8", false, 0);
	statements(f, "leaf:1,8,20-22", false, 1);

	struct dwarf_spec all = spec_of(f, "second:*");
	struct dwarf_places lines = {{0}};
	unsigned before = 0, after = 0;
	bool has_last = false;
	dwarf_statements(f->db, &all, false, &lines, &before, &after);
	vec_each(it, &lines.v) {
		assert_true((*it)->line >= 23 && (*it)->line <= 28);
		assert_string_equal((*it)->function, "second");
		has_last |= (*it)->line == 27;
	}
	assert_true(has_last);
}

static void test_nearest(void **state)
{
	struct fixture *f = *state;
	struct dwarf_spec spec = spec_of(f, "second:26");
	struct dwarf_places found = {{0}};
	unsigned before = 0, after = 0;
	dwarf_statements(f->db, &spec, false, &found, &before, &after);
	assert_int_equal(found.v.n, 0);
	assert_int_equal(before, 25);
	assert_int_equal(after, 27);
	dwarf_statements(f->db, &spec, true, &found, &before, &after);
	assert_true(found.v.n > 0);
	assert_int_equal(found.v.v[0]->line, 27);
}

static void test_inside(void **state)
{
	struct fixture *f = *state;
	struct dwarf_spec spec = spec_of(f, "first"), other = spec_of(f, "second");
	struct dwarf_places found = {{0}};
	dwarf_labels(f->db, &spec, "ag*", &found);
	assert_int_equal(found.v.n, 1);
	assert_string_equal(found.v.v[0]->label, "again");
	assert_string_equal(found.v.v[0]->symbol, "first");
	dwarf_labels(f->db, &other, "*", &found);
	assert_int_equal(found.v.n, 1);

	struct dwarf_places calls = {{0}};
	dwarf_callees(f->db, &spec, "hidden", &calls);
	dwarf_callees(f->db, &other, "leaf", &calls); /* a jump */
	dwarf_callees(f->db, &other, "copied", &calls);
	dwarf_callees(f->db, &other, "hidden", &calls);
	assert_int_equal(calls.v.n, 3);
	assert_string_equal(calls.v.v[0]->target, "hidden");
	assert_string_equal(calls.v.v[0]->symbol, "first");
	assert_string_equal(calls.v.v[1]->target, "leaf");
	assert_string_equal(calls.v.v[1]->symbol, "second");
	assert_true(calls.v.v[2]->inlined);
	struct dwarf_place *at = dwarf_place_at(f->db, calls.v.v[1]->pc);
	assert_string_equal(at->function, "second");
}

/* Two static functions of one name are told apart by the order of the symbol table. */
static void test_namesakes(void **state)
{
	struct fixture *f = *state;
	static const char one[] = "static __attribute__((noinline,noclone)) int twin(int x) "
				  "{ __asm__(\"\"); return x + %s; } int user%s(int x) "
				  "{ return twin(x) - 1; }\n";
	struct arena *a = f->s.arena;
	const char *x = fixture_object(a, arena_printf(a, one, "1", "1"), ".c", "-O2"), *why;
	const char *y = fixture_object(a, arena_printf(a, one, "2", "2"), ".c", "-O2");
	const char *to = fixture_write(a, "", ".o");
	const char *const argv[] = { "ld", "-r", "-o", to, x, y, NULL };
	fixture_run(argv);
	struct dwarf_db *db = dwarf_db_of_file(&f->s, to, &why);
	struct dwarf_spec spec = spec_of(f, "twin");
	struct dwarf_places found = {{0}};
	dwarf_functions(db, &spec, DWARF_ENTRIES, &found);
	assert_int_equal(found.v.n, 2);
	assert_int_equal(found.v.v[0]->namesake + found.v.v[1]->namesake, 1);
	assert_true((found.v.v[0]->pc < found.v.v[1]->pc) ==
		    (found.v.v[0]->namesake < found.v.v[1]->namesake));
	unlink(x);
	unlink(y);
	unlink(to);
}

static void test_specs(void **state)
{
	struct fixture *f = *state;
	static const char *const wrong[] = {
		"", "@file.c", "f@", "f:", "f:x", "f:3-1", "f:1,", "f@a.c:1-", "f@a.c:*1", "f:-1",
		"f:99999999999",
	};
	struct dwarf_spec spec = spec_of(f, "tcp_*@net/ipv4/*.c:10-20,30");
	assert_string_equal(spec.function, "tcp_*");
	assert_string_equal(spec.file, "net/ipv4/*.c");
	assert_int_equal(spec.lines, DWARF_LINES_AT);
	assert_int_equal(spec.spans.n, 2);
	assert_int_equal(spec.spans.v[0].to, 20);
	assert_int_equal(spec.spans.v[1].from, 30);
	assert_int_equal(spec_of(f, "f+3").lines, DWARF_LINES_RELATIVE);
	assert_int_equal(spec_of(f, "f@a.c+3-5").spans.v[0].to, 5);
	assert_int_equal(spec_of(f, "f:*").lines, DWARF_LINES_ALL);
	assert_string_equal(spec_of(f, "f@a++.c").file, "a++.c");
	assert_true(dwarf_spec_is_pattern(&spec));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *why = NULL;
		if (dwarf_spec_read(f->s.arena, wrong[i], &spec, &why) || !why)
			fail_msg("'%s' is taken", wrong[i]);
	}
}

/* Whatever bytes a file has, the search ends, within it. */
static void test_damaged(void **state)
{
	struct fixture *f = *state;
	struct stat st;
	int fd = open(f->path, O_RDONLY);
	assert_true(fd >= 0 && fstat(fd, &st) == 0);
	size_t size = (size_t)st.st_size;
	char *good = malloc(size), *bad = malloc(size);
	assert_int_equal(read(fd, good, size), (ssize_t)size);
	close(fd);
	srandom(1);
	for (int round = 0; round < 300; round++) {
		struct fixture other = { .s.arena = arena_create() };
		const char *why, *path = fixture_write(other.s.arena, "", ".o");
		memcpy(bad, good, size);
		/* Not the ELF header and the table of sections: those are libelf's. */
		for (int i = 0; i <= round % 8; i++)
			bad[64 + (size_t)random() % (size * 3 / 4)] = (char)random();
		fd = open(path, O_WRONLY | O_TRUNC);
		assert_int_equal(write(fd, bad, size), (ssize_t)size);
		close(fd);
		other.db = dwarf_db_of_file(&other.s, path, &why);
		if (other.db) {
			struct dwarf_function_names names = {{0}};
			struct dwarf_places places = {{0}};
			struct dwarf_spec spec = spec_of(&other, "*@*.c:*");
			unsigned before, after;
			dwarf_function_names(other.db, &names);
			dwarf_statements(other.db, &spec, false, &places, &before, &after);
			dwarf_callees(other.db, &spec, "*", &places);
		}
		dwarf_close(&other.s);
		unlink(path);
		arena_destroy(other.s.arena);
	}
	free(good);
	free(bad);
}

#define unit(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(test_functions), unit(test_copies), unit(test_statements), unit(test_nearest),
		unit(test_inside), unit(test_namesakes), unit(test_specs), unit(test_damaged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
