/* SPDX-License-Identifier: GPL-2.0 */
/* Sites that are not armed: the reasons of the runtime as text, and probe points that the script
 * may do without. */
#ifndef LOADER_UNARMED_H
#define LOADER_UNARMED_H

/** unarmed_reason - return the text for @err of a site's status, without the next step. */
const char *unarmed_reason(int err);
/** unarmed_hint - return the next step if the runtime itself refused an instruction; otherwise
 * NULL. */
const char *unarmed_hint(int err);
/**
 * unarmed_say_left_out - warn that some probe points that the script may do without, matches of
 * wildcards and those with ?, are left out; nothing if there are none
 *
 * @id:      "E_..."
 * @n:       how many
 * @example: the symbol of one
 * @why:     what they are: "not in the running kernel"
 */
void unarmed_say_left_out(const char *id, unsigned n, const char *example, const char *why);

#endif
