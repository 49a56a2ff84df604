/* SPDX-License-Identifier: GPL-2.0 */
#include "machine/left_out.h"

#include <stddef.h>

#include "common/plural.h"
#include "common/say.h"

void left_out_say(const char *id, unsigned n, const char *example, const char *why)
{
	if (n)
		say_warn(id, NULL, "%u probe point%s of wildcards, or with ?, %s %s and %s left "
			 "out ('%s'%s)", n, plural_s(n), plural_are(n), why, plural_are(n), example,
			 n == 1 ? "" : " is one");
}
