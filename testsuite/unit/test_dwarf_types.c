/* SPDX-License-Identifier: GPL-2.0 */
/* Types of debug information as BTF: dwarf/values/types.c, btf/btf_write.c, btf_match.c. */
#include <errno.h>

#include "dwarf_fixture.h"
#include "unit.h"

#include "target/btf/btf.h"
#include "target/dwarf/private.h"
#include "target/kernel/kernel.h"

/* struct pair is the kernel's; struct two has the name of one of the kernel's, but differs. */
static const char source[] =
	"struct pair { int a; int b; };\n"
	"struct two { int first; int second; };\n"
	"enum shade { LIGHT = 1, DARK = -2 };\n"
	"enum far { NEAR = 0, FAR = 0x100000000 };\n"
	"typedef unsigned long word_t;\n"
	"struct hidden;\n"
	"struct node {\n"
	"	struct node *next;\n"
	"	const char *name;\n"
	"	volatile int flags : 3, more : 7;\n"
	"	unsigned long wide : 40;\n"
	"	union { short s[2][3]; struct { signed char lo, hi; }; };\n"
	"	struct pair pair;\n"
	"	struct two *two;\n"
	"	int (*call)(struct node *, ...);\n"
	"	word_t words[0];\n"
	"	struct hidden *hidden;\n"
	"	enum shade shade;\n"
	"	_Bool yes;\n"
	"	double d;\n"
	"	struct file *file;\n"
	"};\n"
	"struct node n; enum far f; word_t w;\n";

static struct btf_db *read_types(struct state *s, const char *text, const char *flag)
{
	const char *path = fixture_object(s->arena, text, ".c", flag), *why = NULL;
	struct btf_db *db = NULL;
	int err = dwarf_types_of_file(s, path, &db, &why);

	unlink(path);
	if (err)
		fail_msg("%s", why);
	return db;
}

static void check_node(struct state *s, struct btf_db *db)
{
	struct btf_member_place m;
	uint32_t node = btf_lookup_type(db, BTF_WORD_STRUCT, "node");
	struct btf_shape shape = btf_types_shape(db, node);

	assert_int_not_equal(node, 0);
	assert_int_equal(shape.kind, BTF_STRUCT);
	assert_true(btf_types_member(db, node, "next", &m));
	assert_string_equal(btf_types_name(db, s->arena, m.type), "struct node *");
	assert_int_equal(btf_types_shape(db, btf_types_shape(db, m.type).target).id, node);
	assert_true(btf_types_member(db, node, "name", &m));
	assert_string_equal(btf_types_name(db, s->arena, m.type), "const char *");
	assert_true(btf_types_member(db, node, "flags", &m));
	assert_int_equal(m.bit_offset, 128);
	assert_int_equal(m.bit_size, 3);
	assert_true(btf_types_shape(db, m.type).is_signed);
	assert_true(btf_types_member(db, node, "more", &m));
	assert_int_equal(m.bit_offset, 131);
	assert_int_equal(m.bit_size, 7);
	assert_true(btf_types_member(db, node, "wide", &m));
	assert_int_equal(m.bit_offset, 138);
	assert_int_equal(m.bit_size, 40);
	assert_true(btf_types_member(db, node, "hi", &m)); /* a member of an anonymous structure */
	assert_int_equal(m.bit_offset, 24 * 8 + 8);
	assert_true(btf_types_member(db, node, "s", &m));
	assert_string_equal(btf_types_name(db, s->arena, m.type), "short int[2][3]");
	assert_true(btf_types_member(db, node, "call", &m));
	assert_string_equal(btf_types_name(db, s->arena, m.type), "int (*)(...)");
	assert_true(btf_types_member(db, node, "words", &m));
	assert_int_equal(btf_types_shape(db, m.type).kind, BTF_ARRAY);
	assert_int_equal(btf_types_shape(db, m.type).nelems, 0);
	assert_true(btf_types_member(db, node, "yes", &m));
	assert_int_equal(btf_types_shape(db, m.type).size, 1);
	assert_true(btf_types_member(db, node, "d", &m));
	assert_int_equal(btf_types_shape(db, m.type).kind, BTF_FLOATING);
	assert_int_equal(btf_lookup_type(db, BTF_ANY, ""), 0); /* there is a union without a name */
}

