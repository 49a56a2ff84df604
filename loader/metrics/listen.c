/* SPDX-License-Identifier: GPL-2.0 */
/* The address that the server listens on. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/say.h"
#include "metrics/private.h"

enum { BACKLOG = 128 };

static int refuse(const char *address, const char *why)
{
	say_error("E_METRIC", "give a port, or an address of this machine: 9435, 0.0.0.0:9435, "
		  "[::]:9435", "--metrics '%s': %s", address, why);
	return -1;
}

/* Splits [ADDRESS:]PORT; an IPv6 address is in brackets. */
static int split(const char *text, char *host, size_t size, unsigned *port)
{
	const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
	size_t len = colon ? (size_t)(colon - text) : 0;
	char *end;
	unsigned long n = strtoul(number, &end, 10);

	if (*number < '0' || *number > '9' || *end || n < 1 || n > 65535 || len >= size)
		return -1;
	*port = (unsigned)n;
	if (len >= 2 && *text == '[' && colon[-1] == ']') {
		text++;
		len -= 2;
	} else if (memchr(text, ':', len)) {
		return -1;
	}
	snprintf(host, size, "%.*s", (int)len, colon ? text : "");
	return 0;
}

static int parse(const char *address, struct sockaddr_storage *ret, socklen_t *len)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
	char host[64];
	unsigned port;

	if (split(address, host, sizeof(host), &port))
		return -1;
	v4.sin_port = v6.sin6_port = htons((uint16_t)port);
	*ret = (struct sockaddr_storage){ 0 };
	v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!*host || strcmp(host, "localhost") == 0 ||
	    inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
		memcpy(ret, &v4, *len = sizeof(v4));
		return 0;
	}
	if (inet_pton(AF_INET6, host, &v6.sin6_addr) != 1)
		return -1;
	memcpy(ret, &v6, *len = sizeof(v6));
	return 0;
}

int metrics_listen(const char *address)
{
	struct sockaddr_storage where;
	socklen_t len;
	int fd, on = 1, err = 0;

	if (parse(address, &where, &len))
		return refuse(address, "not [ADDRESS:]PORT");
	fd = socket(where.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd < 0 || bind(fd, (struct sockaddr *)&where, len) || listen(fd, BACKLOG))
		err = errno;
	if (!err)
		return fd;
	if (fd >= 0)
		close(fd);
	return refuse(address, strerror(err));
}
