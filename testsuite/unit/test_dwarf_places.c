/* SPDX-License-Identifier: GPL-2.0 */
/* Functions, copies, lines, labels and calls, found in small objects, also in damaged ones. */
#include <fcntl.h>
#include <sys/stat.h>

#include "dwarf_fixture.h"
#include "unit.h"

#include "target/dwarf/private.h"
#include "analyse/locate/locate.h"

/* The numbers in comments are those of the lines. */
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
	struct state s;
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

TEST_WITH(functions, setup, teardown)
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
	/* A function, found by one of its lines. */
	p = functions(f, "*@probec-dwarf-*.c:9", DWARF_ENTRIES, 1).v.v[0];
	assert_string_equal(p->function, "leaf");
	assert_int_equal(p->offset, 0);
}

TEST_WITH(copies, setup, teardown)
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

TEST_WITH(statements, setup, teardown)
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

/* Rows as gcc 16 writes them for a statement with an instruction of the next one in its middle; and
 * for a statement with two copies, of which both are places. */
TEST_WITH(moved, setup, teardown)
{
	struct fixture *f = *state;
	static const char rows[] =
		"void moved(void)\n{\n\t__asm__ volatile("
		"\".loc 1 20 0 is_stmt 1\\n nop\\n .loc 1 21 0 is_stmt 0\\n nop\\n"
		" .loc 1 20 0 is_stmt 0\\n nop\\n .loc 1 20 0 is_stmt 1\\n"
		" .loc 1 21 0 is_stmt 1\\n nop\\n .loc 1 21 0 is_stmt 0\\n nop\\n"
		" .loc 1 30 0 is_stmt 1\\n nop\\n .loc 1 31 0 is_stmt 0\\n nop\\n"
		" .loc 1 30 0 is_stmt 1\\n nop\");\n}\n";
	const char *path = fixture_object(f->s.arena, rows, ".c", "-O2"), *why;
	struct dwarf_db *first = f->db;

	f->db = dwarf_db_of_file(&f->s, path, &why);
	assert_non_null(f->db);

	struct dwarf_place *p = statements(f, "moved:20", false, 1).v.v[0];

	assert_int_equal(statements(f, "moved:21", false, 1).v.v[0]->pc, p->pc + 3);
	statements(f, "moved:30", false, 2);
	statements(f, "moved:31", false, 1);
	f->db = first;
	unlink(path);
}

TEST_WITH(nearest, setup, teardown)
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

TEST_WITH(inside, setup, teardown)
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
	const char *name = "hidden";
	struct dwarf_calls own = { .most = 1, .names = &name };

	assert_int_equal(dwarf_callees(f->db, &spec, &own, &calls), 1);
	assert_int_equal(dwarf_callees(f->db, &other, &own, &calls), 0);
	name = "leaf"; /* a jump */
	assert_int_equal(dwarf_callees(f->db, &other, &own, &calls), 1);
	name = "copied";
	assert_int_equal(dwarf_callees(f->db, &other, &own, &calls), 1);
	assert_int_equal(calls.v.n, 3);
	assert_string_equal(calls.v.v[0]->target, "hidden");
	assert_string_equal(calls.v.v[0]->symbol, "first");
	assert_string_equal(calls.v.v[1]->target, "leaf");
	assert_string_equal(calls.v.v[1]->symbol, "second");
	assert_true(calls.v.v[2]->inlined);

	struct dwarf_place *at = dwarf_place_at(f->db, calls.v.v[1]->pc);

	assert_string_equal(at->function, "second");
}

/* ---- chains of calls ---- */

/* Functions that call bottom() and twice() by several ways; gcc makes a clone of clone(), and far()
 * is in another section. */
static const char chains[] =
	"#define APART __attribute__((noipa))\n"
	"volatile int seen;\n"
	"int outside(int x);\n"
	"APART int bottom(int x) { seen = x; return seen; }\n"
	"APART int twice(int x) { int y = bottom(x); return y + bottom(x + 1); }\n"
	"static inline __attribute__((always_inline)) int within(int x)\n"
	"{ return twice(x) + seen; }\n"
	"APART int again(int n)\n"
	"{ int x = n ? again(n - 1) : 0; seen = x; return x ^ twice(n); }\n"
	"APART int top(int x) { int y = within(x) + again(x); return y + twice(x); }\n"
	"APART int other(int x) { int y = twice(x); return y + again(x); }\n"
	"APART int jumps(int x) { seen = x; return twice(x); }\n"
	"static __attribute__((noinline)) int clone(int a, int b)\n"
	"{ seen = a * b; return bottom(b) + 1; }\n"
	"APART int clones(int x) { int y = clone(x, 7); return y + clone(y, 7); }\n"
	"__attribute__((noipa, section(\".text.far\"))) int far(int x) { return bottom(x) + 1; }\n"
	"APART int across(int x) { int y = far(x); return y + outside(x); }\n";
