/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the table of stacks with a list of stacks, while all processors fill it at once: equal
 * stacks have one handle wherever they were entered, different ones have different handles, and a
 * handle leads to the stack that was entered. When the table is full, a stack has its earlier
 * handle or none. Stacks are ordered by their texts.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "grow.h"
#include "machine.h"
#include "stacks.h"
#include "twin.h"

enum { KNOWN = 300, TURNS = 4000, FEW_FRAMES = 3, RECORD = sizeof(struct prt_stack_data) };

static struct known {
	u64 words[PRT_STACK_WORDS];
	u32 n;
} known[KNOWN];
static s64 handle[TWIN_CPUS][KNOWN]; /* as each processor has seen it; 0: not yet */

/* Stacks often share their beginning with others, so that all frames have to be compared. */
static void make_stack(struct known *k)
{
	struct prt_stack_part part = { .kind = PRT_STACK_KERNEL };
	u32 i;

	part.n = 1 + (twin_below(8) ? twin_below(12) : twin_below(PRT_STACK_FRAMES));
	part.flags = twin_below(8) ? 0 : PRT_STACK_DEEPER;
	memcpy(k->words, &part, sizeof(part));
	for (i = 0; i < part.n; i++)
		k->words[PRT_PART_WORDS + i] = 0xffffffff81000000 + twin_below(FEW_FRAMES);
	k->n = PRT_PART_WORDS + part.n;
}

static bool same_stack(const struct known *a, const struct known *b)
{
	return a->n == b->n && memcmp(a->words, b->words, a->n * sizeof(u64)) == 0;
}

static s64 enter(struct prt_ctx *c, const struct known *k)
{
	struct prt_stack_room *room = prt_cpu_of(c)->stack;

	memcpy(room->words, k->words, k->n * sizeof(u64));
	room->n = k->n;
	return prt_stacks_enter(c);
}

static void check_record(struct prt_ctx *c, s64 stack, const struct known *k)
{
	static __thread char record[RECORD + PRT_STACK_WORDS * sizeof(u64)];
	u32 size = k->n * sizeof(u64);

	CHECK(prt_stacks_room(c, stack) == RECORD + size, "room");
	CHECK(prt_put_stack(c, record, stack) == record + RECORD + size, "the end of a record");
	CHECK(memcmp(record + RECORD, k->words, size) == 0, "a handle stands for another stack");
}

static void check_frames(struct prt_ctx *c, s64 stack, const struct known *k)
{
	u32 n = k->n - PRT_PART_WORDS, i = twin_below(n);

	CHECK(prt_stacks_frame(c, stack, i) == (s64)k->words[PRT_PART_WORDS + i], "frame %u", i);
	CHECK(!prt_stacks_frame(c, stack, n), "a frame after the last");
	CHECK(!prt_stacks_frame(c, stack, -1) && !prt_stacks_frame(c, 0, 0), "no frame");
}

static void fill(int nr)
{
	struct prt_ctx *c = machine_context(nr, 1000);
	int i, which;
	s64 stack;

	for (i = 0; i < TURNS; i++) {
		which = twin_below(KNOWN);
		stack = enter(c, &known[which]);
		check_record(c, stack, &known[which]);
		check_frames(c, stack, &known[which]);
		if (stack & PRT_STACK_HERE) {
			CHECK(!handle[nr][which], "a stack is gone from the table");
			CHECK((prt_stacks_kept(stack) & PRT_STACK_HERE) == 0, "kept");
			continue;
		}
		CHECK(!handle[nr][which] || handle[nr][which] == stack, "two handles of a stack");
		handle[nr][which] = stack;
	}
}

static void check_handles(void)
{
	int a, b, cpu;

	for (a = 0; a < KNOWN; a++) {
		for (cpu = 1; cpu < TWIN_CPUS; cpu++) {
			if (!handle[0][a])
				handle[0][a] = handle[cpu][a];
			CHECK(!handle[cpu][a] || handle[cpu][a] == handle[0][a],
			      "handles of two processors");
		}
	}
	for (a = 0; a < KNOWN; a++)
		for (b = 0; b < a; b++)
			CHECK(!handle[0][a] || !handle[0][b] ||
			      same_stack(&known[a], &known[b]) == (handle[0][a] == handle[0][b]),
			      "stacks %d and %d", a, b);
}

TWIN_TEST(stacks)
{
	struct prt_stack_counts counts;
	u64 round;
	int i;

	for (round = 0; round < twin_rounds(4); round++) {
		twin_script.stacks = twin_below(2) ? KNOWN : 1 + twin_below(KNOWN);
		memset(handle, 0, sizeof(handle));
		for (i = 0; i < KNOWN; i++)
			make_stack(&known[i]);
		CHECK(machine_open(0) == 0, "no session");
		twin_threads(TWIN_CPUS, fill);
		check_handles();
		prt_stacks_counts(&counts);
		CHECK(counts.entries <= twin_script.stacks + TWIN_CPUS, "%llu entries of %u",
		      counts.entries, twin_script.stacks);
		machine_close();
	}
	twin_script.stacks = 0;
}

/* ---- a table that grows: different stacks, one after the other ---- */

enum { MANY = 12000 };

