/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes snapshots of a session's globals, and keeps the text of the last one. Two threads use it:
 * the pump, and the server's, which calls want() and take(). What both use is below `lock`.
 */
#include "metrics/metrics.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "common/say.h"
#include "device/device.h"
#include "metrics/private.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/search.h"

#define SECOND 1000000000LL
#define FILE_NS (15 * SECOND)  /* between two writings of the file */
#define SNAPSHOT_NS 5000000000LL /* a snapshot that takes longer is given up */
/* From the beginning of a snapshot to the next one: a snapshot locks arrays that probes wait for,
 * so clients must not be able to ask for one after the other. */
#define GAP_NS 100000000LL
enum { OTLP_SECONDS = 15, FILE_MODE = 0644 };

struct metrics {
	struct metrics_options options;
	struct device *d;
	struct snapshot snapshot;
	struct figures figures;
	struct server *server;
	char *token, *pem;   /* contents of the files, or NULL */
	int listening;       /* until the server owns it */
	bool taking, taken;  /* a snapshot is being printed; its end has come */
	uint64_t made;       /* snapshots */
	uint64_t serves;     /* the number of the request that it answers */
	int64_t began, file_at; /* ns */
	bool file_failed;
	struct otlp_settings otlp;
	unsigned always;     /* bits of the formats that are not asked for */
	struct sender *sender;
	int64_t otlp_at;     /* ns */
	bool otlp_due;       /* the snapshot that is being taken is sent */
	int event;           /* wakes the pump */

	pthread_mutex_t lock;
	uint64_t wanted, answered; /* numbers of requests */
	unsigned asked;      /* bits of the formats of those that no snapshot was begun for */
	bool has_text;       /* the last request was answered with a text */
	struct buf text[METRICS_FORMATS]; /* only the pump's thread changes them */
};

/* ---- the text ---- */

static void make_text(struct metrics *m, int format)
{
	m->text[format].len = 0;
	snapshot_write(&m->text[format], format, &m->snapshot, &m->figures);
}

static void send_snapshot(struct metrics *m)
{
	struct buf t = { 0 };

	snapshot_write(&t, m->otlp.format, &m->snapshot, &m->figures);
	sender_give(m->sender, &t, 0);
}

static void write_file(struct metrics *m)
{
	const struct buf *t = &m->text[METRICS_PROMETHEUS];
	struct iovec part = { t->s, t->len };
	int err = file_replace(m->options.file, FILE_MODE, &part, 1);

	if (err && !m->file_failed)
		say_warn("E_METRIC", "proberun tries again every 15 seconds",
			 "can't write '%s': %s", m->options.file, strerror(-err));
	m->file_failed = err != 0;
}

/* ---- snapshots ---- */

static void answer(struct metrics *m, bool has_text)
{
	pthread_mutex_lock(&m->lock);
	for (int format = 0; format < METRICS_FORMATS; format++)
		if (has_text && m->snapshot.formats & 1u << format)
			make_text(m, format);
	m->has_text = has_text;
	m->made += has_text;
	m->answered = m->serves;
	pthread_mutex_unlock(&m->lock);
	server_made(m->server);
}

/* ns since 1970 */
static uint64_t time_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static void start_snapshot(struct metrics *m)
{
	m->snapshot.times.now = time_now();
	snapshot_start(&m->snapshot);
}

/* Begins a snapshot for all requests that have come. */
static void begin(struct metrics *m, int64_t now)
{
	const struct meta *meta = m->figures.m;
	int err;

	pthread_mutex_lock(&m->lock);
	m->serves = m->wanted;
	m->snapshot.formats = m->always | m->asked;
	m->asked = 0;
	pthread_mutex_unlock(&m->lock);
	err = device_run(m->d, meta->snapshot_first, meta->snapshot_n, false);
	if (err) {
		answer(m, false);
		return;
	}
	m->taking = true;
	m->began = now;
}

