/* SPDX-License-Identifier: GPL-2.0 */
/* kernel.function: entry and return of functions of the kernel itself, with $variables from BTF. */
#include "analyse/locate/points/symbol_sites.h"

static const struct form forms[] = {
	{ "kernel.function(S)", NULL, 0 },
	{ "kernel.function(S).call", NULL, SYMBOL_SITES_CALL },
	{ "kernel.function(S).return", NULL, SYMBOL_SITES_RETURN },
	{ "kernel.function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE },
	{ "kernel.mark(S).**", "markers are gone from the kernel; see kernel.trace", 0 },
	{ "kernel.lsm(S)", "lsm.NAME are the hooks, such as lsm.file_open", 0 },
};

static int locate(const struct located_request *rq, struct located *ret)
{
	return symbol_sites_locate(rq, SYMBOL_SITES_KERNEL, ret);
}

const struct provider kernel_function_provider = {
	"kernel_function", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
