/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the table of scripts' functions with a list of functions, while all processors describe
 * them at once: functions with equal names and files have one number in whichever process they are
 * seen, others have different ones, and a number leads to the name. When the table is full, a
 * function has its earlier number or none. And random bytes are no table, or one whose program
 * ends.
 */
#include <stdlib.h>
#include <string.h>

#include "grow.h"
#include "machine.h"
#include "script_check.h"
#include "script_objects.h"
#include "script_read.h"
#include "twin.h"

enum { FUNCTIONS = 400, COPIES = 3, SCRIPT_TURNS = 3000, PROCESSES = 3 };

static struct copied {
	char name[40], file[40];
	u64 first;
} functions[FUNCTIONS][COPIES];      /* a copy is at another address */
static u32 numbers[TWIN_CPUS][FUNCTIONS]; /* as each processor has seen it; 0: not yet */

static struct {
	struct prt_script_table head;
	struct prt_script_range range;
	struct prt_script_op ops[7];
} table = {
	.head = { .magic = PRT_SCRIPT_MAGIC, .language = 5, .nops = 7, .describe = 2, .nranges = 1,
		  .size = sizeof(table) },
	.range = { 0x1000, 0x2000 },
	.ops = {
		{ PRT_SCRIPT_FRAME, 2, 1, 1, 2 },
		{ PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE },
		{ PRT_SCRIPT_STRING, 1, 0, PRT_SCRIPT_NAME, 0 },
		{ PRT_SCRIPT_ADD, 3, 1, 0, offsetof(struct copied, file) },
		{ PRT_SCRIPT_TEXT, 3, 4, PRT_SCRIPT_FILE, 1 },
		{ PRT_SCRIPT_NUMBER, 5, 0, PRT_SCRIPT_FIRST, 0 },
		{ PRT_SCRIPT_END, 0, 0, 0, PRT_SCRIPT_WHOLE },
	},
};

static void begin_at(struct prt_script_run *run, const struct copied *f)
{
	unsigned end;

	prt_script_begin(run, &table.head, 0, 0, 0);
	run->r[1] = (u64)f;
	run->r[4] = strlen(f->file);
	run->r[5] = f->first;
	CHECK(prt_script_event(run, &end) == PRT_SCRIPT_IS_FRAME, "no frame");
}

static void check_name(u32 number, const struct copied *f)
{
	char name[64];
	u32 len = prt_script_object_name(number, name, sizeof(name));

	CHECK(len == strlen(f->name) && memcmp(name, f->name, len) == 0, "%.*s, not %s", (int)len,
	      name, f->name);
}

static void find_functions(int nr)
{
	struct prt_script_run run;
	int i, which;
	unsigned end;
	u32 number;

	for (i = 0; i < SCRIPT_TURNS; i++) {
		const struct copied *f;

		which = twin_below(FUNCTIONS);
		f = &functions[which][twin_below(COPIES)];
		begin_at(&run, f);
		number = prt_script_object(&run, 1 + twin_below(PROCESSES), &end);
		if (!number) {
			CHECK(end == PRT_SCRIPT_NO_ROOM, "none, for reason %u", end);
			continue;
		}
		CHECK(!numbers[nr][which] || numbers[nr][which] == number, "two numbers");
		numbers[nr][which] = number;
		check_name(number, f);
	}
}

/* Functions have few different names, files and lines. */
static void make_functions(void)
{
	int i, copy;

	for (i = 0; i < FUNCTIONS; i++) {
		struct copied *f = &functions[i][0];

		memset(f, 0, sizeof(*f));
		sprintf(f->name, "handler_%llu", twin_below(30));
		sprintf(f->file, "/srv/%llu.py", twin_below(4));
		f->first = twin_below(3);
		for (copy = 1; copy < COPIES; copy++)
			functions[i][copy] = *f;
	}
}

static bool same_function(int a, int b)
{
	return memcmp(&functions[a][0], &functions[b][0], sizeof(functions[a][0])) == 0;
}

static void check_numbers(void)
{
	int a, b, cpu;

	for (a = 0; a < FUNCTIONS; a++) {
		for (cpu = 1; cpu < TWIN_CPUS; cpu++) {
			if (!numbers[0][a])
				numbers[0][a] = numbers[cpu][a];
			CHECK(!numbers[cpu][a] || numbers[cpu][a] == numbers[0][a],
			      "numbers of two processors");
		}
	}
	for (a = 0; a < FUNCTIONS; a++)
		for (b = 0; b < a; b++)
			CHECK(!numbers[0][a] || !numbers[0][b] ||
			      same_function(a, b) == (numbers[0][a] == numbers[0][b]),
			      "functions %d and %d", a, b);
}

TWIN_TEST(scripts)
{
	u64 round;

	CHECK(prt_script_ok(&table.head, sizeof(table)), "the table");
	table.ops[0].n = PRT_SCRIPT_REGISTERS + 1;
	CHECK(!prt_script_ok(&table.head, sizeof(table)), "a register that does not exist");
	table.ops[0].n = 0;
	CHECK(!prt_script_ok(&table.head, sizeof(table)), "a frame without a register");
	table.ops[0].n = 2;
	machine_readable((const char *)functions, sizeof(functions));
	for (round = 0; round < twin_rounds(4); round++) {
		memset(numbers, 0, sizeof(numbers));
		make_functions();
		CHECK(machine_open(0) == 0, "no session");
		prt_grow_limit(U64_MAX);
		CHECK(prt_script_objects_begin() == 0, "no memory");
		twin_threads(TWIN_CPUS, find_functions);
		check_numbers();
		prt_script_objects_end();
		machine_close();
	}
	prt_grow_limit(64 << 10);
	CHECK(prt_script_objects_begin() == -ENOSPC, "more memory than is allowed");
}

TWIN_TEST(scripts_damaged)
{
	static u64 block[64];
	struct prt_script_table *t = (struct prt_script_table *)block;
	struct prt_script_run run;
	u64 round, tables = 0;
	u32 i, events;
	unsigned end;

	for (round = 0; round < twin_rounds(200000); round++) {
		*t = (struct prt_script_table){ .magic = PRT_SCRIPT_MAGIC, .nranges = 1,
						.nops = 1 + twin_below(8), .naddresses = 1 };
		t->size = prt_script_size(t->naddresses, t->nranges, t->nops);
		for (i = sizeof(*t) / 8; i < t->size / 8; i++)
			block[i] = twin_value();
		/* Few random bytes are operations. */
		for (i = 0; i < t->nops; i++)
			((struct prt_script_op *)prt_script_ops(t))[i] = (struct prt_script_op){
				twin_below(PRT_SCRIPT_NOPS + 1), twin_below(17), twin_below(17),
				twin_below(17), (s32)twin_below(10) - 1,
			};
		if (!prt_script_ok(t, t->size))
			continue;
		tables++;
		prt_script_begin(&run, t, 0, 0, twin_below(2) ? PRT_KEYS_BLOCKS : 0);
		run.left = 100;
		for (events = 0; events < 200; events++) {
			enum prt_script_event event = prt_script_event(&run, &end);

			if (event == PRT_SCRIPT_IS_MEMO && twin_below(2))
				prt_script_recall(&run, 1);
			if (event == PRT_SCRIPT_IS_FRAME)
				CHECK(prt_script_frame(&run), "a frame without a number");
			if (event == PRT_SCRIPT_IS_END)
				break;
		}
		CHECK(events < 200 && end < PRT_SCRIPT_ENDS, "it does not end");
	}
	CHECK(tables, "no table");
}
