/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The loop. Connecting costs ssh processor time, so only some hosts connect at once; sessions have
 * no such limit. Nothing in the loop waits for one host or for a reader of the output: sessions
 * that hear nothing for a while end (shared/remote.h).
 */
#include "remote/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/json.h"
#include "remote/merge.h"
#include "remote/private.h"
#include "shared/clock.h"
#include "shared/remote.h"
#include "state.h"

/* poll() says it of an output that nobody reads. */
#define GONE (POLLERR | POLLHUP | POLLNVAL)

/* Hosts that connect at once, and those that are started in one turn. */
enum { CONNECTING_MAX = 32, STARTING_MAX = 4 };

/* A signal that comes twice at once counts once: both the terminal and a parent may send it. */
enum { TOGETHER_MS = 200 };

enum { FILES_OF_HOST = 3, FILES_OF_OURS = 32 };

struct remote {
	struct state *s;
	remote_build *build;
	struct host *hosts;
	size_t n;
	size_t next;             /* the first host that has not been started */
	size_t connecting, ended; /* hosts that connect, that have ended */
	struct map pids;         /* of their ssh -> the host */
	VEC(struct host *) dead; /* whose ssh has ended, and which have not */
	bool child_ended;        /* since the last turn */
	struct watch watch;
	remote_bundles bundles;
	struct screen screen;
	struct merge merge;
	VEC(struct pollfd) fds;
	int64_t alive_at;        /* ms: when REMOTE_ALIVE is due */
	int signal_fd;
	unsigned signals;        /* how many ending ones have come */
	int64_t signal_at;       /* ms: the last of them */
	bool stopping;
	struct triggers triggers;
};

static const struct range nowhere;

static int64_t now_ms(void)
{
	return clock_ns() / 1000000;
}

/* ---- signals ---- */

/* SIGHUP stays ignored under nohup; SIGINT counts even if a shell has it ignored for its background
 * processes. Children get an empty mask. */
static int catch_signals(struct remote *r)
{
	struct sigaction was;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	if (r->s->opt.flight)
		sigaddset(&set, SIGUSR2);
	if (sigaction(SIGHUP, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd >= 0)
		return 0;
	diag_error(r->s->diag, nowhere, E_IO, "can't wait for signals: %s", strerror(errno));
	return -1;
}

static void read_signals(struct remote *r)
{
	struct signalfd_siginfo info;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		int64_t now = now_ms();

		r->triggers.wanted |= info.ssi_signo == SIGUSR2;
		r->child_ended |= info.ssi_signo == SIGCHLD;
		if (info.ssi_signo == SIGCHLD || info.ssi_signo == SIGUSR2 ||
		    (r->signals && now - r->signal_at < TOGETHER_MS))
			continue;
		r->signal_at = now;
		r->signals++;
	}
}

/* ---- hosts, each of which is looked at when something has happened to it ---- */

static void offer(struct remote *r, struct host *h)
{
	if (h->phase == HOST_ANSWERED && !h->reason && (h->bundle->done || h->bundle->failed))
		host_offer(r->s, h);
}

/* Follows what has happened to @h: its phase may be another one. */
static void follow(struct remote *r, struct host *h)
{
	if (h->phase == HOST_ANSWERED && !h->reason && !h->bundle) {
		h->bundle = bundles_find(r->s, &r->bundles, h->answer.release, r->build);
		offer(r, h);
	}
	r->connecting += (size_t)(h->phase == HOST_CONNECTS) - (size_t)h->connects;
	h->connects = h->phase == HOST_CONNECTS;
	r->ended += (size_t)(h->phase == HOST_ENDED) - (size_t)h->ended;
	h->ended = h->phase == HOST_ENDED;
}

static void stop_all(struct remote *r)
{
	r->stopping = true;
	for (size_t i = 0; i < r->n; i++) {
		host_stop(&r->hosts[i]);
		follow(r, &r->hosts[i]);
	}
}

/* The first signal asks the sessions to end, and their last output is shown; the second closes the
 * connections. */
static void take_signals(struct remote *r)
{
	unsigned before = r->signals;

	read_signals(r);
	if (r->signals && !r->stopping)
		stop_all(r);
	for (size_t i = 0; r->signals > 1 && r->signals != before && i < r->n; i++)
		host_kill(&r->hosts[i]);
}

/* ---- one turn ---- */

static bool may_start(const struct remote *r)
{
	return !r->stopping && r->next < r->n && r->connecting < CONNECTING_MAX;
}

