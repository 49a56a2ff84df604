/* SPDX-License-Identifier: GPL-2.0 */
/* The temporary directory of a run. */
#ifndef TMP_H
#define TMP_H

struct state;

/** tmp_make - make s->tmp_dir. 0, or -1 with E_IO reported. */
int tmp_make(struct state *s);
/** tmp_drop - remove it and all that is in it, or with -k say where it is. */
void tmp_drop(const struct state *s);
/** tmp_drop_early - remove it before a session begins, which may outlive those who would remove it:
 *  not with -k, nor when @module is in it. */
void tmp_drop_early(const struct state *s, const char *module);

#endif
