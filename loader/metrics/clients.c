/* SPDX-License-Identifier: GPL-2.0 */
#include "metrics/clients.h"

#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"

struct http_client *clients_add(struct clients *c, int fd, struct peer peer, int64_t now)
{
	struct http_client *it;

	if (c->n == CLIENTS_MAX)
		return NULL;
	it = memory_zeroed(1, sizeof(*it));
	it->fd = fd;
	it->peer = peer;
	it->since = now;
	c->v[c->n++] = it;
	return it;
}

void clients_remove(struct clients *c, struct http_client *it)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->v[i] == it)
			c->v[i] = c->v[--c->n];
	free(it);
}

static bool is_same_peer(const struct peer *a, const struct peer *b)
{
	return a->uid == b->uid && memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

/* How many of the clients that stay are of the peer of @of. */
static size_t count(const struct clients *c, const struct http_client *of)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += !c->v[i]->leaving && is_same_peer(&c->v[i]->peer, &of->peer);
	return n;
}

struct http_client *clients_excess(const struct clients *c)
{
	struct http_client *ret = NULL;
	size_t staying = 0, most = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct http_client *it = c->v[i];
		size_t n = it->leaving ? 0 : count(c, it);

		staying += !it->leaving;
		if (n > most || (n && n == most && it->since < ret->since)) {
			ret = it;
			most = n;
		}
	}
	return staying > CLIENTS_KEPT ? ret : NULL;
}

static struct http_client *oldest(const struct clients *c)
{
	struct http_client *ret = NULL;

	for (size_t i = 0; i < c->n; i++)
		if (!c->v[i]->leaving && (!ret || c->v[i]->since < ret->since))
			ret = c->v[i];
	return ret;
}

struct http_client *clients_overdue(const struct clients *c, int64_t now, int64_t ns)
{
	struct http_client *it = oldest(c);

	return it && now - it->since >= ns ? it : NULL;
}

int64_t clients_oldest(const struct clients *c)
{
	const struct http_client *it = oldest(c);

	return it ? it->since : INT64_MAX;
}