static void check_enums(struct state *s, struct btf_db *db)
{
	struct btf_constants c = {0};
	int64_t v;
	uint32_t shade = btf_lookup_type(db, BTF_WORD_ENUM, "shade");

	assert_true(btf_types_shape(db, shade).is_signed);
	btf_lookup_constants(db, s->arena, shade, &c);
	assert_int_equal(c.v.n, 2);
	assert_string_equal(c.v.v[1].name, "DARK");
	assert_int_equal(c.v.v[1].value, -2);
	assert_true(btf_lookup_constant(db, "FAR", &v));
	assert_true(v == 0x100000000);
}

TEST(without_base)
{
	struct state *s = fixture_open(0);
	struct btf_db *db = read_types(s, source, "-gdwarf-5");

	check_node(s, db);
	check_enums(s, db);
	dwarf_close(s);
	fixture_close(s);
}

TEST(dwarf_4)
{
	struct state *s = fixture_open(0);

	check_node(s, read_types(s, source, "-gdwarf-4"));
	dwarf_close(s);
	fixture_close(s);
}

/* Bit-fields as they were written before DWARF 4. */
TEST(dwarf_2)
{
	struct state *s = fixture_open(0);

	check_node(s, read_types(s, source, "-gdwarf-2"));
	dwarf_close(s);
	fixture_close(s);
}

TEST(on_kernel)
{
	const char *why;
	struct state *s = fixture_open(WITH_ALL);
	struct btf_db *kernel = kernel_btf(s->kernel, &why);
	struct btf_db *db = read_types(s, source, "-gdwarf-5");
	struct btf_member_place m;

	check_node(s, db);
	check_enums(s, db);

	uint32_t node = btf_lookup_type(db, BTF_WORD_STRUCT, "node");
	uint32_t pair = btf_lookup_type(kernel, BTF_WORD_STRUCT, "pair");

	assert_true(btf_types_member(db, node, "pair", &m));
	assert_int_equal(m.type, pair);
	assert_int_equal(btf_lookup_type(db, BTF_WORD_STRUCT, "pair"), pair);

	/* A type that is declared here, and complete there. */
	uint32_t file = btf_lookup_type(kernel, BTF_WORD_STRUCT, "file");

	assert_true(btf_types_member(db, node, "file", &m));
	assert_int_equal(btf_types_shape(db, btf_types_shape(db, m.type).target).id, file);
	/* A type with the same name, but other members. */
	assert_true(btf_types_member(db, node, "two", &m));

	uint32_t two = btf_types_shape(db, btf_types_shape(db, m.type).target).id;

	assert_int_equal(btf_types_shape(db, two).size, 8);
	assert_int_equal(btf_lookup_type(db, BTF_WORD_STRUCT, "two"), two);
	assert_int_not_equal(btf_lookup_type(kernel, BTF_WORD_STRUCT, "two"), two);
	/* A type that is only declared in both. */
	assert_true(btf_types_member(db, node, "hidden", &m));
	assert_int_equal(btf_types_shape(db, btf_types_shape(db, m.type).target).kind,
			 BTF_INCOMPLETE);
	dwarf_close(s);
	fixture_close(s);
}

/* struct s { endless &m; }, where endless is a typedef of itself. */
static const char endless[] =
	"	.section .debug_abbrev,\"\",@progbits\n"
	"	.byte 1, 0x11, 1, 0, 0\n"
	"	.byte 2, 0x13, 1, 3, 8, 0x0b, 0x0b, 0, 0\n"
	"	.byte 3, 0x0d, 0, 3, 8, 0x49, 0x13, 0x38, 0x0b, 0, 0\n"
	"	.byte 4, 0x10, 0, 0x49, 0x13, 0, 0\n"
	"	.byte 5, 0x16, 0, 3, 8, 0x49, 0x13, 0, 0\n"
	"	.byte 0\n"
	"	.section .debug_info,\"\",@progbits\n"
	"unit:	.long end - begin\n"
	"begin:	.value 4\n"
	"	.long 0\n"
	"	.byte 8\n"
	"	.byte 1\n"
	"	.byte 2; .string \"s\"; .byte 8\n"
	"	.byte 3; .string \"m\"; .long reference - unit; .byte 0\n"
	"	.byte 0\n"
	"reference: .byte 4; .long typedef - unit\n"
	"typedef: .byte 5; .string \"endless\"; .long typedef - unit\n"
	"	.byte 0\n"
	"end:\n";

