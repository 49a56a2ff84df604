/* SPDX-License-Identifier: GPL-2.0 */
/* The reasons why the runtime did not arm a site, as text. */
#ifndef LOADER_REFUSAL_H
#define LOADER_REFUSAL_H

/** refusal_reason - return the text for @err of a site's status, without the next step. */
const char *refusal_reason(int err);
/** refusal_hint - return the next step if the runtime itself refused an instruction; otherwise
 * NULL. */
const char *refusal_hint(int err);

#endif
