/* SPDX-License-Identifier: GPL-2.0 */
/* --describe: this machine in the format of runtime/abi/target.h. */
#ifndef LOADER_DESCRIBE_H
#define LOADER_DESCRIBE_H

/** describe_machine - write the target to @fd, which must not be a terminal. Reports missing parts
 * (-v) and errors. Returns the exit status. */
int describe_machine(int fd);

#endif