static void finish(struct metrics *m, const struct prt_status *st)
{
	bool ok = figures_take(&m->figures, m->d, st) == 0;

	m->taking = m->taken = false;
	m->figures.series = m->snapshot.series;
	m->figures.left_out = m->snapshot.left_out;
	answer(m, ok);
	if (ok && m->options.file)
		write_file(m);
	/* The last snapshot of a session is always sent. */
	if (ok && m->sender && (m->otlp_due || st->state > PRT_STATE_RUNNING))
		send_snapshot(m);
	m->otlp_due = false;
}

/* Whether the file or a request for the collector is due, of which the next one is then later. */
static bool is_due(struct metrics *m, int64_t now)
{
	unsigned seconds = m->options.otlp_seconds ? m->options.otlp_seconds : OTLP_SECONDS;
	bool file = m->options.file && now >= m->file_at;

	m->otlp_due = m->sender && now >= m->otlp_at;
	if (m->otlp_due)
		m->otlp_at = now + seconds * SECOND;
	if (file)
		m->file_at = now + FILE_NS;
	return file || m->otlp_due;
}

void metrics_turn(struct metrics *m, const struct prt_status *st, int64_t now)
{
	uint64_t wanted, ignored;

	if (!m)
		return;
	if (m->taken)
		finish(m, st);
	sender_report(m->sender);
	if (read(m->event, &ignored, sizeof(ignored)) < 0)
		ignored = 0;
	pthread_mutex_lock(&m->lock);
	wanted = m->wanted;
	pthread_mutex_unlock(&m->lock);
	/* A snapshot is lost if the session ends before its turn. */
	if (m->taking && (st->state > PRT_STATE_RUNNING || now - m->began > SNAPSHOT_NS)) {
		m->taking = false;
		answer(m, false);
	}
	if (m->taking || now - m->began < GAP_NS)
		return;
	if ((st->state != PRT_STATE_RUNNING || !is_due(m, now)) && wanted == m->serves)
		return;
	begin(m, now);
}

int metrics_record(struct metrics *m, uint32_t id, const void *args, size_t len)
{
	const struct meta *meta = m ? m->figures.m : NULL;
	struct metric_samples *all;
	size_t i;

	if (!m || !meta->snapshot_n)
		return 0;
	/* The records of a snapshot that the end of the session has cut off have no end. */
	if (id == meta->snapshot_begin)
		start_snapshot(m);
	if (id == meta->snapshot_begin || id == meta->snapshot_end) {
		m->taken = id == meta->snapshot_end;
		return 1;
	}
	all = m->snapshot.metrics;
	search_first(i, m->snapshot.n, all[i].m->print < id);
	if (i == m->snapshot.n || all[i].m->print != id)
		return 0;
	return sample_add(&m->snapshot, &all[i], args, len) ? -1 : 1;
}

int metrics_fd(const struct metrics *m)
{
	return m ? m->event : -1;
}

bool metrics_waits(const struct metrics *m)
{
	return m && m->taking;
}

void metrics_ask(struct metrics *m)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->wanted++;
	pthread_mutex_unlock(&m->lock);
}

uint64_t metrics_made(const struct metrics *m, const struct buf **ret)
{
	*ret = m ? &m->text[METRICS_PROMETHEUS] : NULL;
	return m ? m->made : 0;
}

/* ---- the server's side ---- */

static uint64_t want(void *of, enum metrics_format format)
{
	struct metrics *m = of;
	uint64_t ret, one = 1;

	pthread_mutex_lock(&m->lock);
	ret = ++m->wanted;
	m->asked |= 1u << format;
	pthread_mutex_unlock(&m->lock);
	/* It fails only if the counter is at its limit, when the pump is about to wake. */
	(void)!write(m->event, &one, sizeof(one));
	return ret;
}

static int take(void *of, uint64_t number, enum metrics_format format, char **ret, size_t *len)
{
	struct metrics *m = of;
	int err = 0;

	pthread_mutex_lock(&m->lock);
	if (m->answered < number)
		err = -EAGAIN;
	else if (!m->has_text)
		err = -ENODATA;
	if (!err) {
		*len = m->text[format].len;
		*ret = malloc(*len + 1);
		if (*ret)
			memcpy(*ret, m->text[format].s, *len);
		else
			err = -ENOMEM;
	}
	pthread_mutex_unlock(&m->lock);
	return err;
}

