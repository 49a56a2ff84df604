/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends requests to a collector of OTLP, by libcurl, in a thread of its own: the pump never waits
 * for the collector. The library is opened when it is needed, as that of the HTTP server is. One
 * request with metrics waits at most, and a newer one takes its place: their values are cumulative.
 * Events wait in a queue of a limited size. What the specification of OTLP/HTTP calls retryable is
 * tried again, after a time that doubles.
 */
#include <stddef.h>

#include "common/say.h"
#include "config.h"
#include "metrics/private.h"

#if PROBEC_HAVE_CURL && !defined(PROBERUN_STATIC)
#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/library.h"
#include "common/signals.h"
#include "metrics/protobuf.h"
#include "shared/clock.h"
#include "shared/memory.h"

#define BINARY_TYPE "application/x-protobuf"
#define SECOND 1000000000LL
enum {
	CONNECT_MS = 5000,
	REQUEST_MS = 10000,
	RETRY_SECONDS_MAX = 60,
	END_SECONDS = 5,         /* for the last request, with its retries */
	ANSWER_MAX = 400,        /* bytes of an answer that are kept for a message */
	QUEUE_BYTES = 16 << 20,  /* of requests with events that wait */
};

/* The functions of the library. */
struct client {
	__typeof__(&curl_global_init) global_init;
	__typeof__(&curl_easy_init) init;
	__typeof__(&curl_easy_setopt) set;
	__typeof__(&curl_easy_perform) perform;
	__typeof__(&curl_easy_getinfo) get;
	__typeof__(&curl_easy_strerror) strerror;
	__typeof__(&curl_easy_cleanup) cleanup;
	__typeof__(&curl_slist_append) append;
	__typeof__(&curl_slist_free_all) free_all;
};

enum outcome { SENT, AGAIN, REFUSED };
enum { REPORTED_NOTHING = -1 };

/* A request that waits. */
struct body {
	struct buf text;
	uint64_t events;
	struct body *next;
};

struct sender {
	const struct sender_kind *kind;
	struct client lib;
	CURL *curl;
	bool is_binary;          /* METRICS_OTLP, not METRICS_OTLP_JSON */
	struct curl_slist *headers;
	char *url;
	pthread_t thread;
	char answer[ANSWER_MAX + 1]; /* the thread's */
	size_t answer_len;

	pthread_mutex_t lock;    /* of all below */
	pthread_cond_t changed;
	struct body *waiting, **last; /* the next requests */
	size_t bytes;            /* of these */
	uint64_t lost;           /* events that were not sent */
	bool ending;             /* there will be no other */
	bool idle;               /* nothing is being sent */
	int64_t give_up;         /* ns of the monotonic clock, when ending */
	enum outcome outcome;    /* of the last request */
	char why[ANSWER_MAX + 160]; /* unless it was sent */
	long status;             /* of HTTP, with that; 0: there was no answer */
	long reported;           /* the last status that was; REPORTED_NOTHING */
};

/* ---- one request ---- */

static size_t keep_answer(char *bytes, size_t size, size_t n, void *sender)
{
	struct sender *s = sender;
	size_t len = size * n, room = ANSWER_MAX - s->answer_len;

	memcpy(s->answer + s->answer_len, bytes, len < room ? len : room);
	s->answer_len += len < room ? len : room;
	s->answer[s->answer_len] = '\0';
	return len;
}

/* A second signal ends all waiting. */
static int end_transfer(void *sender, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	(void)sender, (void)a, (void)b, (void)c, (void)d;
	return signals_count() > 1;
}

/* An answer of success that says that some points were rejected. */
static bool is_partial(const char *answer)
{
	const char *at = strstr(answer, "\"rejectedDataPoints\"");

	return at && strcspn(at + 20, "123456789") < strcspn(at + 20, ",}");
}

/* Reads an answer in protocol buffers: an ExportMetricsServiceResponse, or a Status. Its message
 * takes its place. Returns whether some points were rejected. */
