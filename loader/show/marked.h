/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names that are looked up when they are shown: in a string of a script, container_name() and the
 * like leave a mark (runtime/abi/mark_names.h), in whose place the name stands in all output. KIND
 * is one of containers_letters. Where the name is not known, the id stands there.
 */
#ifndef LOADER_MARKED_H
#define LOADER_MARKED_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/containers.h"

struct marked {
	struct containers containers;
	struct buf args, text; /* of the last record that had marks */
};

/** marked_replace - replace the marks in the strings of a record's arguments of @types. @ids: by
 * ids alone. @args, @len: set to another memory if there are any, valid until the next call.
 * Returns false if the arguments do not fit. */
bool marked_replace(struct marked *m, bool ids, const char *types, const void **args,
		    size_t *len);
void marked_deinit(struct marked *m);

#endif
