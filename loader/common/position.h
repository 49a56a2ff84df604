/* SPDX-License-Identifier: GPL-2.0 */
/* A position in the text of the script, for messages. */
#ifndef LOADER_POSITION_H
#define LOADER_POSITION_H

#include <stdint.h>

struct position {
	const char *file;            /* NULL: the module knows no such position */
	uint32_t line, col, end_col; /* from 1; end_col is one past the last column */
	const char *text;            /* the source line */
};

#endif
