/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that SystemTap's library has and this one does not. They are refused by name with an
 * alternative, instead of being taken for misspellings. The library is searched first; a row is
 * removed when a tapset gets its function.
 */
#include <fnmatch.h>
#include <stddef.h>

#include "resolve/private.h"

static const struct missing {
	const char *names, *hint;
} missing[] = {
	{ "@(ftrace|dump_stack|stp_print_binary)",
	  "print and print_backtrace() write to the output" },
	{ "set_returnval", "with -g, $return = value" },
	{ "set_*_arg", "with -g, $parameter = value" },
	{ "task_backtrace",
	  "print_backtrace() in kernel.trace(\"sched_switch\") shows the task that is switched "
	  "out" },
};

const char *missing_function(const char *name)
{
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (!fnmatch(missing[i].names, name, FNM_EXTMATCH))
			return missing[i].hint;
	return NULL;
}
