/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile: stacks with numbers, from the output of a session. It is read in one of these formats:
 *
 *   folded  lines "outermost;...;innermost COUNT", of --format=folded or of other tools
 *   json    the objects of --format=json
 *   text    the globals that --format=text shows because nothing reads them
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct diag;

enum frame_kind {
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_KEY,  /* another key in front of the frames, such as the name of a process */
	FRAME_NOTE, /* in place of frames: "[lost stack]" */
	FRAME_SCRIPT, /* of a script: "handler (views.py)"; its module is the script's file */
};

/* A function as stacks name it; a profile has each one once. */
struct profile_frame {
	const char *name;
	const char *module; /* NULL: not known */
	enum frame_kind kind;
	uint32_t number;    /* from 1 */
};

struct profile_step {
	const struct profile_frame *frame;
	uint64_t address; /* 0: not known */
};

struct profile_stack {
	struct profile_step *steps; /* outermost first, after the other keys */
	size_t n;
	uint64_t count, sum;        /* count: of an aggregate, otherwise 0; sum: the number */
};

/* The stacks of a global, or of all prints of the same expression. */
struct profile_set {
	const char *name; /* "": from folded lines, which have no name */
	bool aggregate;
	VEC(struct profile_stack) stacks;
	uint64_t count, sum; /* totals of all stacks, at most INT64_MAX */
};

struct profile {
	struct arena *a;
	struct map frames; /* kind, module and name -> struct profile_frame */
	struct map sets;   /* name -> struct profile_set */
	bool complete;     /* the session's summary was read */
	double start, seconds;
	/* number of skipped hits, lost records of hits, and elements that were not stored */
	uint64_t lost;
	const char *script, *kernel; /* NULL: not known */
};

/** profile_read - read all stacks of the file @path; "-" is standard input. Returns 0, or -1 after
 *  an error was reported. Everything in @ret is owned by @a. */
int profile_read(struct arena *a, struct diag *d, const char *path, struct profile *ret);
/** profile_choose - the set with that name; NULL: the only set. Returns NULL after an error was
 *  reported. */
struct profile_set *profile_choose(const struct profile *p, struct diag *d, const char *path,
				   const char *name);

#endif
