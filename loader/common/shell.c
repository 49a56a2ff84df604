/* SPDX-License-Identifier: GPL-2.0 */
/* Turns a child that root has forked into a command of the user who called sudo. */
#include "common/shell.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory_limit.h"
#include "common/signals.h"

enum { MAX_GROUPS = 256 };

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

#ifdef PROBERUN_STATIC

/* A static program can't load the modules of the name service, which belong to another libc: the
 * machine's own files decide. */
static struct passwd *user_of(uid_t uid)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct passwd *pw;

	if (!f)
		return NULL;
	do
		pw = fgetpwent(f);
	while (pw && pw->pw_uid != uid);
	fclose(f);
	return pw;
}

static bool has_member(const struct group *gr, const char *name)
{
	for (char **member = gr->gr_mem; *member; member++) {
		if (strcmp(*member, name) == 0)
			return true;
	}
	return false;
}

static int take_groups(const char *name, gid_t gid)
{
	gid_t ids[MAX_GROUPS] = { gid };
	size_t n = 1;
	FILE *f = fopen("/etc/group", "re");
	struct group *gr;

	while (f && n < MAX_GROUPS && (gr = fgetgrent(f))) {
		if (gr->gr_gid != gid && has_member(gr, name))
			ids[n++] = gr->gr_gid;
	}
	if (f)
		fclose(f);
	return setgroups(n, ids);
}

#else

static struct passwd *user_of(uid_t uid)
{
	return getpwuid(uid);
}

static int take_groups(const char *name, gid_t gid)
{
	return initgroups(name, gid);
}

#endif

/* Drops the rights of root. Returns 0 or -errno. */
static int become_user(void)
{
	long uid = environment_id("SUDO_UID"), gid = environment_id("SUDO_GID");
	struct passwd *pw;

	if (geteuid() != 0 || uid <= 0 || gid < 0)
		return 0;
	pw = user_of((uid_t)uid);
	if ((pw ? take_groups(pw->pw_name, (gid_t)gid) : setgroups(0, NULL)) != 0 ||
	    setgid((gid_t)gid) != 0 || setuid((uid_t)uid) != 0)
		return -errno;
	if (pw) {
		setenv("HOME", pw->pw_dir, 1);
		setenv("USER", pw->pw_name, 1);
		setenv("LOGNAME", pw->pw_name, 1);
	}
	return 0;
}

int shell_become_user(void)
{
	signals_reset();
	memory_limit_undo();
	return become_user();
}

void shell_find(const char *name, char *ret, size_t size)
{
	const char *dir = getenv("PATH"), *end;
	struct stat st;

	for (; dir && !strchr(name, '/'); dir = *end ? end + 1 : NULL) {
		end = strchrnul(dir, ':');
		snprintf(ret, size, "%.*s%s%s", (int)(end - dir), dir, end > dir ? "/" : "", name);
		if (access(ret, X_OK) == 0 && stat(ret, &st) == 0 && S_ISREG(st.st_mode))
			return;
	}
	snprintf(ret, size, "%s", name);
}

int shell_exec(const char *command)
{
	static char shell[] = "/bin/sh", option[] = "-c";

	char *const argv[] = { shell, option, (char *)command, NULL };

	execv(shell, argv);
	return -errno;
}

int shell_exec_words(const char *path, char *const *argv)
{
	if (strchr(path, '/'))
		execv(path, argv);
	/* A script without #! is run by the shell, and any other error is found again. */
	execvp(argv[0], argv);
	return -errno;
}
