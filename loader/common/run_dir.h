/* SPDX-License-Identifier: GPL-2.0 */
/* The directory in which sessions leave files for each other until the machine goes down. */
#ifndef LOADER_RUN_DIR_H
#define LOADER_RUN_DIR_H

#define RUN_DIR "/run/probec"

/** run_dir_make - make the directory, where it is not there. 0; -EPERM: somebody else has a hand in
 *  it, and nothing there may be used; -errno. */
int run_dir_make(void);

#endif
