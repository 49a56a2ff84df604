/* SPDX-License-Identifier: GPL-2.0 */
/* Object files for the tests of compiler/target/dwarf, which gcc makes from C or assembler. */
#ifndef DWARF_FIXTURE_H
#define DWARF_FIXTURE_H

#include "locate_fixture.h"

#include "base/subprocess.h"

/* Runs a command that must succeed. */
static inline void fixture_run(const char *const argv[])
{
	struct buf err;

	buf_init(&err);
	if (subprocess_run(argv, NULL, NULL, &err) != 0)
		fail_msg("%s: %s", argv[0], err.s ? err.s : "");
	buf_deinit(&err);
}

static inline const char *fixture_write(struct arena *a, const char *text, const char *suffix)
{
	const char *dir = getenv("TMPDIR");
	char *path = arena_printf(a, "%s/probec-dwarf-XXXXXX%s", dir ? dir : "/tmp", suffix);
	int fd = mkstemps(path, (int)strlen(suffix));

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	return path;
}

/* Returns the path of an object compiled from @text with @flag; the caller unlinks it. */
static inline const char *fixture_object(struct arena *a, const char *text, const char *suffix,
					 const char *flag)
{
	const char *from = fixture_write(a, text, suffix);
	const char *to = fixture_write(a, "", ".o");
	const char *const argv[] = { "gcc", "-g", "-O2", "-c", "-fcf-protection=none", flag, "-o",
				     to, from, NULL };

	fixture_run(argv);
	unlink(from);
	return to;
}

#endif
