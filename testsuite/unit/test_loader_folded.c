/* SPDX-License-Identifier: GPL-2.0 */
/* Prints with stacks as folded lines, from records made by hand. */
#include "module/meta.h"
#include "record_writer.h"
#include "show/folded.h"
#include "unit.h"

static const struct prt_stack_part whole = { .kind = PRT_STACK_KERNEL, .n = 2 };
static const struct prt_stack_part cut = { .kind = PRT_STACK_KERNEL, .n = 3,
					   .flags = PRT_STACK_DEEPER };
static const struct prt_stack_part lost = { .kind = PRT_STACK_LOST };
static const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000020, 0x123 };

static struct record r;

static void add_stack(const struct prt_stack_part *part)
{
	put_stack(&r, PRT_STACK_PLAIN, part, frames);
}

/* Names the first two of the frames; other addresses have no name. */
static int name_frame(void *arg, struct prt_symbol_get *get)
{
	(void)arg;
	if (get->address == frames[0])
		strcpy(get->text, "leaf+0x10/0x20");
	else if (get->address == frames[1])
		strcpy(get->text, "root+0x20/0x40 [mod]");
	else
		return -1;
	return 0;
}

/* The record that was added last must give the line @want. */
static void check(const struct meta_print *p, const char *want)
{
	struct stack_names names = { .ask = name_frame };
	struct buf line = { 0 };

	assert_int_equal(folded_line(&names, &line, p,
				     (struct args){ p->types, r.bytes, r.bytes + r.len }), 0);
	assert_string_equal(line.s, want);
	for (size_t n = 0; n < r.len; n++)
		assert_int_equal(folded_line(&names, &line, p,
					     (struct args){ p->types, r.bytes, r.bytes + n }), -1);
	buf_deinit(&line);
	stack_names_deinit(&names);
	r.len = 0;
}

TEST(globals)
{
	static const struct meta_print counted = { .types = "skl", .names = "key1\nkey2\nvalue",
						   .global = "n" };
	static const struct meta_print summed = { .types = "klllll", .global = "n",
						  .names = "key1\ncount\nmin\navg\nmax\nsum" };
	static const struct meta_print kept = { .types = "lk", .names = "key1\nvalue",
						.global = "last" };

	put_text(&r, "a;b\nc");
	add_stack(&whole);
	put_long(&r, 7);
	check(&counted, "a:b c;root_[k];leaf_[k] 7\n");
	put_text(&r, "");
	add_stack(&cut);
	put_long(&r, INT64_MIN);
	check(&counted, "(empty);[missing frames];0x123_[k];root_[k];leaf_[k] "
			"-9223372036854775808\n");
	add_stack(&whole);
	for (int i = 1; i <= 5; i++)
		put_long(&r, i * 10);
	check(&summed, "root_[k];leaf_[k] 50\n");
	put_long(&r, 3);
	add_stack(&lost);
	check(&kept, "3;[lost stack] 1\n");
}

TEST(prints)
{
	static const struct meta_print two = { .types = "skkl", .names = "\"l\"\na\nb\nn" };
	static const struct meta_print one = { .types = "k", .names = "backtrace()" };
	static const struct meta_print behind = { .types = "lk", .names = "pid()\nbacktrace()" };

	put_text(&r, "l");
	add_stack(&whole);
	add_stack(&whole);
	put_long(&r, -1);
	check(&two, "root_[k];leaf_[k];--;root_[k];leaf_[k] -1\n");
	put_long(&r, 0);
	check(&one, "[no stack] 1\n");
	put_text(&r, "s");
	add_stack(&whole);
	put_long(&r, 0);
	put_long(&r, 2);
	check(&two, "root_[k];leaf_[k];--;[no stack] 2\n");
	put_long(&r, 42);
	add_stack(&whole);
	check(&behind, "42;root_[k];leaf_[k] 1\n");
}
