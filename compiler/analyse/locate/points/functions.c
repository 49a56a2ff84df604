/* SPDX-License-Identifier: GPL-2.0 */
/* Entry and return of functions: kernel.function and module("NAME").function have $variables from
 * BTF; kprobe.function and kprobe.module("NAME").function have none, and are for anything that has
 * a symbol, also in modules that are not known here. */
#include "analyse/locate/points/symbol_sites.h"

#define FUNCTION_FORMS(of)                                                                     \
	{ of ".function(S)", NULL, 0 },                                                        \
	{ of ".function(S).call", NULL, SYMBOL_SITES_CALL },                                   \
	{ of ".function(S).return", NULL, SYMBOL_SITES_RETURN },                               \
	{ of ".function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE }

#define PROVIDER(id, name, table, which)                                                       \
	static int locate_##table(const struct located_request *rq, struct located *ret)       \
	{                                                                                      \
		return symbol_sites_locate(rq, which, ret);                                    \
	}                                                                                      \
	const struct provider id = {                                                           \
		name, table, sizeof(table) / sizeof(table[0]), locate_##table,                 \
	}

static const struct form of_kernel[] = {
	FUNCTION_FORMS("kernel"),
	{ "kernel.mark(S).**", "markers are gone from the kernel; see kernel.trace", 0 },
	{ "kernel.lsm(S)", "lsm.NAME are the hooks, such as lsm.file_open", 0 },
};
PROVIDER(functions_kernel_provider, "kernel_function", of_kernel, SYMBOL_SITES_KERNEL);

static const struct form of_kprobe[] = { FUNCTION_FORMS("kprobe") };
PROVIDER(functions_kprobe_provider, "kprobe_function", of_kprobe, SYMBOL_SITES_KPROBE);

static const struct form of_module[] = { FUNCTION_FORMS("module(S)") };
PROVIDER(functions_module_provider, "module_function", of_module, SYMBOL_SITES_MODULE);

static const struct form of_kprobe_module[] = { FUNCTION_FORMS("kprobe.module(S)") };
PROVIDER(functions_kprobe_module_provider, "kprobe_module", of_kprobe_module,
	 SYMBOL_SITES_KPROBE_MODULE);