TEST(endless_reference)
{
	struct state *s = fixture_open(0);
	const char *path = fixture_object(s->arena, endless, ".s", "-g0"), *why = NULL;
	struct btf_db *db = NULL;
	struct btf_member_place m;

	assert_int_equal(dwarf_types_of_file(s, path, &db, &why), 0);
	assert_true(btf_types_member(db, btf_lookup_type(db, BTF_WORD_STRUCT, "s"), "m", &m));
	unlink(path);
	dwarf_close(s);
	fixture_close(s);
}

TEST(no_debug_information)
{
	struct state *s = fixture_open(0);
	struct btf_db *db;
	const char *why = NULL;
	const char *path = fixture_object(s->arena, source, ".c", "-g0");

	assert_int_equal(dwarf_types_of_file(s, path, &db, &why), -ENODATA);
	assert_string_equal(why, "it has no debug information");
	unlink(path);
	assert_int_equal(dwarf_types_of_file(s, "/nonexistent", &db, &why), -ENODATA);
	assert_string_equal(why, "it is not an object file");
	dwarf_close(s);
	fixture_close(s);
}

/* Three units of an object without BTF. */
static const char *const units[] = {
	"struct same { int a; long b; };\n"
	"struct apart { int a; };\n"
	"typedef unsigned int number; typedef int length;\n"
	"enum { ONE = 1, TWO = 2 };\n"
	"struct hidden; struct twice;\n"
	"struct user { struct hidden *hidden; struct twice *twice; struct same *same; };\n"
	"struct user u; struct apart x; number n; length l; int v = TWO;\n",
	"struct same { int a; long b; };\n"
	"struct apart { long a; };\n"
	"typedef unsigned int word; typedef word number; typedef long length;\n"
	"enum { ONE = 1, TWO = 3 };\n"
	"struct hidden { char text[3]; int end; };\n"
	"struct twice { int a; };\n"
	"struct same s; struct apart y; struct hidden h; number m; struct twice t; length k;\n"
	"int w = TWO;\n",
	"struct twice { int b; };\n"
	"struct twice t2;\n",
};

static struct dwarf_db *open_units(struct state *s, const char *const text[3])
{
	const char *objects[3], *all = fixture_write(s->arena, "", ".o"), *why = NULL;

	for (size_t i = 0; i < 3; i++)
		objects[i] = fixture_object(s->arena, text[i], ".c", "-gdwarf-5");

	const char *const argv[] = { "gcc", "-r", "-o", all, objects[0], objects[1], objects[2],
				     NULL };

	fixture_run(argv);
	for (size_t i = 0; i < 3; i++)
		unlink(objects[i]);

	struct dwarf_db *db = dwarf_db_of_file(s, all, &why);

	unlink(all);
	if (!db)
		fail_msg("%s", why);
	return db;
}

static struct btf_db *named(struct state *s, struct dwarf_db *db, const char *text,
			    unsigned pointers)
{
	struct dwarf_types_differ differ;
	struct btf_db *ret = dwarf_types_named(s, db, &(struct dwarf_type_name){
		.text = text, .pointers = pointers }, &differ);

	assert_null(differ.where);
	return ret;
}

static void expect_several(struct state *s, struct dwarf_db *db, struct dwarf_type_name name)
{
	struct dwarf_types_differ differ;

	assert_null(dwarf_types_named(s, db, &name, &differ));
	assert_non_null(differ.where);
	assert_non_null(strstr(differ.where, " and "));
}

static struct btf_shape target_of(const struct btf_db *db, uint32_t type, const char *member)
{
	struct btf_member_place m;

	assert_true(btf_types_member(db, type, member, &m));
	return btf_types_shape(db, btf_types_shape(db, m.type).target);
}

