/* SPDX-License-Identifier: GPL-2.0 */
/* The first steps of proberun. */
#ifndef LOADER_START_H
#define LOADER_START_H

#include <stdbool.h>

/** start_fill_descriptors - open the standard descriptors that are closed. */
void start_fill_descriptors(void);
/** start_is_setuid - whether this program has rights that its caller has not; reports E_SETUID. */
bool start_is_setuid(void);

#endif
