/* SPDX-License-Identifier: GPL-2.0 */
/* Entry and return of functions of modules: module("NAME").function has $variables from BTF;
 * kprobe.module("NAME").function has none, and works for modules that are not known here. */
#include "analyse/locate/points/symbol_sites.h"

static const struct form forms[] = {
	{ "module(S).function(S)", NULL, 0 },
	{ "module(S).function(S).call", NULL, SYMBOL_SITES_CALL },
	{ "module(S).function(S).return", NULL, SYMBOL_SITES_RETURN },
	{ "module(S).function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE },
};

static const struct form kprobe_forms[] = {
	{ "kprobe.module(S).function(S)", NULL, 0 },
	{ "kprobe.module(S).function(S).call", NULL, SYMBOL_SITES_CALL },
	{ "kprobe.module(S).function(S).return", NULL, SYMBOL_SITES_RETURN },
	{ "kprobe.module(S).function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE },
};

static int locate(const struct located_request *rq, struct located *ret)
{
	return symbol_sites_locate(rq, SYMBOL_SITES_MODULE, ret);
}

const struct provider module_function_provider = {
	"module_function", forms, sizeof(forms) / sizeof(forms[0]), locate,
};

static int locate_kprobe(const struct located_request *rq, struct located *ret)
{
	return symbol_sites_locate(rq, SYMBOL_SITES_KPROBE_MODULE, ret);
}

const struct provider module_kprobe_provider = {
	"kprobe_module", kprobe_forms, sizeof(kprobe_forms) / sizeof(kprobe_forms[0]),
	locate_kprobe,
};
