/* SPDX-License-Identifier: GPL-2.0 */
#include "session/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "device/device.h"
#include "mark_names.h"
#include "shared/memory.h"

#define AGAIN_NS 1000000000LL

struct rows {
	struct prt_mark_row *v;
	size_t n, capacity;
};

static void add(void *arg, enum container_kind kind, const char *id, const char *name)
{
	struct rows *rows = arg;
	struct prt_mark_row *row;

	if (rows->n == PRT_MARK_ROWS_MAX)
		return;
	memory_grow(rows->v, rows->n, rows->capacity, 64);
	row = &rows->v[rows->n++];
	memset(row, 0, sizeof(*row));
	snprintf(row->id, sizeof(row->id), "%c%s", containers_letters[kind], id);
	snprintf(row->name, sizeof(row->name), "%s", name);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct prt_mark_row *)a)->id, ((const struct prt_mark_row *)b)->id);
}

/* A short id may be that of several rows: the first one counts. */
static void make_unique(struct rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++)
		if (!n || by_id(&rows->v[n - 1], &rows->v[i]) != 0)
			rows->v[n++] = rows->v[i];
	rows->n = n;
}

void marks_give(struct marks *m, struct device *d)
{
	struct rows rows = { 0 };
	int err;

	containers_each(&m->containers, add, &rows);
	if (rows.n)
		qsort(rows.v, rows.n, sizeof(*rows.v), by_id);
	make_unique(&rows);
	err = rows.n ? device_marks(d, rows.v, (uint32_t)rows.n) : 0;
	free(rows.v);
	if (err && err != m->err)
		say_warn("E_NO_MEMORY", NULL,
			 "the names of containers are not known in conditions, where they are ids: "
			 "%s", strerror(-err));
	m->err = err;
}

void marks_turn(struct marks *m, struct device *d, int64_t now)
{
	if (now - m->asked_at < AGAIN_NS)
		return;
	m->asked_at = now;
	if (device_marks_wanted(d))
		marks_give(m, d);
}

void marks_deinit(struct marks *m)
{
	containers_deinit(&m->containers);
}
