/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --remote-end: this program is a bundle that probec --remote has sent. Its file is removed at
 * once, so that nothing of it remains however the session ends, and a process watches the
 * connection, which is standard input:
 *
 *   's'              the session is to end in an orderly way
 *   'r'              the flight recorder is to take a snapshot, because that of another host has
 *   any other byte   the other end is alive; it sends one every REMOTE_ALIVE_SECONDS
 *   end of file      the connection is lost, or the other end has ended
 *
 * A wish to end, the end of the file and a silence of REMOTE_SILENT_SECONDS send SIGTERM to this
 * process. A second one follows when the silence lasts, because output may wait for a reader that
 * no longer exists.
 */
#ifndef LOADER_REMOTE_END_H
#define LOADER_REMOTE_END_H

#include <sys/types.h>

/** remote_end_parse - take "NUMBER:NAME" of the host apart; NULL: there is none. -1: it is not
 *  that. */
int remote_end_parse(const char *s, int *number, const char **name);
/** remote_end_begin - remove this program's file, watch standard input, and leave an empty one to
 *  the session. Returns the process that watches, or -1 after reporting an error. */
pid_t remote_end_begin(void);
/** remote_end_trigger - tell the other end that the flight recorder takes a snapshot, so that those
 * of other hosts take one as well. */
void remote_end_trigger(void);
/** remote_end_stop - end that process. */
void remote_end_stop(pid_t watcher);

#endif
