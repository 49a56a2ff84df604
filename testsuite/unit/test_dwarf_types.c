/* SPDX-License-Identifier: GPL-2.0 */
/* Types of debug information as BTF: dwarf/values/types.c, btf/btf_write.c, btf_match.c. */
#include <errno.h>

#include "dwarf_fixture.h"

#include "btf/btf.h"
#include "dwarf/dwarf.h"
#include "kernel/private.h"

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

static void test_without_base(void **state)
{
	(void)state;

	struct state *s = fixture_open(0);
	struct btf_db *db = read_types(s, source, "-gdwarf-5");

	check_node(s, db);
	check_enums(s, db);
	dwarf_close(s);
	fixture_close(s);
}

static void test_dwarf_4(void **state)
{
	(void)state;

	struct state *s = fixture_open(0);

	check_node(s, read_types(s, source, "-gdwarf-4"));
	dwarf_close(s);
	fixture_close(s);
}

/* Bit-fields as they were written before DWARF 4. */
static void test_dwarf_2(void **state)
{
	(void)state;

	struct state *s = fixture_open(0);

	check_node(s, read_types(s, source, "-gdwarf-2"));
	dwarf_close(s);
	fixture_close(s);
}

static void test_on_kernel(void **state)
{
	(void)state;

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

static void test_endless_reference(void **state)
{
	(void)state;

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

static void test_no_debug_information(void **state)
{
	(void)state;

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_base),
		cmocka_unit_test(test_dwarf_4),
		cmocka_unit_test(test_dwarf_2),
		cmocka_unit_test(test_on_kernel),
		cmocka_unit_test(test_endless_reference),
		cmocka_unit_test(test_no_debug_information),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
