/* SPDX-License-Identifier: GPL-2.0 */
/* A saved run: what a session wrote with --format=json, as far as it can be compared. */
#ifndef SAVED_RUN_H
#define SAVED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct diag;
struct json_object;

enum saved_kind { SAVED_NONE, SAVED_NUMBER, SAVED_TEXT };

struct saved_item {
	enum saved_kind kind;
	__int128 number;  /* SAVED_NUMBER: 64 bits, signed or unsigned */
	const char *text; /* SAVED_TEXT: quoted */
	const char *json; /* SAVED_TEXT: as JSON */
};

struct saved_part {
	const char *name; /* "value", or a part of an aggregate, such as "count" */
	struct saved_item value;
};

/* The values from low to high, both included. The first and the last bucket of a linear histogram
 * have no bound on one side. */
struct saved_bucket {
	bool has_low, has_high;
	int64_t low, high;
	uint64_t count;
};

/* A scalar, or one element of an array, or a histogram that the script printed. */
struct saved_element {
	const char *name;  /* the name of the global, or the text of the printed histogram */
	const char *keys;  /* as JSON: "[]" for a scalar */
	const char *id;    /* of the element: its name and keys */
	const char *hex;   /* as JSON: keys that are not UTF-8; NULL: all are */
	const char *label; /* as users see it: n["dd", 83] */
	VEC(struct saved_part) parts;
	bool has_histogram;
	VEC(struct saved_bucket) buckets; /* in ascending order */
};

struct saved_run {
	const char *path;
	const char *script, *kernel; /* NULL: not known */
	struct map elements;         /* id -> struct saved_element */
	VEC(const char *) probes;
	bool complete;               /* the summary was read */
	bool overload;
	double seconds;
	int64_t status;
	uint64_t hits, errors, lost, not_stored, skipped;
};

/** saved_init - an empty run. */
void saved_init(struct arena *a, const char *path, struct saved_run *ret);
/** saved_take - add an object of the type "global" to @run. Everything is copied to @a. */
void saved_take(struct arena *a, struct saved_run *run, struct json_object *global);
/** saved_read - read the run in the file @path; "-" is standard input. Returns 0, or -1 after an
 *  error was reported. Everything in @ret is owned by @a. */
int saved_read(struct arena *a, struct diag *d, const char *path, struct saved_run *ret);

#endif
