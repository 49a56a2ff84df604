/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk along a path of members and indices, for the files of this folder: context.c and value.c
 * begin it, path.c takes the steps, show.c prints the object at its end.
 *
 * A walk follows the expression from left to right and knows at each point the type of the object
 * and how it is reached:
 *   ON_VALUE    the 64-bit value is in hand (a parameter in a register)
 *   ON_ADDRESS  the value in hand is the address of an object of that type, not read yet
 *   ON_PIECES   the object itself was passed by value in registers or stack slots of 8 bytes, or of
 *               4 in a 32-bit program
 *
 * Only -> and [] on a pointer read the pointer, so the last member is read once, with its own size.
 */
#ifndef LOCATE_VALUES_PATH_H
#define LOCATE_VALUES_PATH_H

#include "target/btf/btf.h"
#include "analyse/locate/locate.h"
#include "state.h"

enum standing { ON_VALUE, ON_ADDRESS, ON_PIECES };

struct walk {
	struct state *s;
	const struct site *site;
	/* NULL: the walk begins at a value of the script, not a $variable */
	const struct btf_func *func;
	enum access_origin origin; /* of what @func says */
	struct btf_db *db;
	enum probe_kind kind;
	struct expr *e;
	bool quiet;
	struct access *access;
	enum standing standing;
	uint32_t type;           /* at the current position of the walk */
	unsigned pieces;         /* ON_PIECES: their number, from access->n on */
	unsigned piece_bits;     /* bits of each; 0: 64 */
	/* ON_PIECES: from the first piece's start; ON_ADDRESS: of a bit-field */
	uint32_t bit_offset;
	uint32_t bit_size;       /* of a bit-field; 0: none */
	/* the walk is at the target of a pointer of the script, so the first step may index the
	 * elements after it */
	bool at_target;
	/* offset in the source at which the expression ends that was followed so far */
	uint32_t end;
};

/** path_first_param - the number of the first parameter that a script can name: 1 for a tracepoint,
 *  whose function has one more parameter in front. */
unsigned path_first_param(enum probe_kind kind);
/** path_param - the number of the parameter @name, which has no $; for a tracepoint, "arg1" is a
 *  name as well. Returns -1 if there is none. */
int path_param(const struct btf_func *f, enum probe_kind kind, const char *name);

/** path_refuse_shuffled - fail if the members of the kernel's structures have another order than
 *  its types say; -ENODATA, with a report at @r. Otherwise 0. */
int path_refuse_shuffled(struct walk *w, struct range r);
/** path_follow - take the steps of w->e from the current position, and fill w->access with the
 *  value at the end. Results as of locate_context(). */
int path_follow(struct walk *w);
/** path_add - add a number of bytes to the address at the current position. */
void path_add(struct walk *w, int64_t bytes);
/** path_enter - follow the pointer at the current position to a value of type @target. */
int path_enter(struct walk *w, uint32_t target);

/** path_no_number - why a value of this type has no number; NULL: it has. clang says of a _BitInt
 *  how many bytes it has, but not how many bits; those above them have no value. */
const char *path_no_number(struct walk *w, const struct btf_shape *shape);

/** path_fail - report an error unless w->quiet; returns @err. path_hint - add a hint to it. */
int path_fail(struct walk *w, struct range r, enum diag_id id, int err, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
void path_hint(struct walk *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** path_text - the text of the expression up to the current position of the walk. */
const char *path_text(struct walk *w);
/** path_type - the name of a type. */
const char *path_type(struct walk *w, uint32_t type);

/* ---- where a path starts: context.c, context_place.c ---- */

struct dwarf_place;

/** context_walk - resolve the $-expression of @w by one prototype, into w->e; as
 *  locate_context(). */
int context_walk(struct walk *w, const struct btf_func *func);
/** context_place_of - the place of a site in debug information. Returns NULL if it is not known,
 *  with the reason in *@why. */
const struct dwarf_place *context_place_of(struct state *s, const struct site *site,
					   const char **why);
/** context_place_walk - resolve the $-expression of @w by debug information, into w->e; as
 *  locate_context(). */
int context_place_walk(struct walk *w, const struct dwarf_place *at);
/** context_place_location - the same, for the value at @l. */
int context_place_location(struct walk *w, const struct dwarf_place *at, struct location *l);
/** context_thread_location - replace the thread-local addresses in @l, those of the file of @scope,
 *  by what leads to them: 0, or -ENODATA after a report. Without such addresses, nothing is done
 *  and @scope may be NULL. In a program whose processes are not those of the probe, the location
 *  begins with a check of which program runs. */
int context_thread_location(struct walk *w, const struct user_scope *scope, struct location *l);
/** context_thread_refuse - report that the thread-local variable of @w can't be read, and @why;
 *  -ENODATA. */
int context_thread_refuse(struct walk *w, const char *why);
/** context_entry_walk - the same, for parameter @i of @func, whose first instruction is the
 *  place. */
int context_entry_walk(struct walk *w, const struct dwarf_place *at, const struct btf_func *func,
		       unsigned i);
/** context_32_by_convention - whether parameter @i of the function of a 32-bit program that is
 *  entered at @at is where the calling convention has it, by the locations of the parameters there;
 *  @i < 0: it is no parameter. */
bool context_32_by_convention(struct state *s, const struct dwarf_place *at,
			      const struct btf_func *func, int i);
/** context_32_is_other - whether the location that debug information has there for parameter @i is
 *  that of another parameter; @i < 0: it is no parameter. */
bool context_32_is_other(struct state *s, const struct dwarf_place *at,
			 const struct btf_func *func, int i);
/** context_place_above_sp - the distance of a value in memory above the stack pointer; -1: it is
 *  elsewhere. */
int64_t context_place_above_sp(const struct location_piece *p);
/** context_place_names - as locate_context_names(). */
void context_place_names(struct state *s, const struct dwarf_place *at, enum probe_kind kind,
			 enum context_names which, struct name_list *ret);

/** context_user_walk - resolve the $-expression of @w at a site in a program without debug
 *  information, or at an SDT marker, into w->e; as locate_context(). */
int context_user_walk(struct walk *w);
/** context_user_argument - the number of $arg1, $arg2 ...; 0: the name is not one of these. */
unsigned context_user_argument(const char *name);
/** context_user_is_syscall - whether @site is process.syscall or process.syscall.return. */
bool context_user_is_syscall(const struct site *site);
/** context_user_syscall - at such a site, resolve $argN, with locate_context()'s result in *@ret,
 *  and return true; replace SystemTap's other names by those of the tracepoint, and return
 *  false. */
bool context_user_syscall(struct walk *w, int *ret);
/** context_user_answers - whether context_user_walk() is used instead of debug information. */
bool context_user_answers(struct walk *w);
/** context_user_names - as locate_context_names(), for a site of either kind. */
void context_user_names(struct state *s, const struct site *site, enum probe_kind kind,
			enum context_names which, struct name_list *ret);

/** context_hook_walk - resolve the $-expression of @w at a hook of netfilter, into w->e; as
 *  locate_context(). */
int context_hook_walk(struct walk *w);
/** context_hook_names - as locate_context_names(), at such a hook, without $verdict. */
void context_hook_names(struct state *s, enum context_names which, struct name_list *ret);

/** show_finish - make the items that print the value at the current position. */
int show_finish(struct walk *w);

#endif
