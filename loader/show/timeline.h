/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The prints that are events of a timeline: those of the functions of tapsets/timeline.kp, which
 * are recognised by their formats, and the threads that prints show.
 */
#ifndef LOADER_TIMELINE_H
#define LOADER_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "show/args.h"

struct meta_print;

/* The arguments of all but the counter are pid, tid, execname and a text; its are a name and a
 * number. */
enum timeline_kind {
	TIMELINE_OTHER,    /* no such function's */
	TIMELINE_BEGIN,    /* trace_begin() */
	TIMELINE_END,      /* trace_end() */
	TIMELINE_CONTEXT,  /* trace_context() */
	TIMELINE_COUNTER,  /* trace_counter() */
};
enum { TIMELINE_TEXT = 3 }; /* the number of that argument */

/* The thread that a print shows. */
struct timeline_thread {
	int64_t pid, tid; /* -1: not shown */
	const char *name; /* NULL: not shown */
	size_t len;
};

enum timeline_kind timeline_kind(const struct meta_print *p);
/** timeline_thread - by the arguments pid(), tid() and execname(). */
struct timeline_thread timeline_thread(const struct meta_print *p, struct args args);
/** timeline_is_name - compare @len bytes with @wanted; @name may be NULL. */
bool timeline_is_name(const char *name, size_t len, const char *wanted);

/** timeline_is_whole - whether @args has all that its types say. */
bool timeline_is_whole(struct args args);
/** timeline_arg - argument @n of @args. */
struct arg timeline_arg(struct args args, unsigned n);
/** timeline_key - store the name of argument @i in @room, and return it; argN if it has none. */
const char *timeline_key(const struct meta_print *p, unsigned i, char *room, size_t size);
/** timeline_is_repeated - whether an argument before @i has the same name: members of an object
 * have different ones. */
bool timeline_is_repeated(const struct meta_print *p, unsigned i);

#endif
