/* SPDX-License-Identifier: GPL-2.0 */
/* --describe: this machine as runtime/abi/target.h has it. */
#ifndef LOADER_DESCRIBE_H
#define LOADER_DESCRIBE_H

/** describe_machine - write the target to @fd, which must not be a terminal. Says what is missing
 * (-v) and what is wrong. Exit status. */
int describe_machine(int fd);

#endif