static int entering;
static bool all_fit;

static void make_numbered(struct known *k, u64 nr)
{
	struct prt_stack_part part = { .kind = PRT_STACK_KERNEL, .n = 1 + nr % 90 };
	u32 i;

	memcpy(k->words, &part, sizeof(part));
	for (i = 0; i < part.n; i++)
		k->words[PRT_PART_WORDS + i] = nr;
	k->n = PRT_PART_WORDS + part.n;
}

/* Each processor enters as many as it can, and sees them all again. */
static void enter_many(int nr)
{
	struct prt_ctx *c;
	struct known k;
	u64 i;

	if (nr == TWIN_CPUS) {
		while (__atomic_load_n(&entering, __ATOMIC_ACQUIRE))
			machine_work();
		return;
	}
	c = machine_context(nr, 1000);
	for (i = 0; i < MANY / TWIN_CPUS; i++) {
		make_numbered(&k, i * TWIN_CPUS + (u64)nr);
		check_record(c, enter(c, &k), &k);
	}
	for (i = 0; i < MANY / TWIN_CPUS; i++) {
		s64 stack;

		make_numbered(&k, i * TWIN_CPUS + (u64)nr);
		/* How fast the work item is must not decide. */
		while ((stack = enter(c, &k)) & PRT_STACK_HERE && all_fit)
			sched_yield();
		check_record(c, stack, &k);
	}
	__atomic_sub_fetch(&entering, 1, __ATOMIC_RELEASE);
}

static void enter_all(bool grows, u64 limit, struct prt_stack_counts *ret)
{
	twin_script.stacks = 2 * MANY;
	CHECK(machine_open(0) == 0, "no session");
	prt_grow_limit(limit);
	entering = TWIN_CPUS;
	all_fit = grows && limit == U64_MAX;
	twin_threads(TWIN_CPUS + grows, enter_many);
	/* The last request, on a busy machine. */
	if (grows)
		machine_work();
	prt_stacks_counts(ret);
	machine_close();
	twin_script.stacks = 0;
}

TWIN_TEST(stacks_grow)
{
	struct prt_stack_counts counts;

	enter_all(true, U64_MAX, &counts);
	CHECK(counts.entries == MANY, "%llu of %d, for reason %llu", counts.entries, MANY,
	      counts.why);
	enter_all(false, U64_MAX, &counts);
	CHECK(counts.entries < MANY / 2 && counts.why == PRT_SHORT_TIME,
	      "%llu stacks without growth, for reason %llu", counts.entries, counts.why);
	enter_all(true, PRT_WORDS_CHUNK * 8 * 2, &counts);
	CHECK(counts.entries < MANY && counts.why == PRT_SHORT_LIMIT,
	      "%llu stacks in too little memory, for reason %llu", counts.entries, counts.why);
}

/* The expected text of a stack. */
static u32 text_of(const struct known *k, char *to)
{
	struct prt_stack_part part;
	u32 i, len = 0;

	memcpy(&part, k->words, sizeof(part));
	for (i = 0; i < part.n; i++)
		len += sprintf(to + len, "%s0x%016llx", i ? " " : "",
			       k->words[PRT_PART_WORDS + i]);
	return len + sprintf(to + len, "%s", part.flags ? " ..." : "");
}

TWIN_TEST(stacks_text)
{
	static char expected[2][PRT_STACK_FRAMES * 20 + 8], buf[8192];
	struct known *a = &known[0], *b = &known[1];
	struct prt_str text;
	struct prt_ctx *c;
	s64 stack[2], order;
	u64 round;
	u32 len;

	twin_script.stacks = 1000;
	for (round = 0; round < twin_rounds(300); round++) {
		twin_script.maxstringlen = twin_below(2) ? 512 : 7168;
		CHECK(machine_open(0) == 0, "no session");
		machine_be_cpu(0);
		c = machine_context(0, 1000);
		make_stack(a);
		make_stack(b);
		stack[0] = enter(c, a);
		stack[1] = enter(c, b);
		len = text_of(a, expected[0]);
		text_of(b, expected[1]);
		text = prt_stacks_text(c, buf, stack[0], 0);
		CHECK(text.len < twin_script.maxstringlen, "a string that is too long");
		if (len <= twin_script.maxstringlen - 11) {
			CHECK(text.len == len && memcmp(text.s, expected[0], len) == 0, "text");
			CHECK(prt_stacks_parse(c, text) == stack[0], "what it is parsed to");
		} else {
			CHECK(text.len > twin_script.maxstringlen - 35 &&
			      memcmp(text.s, expected[0], text.len - 4) == 0 &&
			      memcmp(text.s + text.len - 4, " ...", 4) == 0, "a cut text");
		}
		order = prt_stacks_cmp(c, stack[0], stack[1]);
		len = strcmp(expected[0], expected[1]);
		if (!strstr(expected[0], " ...") && !strstr(expected[1], " ..."))
			CHECK((order < 0) == ((int)len < 0) && (order > 0) == ((int)len > 0),
			      "order");
		CHECK(!order == (stack[0] == stack[1]), "equal stacks");
		machine_be_cpu(TWIN_CPUS);
		machine_close();
	}
	machine_script();
}