/* Starting a program takes longer than to serve a host that has one: those come in between. */
static void start_hosts(struct remote *r)
{
	for (int i = 0; i < STARTING_MAX && may_start(r); i++, r->next++) {
		struct host *h = &r->hosts[r->next];

		host_start(r->s, h);
		if (h->pid > 0)
			map_set_number(&r->pids, (uint64_t)h->pid, h);
		follow(r, h);
	}
}

/* The last words of a dead ssh are still in the pipes; other holders of them, such as the master of
 * a shared connection, may live on. */
static void reap(struct remote *r)
{
	int status;
	pid_t pid;

	if (!r->child_ended)
		return;
	r->child_ended = false;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		struct host *h = map_get_number(&r->pids, (uint64_t)pid);

		if (!h || h->pid != pid || h->dead) {
			bundles_reaped(&r->bundles, pid, status);
			continue;
		}
		h->dead = true;
		h->status = status;
		vec_push(r->s->arena, &r->dead, h);
	}
}

static bool has_input(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

static void finish_dead(struct remote *r)
{
	size_t left = 0;

	for (size_t i = 0; i < r->dead.n; i++) {
		struct host *h = r->dead.v[i];

		if (has_input(h->out) || has_input(h->err)) {
			r->dead.v[left++] = h;
			continue;
		}
		host_finish(r->s, h, &r->screen);
		follow(r, h);
	}
	r->dead.n = left;
}

static void keep_alive(struct remote *r)
{
	int64_t now = now_ms();

	if (now < r->alive_at)
		return;
	r->alive_at = now + REMOTE_ALIVE_SECONDS * 1000;
	for (size_t i = 0; i < r->n; i++)
		host_alive(&r->hosts[i]);
}

static void add_fd(struct remote *r, int fd, short events)
{
	vec_push(r->s->arena, &r->fds, ((struct pollfd){ .fd = fd, .events = events }));
}

/* The pipes of hosts in three sets, those of bundles, the output, and signals. */
static void gather(struct remote *r)
{
	const struct sink *out = &r->screen.out, *err = &r->screen.err;

	r->fds.n = 0;
	add_fd(r, sink_is_full(out) ? -1 : r->watch.fd[WATCH_OUT], POLLIN);
	add_fd(r, sink_is_full(err) ? -1 : r->watch.fd[WATCH_ERR], POLLIN);
	add_fd(r, r->watch.fd[WATCH_IN], POLLIN);
	vec_each(b, &r->bundles)
		add_fd(r, (*b)->fd, POLLIN);
	/* A reader that is gone shows even if nothing is to be written. */
	add_fd(r, out->error ? -1 : out->fd, sink_waits(out) ? POLLOUT : 0);
	add_fd(r, err->error ? -1 : err->fd, sink_waits(err) ? POLLOUT : 0);
	add_fd(r, r->signal_fd, POLLIN);
}

static void serve_sink(struct sink *k, short events)
{
	if (sink_waits(k) && (events || k->error))
		sink_write(k);
	else if (events & GONE)
		k->error = EPIPE;
}

/* watch_served */
static void read_output(struct host *h, void *data)
{
	struct remote *r = data;

	host_read_output(r->s, h, &r->screen);
	follow(r, h);
}

static void read_messages(struct host *h, void *data)
{
	struct remote *r = data;

	host_read_messages(h, &r->screen);
	r->triggers.any |= h->triggered;
}

static void send_bundle(struct host *h, void *data)
{
	(void)data;
	host_send(h);
}

static void serve_bundle(struct remote *r, struct remote_bundle *b)
{
	bundles_read(r->s, b);
	for (size_t i = 0; (b->done || b->failed) && i < r->n; i++)
		if (r->hosts[i].bundle == b) {
			offer(r, &r->hosts[i]);
			follow(r, &r->hosts[i]);
		}
}

static void serve(struct remote *r)
{
	static watch_served *const serves[WATCHES] = { read_output, read_messages, send_bundle };
	const struct pollfd *fds = r->fds.v + WATCHES;
	size_t n = r->bundles.n; /* reading output may begin others */

	for (int i = 0; i < WATCHES; i++)
		if (r->fds.v[i].revents)
			watch_serve(&r->watch, i, serves[i], r);
	for (size_t i = 0; i < n; i++)
		if ((fds++)->revents)
			serve_bundle(r, r->bundles.v[i]);
	serve_sink(&r->screen.out, fds[0].revents);
	serve_sink(&r->screen.err, fds[1].revents);
	if (r->screen.out.error && !r->stopping)
		stop_all(r);
}

static void turn(struct remote *r)
{
	int64_t left;

	start_hosts(r);
	keep_alive(r);
	left = may_start(r) ? 0 : r->alive_at - now_ms();
	gather(r);
	if (poll(r->fds.v, r->fds.n, left < 0 ? 0 : (int)left) > 0)
		serve(r);
	take_signals(r);
	if (r->triggers.any || r->triggers.wanted)
		triggers_serve(&r->triggers, r->hosts, r->n, &r->screen, now_ms(),
			       1000 * (r->s->opt.flight_every ? r->s->opt.flight_every : 1));
	reap(r);
	finish_dead(r);
}

/* ---- the whole ---- */

static void open_files(const struct remote *r)
{
	rlim_t wanted = (rlim_t)r->n * FILES_OF_HOST + FILES_OF_OURS;
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= wanted)
		return;
	files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

static int open_watch(struct remote *r)
{
	if (!watch_open(&r->watch))
		return 0;
	diag_error(r->s->diag, nowhere, E_IO, "can't wait for pipes: %s", strerror(errno));
	watch_close(&r->watch);
	return -1;
}

static void add_hosts(struct remote *r)
{
	const struct options *o = &r->s->opt;

	r->n = o->remotes.n;
	r->hosts = arena_alloc(r->s->arena, r->n * sizeof(*r->hosts));
	for (size_t i = 0; i < r->n; i++) {
		struct host *h = &r->hosts[i];
		int len = (int)strlen(o->remotes.v[i]);

		*h = (struct host){ .name = o->remotes.v[i], .number = i, .in = -1, .out = -1,
				    .err = -1, .watch = &r->watch };
		output_init(&h->output);
		buf_init(&h->early);
		buf_init(&h->message);
		buf_init(&h->head);
		r->screen.width = len > r->screen.width ? len : r->screen.width;
	}
}

static int open_screen(struct remote *r)
{
	const struct options *o = &r->s->opt;
	int fd = STDOUT_FILENO;

	while (o->format && strcmp(o->format, options_formats[r->screen.format]) != 0)
		r->screen.format++;
	if (o->output)
		fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		diag_error(r->s->diag, nowhere, E_IO, "can't write '%s': %s", o->output,
			   strerror(errno));
		return -1;
	}
	sink_open(&r->screen.out, fd);
	sink_open(&r->screen.err, STDERR_FILENO);
	if (o->merge) {
		merge_open(&r->merge, r->s->arena);
		r->merge.columns = o->caps.hist_width;
		r->merge.margin = o->caps.hist_elision;
		r->merge.percentiles = o->percentiles;
		r->screen.merge = &r->merge;
	}
	r->screen.escape = o->escape && strcmp(o->escape, "auto") != 0 ?
		strcmp(o->escape, "always") == 0 : isatty(fd);
	r->screen.tokener = json_tokener_new();
	json_tokener_set_flags(r->screen.tokener, JSON_TOKENER_STRICT);
	return 0;
}

