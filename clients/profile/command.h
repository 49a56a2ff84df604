/* SPDX-License-Identifier: GPL-2.0 */
/* probec flame and probec pprof: saved stacks as a flame graph, or as a file for pprof. */
#ifndef PROFILE_COMMAND_H
#define PROFILE_COMMAND_H

struct arena;

/** command_flame / command_pprof - run the command; argv[0] is its name. Returns the exit status:
 *  0, or 2 after an error was reported. */
int command_flame(struct arena *a, int argc, char **argv);
int command_pprof(struct arena *a, int argc, char **argv);

#endif
