/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshots of the flight recorder, between the runtime and the loader. */
#ifndef PRT_SNAPSHOT_H
#define PRT_SNAPSHOT_H

#include "records.h"

/* A snapshot that the script asks for. */
struct prt_snapshot {
	prt_u64 time;         /* of the session clock: groups with an earlier time belong to it */
	prt_u32 probe;        /* whose handler asked; UINT32_MAX: the caller did */
	prt_u32 suppressed;   /* others that were asked for too soon, since the last call */
	prt_u32 now;          /* set by the caller: 1: asks for one unless the script has */
	prt_u32 pad;
	char reason[256];
};
/* The end of a snapshot: the rings were read. */
struct prt_snapshot_end {
	prt_u64 not_before;   /* of the session clock: none that the script asks for earlier */
};

/* -EAGAIN: none is asked for. From then on each ring of a processor keeps its newer half, until
 * PRT_IOC_RECORD. Both: -EINVAL without PRT_SETUP_FLIGHT. */
#define PRT_IOC_SNAPSHOT    _IOWR('p', 22, struct prt_snapshot)
#define PRT_IOC_RECORD      _IOW('p', 23, struct prt_snapshot_end)

#endif
