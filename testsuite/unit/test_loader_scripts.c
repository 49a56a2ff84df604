/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptions of functions of scripts, and programs for the kernel half. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/script_check.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"
#include "show/script_frame.h"
#include "unit.h"

/* ---- descriptions ---- */

struct description {
	unsigned char bytes[1024];
	size_t n;
};

static void put(struct description *d, unsigned kind, unsigned width, unsigned cut,
		const void *text, size_t len)
{
	struct prt_script_piece piece = { .kind = (prt_u16)kind, .width = (prt_u8)width,
					  .cut = (prt_u8)cut, .len = (prt_u32)len };

	memcpy(d->bytes + d->n, &piece, sizeof(piece));
	memcpy(d->bytes + d->n + sizeof(piece), text, len);
	d->n += (sizeof(piece) + len + 7) & ~7ul;
}

static void put_number(struct description *d, unsigned kind, uint64_t number)
{
	put(d, kind, 0, 0, &number, sizeof(number));
}

static struct script_object read_all(const struct description *d)
{
	struct script_object o;

	script_object_read(d->bytes, d->n, &script_python, &o);
	return o;
}

TEST(texts_of_each_width)
{
	static const uint16_t two[] = { 'n', 0x540d, 0xd800, 0x2028, 0x85 };
	static const uint32_t four[] = { 0x1d523, 'x', 0x110000, 27 };
	struct description d = { 0 };
	struct script_object o;

	put(&d, PRT_SCRIPT_NAME, 1, 0, "caf\xe9\x1b\x9b", 6);
	put(&d, PRT_SCRIPT_FILE, 2, 0, two, sizeof(two));
	o = read_all(&d);
	assert_string_equal(o.function, "caf\xc3\xa9??");
	assert_string_equal(o.file, "n\xe5\x90\x8d???");
	script_object_free(&o);

	d.n = 0;
	put(&d, PRT_SCRIPT_NAME, 4, 1, four, sizeof(four));
	put(&d, PRT_SCRIPT_FILE, PRT_SCRIPT_UTF8, 0, "\xe5\x90\x8d\xff\xed\xa0\x80.py\n", 11);
	o = read_all(&d);
	assert_string_equal(o.function, "\xf0\x9d\x94\xa3x??...");
	assert_string_equal(o.file, "\xe5\x90\x8d????.py?");
	script_object_free(&o);
}

TEST(class_and_numbers)
{
	struct description d = { 0 };
	struct script_object o;

	put(&d, PRT_SCRIPT_CLASS, 1, 0, "Shape", 5);
	put(&d, PRT_SCRIPT_NAME, 1, 0, "area", 4);
	put(&d, PRT_SCRIPT_LINES, 1, 0, "\1\2\3", 3);
	put_number(&d, PRT_SCRIPT_FIRST, 12);
	put_number(&d, PRT_SCRIPT_FLAGS, 311);
	put_number(&d, 99, 1);
	o = read_all(&d);
	assert_string_equal(o.function, "Shape.area");
	assert_string_equal(o.file, "");
	assert_int_equal(o.lines_len, 3);
	assert_int_equal(o.first, 12);
	assert_int_equal(o.flags, 311);
	script_object_free(&o);
}

/* Cut after each byte, it is read as far as it goes. */
TEST(cut_descriptions)
{
	struct description d = { 0 };

	put(&d, PRT_SCRIPT_NAME, 1, 0, "name", 4);
	put(&d, PRT_SCRIPT_FILE, 1, 0, "file", 4);
	for (size_t n = 0; n <= d.n; n++) {
		unsigned char *bytes = malloc(n + 1);
		struct script_object o;

		memcpy(bytes, d.bytes, n);
		script_object_read(bytes, n, &script_python, &o);
		assert_string_equal(o.function, n < 12 ? "[unknown]" : "name");
		assert_string_equal(o.file, n < 28 ? "" : "file");
		script_object_free(&o);
		free(bytes);
	}
}