/* Names of the kernel and of modules, where there is no BTF. */
TEST(named)
{
	struct state *s = fixture_open(0);
	struct dwarf_db *db = open_units(s, units);
	struct btf_db *user = named(s, db, "user", 0), *same = named(s, db, "same", 2);
	uint32_t id = btf_lookup_type(user, BTF_WORD_STRUCT, "user");
	struct btf_member_place m;
	struct dwarf_types_differ differ;
	int64_t value;

	/* A unit declares it and another one defines it, unless two others differ. */
	assert_true(btf_types_member(user, target_of(user, id, "hidden").id, "end", &m));
	assert_int_equal(m.bit_offset, 32);
	assert_int_equal(target_of(user, id, "twice").kind, BTF_INCOMPLETE);
	assert_int_equal(target_of(user, id, "same").size, 16);

	/* Later translations leave what earlier ones found as it was. */
	id = btf_lookup_type(same, BTF_WORD_STRUCT, "same");
	assert_true(btf_types_member(same, id, "b", &m));
	assert_int_equal(m.bit_offset, 64);
	id = btf_lookup_pointer(same, id);
	assert_int_not_equal(btf_lookup_pointer(same, id), 0);
	assert_ptr_equal(named(s, db, "user", 0), user);
	assert_int_equal(btf_types_shape(named(s, db, "number", 0), btf_lookup_type(
		named(s, db, "number", 0), BTF_ANY, "number")).size, 4);
	assert_non_null(named(s, db, "void", 1));
	assert_null(named(s, db, "nothing", 0));

	assert_true(btf_lookup_constant(dwarf_types_named(s, db, &(struct dwarf_type_name){
		.constant = "ONE" }, &differ), "ONE", &value));
	assert_true(value == 1);
	expect_several(s, db, (struct dwarf_type_name){ .constant = "TWO" });
	expect_several(s, db, (struct dwarf_type_name){ .text = "apart" });
	expect_several(s, db, (struct dwarf_type_name){ .text = "twice", .pointers = 1 });
	expect_several(s, db, (struct dwarf_type_name){ .text = "length" });

	struct btf_names types = { 0 }, constants = { 0 };

	dwarf_type_names(db, false, &types);
	dwarf_type_names(db, true, &constants);
	assert_int_equal(constants.v.n, 3); /* TWO twice */
	assert_string_equal(constants.v.v[0], "ONE");
	assert_true(types.v.n >= 9);
	dwarf_close(s);
	fixture_close(s);
}

/* Types that agree but for what their members are of; words; types within functions. */
static const char *const alike[] = {
	"struct hidden; typedef struct hidden *handle; typedef struct hidden hidden_t;\n"
	"struct sign { int v; }; typedef struct { int v; } sign_t;\n"
	"typedef struct sign *sign_ptr;\n"
	"struct anon { union { int a; int b; }; };\n"
	"struct both { int of_struct; }; enum mixed { MIXED };\n"
	"struct far { char pad[3 << 20]; int bits : 3; int end; };\n"
	"struct local { long of_unit; };\n"
	"handle h; hidden_t *h2; struct sign s; sign_t t; sign_ptr p; struct anon a;\n"
	"struct both b; enum mixed e; struct far apart; struct local l;\n",
	"struct hidden { int x; }; typedef struct hidden *handle; typedef struct hidden hidden_t;\n"
	"struct sign { unsigned v; }; typedef struct { unsigned v; } sign_t;\n"
	"struct anon { union { int c; int d; }; };\n"
	"typedef struct { int of_typedef; } both; struct mixed { int of_struct; };\n"
	"handle h3; hidden_t h4; struct sign s2; sign_t t2; struct anon a2;\n"
	"both b2; struct mixed m2;\n"
	"int f(void) { static struct local { int of_function; } *here; return (long)&here; }\n"
	"int g(void) { static struct sign *here; return (long)&here; }\n",
	"typedef int both; enum mixed { OTHER }; both b3; enum mixed e3;\n",
};

static uint32_t lookup(struct state *s, struct dwarf_db *db, enum btf_word word, const char *text,
		       struct btf_db **ret)
{
	struct dwarf_types_differ differ;

	*ret = dwarf_types_named(s, db, &(struct dwarf_type_name){
		.word = word, .text = text }, &differ);
	assert_null(differ.where);
	return *ret ? btf_lookup_type(*ret, word, text) : 0;
}

