/* SPDX-License-Identifier: GPL-2.0 */
/* The signs of enums and of their constants, of debug information and of BTF. */
#include "dwarf_fixture.h"
#include "unit.h"

#include "target/btf/btf.h"
#include "target/dwarf/private.h"

struct want { const char *type; unsigned size; bool is_signed; const char *constant; int64_t v; };

static void check(struct btf_db *db, const struct want *want, const char *flags)
{
	uint32_t type = btf_lookup_type(db, BTF_ANY, want->type);
	struct btf_member_place m;
	int64_t v;

	if (btf_types_member(db, type, "m", &m))
		type = m.type;

	struct btf_shape shape = btf_types_shape(db, type);

	if (shape.size != want->size || shape.is_signed != want->is_signed)
		fail_msg("%s: %s has %u bytes, signed %d", flags, want->type, (unsigned)shape.size,
			 shape.is_signed);
	if (!want->constant)
		return;
	assert_true(btf_lookup_constant(db, want->constant, &v));
	if (v != want->v)
		fail_msg("%s: %s is %lld", flags, want->constant, (long long)v);
}

static void check_file(const char *text, const char *suffix, const char *flags,
		       const struct want *want, size_t n)
{
	struct state *s = fixture_open(0);
	const char *options = fixture_write(s->arena, flags, ".options"), *why = NULL;
	const char *path = fixture_object(s->arena, text, suffix,
					  arena_printf(s->arena, "@%s", options));
	struct btf_db *db = NULL;

	if (dwarf_types_of_file(s, path, &db, &why))
		fail_msg("%s", why);
	for (size_t i = 0; i < n; i++)
		check(db, &want[i], flags);
	unlink(path);
	unlink(options);
	dwarf_close(s);
	fixture_close(s);
}

TEST(c)
{
	static const char text[] =
		"#define PACKED __attribute__((packed))\n"
		"enum bits { BIT = 0x80000000u, ALL = 0xffffffffu } a;\n"
		"enum errors { BAD = -1, GOOD } b;\n"
		"enum wide { TOP = 0x8000000000000000ull } c;\n"
		"enum deep { LOW = -5, HIGH = 0x7fffffffffffffffll } d;\n"
		"enum PACKED byte { B0, B200 = 200 } e;\n"
		"enum PACKED signed_byte { S100 = -100, S1 = 1 } f;\n"
		"enum PACKED half { H0, H40000 = 40000 } g;\n"
		"enum small { ONE = 1, TWO } h;\n";
	static const struct want want[] = {
		{ "bits", 4, false, "BIT", 0x80000000 }, { "bits", 4, false, "ALL", 0xffffffff },
		{ "errors", 4, true, "BAD", -1 }, { "wide", 8, false, "TOP", INT64_MIN },
		{ "deep", 8, true, "LOW", -5 }, { "deep", 8, true, "HIGH", INT64_MAX },
		{ "byte", 1, false, "B200", 200 }, { "signed_byte", 1, true, "S100", -100 },
		{ "half", 2, false, "H40000", 40000 }, { "small", 4, false, "TWO", 2 },
	};
	/* With an underlying type; with neither it nor an encoding. */
	static const char *const flags[] = { "-gdwarf-5", "-gdwarf-4", "-gdwarf-2",
					     "-gdwarf-2 -gstrict-dwarf" };

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		check_file(text, ".c", flags[i], want, sizeof(want) / sizeof(*want));
}

/* Values need not be those of constants, so only the underlying type tells. */
TEST(cxx)
{
	static const char text[] =
		"typedef unsigned long word; typedef const word number;\n"
		"enum class plain : int { x = 1 }; plain a;\n"
		"enum class flags : unsigned { x = 1 }; flags b;\n"
		"enum class high : unsigned { top = 0x80000000u }; high c;\n"
		"enum class tiny : signed char { low = -128, up = 127 }; tiny d;\n"
		"enum class mark : unsigned char { last = 255 }; mark e;\n"
		"enum class same : number { one = 1 }; same f;\n"
		"enum class yes : bool { no, sure }; yes g;\n"
		"enum class ahead : short; struct user { ahead m; } h;\n";
	static const struct want want[] = {
		{ "plain", 4, true, NULL, 0 }, { "flags", 4, false, NULL, 0 },
		{ "high", 4, false, "top", 0x80000000 }, { "tiny", 1, true, "low", -128 },
		{ "mark", 1, false, "last", 255 }, { "same", 8, false, "one", 1 },
		{ "yes", 1, false, "sure", 1 }, { "user", 2, true, NULL, 0 },
	};

	check_file(text, ".cc", "-gdwarf-5", want, sizeof(want) / sizeof(*want));
	check_file(text, ".cc", "-gdwarf-4", want, sizeof(want) / sizeof(*want));
}

/* BTF of enum "a" { "b" = 0x80000000 } and enum "c" { "d" = -1 }, which has the flag if @flag. */
static struct btf_db *hand_made(struct state *s, bool flag)
{
	static const char names[] = "\0a\0b\0c\0d";
	const uint32_t words[] = {
		/* magic and version; the length of the header; where the types and the names are */
		0xeb9f | 1 << 16, 24, 0, 40, 40, sizeof(names),
		/* the name, kind 6 with one constant, 4 bytes; its name and value */
		1, 6u << 24 | 1, 4, 3, 0x80000000,
		5, (uint32_t)flag << 31 | 6u << 24 | 1, 4, 7, 0xffffffff,
	};
	char *data = arena_alloc(s->arena, sizeof(words) + sizeof(names));
	struct btf_db *db = NULL;

	memcpy(data, words, sizeof(words));
	memcpy(data + sizeof(words), names, sizeof(names));
	assert_int_equal(btf_db_open(s->arena, data, sizeof(words) + sizeof(names), &db), 0);
	return db;
}

TEST(btf)
{
	static const struct want old[] = {
		{ "a", 4, true, "b", INT32_MIN }, { "c", 4, true, "d", -1 },
	}, young[] = {
		{ "a", 4, false, "b", 0x80000000 }, { "c", 4, true, "d", -1 },
	};
	struct state *s = fixture_open(0);
	struct btf_db *without = hand_made(s, false), *with = hand_made(s, true);

	for (size_t i = 0; i < 2; i++) {
		check(without, &old[i], "without flags");
		check(with, &young[i], "with flags");
	}
	btf_db_close(without);
	btf_db_close(with);
	fixture_close(s);
}
