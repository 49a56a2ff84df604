/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The HTTP server, by libmicrohttpd, in a thread of its own. The library is opened when it is
 * needed: it brings a dozen others, and most sessions serve nothing. Clients are not trusted: the
 * number of connections (clients.h), their memory and their time are limited, and only GET and HEAD
 * of two paths are answered.
 *
 * The thread never waits for a text: a request for one is suspended until server_made(), so all
 * that come before a snapshot begins are answered by it.
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
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>

#include "common/library.h"
#include "metrics/clients.h"
#include "shared/clock.h"
#include "shared/memory.h"

#define INDEX "The metrics of this session are at /metrics.\n"

#define MS 1000000LL /* in ns */
/* For a request, and then for reading its answer. */
#define CLIENT_NS (10000 * MS)
#define TEXT_NS (5000 * MS)    /* a text that takes longer is not waited for */
#define LAST_NS (500 * MS)     /* for the last answers, when the session has ended */
enum { MEMORY = 32 << 10 };

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
	__typeof__(&MHD_suspend_connection) suspend;
	__typeof__(&MHD_resume_connection) resume;
	__typeof__(&MHD_get_connection_info) connection_info;
	__typeof__(&MHD_get_daemon_info) daemon_info;
	__typeof__(&MHD_get_timeout) timeout;
	__typeof__(&MHD_run) run;
};

struct server {
	struct server_source source;
	struct library lib;
	struct MHD_Daemon *daemon;
	struct clients clients;
	int diag;        /* peer_diag() */
	int epoll;       /* the library's */
	int event;       /* wakes the thread: a text was made, or `stop` was set */
	atomic_bool stop;
	pthread_t thread;
};

static struct http_client *client_of(const struct server *s, struct MHD_Connection *c)
{
	const union MHD_ConnectionInfo *info =
		s->lib.connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

	return info ? info->socket_context : NULL;
}

/* ---- requests ---- */

/* Whether the request names the token. The time that it takes says nothing about the token, but
 * for its length. */
static bool is_allowed(const struct server *s, struct MHD_Connection *c)
{
	static const char scheme[] = "Bearer ";
	const char *token = s->source.token, *given;
	unsigned char wrong = 0;

	if (!token)
		return true;
	given = s->lib.value(c, MHD_HEADER_KIND, "Authorization");
	if (!given || strncasecmp(given, scheme, sizeof(scheme) - 1) != 0)
		return false;
	given += sizeof(scheme) - 1;
	if (strlen(given) != strlen(token))
		return false;
	for (size_t i = 0; token[i]; i++)
		wrong |= (unsigned char)(given[i] ^ token[i]);
	return !wrong;
}

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
	if (status == MHD_HTTP_UNAUTHORIZED)
		l->header(r, "WWW-Authenticate", "Bearer");
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

/* Sends the text that the client waits for, or waits. */
static enum MHD_Result reply_metrics(struct server *s, struct MHD_Connection *c,
				     struct http_client *it)
{
	static const char *const types[] = {
		[METRICS_PROMETHEUS] = "text/plain; version=0.0.4; charset=utf-8",
		[METRICS_OPENMETRICS] =
			"application/openmetrics-text; version=1.0.0; charset=utf-8",
		[METRICS_PROTOBUF] = "application/vnd.google.protobuf; "
			"proto=io.prometheus.client.MetricFamily; encoding=delimited",
	};
	enum metrics_format format =
		accept_format(s->lib.value(c, MHD_HEADER_KIND, "Accept"));
	char *text;
	size_t len;
	int err;

	if (!it->number)
		it->number = s->source.want(s->source.of, format);
	err = s->source.take(s->source.of, it->number, format, &text, &len);
	if (err == -EAGAIN && !s->stop && clock_ns() - it->since < TEXT_NS) {
		it->waits = true;
		s->lib.suspend(c);
		return MHD_YES;
	}
	it->number = 0;
	if (err)
		return reply_text(&s->lib, c, MHD_HTTP_SERVICE_UNAVAILABLE,
				  err == -ENODATA ? "The session is not running.\n" :
				  "The session did not answer in time.\n");
	return reply(&s->lib, c, MHD_HTTP_OK, types[format], text, len, MHD_RESPMEM_MUST_FREE);
}

/* Called at first when the headers have been read, then with the body, which is dropped, and again
 * after each suspension. */
