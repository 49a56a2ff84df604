/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe.function: entry and return of anything that has a symbol, without $variables. */
#include "analyse/locate/points/symbol_sites.h"

static const struct form forms[] = {
	{ "kprobe.function(S)", NULL, 0 },
	{ "kprobe.function(S).call", NULL, SYMBOL_SITES_CALL },
	{ "kprobe.function(S).return", NULL, SYMBOL_SITES_RETURN },
	{ "kprobe.function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE },
};

static int locate(const struct located_request *rq, struct located *ret)
{
	return symbol_sites_locate(rq, SYMBOL_SITES_KPROBE, ret);
}

const struct provider kprobe_function_provider = {
	"kprobe_function", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
