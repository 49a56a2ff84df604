/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Standard input for probes: a thread reads it and gives the runtime each line, and each character
 * to those probes that want it, waiting for their handlers. The rest of the session never waits for
 * it. A background session has no input, and with -c, the command's standard input is /dev/null.
 */
#ifndef LOADER_INPUT_H
#define LOADER_INPUT_H

#include <stdbool.h>

struct device;
struct input;
struct meta;

/** input_wanted - return whether the script has probes of standard input. */
bool input_wanted(const struct meta *m);
/** input_start - start the thread, after device_start(). NULL: an error was reported. */
struct input *input_start(struct device *d, const struct meta *m);
/** input_stop - end the session, as device_stop() does, and the thread. @in may be NULL. */
void input_stop(struct input *in);

#endif
