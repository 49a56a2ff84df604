/* SPDX-License-Identifier: GPL-2.0 */
/* The screen of --monitor, by ncurses: a snapshot above, the output of the session below. */
#ifndef LOADER_VIEW_H
#define LOADER_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

struct view;

enum view_wish {
	VIEW_NOTHING, VIEW_DETACH, VIEW_STOP,
	VIEW_ON, VIEW_OFF,       /* switch a probe; with its number */
	VIEW_INTERVAL,           /* with the ms from one snapshot to the next */
};

/* The letters of BACKLOG_OFFER (background/rendezvous.h). */
enum {
	VIEW_HAS_VALUES = '+', VIEW_NO_VALUES = '-', /* the first one */
	VIEW_IS_ON = '+', VIEW_IS_OFF = '-', VIEW_NO_SWITCH = '.', /* of a probe */
};

/** view_check - whether standard input and output are a terminal. -1 after reporting E_OPTION. */
int view_check(void);
/** view_open - take over the terminal; it is restored by view_close(), at the end of this process
 * and by its faults. NULL after reporting an error: ncurses is not there, or does not know the
 * terminal. @name: of the session; @ms: the time from one snapshot to the next. */
struct view *view_open(const char *name, unsigned ms);
/** view_snapshot - show a snapshot: a text in the older format of metrics/metrics.h. */
void view_snapshot(struct view *v, const struct buf *text);
/** view_output - add output or messages, which may end within a line. */
void view_output(struct view *v, const char *text, size_t len);
/** view_offer - take what BACKLOG_OFFER says (background/rendezvous.h), which is copied. */
void view_offer(struct view *v, const char *text, size_t len);
/** view_note - show @note, a literal, in the last line until a key is pressed. */
void view_note(struct view *v, const char *note);
/** view_turn - take the keys that were pressed up to the first wish, and draw. @value: what the
 * wish is about. */
enum view_wish view_turn(struct view *v, uint32_t *value);
/** view_close - restore the terminal and free. NULL is accepted. */
void view_close(struct view *v);

#endif
