/* SPDX-License-Identifier: GPL-2.0 */
/* The screen of --monitor, by ncurses: a snapshot above, the output of the session below. */
#ifndef LOADER_VIEW_H
#define LOADER_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "common/text.h"

struct view;

enum view_wish { VIEW_NOTHING, VIEW_DETACH, VIEW_STOP };

/** view_check - whether standard input and output are a terminal. -1 after reporting E_OPTION. */
int view_check(void);
/** view_open - take over the terminal; it is restored by view_close(), at the end of this process
 * and by its faults. NULL after reporting an error: ncurses is not there, or does not know the
 * terminal. @name: of the session. */
struct view *view_open(const char *name);
/** view_snapshot - show a snapshot: a text in the older format of metrics/metrics.h. */
void view_snapshot(struct view *v, const struct text *text);
/** view_output - add output or messages, which may end within a line. */
void view_output(struct view *v, const char *text, size_t len);
/** view_turn - take all keys that were pressed, and draw. */
enum view_wish view_turn(struct view *v);
/** view_close - restore the terminal and free. NULL is accepted. */
void view_close(struct view *v);

#endif