static enum MHD_Result answer(void *server, struct MHD_Connection *c, const char *url,
			      const char *method, const char *version, const char *data,
			      size_t *size, void **state)
{
	struct server *s = server;
	struct http_client *it = client_of(s, c);

	(void)version;
	(void)data;
	if (!it || it->leaving)
		return MHD_NO;
	if (!*state) {
		*state = s;
		return MHD_YES;
	}
	if (*size) {
		*size = 0;
		return MHD_YES;
	}
	if (!it->answered) {
		it->answered = true;
		it->since = clock_ns();
	}
	if (!is_allowed(s, c))
		return reply_text(&s->lib, c, MHD_HTTP_UNAUTHORIZED,
				  "Authorization: Bearer TOKEN is needed.\n");
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return reply_text(&s->lib, c, MHD_HTTP_METHOD_NOT_ALLOWED, "GET or HEAD only.\n");
	if (strcmp(url, "/metrics") == 0)
		return reply_metrics(s, c, it);
	if (strcmp(url, "/") == 0)
		return reply_text(&s->lib, c, MHD_HTTP_OK, INDEX);
	return reply_text(&s->lib, c, MHD_HTTP_NOT_FOUND, INDEX);
}

/* ---- connections ---- */

/* Ends a connection. The library closes the descriptor when it sees the end. */
static void disconnect(struct server *s, struct http_client *it)
{
	it->leaving = true;
	shutdown(it->fd, SHUT_RDWR);
	if (it->waits)
		s->lib.resume(it->handle);
	it->waits = false;
}

static void came(struct server *s, struct MHD_Connection *c, void **context)
{
	const union MHD_ConnectionInfo *info =
		s->lib.connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct http_client *excess;

	if (!info)
		return;
	*context = clients_add(&s->clients, info->connect_fd, peer_find(info->connect_fd, s->diag),
			       clock_ns());
	if (*context)
		((struct http_client *)*context)->handle = c;
	excess = clients_excess(&s->clients);
	if (excess)
		disconnect(s, excess);
}

static void connection_changed(void *server, struct MHD_Connection *c, void **context,
			       enum MHD_ConnectionNotificationCode code)
{
	struct server *s = server;

	if (code == MHD_CONNECTION_NOTIFY_STARTED)
		came(s, c, context);
	else if (*context)
		clients_remove(&s->clients, *context);
}

/* A request has been answered, or the client has given it up; another may follow. */
static void completed(void *server, struct MHD_Connection *c, void **state,
		      enum MHD_RequestTerminationCode code)
{
	struct http_client *it = client_of(server, c);

	(void)code;
	*state = NULL;
	if (!it)
		return;
	it->answered = it->waits = false;
	it->number = 0;
	it->since = clock_ns();
}

/* ---- the thread ---- */

/* Lets all that wait look for their text. */
static void resume_all(struct server *s)
{
	for (size_t i = 0; i < s->clients.n; i++) {
		struct http_client *it = s->clients.v[i];

		if (it->waits)
			s->lib.resume(it->handle);
		it->waits = false;
	}
}

/* Answers clients that wait in vain, and disconnects those that take too long. */
static void look_at_time(struct server *s, int64_t now)
{
	struct http_client *it;

	for (size_t i = 0; i < s->clients.n; i++) {
		it = s->clients.v[i];
		if (it->waits && now - it->since >= TEXT_NS) {
			it->waits = false;
			s->lib.resume(it->handle);
		}
	}
	while ((it = clients_overdue(&s->clients, now, CLIENT_NS)))
		disconnect(s, it);
}

/* ms until look_at_time() may have something to do, -1: not before something else happens. */
static int time_left(struct server *s, int64_t now)
{
	unsigned long long library;
	int64_t least = INT64_MAX, since = clients_oldest(&s->clients);

	if (since != INT64_MAX)
		least = since + CLIENT_NS - now;
	for (size_t i = 0; i < s->clients.n; i++) {
		const struct http_client *it = s->clients.v[i];

		if (it->waits && it->since + TEXT_NS - now < least)
			least = it->since + TEXT_NS - now;
	}
	if (s->lib.timeout(s->daemon, &library) == MHD_YES && (int64_t)library * MS < least)
		least = (int64_t)library * MS;
	if (least == INT64_MAX)
		return -1;
	return least > 0 ? (int)((least + MS - 1) / MS) : 0;
}

