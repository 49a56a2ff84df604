/* SPDX-License-Identifier: GPL-2.0 */
/* The user at the other end of a connection, as the kernel knows them. */
#ifndef GRANT_PEER_H
#define GRANT_PEER_H

#include <stddef.h>
#include <sys/types.h>

struct peer {
	uid_t uid;
	gid_t gid;             /* of the process that connected */
	pid_t pid;
	char *name;            /* of the user */
	char **groups;         /* names of the groups that the user belongs to */
	size_t ngroups;
};

/** peer_find - ask who connected to the socket @fd. Groups are those of the system's lists, not of
 *  the process. Returns NULL, or what is wrong. peer_deinit() accepts the result either way. */
const char *peer_find(int fd, struct peer *ret);
void peer_deinit(struct peer *p);

#endif
