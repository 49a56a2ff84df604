/* SPDX-License-Identifier: GPL-2.0 */
#include "peer.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { GROUPS_MAX = 1024 };

static const char *find_groups(struct peer *p, gid_t primary)
{
	int n = GROUPS_MAX;
	gid_t *ids = calloc((size_t)n, sizeof(*ids));

	p->groups = calloc((size_t)n, sizeof(*p->groups));
	if (!ids || !p->groups || getgrouplist(p->name, primary, ids, &n) < 0)
		n = 0;
	for (int i = 0; i < n; i++) {
		struct group *gr = getgrgid(ids[i]);

		if (gr)
			p->groups[p->ngroups++] = strdup(gr->gr_name);
	}
	free(ids);
	return n ? NULL : "the groups of the user can't be determined";
}

const char *peer_find(int fd, struct peer *ret)
{
	struct ucred who;
	socklen_t len = sizeof(who);
	struct passwd *pw;

	*ret = (struct peer){ 0 };
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) || !who.pid)
		return "the kernel does not know who is connected";
	ret->uid = who.uid;
	ret->gid = who.gid;
	ret->pid = who.pid;
	pw = getpwuid(who.uid);
	if (!pw)
		return "the user has no name";
	ret->name = strdup(pw->pw_name);
	return find_groups(ret, pw->pw_gid);
}

void peer_deinit(struct peer *p)
{
	for (size_t i = 0; i < p->ngroups; i++)
		free(p->groups[i]);
	free(p->groups);
	free(p->name);
	*p = (struct peer){ 0 };
}