static const char beyond[] =
	"volatile int known;\n"
	"__attribute__((noipa)) int inner(int x) { known = x; return known; }\n"
	"int outside(int x) { return inner(x) + 1; }\n";

/* @what: NAMES separated by spaces, or the number of calls; @suffix: "" or what follows them. */
static struct dwarf_places look(struct fixture *f, struct dwarf_db *db, const char *of,
				const char *what, const char *suffix, size_t n)
{
	struct dwarf_spec spec = spec_of(f, of);
	struct dwarf_places ret = {{0}};
	const char *names[4];
	struct dwarf_calls which = { .most = (unsigned)atoi(what) };

	which.called = strcmp(suffix, "call") == 0;
	which.returns = strcmp(suffix, "return") == 0;

	char *left = arena_strdup(f->s.arena, what), *name;

	if (!which.most) {
		which.names = names;
		while ((name = strsep(&left, " ")))
			names[which.most++] = name;
	}

	size_t found = dwarf_callees(db, &spec, &which, &ret);

	if (found != n || ret.v.n != n)
		fail_msg("%s, %s.%s: %zu and %zu places, not %zu", of, what, suffix, found,
			 ret.v.n, n);
	return ret;
}

static struct dwarf_places chain(struct fixture *f, struct dwarf_db *db, const char *of,
				 const char *what, size_t n)
{
	return look(f, db, of, what, "", n);
}

static const struct dwarf_place *call_in(const struct dwarf_places *in, const char *symbol,
					 const char *target)
{
	vec_each(it, &in->v) {
		if (strncmp((*it)->symbol, symbol, strlen(symbol)) == 0 &&
		    strcmp((*it)->target, target) == 0)
			return *it;
	}
	fail_msg("no call of %s in %s", target, symbol);
	return NULL;
}

/* Returns the possible callers: a letter for each call in top() and then in again(), a capital
 * letter if nothing before that call is checked, and the number of calls that it counts for. */
static const char *callers_of(struct fixture *f, struct dwarf_db *db, const struct code_call *call)
{
	const char *ret = "";

	for (const char *symbol = "ta"; *symbol; symbol++) {
		vec_each(it, &call->callers->v) {
			const struct dwarf_place *at = dwarf_place_at(db, (*it)->at);
			bool begins = !(*it)->callers;

			assert_int_equal((*it)->after, (*it)->at + 5);
			if (at->symbol[0] == *symbol)
				ret = arena_printf(f->s.arena, "%s%c%u", ret,
						   begins ? *symbol - 'a' + 'A' : *symbol,
						   (*it)->calls);
		}
	}
	return ret;
}

/* Opens the two objects linked together. */
static struct dwarf_db *open_chains(struct fixture *f)
{
	struct arena *a = f->s.arena;
	const char *x = fixture_object(a, chains, ".c", "-O2"), *why;
	const char *y = fixture_object(a, beyond, ".c", "-O2"), *to = fixture_write(a, "", ".o");
	const char *const argv[] = { "ld", "-r", "-o", to, x, y, NULL };

	fixture_run(argv);

	struct dwarf_db *db = dwarf_db_of_file(&f->s, to, &why);

	unlink(x);
	unlink(y);
	unlink(to);
	return db;
}

static const char *entry_of(struct fixture *f, struct dwarf_db *db, const struct dwarf_places *in,
			    const char *symbol)
{
	vec_each(it, &in->v) {
		const struct code_call *call = (*it)->call;

		assert_true((*it)->at_entry && call->at == (*it)->pc);
		assert_int_equal(call->after + call->calls, 0);
		if (strcmp((*it)->symbol, symbol) == 0)
			return callers_of(f, db, call);
	}
	fail_msg("no return from %s", symbol);
	return NULL;
}