TEST(alike)
{
	struct state *s = fixture_open(0);
	struct dwarf_db *db = open_units(s, alike);
	struct btf_member_place m;
	struct btf_db *of;
	uint32_t id;

	expect_several(s, db, (struct dwarf_type_name){ .text = "sign" });
	expect_several(s, db, (struct dwarf_type_name){ .text = "sign_t" });
	expect_several(s, db, (struct dwarf_type_name){ .text = "sign_ptr" });
	expect_several(s, db, (struct dwarf_type_name){ .text = "anon" });
	/* Whether a unit knows the members makes no difference. */
	assert_non_null(named(s, db, "handle", 0));
	id = lookup(s, db, BTF_ANY, "hidden_t", &of);
	assert_true(btf_types_member(of, btf_types_shape(of, id).id, "x", &m));

	/* Only types of the kind that is meant can be ambiguous. */
	expect_several(s, db, (struct dwarf_type_name){ .text = "both" });
	id = lookup(s, db, BTF_WORD_STRUCT, "both", &of);
	assert_true(btf_types_member(of, id, "of_struct", &m));
	expect_several(s, db, (struct dwarf_type_name){ .word = BTF_WORD_ENUM, .text = "mixed" });
	id = lookup(s, db, BTF_WORD_STRUCT, "mixed", &of);
	assert_true(btf_types_member(of, id, "of_struct", &m));
	assert_int_equal(lookup(s, db, BTF_WORD_UNION, "mixed", &of), 0);

	/* BTF has no place for bit-fields so far from the beginning. */
	id = lookup(s, db, BTF_ANY, "far", &of);
	assert_true(btf_types_member(of, id, "end", &m));
	assert_int_equal(m.bit_offset, ((3 << 20) + 4) * 8);
	assert_false(btf_types_member(of, id, "bits", &m));
	dwarf_close(s);
	fixture_close(s);
}

/* Finds the type to which the variable `here` of a function points. */
static struct btf_shape here_in(struct state *s, struct dwarf_db *db, const char *function,
				struct btf_db **of)
{
	const struct dwarf_place *at = dwarf_place_of_symbol(db, function, 0, 0);
	struct location l = {0};
	const char *why = NULL;

	assert_non_null(at);
	if (dwarf_value(s, at, "here", &l, &why))
		fail_msg("%s", why);
	*of = l.type.db;
	return btf_types_shape(*of, btf_types_shape(*of, l.type.id).target);
}

/* A variable has the type of its own unit and function. */
TEST(of_variables)
{
	struct state *s = fixture_open(0);
	struct dwarf_db *db = open_units(s, alike);
	struct btf_db *of;
	struct btf_member_place m;
	struct btf_shape shape = here_in(s, db, "g", &of);

	assert_true(btf_types_member(of, shape.id, "v", &m));
	assert_false(btf_types_shape(of, m.type).is_signed);
	shape = here_in(s, db, "f", &of);
	assert_true(btf_types_member(of, shape.id, "of_function", &m));
	dwarf_close(s);
	fixture_close(s);
}

/* struct s, and a second unit without a valid head. */
static const char damaged[] =
	"	.section .debug_abbrev,\"\",@progbits\n"
	"	.byte 1, 0x11, 1, 0, 0\n"
	"	.byte 2, 0x13, 0, 3, 8, 0x0b, 0x0b, 0, 0\n"
	"	.byte 0\n"
	"	.section .debug_info,\"\",@progbits\n"
	"	.long end - begin\n"
	"begin:	.value 4\n"
	"	.long 0\n"
	"	.byte 8\n"
	"	.byte 1\n"
	"	.byte 2; .string \"s\"; .byte 8\n"
	"	.byte 0\n"
	"end:	.long 0xfffffff1\n"
	"	.fill 16\n";

/* Half an index does not tell whether a name has one meaning. */
TEST(damaged)
{
	struct state *s = fixture_open(0);
	const char *path = fixture_object(s->arena, damaged, ".s", "-g0"), *why = NULL;
	struct dwarf_db *db = dwarf_db_of_file(s, path, &why);

	unlink(path);
	assert_non_null(db);
	assert_false(dwarf_types_indexed(db, &why));
	assert_non_null(strstr(why, "is damaged"));
	assert_null(named(s, db, "s", 0));
	dwarf_close(s);

	db = open_units(s, alike);
	assert_true(dwarf_types_indexed(db, &why));
	dwarf_close(s);
	fixture_close(s);
}
