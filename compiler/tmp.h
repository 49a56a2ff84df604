/* SPDX-License-Identifier: GPL-2.0 */
/* The temporary directory of a run. */
#ifndef TMP_H
#define TMP_H

struct state;

/** tmp_make - make s->tmp_dir. Returns 0, or -1 after E_IO was reported. */
int tmp_make(struct state *s);
/** tmp_drop - remove it with its contents; with -k, print its path. */
void tmp_drop(const struct state *s);
/** tmp_drop_early - remove it before a session begins, which may outlive the processes that would
 *  remove it; not with -k, nor if @module is in it. */
void tmp_drop_early(const struct state *s, const char *module);

#endif