/* Entries of the functions that these calls reach, if the calls return. */
TEST_WITH(returns, setup, teardown)
{
	struct fixture *f = *state;
	struct dwarf_db *db = open_chains(f);
	struct dwarf_places found = look(f, db, "top", "1", "return", 2);

	assert_string_equal(entry_of(f, db, &found, "again"), "T1");
	assert_string_equal(entry_of(f, db, &found, "twice"), "T1");
	/* Calls in the inlined copy count as top()'s, and again() calls itself. */
	found = look(f, db, "top", "2", "return", 3);
	assert_string_equal(entry_of(f, db, &found, "again"), "T1a1");
	assert_string_equal(entry_of(f, db, &found, "twice"), "T1T2a1");
	assert_string_equal(entry_of(f, db, &found, "bottom"), "t1t1");
	found = look(f, db, "top", "within twice", "return", 1);
	assert_string_equal(entry_of(f, db, &found, "twice"), "T2");
	found = look(f, db, "top", "again twice", "return", 1);
	assert_string_equal(entry_of(f, db, &found, "twice"), "a1");
	look(f, db, "top", "within", "return", 0);
	/* Neither jumps nor calls into another section count. */
	look(f, db, "jumps", "1", "return", 0);
	found = look(f, db, "across", "1", "return", 1);
	assert_string_equal(found.v.v[0]->symbol, "outside");
	found = look(f, db, "clones", "1", "return", 1);
	assert_string_equal(found.v.v[0]->function, "clone");
	/* The call instructions only. */
	look(f, db, "top", "1", "call", 2);
	look(f, db, "top", "2", "call", 7);
	look(f, db, "top", "within", "call", 0);
}

TEST_WITH(chains, setup, teardown)
{
	struct fixture *f = *state;
	struct dwarf_db *db = open_chains(f);

	/* The calls of the copy, of again() and of twice(). */
	struct dwarf_places found = chain(f, db, "top", "1", 3);

	vec_each(it, &found.v)
		assert_null((*it)->call->callers);
	/* And the calls within these: 1, 2, 2. The one in the copy lies in top() itself. */
	found = chain(f, db, "top", "2", 8);

	size_t in_top = 0;

	vec_each(it, &found.v) {
		bool own = strcmp((*it)->symbol, "top") == 0;

		in_top += own;
		assert_true(own == !(*it)->call->callers);
	}
	assert_int_equal(in_top, 4);
	assert_string_equal(callers_of(f, db, call_in(&found, "twice", "bottom")->call), "T1");
	assert_string_equal(callers_of(f, db, call_in(&found, "again", "twice")->call), "T1");
	/* There are no new places but new ways to them: by the copy, and by again(), which calls
	 * itself. */
	found = chain(f, db, "top", "3", 8);
	assert_string_equal(callers_of(f, db, call_in(&found, "twice", "bottom")->call), "T1T2a1");
	assert_string_equal(callers_of(f, db, call_in(&found, "again", "twice")->call), "T1a1");

	/* Callees by name, one for each step of the chain. */
	found = chain(f, db, "top", "again twice", 1);
	assert_string_equal(callers_of(f, db, found.v.v[0]->call), "T1");
	found = chain(f, db, "top", "within twice", 1);
	assert_null(found.v.v[0]->call->callers);
	assert_int_equal(found.v.v[0]->call->calls, 2);
	found = chain(f, db, "top", "within twice bottom", 2);
	assert_string_equal(callers_of(f, db, found.v.v[0]->call), "T2");
	found = chain(f, db, "top", "again again twice", 1);
	assert_string_equal(callers_of(f, db, found.v.v[0]->call), "a1");
	assert_string_equal(callers_of(f, db, found.v.v[0]->call->callers->v.v[0]), "T1");
	chain(f, db, "top", "twice twice", 0);

	/* A clone; a jump, which ends the search; another unit, but not another section. */
	found = chain(f, db, "clones", "2", 3);
	assert_non_null(call_in(&found, "clone.", "bottom"));
	chain(f, db, "jumps", "2", 1);
	found = chain(f, db, "across", "3", 3);
	assert_non_null(call_in(&found, "outside", "inner"));

	struct dwarf_spec spec = spec_of(f, "top");
	struct dwarf_calls few = { .most = 2, .limit = 3 };
	struct dwarf_places some = {{0}};

	assert_int_equal(dwarf_callees(db, &spec, &few, &some), 8);
	assert_int_equal(some.v.n, 3);
}

/* The order of the symbol table tells two static functions of one name apart. */
TEST_WITH(namesakes, setup, teardown)
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

TEST_WITH(specs, setup, teardown)
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

/* For arbitrary bytes in a file, the search ends and stays within the file. */
TEST_WITH(damaged, setup, teardown)
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
		/* The ELF header and the section table are left alone: libelf checks those. */
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
			struct dwarf_calls which = { .most = 4, .returns = round % 2 };
			unsigned before, after;

			dwarf_function_names(other.db, &names);
			dwarf_statements(other.db, &spec, false, &places, &before, &after);
			dwarf_callees(other.db, &spec, &which, &places);
		}
		dwarf_close(&other.s);
		unlink(path);
		arena_destroy(other.s.arena);
	}
	free(good);
	free(bad);
}