static void turn(struct server *s, int ms)
{
	struct pollfd fds[] = { { .fd = s->epoll, .events = POLLIN },
				{ .fd = s->event, .events = POLLIN } };
	uint64_t n;

	poll(fds, 2, ms);
	if (read(s->event, &n, sizeof(n)) == sizeof(n))
		resume_all(s);
	look_at_time(s, clock_ns());
	s->lib.run(s->daemon);
}

static bool has_answers(const struct server *s)
{
	for (size_t i = 0; i < s->clients.n; i++)
		if (s->clients.v[i]->answered && !s->clients.v[i]->leaving)
			return true;
	return false;
}

static void *serve(void *server)
{
	struct server *s = server;
	int64_t end;

	while (!s->stop)
		turn(s, time_left(s, clock_ns()));
	/* The source has said to those that wait that the session has ended. */
	resume_all(s);
	s->lib.run(s->daemon);
	end = clock_ns() + LAST_NS;
	while (has_answers(s) && clock_ns() < end)
		turn(s, 10);
	return NULL;
}

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
		{ (void **)&l->suspend, "MHD_suspend_connection" },
		{ (void **)&l->resume, "MHD_resume_connection" },
		{ (void **)&l->connection_info, "MHD_get_connection_info" },
		{ (void **)&l->daemon_info, "MHD_get_daemon_info" },
		{ (void **)&l->timeout, "MHD_get_timeout" },
		{ (void **)&l->run, "MHD_run" },
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

static int start_daemon(struct server *s, int fd)
{
	const char *pem = s->source.pem;
	/* The library reads of each text only the part that it needs. */
	struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)pem },
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)pem },
		{ MHD_OPTION_END, 0, NULL },
	};
	const union MHD_DaemonInfo *info;

	if (!pem)
		tls[0] = tls[2];
	s->daemon = s->lib.start(
		MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
		(pem ? MHD_USE_TLS : 0), 0, NULL, NULL, answer, s,
		MHD_OPTION_EXTERNAL_LOGGER, drop_message, NULL, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS_MAX,
		MHD_OPTION_NOTIFY_CONNECTION, connection_changed, s,
		MHD_OPTION_NOTIFY_COMPLETED, completed, s,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_ARRAY, tls,
		MHD_OPTION_END);
	if (!s->daemon) {
		close(fd);
		return -1;
	}
	info = s->lib.daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	s->epoll = info ? info->epoll_fd : -1;
	return s->epoll < 0 ? -1 : 0;
}

static int start_thread(struct server *s)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&s->thread, NULL, serve, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static void free_server(struct server *s)
{
	if (s->daemon)
		s->lib.stop(s->daemon);
	if (s->event >= 0)
		close(s->event);
	if (s->diag >= 0)
		close(s->diag);
	dlclose(s->lib.handle);
	free(s);
}

struct server *server_start(int fd, const struct server_source *source)
{
	struct server *s = memory_zeroed(1, sizeof(*s));

	s->source = *source;
	if (open_library(&s->lib)) {
		close(fd);
		free(s);
		return NULL;
	}
	s->diag = peer_diag();
	s->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!start_daemon(s, fd) && s->event >= 0 && !start_thread(s))
		return s;
	say_error("E_METRIC", source->pem ? "the file of --metrics-tls needs a certificate and its "
		  "private key, both in PEM" : NULL, "the HTTP server can't start");
	free_server(s);
	return NULL;
}

void server_made(struct server *s)
{
	uint64_t one = 1;

	if (s && write(s->event, &one, sizeof(one)) < 0)
		return; /* the counter is at its limit, so the thread is about to wake */
}

void server_stop(struct server *s)
{
	if (!s)
		return;
	s->stop = true;
	server_made(s);
	pthread_join(s->thread, NULL);
	free_server(s);
}

#else /* no library to serve by */

#ifdef PROBERUN_STATIC
#define WHY "the proberun of a bundle has no HTTP server"
#else
#define WHY "this proberun has no HTTP server: it was built without libmicrohttpd"
#endif

struct server *server_start(int fd, const struct server_source *source)
{
	(void)source;
	close(fd);
	say_error("E_METRIC", "use --metrics-file=FILE, or the module and a proberun that has "
		  "one",
		  WHY);
	return NULL;
}

void server_made(struct server *s)
{
	(void)s;
}

void server_stop(struct server *s)
{
	(void)s;
}
#endif
