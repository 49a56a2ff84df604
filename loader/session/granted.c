/* SPDX-License-Identifier: GPL-2.0 */
#include "session/granted.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/say.h"
#include "module/meta.h"
#include "session/child.h"

int granted_parse(const char *s, struct granted *ret)
{
	char *end;

	*ret = (struct granted){ .on = true };
	ret->uid = (uid_t)strtoul(s, &end, 10);
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

/* A process that changes its rights, or may not be debugged, has root's files in /proc. It is the
 * one that was opened if that has not ended afterwards. */
int granted_check_process(const struct granted *g, const struct child *c)
{
	struct pollfd ended = { .fd = c->fd, .events = POLLIN };
	struct stat st;
	char path[32];

	if (!g->on)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d", (int)c->pid);
	if (!stat(path, &st) && st.st_uid == g->uid && poll(&ended, 1, 0) == 0)
		return 0;
	say_error("E_GRANT", "-x takes a process of your own", "process %d is not one of yours",
		  (int)c->pid);
	return -1;
}
