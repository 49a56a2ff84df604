/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 5: runs the module by proberun, here or in the throwaway virtual machine. */
#ifndef RUN_H
#define RUN_H

#include <sys/types.h>

#include "bundle/bundle.h"

struct state;

/** run_possible - whether this user can load a module on this kernel: 0, or -1 after E_NOT_ROOT or
 *  E_NO_MODULES was reported. Always 0 with --vm. */
int run_possible(struct state *s);

/** run_vm_target - --vm: set s->opt.target to the captured target of the machine's kernel, which is
 *  made at its first use (slow, with a message). Returns 0, or -1 after E_VM was reported. */
int run_vm_target(struct state *s);

/** run_arguments - the words of proberun's command line that s->opt asks for, without the
 *  module. */
void run_arguments(struct state *s, bundle_words *ret);

/** run_module - run a session with @module. Returns its exit status. */
int run_module(struct state *s, const char *module);

/*
 * run_wait - fork, and wait for the child while passing on the signals that ask us to end, and the
 * one that asks for a snapshot
 * @status: in the parent, the child's exit status, 128 + N when signal N ended it
 *
 * returns 0 in the child, 1 in the parent when the child has ended, -errno. The child gets
 * SIGTERM when the parent dies. Signals that the terminal sent reach the child without our help.
 */
int run_wait(int *status);

#endif
