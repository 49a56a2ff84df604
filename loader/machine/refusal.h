/* SPDX-License-Identifier: GPL-2.0 */
/* Why the kernel's half refused to arm a site, in words. */
#ifndef LOADER_REFUSAL_H
#define LOADER_REFUSAL_H

/** refusal_reason - @err of a site's status, without the next step. */
const char *refusal_reason(int err);
/** refusal_hint - the next step, where the runtime itself refused an instruction; else NULL. */
const char *refusal_hint(int err);

#endif
