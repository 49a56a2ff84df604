/* SPDX-License-Identifier: GPL-2.0 */
/* The directory in which sessions leave files for each other until the machine goes down. */
#ifndef LOADER_RUN_DIR_H
#define LOADER_RUN_DIR_H

#define RUN_DIR "/run/probec"

/** run_dir_make - make the directory, if it does not exist. 0; -EPERM: other users can write to it,
 *  so nothing in it may be used; -errno. */
int run_dir_make(void);

#endif
