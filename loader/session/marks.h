/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of containers and pods, for handlers that look into them (runtime/abi/mark_names.h):
 * known before the first hit, and read again within a second after a hit has met an unknown one.
 */
#ifndef LOADER_MARKS_H
#define LOADER_MARKS_H

#include <stdint.h>

#include "machine/containers.h"

struct device;

struct marks {
	struct containers containers;
	int64_t asked_at; /* ns of the monotonic clock */
	int err;          /* of the last call; it is reported once */
};

/** marks_give - give the runtime the names that the machine has now. If this fails, that is
 * reported, and names stand for ids. */
void marks_give(struct marks *m, struct device *d);
/** marks_turn - do it again if a name is wanted; asks once in a second. */
void marks_turn(struct marks *m, struct device *d, int64_t now);
void marks_deinit(struct marks *m);

#endif
