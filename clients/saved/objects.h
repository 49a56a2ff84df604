/* SPDX-License-Identifier: GPL-2.0 */
/* The objects of a saved run, one in each line, as --format=json writes them. The file is not
 * trusted. */
#ifndef SAVED_OBJECTS_H
#define SAVED_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct json_tokener;
struct line_reader;

struct object_reader {
	struct line_reader *l; /* the user's; errors have its id */
	struct json_tokener *tokener;
	struct json_object *o; /* the present object, until the next call */
	const char *type;      /* its member "type", owned by it */
	bool any;              /* an object was read */
};

/* The last object of a run, as far as comparisons and profiles both need it. The texts are owned by
 * the object. */
struct saved_summary {
	const char *script, *kernel; /* NULL: not known */
	double time, seconds;        /* of its end since 1970, and its length; 0: not known */
	uint64_t lost, not_stored, skipped;
};

/** objects_init - read from the lines of @l, which the caller opens and closes. */
void objects_init(struct object_reader *r, struct line_reader *l);
/**
 * objects_take - parse the current line into @r->o and @r->type
 *
 * returns 1, 0 if it is the unfinished last line of a run that was cut off, or -1 after an error
 * was reported.
 */
int objects_take(struct object_reader *r);
/** objects_next - the same for the next line that is not empty; 0 at the end of the file, too. */
int objects_next(struct object_reader *r);
/** objects_deinit - free the present object. */
void objects_deinit(struct object_reader *r);

/** saved_count - a member that is a count of 0 or more; 0 if it is not there. */
uint64_t saved_count(struct json_object *o, const char *name);
/** saved_summary - read an object of the type "summary". */
struct saved_summary saved_summary(struct json_object *o);

#endif
