/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The HTTP server, by libmicrohttpd, in a thread of its own. The library is opened when it is
 * needed: it brings a dozen others, and most sessions serve nothing. Clients are not trusted: the
 * number of connections, their memory and their time are limited, and only GET and HEAD of two
 * paths are answered.
 */
#include <stddef.h>
#include <unistd.h>

#include "common/say.h"
#include "config.h"
#include "metrics/private.h"

#if PROBEC_HAVE_MICROHTTPD && !defined(PROBERUN_STATIC)
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "common/library.h"

#define INDEX "The metrics of this session are at /metrics.\n"

enum { CONNECTIONS = 16, IDLE_SECONDS = 10, MEMORY = 32 << 10 };

/* The functions of the library. */
struct library {
	void *handle;
	__typeof__(&MHD_start_daemon) start;
	__typeof__(&MHD_stop_daemon) stop;
	__typeof__(&MHD_create_response_from_buffer) from_buffer;
	__typeof__(&MHD_add_response_header) header;
	__typeof__(&MHD_queue_response) queue;
	__typeof__(&MHD_destroy_response) destroy;
	__typeof__(&MHD_lookup_connection_value) value;
};

struct server {
	struct metrics *metrics;
	struct library lib;
	struct MHD_Daemon *daemon;
};

/* ---- requests ---- */

static enum MHD_Result reply(const struct library *l, struct MHD_Connection *c, unsigned status,
			     const char *type, char *text, size_t len,
			     enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *r = l->from_buffer(len, text, mode);
	enum MHD_Result ret;

	if (!r) {
		if (mode == MHD_RESPMEM_MUST_FREE)
			free(text);
		return MHD_NO;
	}
	l->header(r, "Content-Type", type);
	l->header(r, "X-Content-Type-Options", "nosniff");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		l->header(r, "Allow", "GET, HEAD");
	ret = l->queue(c, status, r);
	l->destroy(r);
	return ret;
}

static enum MHD_Result reply_text(const struct library *l, struct MHD_Connection *c,
				  unsigned status, const char *text)
{
	return reply(l, c, status, "text/plain; charset=utf-8", (char *)(uintptr_t)text,
		     strlen(text), MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result reply_metrics(struct server *s, struct MHD_Connection *c)
{
	const char *accept = s->lib.value(c, MHD_HEADER_KIND, "Accept");
	bool open = accept && strstr(accept, "application/openmetrics-text");
	char *text;
	size_t len;
	int err = metrics_get(s->metrics, open ? METRICS_OPENMETRICS : METRICS_PROMETHEUS, &text,
			      &len);

	if (err)
		return reply_text(&s->lib, c, MHD_HTTP_SERVICE_UNAVAILABLE,
				  err == -ENODATA ? "The session is not running.\n" :
				  "The session did not answer in time.\n");
	return reply(&s->lib, c, MHD_HTTP_OK, open ?
		     "application/openmetrics-text; version=1.0.0; charset=utf-8" :
		     "text/plain; version=0.0.4; charset=utf-8", text, len,
		     MHD_RESPMEM_MUST_FREE);
}

/* Called at first when the headers have been read, and then with the body, which is dropped. */
static enum MHD_Result answer(void *server, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *data,
			      size_t *size, void **state)
{
	struct server *s = server;

	(void)version;
	(void)data;
	if (!*state) {
		*state = s;
		return MHD_YES;
	}
	if (*size) {
		*size = 0;
		return MHD_YES;
	}
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return reply_text(&s->lib, c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or HEAD only.\n");
	if (strcmp(url, "/metrics") == 0)
		return reply_metrics(s, c);
	if (strcmp(url, "/") == 0)
		return reply_text(&s->lib, c, MHD_HTTP_OK, INDEX);
	return reply_text(&s->lib, c, MHD_HTTP_NOT_FOUND, INDEX);
}

/* ---- the thread ---- */

static int open_library(struct library *l)
{
	static const char *const names[] = { "libmicrohttpd.so.12", NULL };
	const struct library_function all[] = {
		{ (void **)&l->start, "MHD_start_daemon" },
		{ (void **)&l->stop, "MHD_stop_daemon" },
		{ (void **)&l->from_buffer, "MHD_create_response_from_buffer" },
		{ (void **)&l->header, "MHD_add_response_header" },
		{ (void **)&l->queue, "MHD_queue_response" },
		{ (void **)&l->destroy, "MHD_destroy_response" },
		{ (void **)&l->value, "MHD_lookup_connection_value" },
	};
	const char *why;

	l->handle = library_open(names, all, sizeof(all) / sizeof(all[0]), &why);
	if (l->handle)
		return 0;
	say_error("E_METRIC", "install libmicrohttpd (on Debian: libmicrohttpd12 or "
		  "libmicrohttpd12t64), or use --metrics-file=FILE",
		  "can't load the HTTP server: %s", why);
	return -1;
}

/* The library's own messages are about clients that misbehave. */
static void drop_message(void *none, const char *format, va_list args)
{
	(void)none;
	(void)format;
	(void)args;
}

struct server *server_start(int fd, struct metrics *m)
{
	struct server *s = alloc_array(1, sizeof(*s));
	sigset_t all, old;

	s->metrics = m;
	if (open_library(&s->lib)) {
		close(fd);
		free(s);
		return NULL;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	s->daemon = s->lib.start(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC | MHD_USE_ERROR_LOG, 0,
		NULL, NULL, answer, s, MHD_OPTION_EXTERNAL_LOGGER, drop_message, NULL,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (s->daemon)
		return s;
	say_error("E_METRIC", NULL, "the HTTP server can't start");
	close(fd);
	dlclose(s->lib.handle);
	free(s);
	return NULL;
}

void server_stop(struct server *s)
{
	if (!s)
		return;
	s->lib.stop(s->daemon);
	dlclose(s->lib.handle);
	free(s);
}

#else /* no library to serve by */

#ifdef PROBERUN_STATIC
#define WHY "the proberun of a bundle has no HTTP server"
#else
#define WHY "this proberun has no HTTP server: it was built without libmicrohttpd"
#endif

struct server *server_start(int fd, struct metrics *m)
{
	(void)m;
	close(fd);
	say_error("E_METRIC", "use --metrics-file=FILE, or the module and a proberun that has "
		  "one",
		  WHY);
	return NULL;
}

void server_stop(struct server *s)
{
	(void)s;
}
#endif
