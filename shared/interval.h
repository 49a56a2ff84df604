/* SPDX-License-Identifier: GPL-2.0 */
/* The argument of --monitor: how often the values on the screen are read. */
#ifndef SHARED_INTERVAL_H
#define SHARED_INTERVAL_H

#include <stdlib.h>
#include <string.h>

/* Milliseconds; INTERVAL_MS without an argument. */
enum { INTERVAL_MS_LEAST = 100, INTERVAL_MS_MOST = 3600000, INTERVAL_MS = 1000 };

/** interval_ms - the milliseconds that @seconds, a decimal number, stands for. 0: it is none, or
 * beyond these limits. */
static inline unsigned interval_ms(const char *seconds)
{
	char *end;
	double ms = strtod(seconds, &end) * 1000 + 0.5;

	if (end == seconds || *end || strspn(seconds, "0123456789.") != (size_t)(end - seconds))
		return 0;
	return ms >= INTERVAL_MS_LEAST && ms < INTERVAL_MS_MOST + 1 ? (unsigned)ms : 0;
}

#endif