/* Returns whether the output was written as a whole; that its reader has gone is no error. */
static bool close_screen(struct remote *r)
{
	struct sink *out = &r->screen.out;
	int error;

	if (r->screen.merge)
		merge_show(&r->screen);
	sink_drain(out);
	sink_drain(&r->screen.err);
	if (out->fd != STDOUT_FILENO && close(out->fd) != 0 && !out->error)
		out->error = errno;
	error = out->error == EPIPE ? 0 : out->error;
	if (error)
		diag_error(r->s->diag, nowhere, E_IO, "the output could not be written: %s",
			   strerror(error));
	sink_close(out);
	sink_close(&r->screen.err);
	buf_deinit(&r->screen.heading);
	json_tokener_free(r->screen.tokener);
	return !error;
}

/* All of them are shown, however many there are, so each has its own diagnostics. */
static int report(struct remote *r)
{
	int failed = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct host *h = &r->hosts[i];
		struct diag *d;

		if (!h->reason)
			continue;
		failed = 1;
		d = diag_create(r->s->arena, r->s->opt.colour);
		diag_error(d, nowhere, E_REMOTE, "%s: %s", h->name, h->reason);
		if (h->hint)
			diag_hint(d, "%s", h->hint);
	}
	return failed;
}

int remote_run(struct state *s, remote_build *build)
{
	struct remote r = { .s = s, .build = build };
	int status;

	buf_init(&r.screen.heading);
	map_init(&r.pids, s->arena);
	if (open_screen(&r) || catch_signals(&r) || open_watch(&r))
		return 1;
	add_hosts(&r);
	open_files(&r);
	if (s->opt.targets.n)
		bundles_find(s, &r.bundles, NULL, build);
	while (r.ended < r.n)
		turn(&r);
	bundles_stop(&r.bundles);
	watch_close(&r.watch);
	close(r.signal_fd);
	status = close_screen(&r) ? 0 : 1;
	return report(&r) | status;
}
