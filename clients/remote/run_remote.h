/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 5 on other hosts: probec --remote. */
#ifndef RUN_REMOTE_H
#define RUN_REMOTE_H

struct state;

/** run_remote - check the script as far as that needs no kernel, and run it on s->opt.remotes. The
 *  exit status. */
int run_remote(struct state *s);

#endif
