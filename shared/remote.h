/* SPDX-License-Identifier: GPL-2.0 */
/* The connection of probec --remote, for both of its ends. */
#ifndef SHARED_REMOTE_H
#define SHARED_REMOTE_H

/* The bytes that are sent to the standard input of a session. */
enum { REMOTE_ALIVE = '.', REMOTE_STOP = 's', REMOTE_SNAPSHOT = 'r' };

/* The line on standard error of a session with --flight that takes a snapshot by itself. Control
 * characters of messages are escaped, so nothing else is such a line. */
#define REMOTE_TRIGGER "\001snapshot"

/* How often REMOTE_ALIVE is sent, and after which silence the connection counts as lost. */
enum { REMOTE_ALIVE_SECONDS = 10, REMOTE_SILENT_SECONDS = 60 };

/* The directory that has nothing but the bundle has a name that begins so. */
#define REMOTE_DIR_PREFIX "probec."

#endif
