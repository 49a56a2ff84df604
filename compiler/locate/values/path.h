/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk along a path of members and indices, for the files of this folder: context.c and value.c
 * say where it starts, path.c takes the steps, show.c prints what is at the end.
 *
 * A walk follows the expression from left to right and knows at each point the type it stands on
 * and how far the value has come:
 *   ON_VALUE    the 64-bit value is in hand (a parameter in a register)
 *   ON_ADDRESS  the value in hand is the address of an object of that type, not read yet
 *   ON_PIECES   the object itself was passed by value in registers or stack slots of 8 bytes
 * Only -> and [] on a pointer follow it, so the last member is read once, with its own size.
 */
#ifndef LOCATE_VALUES_PATH_H
#define LOCATE_VALUES_PATH_H

#include "btf/btf.h"
#include "locate/locate.h"
#include "state.h"

enum standing { ON_VALUE, ON_ADDRESS, ON_PIECES };

struct walk {
	struct state *s;
	const struct site *site;
	const struct btf_func *func; /* NULL: no $variable, but a script's value */
	struct btf_db *db;
	enum probe_kind kind;
	struct expr *e;
	bool quiet;
	struct access *access;
	enum standing standing;
	uint32_t type;           /* at the current position of the walk */
	unsigned pieces;         /* ON_PIECES: how many there are, from access->n on */
	uint32_t bit_offset;     /* ON_PIECES: from their start; ON_ADDRESS: of a bit-field */
	uint32_t bit_size;       /* of a bit-field; 0: none */
	bool at_target;          /* on what a pointer of the script points to: the first step may
				  * be an index to the elements after it */
	uint32_t end;            /* the expression up to here ends at this offset of the source */
};

/** path_first_param - the number of the first parameter that a script can name: that of a
 *  tracepoint's function is its second. */
unsigned path_first_param(enum probe_kind kind);
/** path_param - the number of the parameter @name (without its $; at a tracepoint "arg1" as well);
 *  -1 if there is none. */
int path_param(const struct btf_func *f, enum probe_kind kind, const char *name);

/** path_follow - the steps of w->e from the current position of the walk, and what the end gives;
 *  fills w->access. 0 or as locate_context(). */
int path_follow(struct walk *w);
/** path_enter - follow the pointer at the current position to a value of type @target. */
int path_enter(struct walk *w, uint32_t target);

/** path_fail - report unless w->quiet; returns @err. path_hint - the next step, after it. */
int path_fail(struct walk *w, struct range r, enum diag_id id, int err, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void path_hint(struct walk *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** path_text - the expression as written, up to the current position of the walk. */
const char *path_text(struct walk *w);
/** path_type - the name of a type. */
const char *path_type(struct walk *w, uint32_t type);

/* ---- where a path starts: context.c, context_place.c ---- */

struct dwarf_place;

/** context_walk - the $-expression of @w by one prototype, into w->e; as locate_context(). */
int context_walk(struct walk *w, const struct btf_func *func);
/** context_place_of - the place of a site in debug information; NULL: not known, *@why says why. */
const struct dwarf_place *context_place_of(struct state *s, const struct site *site,
					   const char **why);
/** context_place_walk - the $-expression of @w as debug information has it, into w->e; as
 *  locate_context(). */
int context_place_walk(struct walk *w, const struct dwarf_place *at);
/** context_place_names - as locate_context_names(). */
void context_place_names(struct state *s, const struct dwarf_place *at, enum probe_kind kind,
			 enum context_names which, struct name_list *ret);

/** context_user_walk - the $-expression of @w at a site in a program without debug information, or
 *  at an SDT marker, into w->e; as locate_context(). */
int context_user_walk(struct walk *w);
/** context_user_syscall - at process.syscall, the names that SystemTap has become those of the
 *  tracepoint; else nothing. */
void context_user_syscall(struct walk *w);
/** context_user_answers - whether it is used instead of debug information. */
bool context_user_answers(struct walk *w);
/** context_user_names - as locate_context_names(), for such a site. */
void context_user_names(struct state *s, const struct site *site, enum probe_kind kind,
			enum context_names which, struct name_list *ret);

/** show_finish - the items that print the value at the current position. */
int show_finish(struct walk *w);

#endif
