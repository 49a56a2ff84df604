/* SPDX-License-Identifier: GPL-2.0 */
/* Hits on one processor, or on all of them beside the rest of the machine. */
#ifndef TWIN_HITS_H
#define TWIN_HITS_H

/** hits_alone - Runs @hits on processor 0. */
void hits_alone(void (*hits)(void));
/** hits_together - Runs @hits on each processor at once. Until they have ended, the session's
 * thread merges the copies again and again, and the work item runs. */
void hits_together(void (*hits)(void));

#endif
