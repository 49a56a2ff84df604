/* SPDX-License-Identifier: GPL-2.0 */
/* Turns a child that root has forked into a command of the user who called sudo. */
#include "common/shell.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/signals.h"

/* Returns the number in an environment variable, or -1. */
static long environment_id(const char *name)
{
	const char *s = getenv(name);
	char *end;
	long v;

	if (!s || !*s)
		return -1;
	v = strtol(s, &end, 10);
	return *end || v < 0 || v >= UINT32_MAX ? -1 : v;
}

/* Drops the rights of root. Returns 0 or -errno. */
static int become_user(void)
{
	long uid = environment_id("SUDO_UID"), gid = environment_id("SUDO_GID");
	struct passwd *pw;

	if (geteuid() != 0 || uid <= 0 || gid < 0)
		return 0;
	pw = getpwuid((uid_t)uid);
	if ((pw ? initgroups(pw->pw_name, (gid_t)gid) : setgroups(0, NULL)) != 0 ||
	    setgid((gid_t)gid) != 0 || setuid((uid_t)uid) != 0)
		return -errno;
	if (pw) {
		setenv("HOME", pw->pw_dir, 1);
		setenv("USER", pw->pw_name, 1);
		setenv("LOGNAME", pw->pw_name, 1);
	}
	return 0;
}

int shell_exec(const char *command)
{
	static char shell[] = "/bin/sh", option[] = "-c";

	char *const argv[] = { shell, option, (char *)command, NULL };

	return shell_exec_words(argv);
}

int shell_exec_words(char *const *argv)
{
	int err;

	signals_reset();
	err = become_user();
	if (err)
		return err;
	execvp(argv[0], argv);
	return -errno;
}