TEST(frames_without_names)
{
	struct script_frame f = script_names_frame(NULL, PRT_FRAME_SCRIPT | 1ull << 32 | 5);

	assert_string_equal(f.function, "[unknown]");
	assert_string_equal(f.language, "script");
	assert_string_equal(f.file, "");
	assert_int_equal(f.line, 0);
}

/* ---- frames as users see them ---- */

static const struct script_frame shown = { "python", "View.answer", "/srv/app/views.py", 12 };
static const struct script_frame nameless = { "perl", "main", "", 0 };

static void expect(struct buf *b, const char *text)
{
	assert_string_equal(b->s, text);
	b->len = 0;
}

TEST(frames_as_text)
{
	struct buf b = { 0 };

	script_frame_text(&b, &shown, STACK_NAMED);
	expect(&b, " [python]           : View.answer at /srv/app/views.py:12\n");
	script_frame_text(&b, &nameless, STACK_LINES);
	expect(&b, " [perl]             : main\n");
	script_frame_text(&b, &shown, STACK_BRIEF);
	expect(&b, " View.answer\n");
	script_frame_text(&b, &shown, STACK_PLAIN);
	expect(&b, "[python]View.answer:12");
	script_frame_text(&b, &nameless, STACK_PLAIN);
	expect(&b, "[perl]main");
	buf_deinit(&b);
}

TEST(frames_as_places)
{
	struct buf b = { 0 };

	script_frame_place(&b, &shown, PRT_STACK_FILE_LINE);
	expect(&b, "/srv/app/views.py:12");
	script_frame_place(&b, &shown, PRT_STACK_FILE);
	expect(&b, "/srv/app/views.py");
	script_frame_place(&b, &shown, PRT_STACK_LINE);
	expect(&b, "12");
	script_frame_place(&b, &shown, PRT_STACK_FUNCTION);
	expect(&b, "View.answer");
	script_frame_place(&b, &nameless, PRT_STACK_FILE_LINE);
	expect(&b, "[unknown]");
	buf_deinit(&b);
}

TEST(frames_in_other_formats)
{
	struct buf b = { 0 };

	script_frame_folded(&b, 0, &shown, false);
	expect(&b, "View.answer (views.py)");
	script_frame_folded(&b, 0, &shown, true);
	expect(&b, "View.answer (views.py:12)");
	script_frame_folded(&b, 0, &nameless, true);
	expect(&b, "main");
	script_frame_json(&b, &shown);
	expect(&b, "{\"symbol\":\"View.answer\",\"file\":\"/srv/app/views.py\",\"line\":12,"
		   "\"language\":\"python\",\"kind\":\"script\"}");
	buf_deinit(&b);
}

/* ---- lines ---- */

static uint32_t line(unsigned version, const char *table, size_t len, uint32_t position)
{
	struct script_object o = { .lines = (const unsigned char *)table, .lines_len = len,
				   .first = 10, .flags = version };

	return script_python.line(&o, position);
}

/* By hand, from the descriptions of the formats; host/script-lines asks the interpreters. */
TEST(tables_of_lines)
{
	static const char lnotab[] = "\0\1\4\2\4\xff", table[] = "\4\1\4\x80\4\2";
	/* short form; no columns, +2; none; two lines more in one; long, -1 */
	static const char locations[] = "\x81\x11\xe8\4\xf8\xe0\0\0\xf0\3\0\0\0";

	assert_int_equal(line(309, lnotab, 6, 0), 11);
	assert_int_equal(line(309, lnotab, 6, 3), 11);
	assert_int_equal(line(309, lnotab, 6, 4), 13);
	assert_int_equal(line(309, lnotab, 6, 8), 12);
	assert_int_equal(line(309, lnotab, 6, UINT32_MAX), 10);
	assert_int_equal(line(310, table, 6, 0), 11);
	assert_int_equal(line(310, table, 6, 2), 0);
	assert_int_equal(line(310, table, 6, 4), 13);
	assert_int_equal(line(310, table, 6, 6), 0);
	assert_int_equal(line(310, table, 6, UINT32_MAX), 10);
	assert_int_equal(line(311, locations, 13, 0), 10);
	assert_int_equal(line(311, locations, 13, 2), 10);
	assert_int_equal(line(311, locations, 13, 4), 12);
	assert_int_equal(line(311, locations, 13, 6), 0);
	assert_int_equal(line(311, locations, 13, 8), 14);
	assert_int_equal(line(311, locations, 13, 10), 13);
	assert_int_equal(line(311, locations, 13, 12), 0);
	assert_int_equal(line(311, locations, 13, UINT32_MAX), 10);
}

