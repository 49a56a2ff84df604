/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A script's description of itself, and the options and arguments that it declares. The comment at
 * its beginning describes it; comments that begin with "#:" declare:
 *
 *   global only_pid = 0    #: -p, --pid=PID    show only this process
 *   #: PATTERN             functions to trace
 */
#ifndef OPTIONS_SCRIPT_H
#define OPTIONS_SCRIPT_H

#include "base/source.h"
#include "base/vec.h"

struct state;

struct script_option {
	char letter;         /* '\0': it has only a long name */
	const char *name;    /* the long name without "--", or NULL */
	const char *value;   /* what the help calls its value; NULL: a flag, which sets 1 */
	const char *help;    /* lines, without a newline at the end */
	const char *global;  /* the global that it sets */
	bool is_string;      /* the type of that global */
	struct range at;     /* the comment */
	const char *given;   /* the value on the command line, or NULL */
};

/* Kinds of arguments: they are checked, and those of probe points are completed. */
enum argument_kind {
	ARGUMENT_ANY,
	ARGUMENT_NUMBER,   /* a whole number */
	ARGUMENT_POINT,    /* a probe point, also in short forms, which are written in full */
	ARGUMENT_FUNCTION, /* the same, for functions; without .call and .return */
};

struct script_argument {
	const char *name;    /* without brackets */
	bool is_optional;
	enum argument_kind kind;
	bool repeats;        /* any number of further ones may follow */
	const char *help;
	struct range at;
};

struct script_head {
	struct source *src;
	bool is_executable;          /* begins with "#!" */
	/* the first line of the description, "# NAME - TITLE"; or NULL */
	const char *name, *title;
	VEC(const char *) text;      /* the lines of the description, without "# " */
	VEC(struct script_option) options;
	VEC(struct script_argument) arguments;
};

/**
 * script_head_read - read what @src says about itself
 *
 * Reports errors in its "#:" comments. Returns an empty head if the text is not a script. Owned by
 * the arena, as everything that it points to.
 */
struct script_head *script_head_read(struct state *s, struct source *src);

#endif