static bool read_binary(struct sender *s, bool is_success)
{
	char message[sizeof(s->answer)] = "";
	const char *at = s->answer, *end = at + s->answer_len;
	struct protobuf_field f;
	bool rejected = false;

	if (is_success && protobuf_next(&at, end, &f) && f.number == 1 && f.s) {
		at = f.s;
		end = at + f.len;
	}
	while (protobuf_next(&at, end, &f)) {
		rejected |= is_success && f.number == 1 && !f.s && f.v > 0;
		if (f.number == 2 && f.s)
			snprintf(message, sizeof(message), "%.*s", (int)f.len, f.s);
	}
	strcpy(s->answer, message);
	return rejected;
}

/* Whether the answer is in protocol buffers. */
static bool answers_binary(struct sender *s)
{
	char *type = NULL;

	s->lib.get(s->curl, CURLINFO_CONTENT_TYPE, &type);
	return type && strncmp(type, BINARY_TYPE, strlen(BINARY_TYPE)) == 0;
}

static enum outcome judge(struct sender *s, long status, char *why, size_t size)
{
	bool is_success = status / 100 == 2;
	bool partial = answers_binary(s) ? read_binary(s, is_success) : is_partial(s->answer);

	if (is_success && !partial)
		return SENT;
	for (char *p = s->answer; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	snprintf(why, size, "%s: HTTP status %ld%s%s", is_success ?
		 "the collector accepted only a part" : "the collector refused them", status,
		 *s->answer ? ": " : "", s->answer);
	return status == 429 || (status >= 502 && status <= 504) ? AGAIN : REFUSED;
}

static enum outcome post(struct sender *s, const struct buf *body, char *why, size_t size,
			 long *status)
{
	CURLcode err;

	*status = 0;
	s->answer_len = 0;
	s->answer[0] = '\0';
	s->lib.set(s->curl, CURLOPT_POSTFIELDS, body->s);
	s->lib.set(s->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->len);
	err = s->lib.perform(s->curl);
	if (err) {
		snprintf(why, size, "%s", s->lib.strerror(err));
		return AGAIN;
	}
	s->lib.get(s->curl, CURLINFO_RESPONSE_CODE, status);
	return judge(s, *status, why, size);
}

/* ---- the thread ---- */

/* Waits before a request is sent again. The end of the session does not wait for that. Sessions of
 * many machines do not come back at the same time. */
static void wait_for_retry(struct sender *s, int64_t pause)
{
	bool ending = s->ending;
	int64_t now = clock_ns(), until = now + pause / 2 + now % (pause / 2);
	struct timespec at = { .tv_sec = until / SECOND, .tv_nsec = until % SECOND };

	while (s->ending == ending && clock_ns() < until)
		pthread_cond_timedwait(&s->changed, &s->lock, &at);
}

static struct body *take(struct sender *s)
{
	struct body *b = s->waiting;

