/* SPDX-License-Identifier: GPL-2.0 */
#include "machine/unarmed.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/say.h"

const char *unarmed_reason(int err)
{
	switch (err) {
	case -ENOEXEC:
		return "a kprobe would not execute that instruction as the processor does";
	case -ENOTRECOVERABLE:
		return "that instruction may fault, and the kernel would not recover from that at "
		       "a kprobe";
	default:
		return strerror(-err);
	}
}

const char *unarmed_hint(int err)
{
	if (err != -ENOEXEC && err != -ENOTRECOVERABLE)
		return NULL;
	return "a kprobe there would crash the kernel or corrupt its data: probe the line before "
	       "or after it, or the entry of the function (doc/safety.md lists such instructions)";
}

void unarmed_say_left_out(const char *id, unsigned n, const char *example, const char *why)
{
	if (n)
		say_warn(id, NULL, "%u probe point%s of wildcards, or with ?, %s %s and %s left "
			 "out ('%s'%s)", n, plural_s(n), plural_are(n), why, plural_are(n), example,
			 n == 1 ? "" : " is one");
}
