/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile: stacks with numbers, from what a session printed. It is read from any of these:
 *
 *   folded  lines "outermost;...;innermost COUNT", of --format=folded or of other tools
 *   json    the objects of --format=json
 *   text    the globals of --format=text that are shown because nothing reads them
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
	FRAME_KEY,  /* another key, in front of the frames: the name of a process */
	FRAME_NOTE, /* in place of frames: "[lost stack]" */
};

/* A function as stacks name it; each different one exists once in a profile. */
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
	struct profile_step *steps; /* outermost first, behind the other keys */
	size_t n;
	uint64_t count, sum;        /* of an aggregate; otherwise sum is the number, count 0 */
};

/* The stacks of a global, or of all prints of the same expression. */
struct profile_set {
	const char *name; /* "": of folded lines, which do not say it */
	bool aggregate;
	VEC(struct profile_stack) stacks;
	uint64_t count, sum; /* of all stacks, at most INT64_MAX */
};

struct profile {
	struct arena *a;
	struct map frames; /* kind, module and name -> struct profile_frame */
	struct map sets;   /* name -> struct profile_set */
	bool complete;     /* the session's summary is there */
	double start, seconds;
	uint64_t lost;     /* skipped hits, lost output of hits, elements not stored */
	const char *script, *kernel; /* NULL: not known */
};

/** profile_read - all stacks of the file @path, "-": standard input. -1: it can't be read, or is
 *  not understood, which was reported. Everything in @ret is owned by @a. */
int profile_read(struct arena *a, struct diag *d, const char *path, struct profile *ret);
/** profile_choose - the set of that name; NULL: the only one. NULL if there is none or not only
 *  one, which was reported. */
struct profile_set *profile_choose(const struct profile *p, struct diag *d, const char *path,
				   const char *name);

#endif
