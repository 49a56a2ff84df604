/* SPDX-License-Identifier: GPL-2.0 */
/* Probe points that the script may do without: matches of wildcards, and those with ?. */
#ifndef LOADER_LEFT_OUT_H
#define LOADER_LEFT_OUT_H

/**
 * left_out_say - warn that some of them are left out; nothing if there are none
 *
 * @id:      "E_..."
 * @n:       how many
 * @example: the symbol of one
 * @why:     what they are: "not in the running kernel"
 */
void left_out_say(const char *id, unsigned n, const char *example, const char *why);

#endif
