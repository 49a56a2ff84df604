/* SPDX-License-Identifier: GPL-2.0 */
#include "session/granted.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "records.h"

#include "common/say.h"
#include "module/meta.h"
#include "session/child.h"

int granted_parse(const char *s, struct granted *ret)
{
	char *end;

	*ret = (struct granted){ .on = true };
	ret->uid = (uid_t)strtoul(s, &end, 10);
	if (end == s || *end != ':')
		return -1;
	s = end + 1;
	ret->gid = (gid_t)strtoul(s, &end, 10);
	if (end == s || *end != ',')
		return -1;
	s = end + 1;
	ret->memory = strtoull(s, &end, 10);
	if (end == s || !ret->memory)
		return -1;
	if (strncmp(end, ",guru", 5) == 0) {
		ret->guru = true;
		end += 5;
	}
	if (strncmp(end, ",timed", 6) == 0) {
		ret->timed = true;
		end += 6;
	}
	return *end ? -1 : 0;
}

int granted_check_module(const struct granted *g, const struct meta *m)
{
	if (!g->on || g->guru || !m->guru)
		return 0;
	say_error("E_GRANT", "build it without -g, or ask the administrator to add 'guru'",
		  "the module was built in guru mode, which its rule does not allow");
	return -1;
}

/* The kernel asks whoever reads this link for the right to debug the process. A program that has
 * got rights by its file, or keeps its memory to itself, may have the user's id, and is not theirs
 * all the same. The child can't be reached by signals of the user, as root remains its real
 * user. */
static bool may_look(const struct granted *g, pid_t pid)
{
	char path[32], byte;
	pid_t child = fork();
	int status;

	if (!child) {
		snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
		_exit(setegid(g->gid) || seteuid(g->uid) || readlink(path, &byte, 1) < 0);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return child > 0 && !status;
}

/* It is the process that was opened if that has not ended afterwards. */
int granted_check_process(const struct granted *g, const struct child *c)
{
	struct pollfd ended = { .fd = c->fd, .events = POLLIN };

	if (!g->on || (may_look(g, c->pid) && poll(&ended, 1, 0) == 0))
		return 0;
	say_error("E_GRANT", "-x takes one of your own processes, without privileges that you do "
			     "not have",
		  "process %d is not one of yours", (int)c->pid);
	return -1;
}

unsigned granted_flags(const struct granted *g, const struct meta *m, const struct child *c)
{
	if (!g->on || !g->uid || c->pid <= 0)
		return 0;
	return PRT_SETUP_USERS_TARGET | (m->target_only ? 0 : PRT_SETUP_DESCENDANTS);
}
