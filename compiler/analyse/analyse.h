/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pass 2 as a list of phases, each of which goes over the whole program. The table in analyse.c is
 * the list: the order of its rows is the order in which they run.
 */
#ifndef ANALYSE_ANALYSE_H
#define ANALYSE_ANALYSE_H

#include <stddef.h>

struct analysis;
struct buf;
struct state;

/** analyse_program - run all phases on s->main, or those up to s->opt.last_phase (-p2=NAME). Makes
 *  s->program. Returns 0, or -1 after errors were reported. */
int analyse_program(struct state *s);

/** analyse_begin - an analysis in which no phase has run yet. Owned by s->arena. */
struct analysis *analyse_begin(struct state *s);
/** analyse_until - run the phases that have not run, up to and including @last (NULL: all). Returns
 *  0, or -1 after errors were reported. */
int analyse_until(struct analysis *a, const char *last);

/** analyse_listed - infer the types of s->program, which resolve_list() or resolve_library() has
 *  made, by the phases that follow them. Reports nothing. What is partial keeps T_UNKNOWN. */
void analyse_listed(struct state *s);

/** analyse_phase - the name of phase @i from 0; NULL: there are no more. */
const char *analyse_phase(size_t i);

/** analyse_print - append the output of -p2; of -p2=NAME, also the code of probes and functions. */
void analyse_print(struct state *s, struct buf *b);

#endif