/* ---- programs ---- */

static struct prt_script_table *finish(struct script_program *p)
{
	struct prt_script_table *t = script_program_table(p, 1);

	script_program_free(p);
	return t;
}

static void describe(struct script_program *p)
{
	script_describe(p);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
}

TEST(program)
{
	struct script_program *p = script_program_start();
	const struct prt_script_op *ops;
	struct prt_script_table *t;

	script_loop(p, 0x1000, 0x2000);
	script_address(p, 1, 0x5000);
	script_address(p, 2, 0x6000);
	script_address(p, 3, 0x5000);
	script_load(p, 4, 1, 8, 8);
	script_load(p, 5, 4, -8, -4);
	script_label(p, 7);
	script_load(p, 6, 4, 0, 1);
	script_op(p, PRT_SCRIPT_IF_ZERO, 6, 0, 0, 3);
	script_op(p, PRT_SCRIPT_JUMP, 0, 0, 0, 7);
	script_label(p, 3);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
	describe(p);
	t = finish(p);
	assert_non_null(t);
	assert_true(prt_script_ok(t, t->size));
	assert_int_equal(t->naddresses, 2);
	assert_int_equal(t->describe, 9);
	ops = prt_script_ops(t);
	assert_int_equal(ops[2].n, 0);
	assert_int_equal(ops[3].c, 3 | PRT_SCRIPT_MORE);
	assert_int_equal(ops[4].c, 2 | PRT_SCRIPT_SIGNED); /* a label is behind it */
	assert_int_equal(ops[6].n, 8);
	assert_int_equal(ops[7].n, 5);
	free(t);
}

enum { NO_LABEL, FAR_JUMP, LARGE_NUMBER, MANY_OPS, BAD_REGISTER, NO_LOOP, BAD_SIZE, WRONG };

static struct prt_script_table *wrong_program(unsigned how)
{
	struct script_program *p = script_program_start();

	if (how != NO_LOOP)
		script_loop(p, 0x1000, 0x2000);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
	if (how == NO_LABEL || how == FAR_JUMP)
		script_op(p, PRT_SCRIPT_JUMP, 0, 0, 0, 1);
	else if (how == LARGE_NUMBER)
		script_op(p, PRT_SCRIPT_ADD, 0, 0, 0, 1ll << 31);
	else if (how == MANY_OPS)
		for (unsigned i = 0; i < PRT_SCRIPT_OPS; i++)
			script_op(p, PRT_SCRIPT_YIELD, 0, 0, 0, 0);
	else if (how == BAD_REGISTER)
		script_op(p, PRT_SCRIPT_SUM, 0, 0, PRT_SCRIPT_REGISTERS, 0);
	else if (how == BAD_SIZE)
		script_load(p, 0, 0, 0, 3);
	script_describe(p);
	if (how == FAR_JUMP)
		script_label(p, 1);
	script_op(p, PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE);
	return finish(p);
}

TEST(wrong_programs)
{
	struct prt_script_table *t = wrong_program(WRONG);

	assert_non_null(t);
	free(t);
	for (unsigned how = 0; how < WRONG; how++)
		assert_null(wrong_program(how));
}
