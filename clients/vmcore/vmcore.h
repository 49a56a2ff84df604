/* SPDX-License-Identifier: GPL-2.0 */
/* probec vmcore: what a flight recorder had kept when the kernel crashed. proberun reads it. */
#ifndef VMCORE_VMCORE_H
#define VMCORE_VMCORE_H

struct state;

/** vmcore_run - become proberun with the words of the command line; argv[0] is "vmcore". The exit
 * status if nothing is left to do, or after reporting E_IO or E_OPTION. */
int vmcore_run(struct state *s, int argc, char **argv);

#endif
