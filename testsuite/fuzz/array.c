/* SPDX-License-Identifier: GPL-2.0 */
/* links: runtime */
/* Arrays beside a plain list, as testsuite/twin/test_map.c does it: the input is what is random
 * there, from the array's shape to each operation and key. */
#include "fuzz.h"

#include "machine.h"
#include "twin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	machine_be_cpu(TWIN_CPUS);
	machine_script();
	twin_feed(data, size);
	twin_array(2000);
	CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
	return 0;
}
