/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 5: hand the module to proberun, here or in the throwaway virtual machine. */
#ifndef RUN_H
#define RUN_H

#include <sys/types.h>

struct state;

/** run_possible - whether this user on this kernel can load a module: 0, or -1 with E_NOT_ROOT or
 *  E_NO_MODULES reported. Always 0 with --vm. */
int run_possible(struct state *s);

/** run_vm_target - --vm: make s->opt.target the captured target of the machine's kernel (made at
 *  its first use, which takes a while and is reported). 0, or -1 with E_VM reported. */
int run_vm_target(struct state *s);

/** run_module - run the session with @module; returns its exit status. */
int run_module(struct state *s, const char *module);

/*
 * run_wait - fork, and wait for the child while passing on the signals that ask us to end
 * @status: in the parent, the child's exit status, 128 + N when signal N ended it
 *
 * returns 0 in the child, 1 in the parent when the child has ended, -errno. The child gets
 * SIGTERM when the parent dies. Signals that the terminal sent reach the child without our help.
 */
int run_wait(int *status);

#endif
