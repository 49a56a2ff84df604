/* SPDX-License-Identifier: GPL-2.0 */
#include "machine/refusal.h"

#include <errno.h>
#include <string.h>

const char *refusal_reason(int err)
{
	switch (err) {
	case -ENOEXEC:
		return "a kprobe would not execute the instruction there as the processor does";
	case -ENOTRECOVERABLE:
		return "the instruction there may fault, and the kernel would not recover from "
		       "that on a kprobe";
	default:
		return strerror(-err);
	}
}

const char *refusal_hint(int err)
{
	if (err != -ENOEXEC && err != -ENOTRECOVERABLE)
		return NULL;
	return "a kprobe there would crash the kernel or corrupt its data: probe the line before "
	       "or after it, or the entry of the function (doc/safety.md lists such instructions)";
}
