/* SPDX-License-Identifier: GPL-2.0 */
/* The flight recorders in a dump, as runtime/abi/vmcore.h describes them. */
#ifndef LOADER_RECORDER_H
#define LOADER_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "device/ring.h"
#include "vmcore.h"

struct dump_memory;

/* The anchors of a dump; a session that was freed has none. */
struct recorders {
	const struct dump_memory *m;
	struct prt_vmcore *v;
	size_t n;
};

/** recorders_find - find all in @m, which must outlive them. 0, or -1 after reporting E_IO, or when
 * a signal has come; recorders_deinit() in any case. */
int recorders_find(struct recorders *ret, const struct dump_memory *m);
void recorders_deinit(struct recorders *r);
/** recorder_about - read the text of section .probec. Returns memory to free(), with its length in
 * @len; NULL after reporting E_VMCORE. */
char *recorder_about(const struct dump_memory *m, const struct prt_vmcore *of, size_t *len);
/**
 * recorder_rings - read what the rings of @of keep
 *
 * @ret: a ring for each processor: `data` is memory to free(), whose bytes from 0 to `end` are
 *       groups; is_overwritten; its processor; `open` is the time of a hit that was running. The
 *       array is to free() as well
 *
 * A ring that the dump has not completely is left out with a warning. 0, or -1 after reporting
 * E_VMCORE: there is nothing to free.
 */
int recorder_rings(const struct dump_memory *m, const struct prt_vmcore *of, struct rings *ret);

#endif
