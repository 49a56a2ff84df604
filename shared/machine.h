/* SPDX-License-Identifier: GPL-2.0 */
/* How much memory the machine has, and whose processes its /proc shows. */
#ifndef SHARED_MACHINE_H
#define SHARED_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/** machine_memory_part - one of @parts parts of the machine's memory, in bytes; at most @most,
 *  which is also the answer where nobody knows how much there is. It limits what others control. */
uint64_t machine_memory_part(unsigned parts, uint64_t most);

/** machine_proc_is_own - whether the numbers of processes in /proc are those by which this process
 *  and its user know them: behind `unshare --pid --fork`, /proc still has those of the namespace
 *  that it was mounted in. */
bool machine_proc_is_own(void);
/** MACHINE_PROC_HINT - what the user can do where it is not. */
#define MACHINE_PROC_HINT "mount -t proc proc /proc; unshare does it with --mount-proc"

#endif
