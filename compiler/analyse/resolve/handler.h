/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code of one handler or function: the list of the rewrites that resolve it (handler.c), and
 * those that need nothing but its tree, a file each. Others are in values.h and names.h.
 */
#ifndef RESOLVE_HANDLER_H
#define RESOLVE_HANDLER_H

#include "analyse/resolve/resolver.h"

/* ---- handler.c ---- */

/** handler_resolve - run all rewrites on the handler of @p, whose sites, condition and body are
 *  complete. @own: the part of the body that the user wrote, without aliases; @plain: a copy of
 *  the body. */
void handler_resolve(struct resolver *r, struct probe *p, struct stmt *own, struct stmt *plain);
/** handler_function - run those for functions on the body of @f. @p: the probe for which it was
 *  copied, or NULL. */
void handler_function(struct resolver *r, struct function *f, struct probe *p);

/* ---- defined.c ---- */

/** defined_fold - replace every @defined and @probewrite by 0 or 1 and remove the branches that
 *  they rule out. @site NULL: a probe without $-values, or a function. @own: the handler as the
 *  user wrote it, without aliases; NULL: @st belongs to a function. */
void defined_fold(struct resolver *r, struct stmt **st, const struct site *site,
		  enum probe_kind kind, struct stmt *own);
/** defined_fold_members - the same for @defined of members of the script's values, whose types
 *  become known later: those that are known now, or in the last stage all. */
enum defined_stage { DEFINED_EARLY, DEFINED_TYPED, DEFINED_LAST };
void defined_fold_members(struct resolver *r, struct stmt **st, enum defined_stage stage);
/** defined_waits - whether an expression contains a @defined that is not folded yet. */
bool defined_waits(struct expr *e);

/* ---- elapsed.c ---- */

/** elapsed_take - let elapsed_ns() and elapsed_us() in @own, the script's part of the handler
 *  @body, be the time that an alias of the library has measured, if one has. */
void elapsed_take(struct resolver *r, struct stmt **body, const struct stmt *own);

/* ---- unread.c ---- */

/** unread_drop - remove assignments in blocks of the library to locals that @body and @cond never
 *  read. */
void unread_drop(struct resolver *r, struct stmt **body, struct expr **cond);
/** unread_drop_idle - remove statements that only show a value of the probed code, with a
 *  warning. @kind: of the probe that the code belongs to. */
void unread_drop_idle(struct resolver *r, struct stmt **body, enum probe_kind kind);

/* ---- text.c ---- */

/** str_calls, str_calls_of - replace str(value) by the value as text. */
void str_calls(struct resolver *r, struct stmt **body);
void str_calls_of(struct resolver *r, struct expr **e);

/* ---- entries.c ---- */

/** entries_take - move the arguments of @entry() to the probe's entry block and replace them by
 *  symbols. Comes before anything else is refused or resolved. */
void entries_take(struct resolver *r, struct probe *p);
/** entries_keep - an expression for the value that @value has at the entry of a return probe's
 *  function. */
struct expr *entries_keep(struct resolver *r, struct probe *p, struct expr *value);

/* ---- refuse.c ---- */

/** refuse_stmt / refuse_expr - report constructs that this build does not support in that sort of
 *  code. */
enum code { CODE_PROBE, CODE_FUNCTION, CODE_COPY, CODE_CONDITION, CODE_RETURN_CONDITION };
void refuse_stmt(struct resolver *r, struct stmt **st, enum code code);
void refuse_expr(struct resolver *r, struct expr **e, enum code code);
/** refuse_embedded - report embedded C that is not allowed or uses what does not exist here. */
void refuse_embedded(struct resolver *r, struct script *sc);

/* ---- printed_bytes.c ---- */

/** printed_bytes - replace %m and %M in formats by strings that a function of the library reads.
 *  Comes before names are resolved. */
void printed_bytes(struct resolver *r, struct stmt **st);

#endif
