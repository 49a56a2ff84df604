/* SPDX-License-Identifier: GPL-2.0 */
/* For dumped.c: where the frames of functions are, by "readelf --debug-dump=frames-interp". */
#ifndef BESIDE_DUMPED_FRAMES_H
#define BESIDE_DUMPED_FRAMES_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The simulated value of a register. */
#define RUN_REGISTER(n) (0x1122334455667700ull + (uint64_t)(n) * 0x10101ull)

enum { TEXT = 4096 }; /* bytes of a line */

struct frame { uint64_t from; size_t line; unsigned reg; int64_t add; };
static struct frame *frames;
static size_t nframes;

static int by_address(const void *x, const void *y)
{
	const struct frame *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static void add_frame(uint64_t from, const char *reg, int64_t add)
{
	static const struct { const char *name; unsigned nr; } known[] = {
		{ "rsp", 7 }, { "rbp", 6 }, { "r10", 10 }, { "rbx", 3 },
	};
	static size_t room;

	if (nframes == room) {
		room = room ? room * 2 : 1 << 16;
		frames = realloc(frames, room * sizeof(*frames));
	}
	if (!frames)
		exit(1);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(reg, known[i].name) == 0) {
			frames[nframes] = (struct frame){ from, nframes, known[i].nr, add };
			nframes++;
		}
	}
}

/* "LOCATION CFA ..."; a function that changes nothing has no such line. */
static void read_frames(const char *path)
{
	FILE *f = fopen(path, "re");
	char line[TEXT], reg[16];
	unsigned long long from;
	long long add;

	while (f && fgets(line, sizeof(line), f)) {
		const char *function = strstr(line, " FDE ");
		const char *pc = function ? strstr(function, " pc=") : NULL;

		if (pc)
			add_frame(strtoull(pc + 4, NULL, 16), "rsp", 8);
		else if (sscanf(line, "%16llx %15[a-z0-9]%lld", &from, reg, &add) == 3)
			add_frame(from, reg, add);
	}
	if (f)
		fclose(f);
	if (nframes)
		qsort(frames, nframes, sizeof(*frames), by_address);
}

static bool frame_at(uint64_t pc, uint64_t *ret)
{
	size_t low = 0, high = nframes;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (frames[mid].from <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	*ret = RUN_REGISTER(frames[low - 1].reg) + (uint64_t)frames[low - 1].add;
	return true;
}

#endif
