/* SPDX-License-Identifier: GPL-2.0 */
/* links: runtime */
/* Compares arrays with a plain list as testsuite/twin/test_map.c does. The input replaces the
 * random numbers there: the shape of the array, each operation and each key. */
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
