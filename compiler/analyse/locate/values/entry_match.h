/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a parameter is at the first instruction of its function: what two locations have in common,
 * and what debug information and the calling convention have, for context_entry.c.
 */
#ifndef LOCATE_VALUES_ENTRY_MATCH_H
#define LOCATE_VALUES_ENTRY_MATCH_H

#include "program/access.h"
#include "target/arch/arch.h"

/** entry_match_is_kind - whether operation @i of a piece is of that kind. */
bool entry_match_is_kind(const struct location_piece *p, size_t i, enum location_op_kind kind);
/** entry_match_agrees - whether a location is the place that the convention has. */
bool entry_match_agrees(const struct location *l, const struct arch_passing *place);
/** entry_match_is_plain - whether a location names registers, what they point to, or slots, and
 *  computes nothing; entry_match_is_computed - whether a piece is a constant, or computed. */
bool entry_match_is_plain(const struct location *l);
bool entry_match_is_computed(const struct location *l);
/** entry_match_is_complete - whether a location has all of the value. */
bool entry_match_is_complete(const struct location *l);
/** entry_match_is_any_slot - whether a location is a slot of the caller's stack. */
bool entry_match_is_any_slot(const struct location *l);
/** entry_match_is_in_register - whether a location begins with a register, or with what an argument
 *  register points to. */
bool entry_match_is_in_register(const struct location *l);
/** entry_match_is_same_place - whether a part of one is where a part of the other is. */
bool entry_match_is_same_place(const struct location *a, const struct location *b);

#endif