	if (!b)
		return NULL;
	s->waiting = b->next;
	if (!s->waiting)
		s->last = &s->waiting;
	s->bytes -= b->text.len;
	return b;
}

static void free_body(struct body *b)
{
	buf_deinit(&b->text);
	free(b);
}

/* Sends @body until it was sent or refused, a newer one waits, or the time is over. */
static void send_one(struct sender *s, const struct buf *body)
{
	char why[sizeof(s->why)] = "";
	int64_t pause = SECOND;

	for (;;) {
		enum outcome outcome;
		long status;

		pthread_mutex_unlock(&s->lock);
		outcome = post(s, body, why, sizeof(why), &status);
		pthread_mutex_lock(&s->lock);
		s->outcome = outcome;
		s->status = outcome == SENT ? REPORTED_NOTHING : status;
		memcpy(s->why, why, sizeof(why));
		if (outcome != AGAIN || (s->waiting && !s->kind->keeps) ||
		    (s->ending && clock_ns() + SECOND > s->give_up))
			return;
		wait_for_retry(s, s->ending ? SECOND : pause);
		if (pause < RETRY_SECONDS_MAX * SECOND)
			pause *= 2;
	}
}

static void *serve(void *sender)
{
	struct sender *s = sender;

	pthread_mutex_lock(&s->lock);
	while (!s->ending || s->waiting) {
		struct body *body = take(s);

		if (!body) {
			pthread_cond_wait(&s->changed, &s->lock);
			continue;
		}
		/* Requests behind one that was not sent in time are lost with it. */
		if (!s->ending || clock_ns() < s->give_up) {
			send_one(s, &body->text);
			s->lost += s->outcome == SENT ? 0 : body->events;
		} else {
			s->lost += body->events;
		}
		free_body(body);
	}
	s->idle = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* ---- the beginning ---- */

static int open_library(struct client *l)
{
	static const char *const names[] = { "libcurl.so.4", "libcurl-gnutls.so.4", NULL };
	const struct library_function all[] = {
		{ (void **)&l->global_init, "curl_global_init" },
		{ (void **)&l->init, "curl_easy_init" },
		{ (void **)&l->set, "curl_easy_setopt" },
		{ (void **)&l->perform, "curl_easy_perform" },
		{ (void **)&l->get, "curl_easy_getinfo" },
		{ (void **)&l->strerror, "curl_easy_strerror" },
		{ (void **)&l->cleanup, "curl_easy_cleanup" },
		{ (void **)&l->append, "curl_slist_append" },
		{ (void **)&l->free_all, "curl_slist_free_all" },
	};
	const char *why;

	if (library_open(names, all, sizeof(all) / sizeof(all[0]), &why)) {
		if (l->global_init(CURL_GLOBAL_DEFAULT) == 0)
			return 0;
		why = "it does not start";
	}
	say_error("E_METRIC", "install libcurl (on Debian: libcurl4 or libcurl4t64), or use "
		  "--metrics=PORT or --metrics-file=FILE", "can't load the HTTP client: %s",
		  why);
	return -1;
}

/* Without a path, the URL is that of the collector, which has a usual path for each kind. Events
 * are of two kinds, so that theirs is always added. */
static char *full_url(const char *url, const struct sender_kind *kind)
{
	const char *host = strstr(url, "://") + 3, *slash = strchr(host, '/');
	size_t len = strlen(url) - (url[strlen(url) - 1] == '/' && (kind->keeps || !slash[1]));
	char *ret = memory_zeroed(len + strlen(kind->path) + 1, 1);

	memcpy(ret, url, len);
	if (!slash || !slash[1] || kind->keeps)
		strcpy(ret + len, kind->path);
	return ret;
}

/* Adds the headers of OTEL_EXPORTER_OTLP_HEADERS, NAME=VALUE,... */
static void add_headers(struct sender *s)
{
	const char *at = getenv("OTEL_EXPORTER_OTLP_HEADERS");

	s->headers = s->lib.append(NULL, s->is_binary ? "Content-Type: " BINARY_TYPE :
							"Content-Type: application/json");
	s->headers = s->lib.append(s->headers, "Expect:");
	while (at && *at) {
		size_t len = strcspn(at, ","), name = strcspn(at, "=,");
		char line[1024];
		int n = name < len ? snprintf(line, sizeof(line), "%.*s: %.*s", (int)name, at,
					      (int)(len - name - 1), at + name + 1) : 0;

		if (n > 0 && n < (int)sizeof(line))
			s->headers = s->lib.append(s->headers, line);
		at += len + (at[len] == ',');
	}
}

static void set_up(struct sender *s)
{
	const struct client *l = &s->lib;

	add_headers(s);
	l->set(s->curl, CURLOPT_URL, s->url);
	l->set(s->curl, CURLOPT_HTTPHEADER, s->headers);
	l->set(s->curl, CURLOPT_USERAGENT, "probec/" PROBEC_VERSION);
	l->set(s->curl, CURLOPT_POST, 1L);
	l->set(s->curl, CURLOPT_NOSIGNAL, 1L);
	l->set(s->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	l->set(s->curl, CURLOPT_TIMEOUT_MS, (long)REQUEST_MS);
	l->set(s->curl, CURLOPT_WRITEFUNCTION, keep_answer);
	l->set(s->curl, CURLOPT_WRITEDATA, s);
	l->set(s->curl, CURLOPT_XFERINFOFUNCTION, end_transfer);
	l->set(s->curl, CURLOPT_NOPROGRESS, 0L);
}

static int start_thread(struct sender *s)
{
	pthread_condattr_t monotonic;
	sigset_t all, old;
	int err;

	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&s->thread, NULL, serve, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static void free_all(struct sender *s)
{
	if (s->curl)
		s->lib.cleanup(s->curl);
	if (s->headers)
		s->lib.free_all(s->headers);
	while (s->waiting)
		free_body(take(s));
	free(s->url);
	free(s);
}

struct sender *sender_start(const char *url, int format, const struct sender_kind *kind)
{
	struct sender *s = memory_zeroed(1, sizeof(*s));

	s->kind = kind;
	s->last = &s->waiting;
	s->is_binary = format == METRICS_OTLP;
	s->url = full_url(url, kind);
	s->status = s->reported = REPORTED_NOTHING;
	if (open_library(&s->lib)) {
		free_all(s);
		return NULL;
	}
	s->curl = s->lib.init();
	if (s->curl) {
		set_up(s);
		if (start_thread(s) == 0)
			return s;
	}
	say_error("E_METRIC", NULL, "the HTTP client can't start");
	free_all(s);
	return NULL;
}

/* ---- the session's side ---- */

void sender_give(struct sender *s, struct buf *body, uint64_t events)
{
	struct body *b = memory_zeroed(1, sizeof(*b));

	b->text = *body;
	b->events = events;
	*body = (struct buf){ 0 };
	pthread_mutex_lock(&s->lock);
	while (s->waiting && !s->kind->keeps)
		free_body(take(s));
	if (s->bytes + b->text.len > QUEUE_BYTES && s->waiting) {
		s->lost += events;
		free_body(b);
	} else {
		s->bytes += b->text.len;
		*s->last = b;
		s->last = &b->next;
	}
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void sender_report(struct sender *s)
{
	char why[sizeof(s->why)];
	enum outcome outcome;
	bool is_news;

	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	outcome = s->outcome;
	is_news = s->reported != s->status;
	s->reported = s->status;
	memcpy(why, s->why, sizeof(why));
	pthread_mutex_unlock(&s->lock);
	if (!is_news)
		return;
	if (outcome == SENT)
		say_step("the collector accepts %s again", s->kind->what);
	else
		say_warn("E_METRIC", outcome == AGAIN ?
			 s->kind->keeps ? "proberun tries again; 16 MB of them are kept" :
			 "proberun tries again; no values are lost if the collector comes back" :
			 "check the URL, and OTEL_EXPORTER_OTLP_HEADERS if it needs a password",
			 "can't send %s to '%s': %s", s->kind->what, s->url, why);
}

/* Waits for the last request. */
static void wait_for_end(struct sender *s)
{
	while (!s->idle) {
		int64_t until = clock_ns() + SECOND / 10;
		struct timespec at = { .tv_sec = until / SECOND, .tv_nsec = until % SECOND };

		pthread_cond_timedwait(&s->changed, &s->lock, &at);
		if (signals_count() > 1)
			s->give_up = 0;
	}
}

void sender_end(struct sender *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	if (!s->ending)
		s->give_up = clock_ns() + END_SECONDS * SECOND;
	s->ending = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

void sender_stop(struct sender *s)
{
	bool lost;

	if (!s)
		return;
	sender_end(s);
	pthread_mutex_lock(&s->lock);
	wait_for_end(s);
	lost = s->outcome != SENT;
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	if (s->lost)
		say_warn("E_METRIC", NULL, "%llu %s were not sent to '%s'%s%s",
			 (unsigned long long)s->lost, s->kind->what, s->url, lost ? ": " : "",
			 lost ? s->why : "");
	else if (lost)
		say_warn("E_METRIC", NULL, "the last %s were not sent to '%s': %s", s->kind->what,
			 s->url, s->why);
	free_all(s);
}

#else /* no library to send by */

#ifdef PROBERUN_STATIC
#define WHY "the proberun of a bundle has no HTTP client"
#else
#define WHY "this proberun has no HTTP client: it was built without libcurl"
#endif

struct sender *sender_start(const char *url, int format, const struct sender_kind *kind)
{
	(void)url;
	(void)format;
	(void)kind;
	say_error("E_METRIC", "use --metrics-file=FILE, or the module and a proberun that has "
		  "one", WHY);
	return NULL;
}

void sender_give(struct sender *s, struct buf *body, uint64_t events)
{
	(void)s;
	(void)events;
	buf_deinit(body);
}

void sender_report(struct sender *s)
{
	(void)s;
}

void sender_end(struct sender *s)
{
	(void)s;
}

void sender_stop(struct sender *s)
{
	(void)s;
}
#endif
