/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the other end of a TCP connection. If that is a socket of this machine, the kernel
 * names its user: sock_diag(7), a request for one socket by its two ends, which are ours exchanged.
 */
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "metrics/clients.h"

#define NO_USER UINT32_MAX

/* One end of a connection. */
struct end {
	struct in6_addr address;
	uint16_t port; /* in network order */
};

static struct end end_of(const struct sockaddr_storage *s)
{
	const struct sockaddr_in *v4 = (const void *)s;
	const struct sockaddr_in6 *v6 = (const void *)s;
	struct end ret = { .port = 0 };

	if (s->ss_family == AF_INET6)
		return (struct end){ v6->sin6_addr, v6->sin6_port };
	if (s->ss_family != AF_INET)
		return ret;
	ret.address.s6_addr[10] = ret.address.s6_addr[11] = 0xff;
	memcpy(&ret.address.s6_addr[12], &v4->sin_addr, sizeof(v4->sin_addr));
	ret.port = v4->sin_port;
	return ret;
}

/* Stores an address as the kernel's tables have it: those of IPv4 begin with their four bytes. */
static void put_address(__be32 *to, const struct in6_addr *a)
{
	memset(to, 0, sizeof(a->s6_addr));
	if (IN6_IS_ADDR_V4MAPPED(a))
		memcpy(to, &a->s6_addr[12], 4);
	else
		memcpy(to, a->s6_addr, sizeof(a->s6_addr));
}

static int ask(int diag, const struct end *client, const struct end *server)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 req;
	} m = {
		.head = { .nlmsg_len = sizeof(m), .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST },
		.req = { .sdiag_family = IN6_IS_ADDR_V4MAPPED(&client->address) ? AF_INET :
										  AF_INET6,
			 .sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX,
			 .id = { .idiag_sport = client->port, .idiag_dport = server->port,
				 .idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE } } },
	};

	put_address(m.req.id.idiag_src, &client->address);
	put_address(m.req.id.idiag_dst, &server->address);
	return send(diag, &m, sizeof(m), 0) == sizeof(m) ? 0 : -errno;
}

static uint32_t user(int diag, const struct end *client, const struct end *server)
{
	union {
		struct nlmsghdr head;
		char bytes[1024];
	} m;
	const struct inet_diag_msg *found = NLMSG_DATA(&m.head);
	ssize_t len;

	if (diag < 0 || ask(diag, client, server))
		return NO_USER;
	len = recv(diag, &m, sizeof(m), 0);
	if (len < (ssize_t)NLMSG_LENGTH(sizeof(*found)) ||
	    m.head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return NO_USER;
	return found->idiag_uid;
}

int peer_diag(void)
{
	return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

struct peer peer_find(int fd, int diag)
{
	struct sockaddr_storage there = { 0 }, here = { 0 };
	socklen_t there_len = sizeof(there), here_len = sizeof(here);
	struct peer ret = { .uid = NO_USER };
	struct end client, server;

	if (getpeername(fd, (struct sockaddr *)&there, &there_len) ||
	    getsockname(fd, (struct sockaddr *)&here, &here_len))
		return ret;
	client = end_of(&there);
	server = end_of(&here);
	memcpy(ret.address, &client.address, sizeof(ret.address));
	ret.uid = user(diag, &client, &server);
	return ret;
}