/* ---- the whole ---- */

static int open_file(const struct metrics *m)
{
	const char *path = m->options.file;
	struct iovec nothing = { (void *)(uintptr_t)"", 0 };
	int err = path ? file_replace(path, FILE_MODE, &nothing, 1) : 0;

	if (err)
		say_error("E_METRIC", "name a file in a directory that exists, such as "
			  "/var/lib/prometheus/node-exporter/NAME.prom", "can't write '%s': %s",
			  path, strerror(-err));
	return err;
}

int metrics_open(const struct metrics_options *o, const struct meta *meta, struct metrics **ret)
{
	struct metrics *m;

	*ret = NULL;
	if (!o->address && !o->file && !o->otlp && (!o->monitor || !meta->snapshot_n))
		return 0;
	if (!meta->snapshot_n) {
		say_error("E_METRIC", "build it with probec -p4 and the same option",
			  "the module has nothing that prints its globals as metrics");
		return -1;
	}
	m = memory_zeroed(1, sizeof(*m));
	m->options = *o;
	m->figures.m = meta;
	m->always = o->file || o->monitor ? 1u << METRICS_PROMETHEUS : 0;
	m->snapshot.times.start = time_now();
	m->snapshot.n = meta->nmetrics;
	m->snapshot.metrics = memory_zeroed(meta->nmetrics + 1, sizeof(*m->snapshot.metrics));
	for (uint32_t i = 0; i < meta->nmetrics; i++) {
		m->snapshot.metrics[i].m = &meta->metrics[i];
		m->snapshot.metrics[i].print = &meta->prints[meta->metrics[i].print];
	}
	pthread_mutex_init(&m->lock, NULL);
	m->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	*ret = m;
	if (o->otlp && otlp_settings_read(&m->otlp))
		return -1;
	m->always |= o->otlp ? 1u << m->otlp.format : 0;
	m->snapshot.formats = m->always;
	m->snapshot.explicit_bounds = m->otlp.explicit_bounds;
	m->listening = o->address ? metrics_listen(o->address) : -1;
	if ((o->token_file && secret_read_token("--metrics-token", o->token_file, &m->token)) ||
	    (o->tls_file && secret_read("--metrics-tls", o->tls_file, &m->pem)))
		return -1;
	return m->event < 0 || (o->address && m->listening < 0) || open_file(m) ? -1 : 0;
}

int metrics_begin(struct metrics *m, struct device *d)
{
	static const struct sender_kind kind = { "/v1/metrics", "metrics", false };
	const struct meta *meta;
	int err = 0;

	if (!m)
		return 0;
	meta = m->figures.m;
	m->d = d;
	if (m->options.file || m->options.otlp)
		err = device_run(d, meta->snapshot_first, meta->snapshot_n, true);
	if (err) {
		say_error("E_INTERNAL", NULL, "the module can't print its metrics: %s",
			  strerror(-err));
		return -1;
	}
	if (m->listening >= 0) {
		m->server = server_start(m->listening, &(struct server_source){
			.token = m->token, .pem = m->pem, .of = m, .want = want, .take = take });
		m->listening = -1;
	}
	if (m->options.otlp)
		m->sender = sender_start(m->options.otlp, m->otlp.format, &kind);
	return (m->options.address && !m->server) || (m->options.otlp && !m->sender) ? -1 : 0;
}

void metrics_close(struct metrics *m)
{
	if (!m)
		return;
	/* Waiting clients get the answer that the session has ended. */
	pthread_mutex_lock(&m->lock);
	m->serves = m->answered = UINT64_MAX;
	m->has_text = false;
	pthread_mutex_unlock(&m->lock);
	server_stop(m->server);
	sender_stop(m->sender);
	if (m->listening >= 0)
		close(m->listening);
	if (m->event >= 0)
		close(m->event);
	snapshot_deinit(&m->snapshot);
	free(m->snapshot.metrics);
	free(m->token);
	free(m->pem);
	tally_deinit(&m->figures.tally);
	for (int format = 0; format < METRICS_FORMATS; format++)
		buf_deinit(&m->text[format]);
	pthread_mutex_destroy(&m->lock);
	free(m);
}
