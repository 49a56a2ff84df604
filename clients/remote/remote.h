/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probec --remote: a session on each of many hosts, by the user's ssh. One process and one poll
 * loop serve all of them; each host has a child, its ssh.
 */
#ifndef REMOTE_REMOTE_H
#define REMOTE_REMOTE_H

struct state;

/** remote_build - runs in a child: writes the bundle for the kernel @target, or for each -r if it
 *  is NULL, to @path, and for each module in it a line "RELEASE BUILD-ID" to @out. Returns the exit
 *  status of the child; errors are reported. */
typedef int remote_build(struct state *s, const char *target, const char *path, int out);

/** remote_run - run the sessions on s->opt.remotes, whose bundles @build makes, until all have
 *  ended. Returns the exit status: 1 if any host failed, which is reported for each. */
int remote_run(struct state *s, remote_build *build);

#endif
