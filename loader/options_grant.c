/* SPDX-License-Identifier: GPL-2.0 */
/* The options that a session of --grant can have: they concern its own output only. */
#include "options.h"

#include "common/say.h"

static const struct {
	int key;
	const char *name, *why; /* why it is refused; NULL: it is allowed */
} rows[] = {
#define SESSION_OPTION(key, name, takes, arg, help, grant) { key, name, grant },
#define SESSION_FLAG(key, field, name, help, grant) { key, name, grant },
#define SESSION_TEXT(key, field, name, arg, help, grant) { key, name, grant },
#include "shared/session_options.def"
};
#define NROWS (sizeof(rows) / sizeof(*rows))
_Static_assert(NROWS <= 64, "struct options.given has a bit for each row");

void options_mark_given(struct options *o, int key)
{
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].key == key)
			o->given |= (uint64_t)1 << i;
}

static int refuse(int key, const char *name, const char *why)
{
	char letter[] = { '-', (char)key, '\0' };

	say_error("E_OPTION", "leave it out, or run this as root without --grant",
		  "%s%s with --grant: %s", key < OPT_DESCRIBE ? letter : "--",
		  key < OPT_DESCRIBE ? "" : name, why);
	return -1;
}

int options_check_grant(const struct options *o)
{
	for (size_t i = 0; i < NROWS; i++)
		if (o->given & (uint64_t)1 << i && rows[i].why)
			return refuse(rows[i].key, rows[i].name, rows[i].why);
	if (o->verbose)
		return refuse('v', NULL, "it shows what only root may know about the kernel");
	return 0;
}
