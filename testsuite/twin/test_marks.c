/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings with marks, whole and cut, compared with a loop over pieces, while the table of names is
 * replaced by others that have the same names and more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/uaccess.h>

#include "abi/mark_names.h"
#include "grow.h"
#include "hits.h"
#include "machine.h"
#include "marks.h"
#include "twin.h"

enum { IDS = 200, PIECES = 6, ROOM = 4096 };

static struct prt_mark_row rows[IDS];

static void set_rows(u32 n)
{
	struct prt_marks_set set = { .rows = (u64)rows, .n = n };

	CHECK(prt_marks_set(&set) == 0, "a table of %u rows", n);
}

/* The first half of the table is known from the beginning; nothing has a name of the second. */
static void make_rows(void)
{
	u32 i;

	for (i = 0; i < IDS; i++) {
		memset(&rows[i], 0, sizeof(rows[i]));
		sprintf(rows[i].id, "c%04u%.*s", i, (int)(i % 60), rows[IDS - 1 - i].name);
		memset(rows[i].name, 'a' + (int)(i % 26), 1 + i % 140);
	}
}

/* Adds a piece to the string and to what it stands for. */
static void add(char *s, char *want)
{
	u32 i = (u32)twin_below(IDS);

	switch (twin_below(4)) {
	case 0:
		strcat(s, "text");
		strcat(want, "text");
		break;
	case 1:
		strcat(s, "\x1d\x1d");
		break;
	case 2:
		sprintf(s + strlen(s), "\x1d""cunknown%u\x1d", i);
		sprintf(want + strlen(want), "unknown%u", i);
		break;
	default:
		sprintf(s + strlen(s), "\x1d%s\x1d", rows[i / 2].id);
		strcat(want, rows[i / 2].name);
	}
}

static void check_one(void)
{
	char s[ROOM] = "", want[ROOM] = "", *buf = malloc(twin_script.maxstringlen);
	u64 n = twin_below(PIECES), most = twin_script.maxstringlen - 1;
	struct prt_str got;

	while (n--)
		add(s, want);
	got = prt_named(buf, (struct prt_str){ s, (u32)strlen(s) });
	if (!memchr(s, PRT_MARK, strlen(s)))
		CHECK(got.s == s, "a copy of a string without marks");
	CHECK(got.len == (strlen(want) < most ? strlen(want) : most), "%u bytes of '%s'", got.len,
	      want);
	CHECK(memcmp(got.s, want, got.len) == 0, "not '%s'", want);
	free(buf);
}

static void check_some(void)
{
	u64 i;

	for (i = 0; i < twin_rounds(3000); i++)
		check_one();
}

static void check_beside(int nr)
{
	u64 i;

	if (nr < TWIN_CPUS)
		check_some();
	for (i = 0; nr == TWIN_CPUS && i < twin_rounds(100); i++)
		set_rows(IDS / 2 + (u32)twin_below(IDS / 2));
}

TWIN_TEST(marks)
{
	struct prt_marks_set set = { .rows = (u64)rows, .n = 2 };

	make_rows();
	CHECK(machine_open(0) == 0, "no session");
	CHECK(prt_marks_wanted() == 0, "a name is wanted before the first look");
	set_rows(IDS / 2);
	twin_threads(TWIN_CPUS + 1, check_beside);
	CHECK(prt_marks_wanted() == 1 && prt_marks_wanted() == 0, "unknown ids were not noted");
	memcpy(rows[1].id, rows[0].id, sizeof(rows[0].id));
	CHECK(prt_marks_set(&set) == -EINVAL, "an id that stands there twice");
	memset(rows[1].id, 'd', sizeof(rows[1].id));
	CHECK(prt_marks_set(&set) == -EINVAL, "an id without an end");
	set.n = PRT_MARK_ROWS_MAX + 1;
	CHECK(prt_marks_set(&set) == -E2BIG, "too many rows");
	prt_marks_free();
	machine_close();
}
