/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pump. Each turn reads the state and the clock, prints everything that may be printed in order
 * of time, and then waits in poll() for a half-full ring, a change of state, the end of the target
 * process, or 50 ms. The state is read before the rings: when it is DONE, the rings hold the last
 * output.
 */
#include "session/pump.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "background/background.h"
#include "common/say.h"
#include "common/signals.h"
#include "device/device.h"
#include "device/ring.h"
#include "machine/modules.h"
#include "machine/programs.h"
#include "metrics/events.h"
#include "metrics/metrics.h"
#include "module/meta.h"
#include "session/child.h"
#include "session/commands.h"
#include "session/flight.h"
#include "session/marks.h"
#include "session/print.h"
#include "session/switches.h"
#include "shared/clock.h"
#include "shared/memory.h"
#include "show/ctf.h"
#include "show/empty.h"
#include "show/losses.h"
#include "show/marked.h"
#include "show/output.h"
#include "show/report.h"
#include "show/show.h"
#include "show/sites.h"
#include "show/tally.h"
#include "show/timing.h"
#include "unwind/service.h"

#define PROGRESS_NS 1000000000LL

/* A turn takes so long; or so, if a client waits for what a snapshot prints. */
enum { TURN_MS = 50, SOON_MS = 2, RELEASE_BYTES = 1 << 16, LEAVE_MS = 1000 };

struct run {
	struct pump *p;
	struct prt_status st;
	struct modules modules;
	struct programs programs;
	int64_t deadline; /* ns; 0: none */
	int64_t progress_at; /* ns: time of the next report on arming or disarming; 0: neither */
	int64_t leave_at;    /* ns: end_early(); 0: no signal has come */
	uint64_t made;     /* snapshots that clients have got */
	bool armed;        /* the end of arming was seen */
	bool stopping;     /* STOP was sent, or the session is ending by itself */
	struct printing printing;
	struct losses losses;
	struct sites sites;
	struct commands commands;
	struct switches switches;
	struct marked marked;
};

static void stop(struct run *r, const char *why)
{
	if (r->stopping)
		return;
	r->stopping = true;
	say_step("stopping: %s", why);
	sites_look(&r->sites);
	device_stop(r->p->d);
}

/* Reads the state, and maps the rings that are new. -1: it was reported that this failed. */
static int look(struct run *r)
{
	struct device *d = r->p->d;

	if (!device_status(d, &r->st) && (r->st.rings <= d->rings.n || !device_map(d)))
		return 0;
	r->p->status = 1;
	return -1;
}

/* A trace has the number of hits without output beside the events. */
static void trace_dropped_hits(struct run *r)
{
	const struct rings *rings = &r->p->d->rings;

	for (uint32_t i = 0; i < rings->n && r->p->show->ctf; i++)
		ctf_dropped(r->p->show->ctf, rings->ring[i].cpu,
			    __atomic_load_n(&rings->ring[i].head->dropped, __ATOMIC_RELAXED),
			    print_time(&r->st, r->st.now));
}

/* Prints everything that may be printed now; returns the number of groups. -1: it was reported that
 * rings cannot be read. */
static long drain(struct run *r)
{
	struct rings *rings = &r->p->d->rings;
	const struct prt_group *g;
	long groups = 0;
	size_t unreleased = 0;
	uint64_t now = r->st.now;

	if (r->st.state == PRT_STATE_DONE) {
		ring_look_last(rings);
		now = UINT64_MAX;
	} else {
		ring_look(rings);
	}
	if (device_map_grown(r->p->d)) {
		r->p->status = 1;
		return -1;
	}
	while ((g = ring_next(rings, now, &r->printing.damaged)) != NULL && signals_count() < 2) {
		print_group(&r->printing, rings, g);
		groups++;
		unreleased += g->len;
		if (unreleased >= RELEASE_BYTES) {
			ring_release(rings);
			unreleased = 0;
		}
	}
	ring_release(rings);
	trace_dropped_hits(r);
	output_flush(r->p->out);
	return groups;
}

/* A session that ends with an error, or whose proberun was killed, shows what led to it. After
 * another one, errors and warnings remain that no snapshot has shown. */
static void show_last(struct run *r)
{
	struct flight *f = r->p->flight;
	uint32_t taken;

	if (!f)
		return;
	taken = f->past->number;
	flight_last(f, r->p->heir ? "proberun was killed" : "the session ended with an error",
		    &r->printing.damaged);
	if (r->p->heir || (r->st.exit_error && r->st.exit_error != PRT_E_ABORT)) {
		if (f->triggered)
			f->triggered();
		print_snapshot(&r->printing, f);
		return;
	}
	r->printing.silent = true;
	print_copy(&r->printing, f);
	if (f->asked.suppressed)
		say_warn("E_FLIGHT", "--flight-every=SECONDS sets the least time between two",
			 "after the last snapshot, %u more %s requested too soon, and not taken",
			 f->asked.suppressed, f->asked.suppressed == 1 ? "was" : "were");
	if (!taken && f->groups)
		say_warn("E_FLIGHT", "snapshot(\"reason\") in a handler takes one, and so do "
			 "SIGUSR2 and proberun --snapshot",
			 "the output of %llu hits was recorded, and no snapshot was taken",
			 (unsigned long long)f->groups);
}

static void record_turn(struct run *r)
{
	struct pump *p = r->p;
	enum signals_asked asked;

	if (!p->flight)
		return;
	asked = signals_snapshot();
	if (asked)
		flight_want(p->flight, asked == SIGNALS_FLEET ? "the snapshot of another host" :
								"SIGUSR2");
	if (p->background && p->background->snapshot_wanted) {
		p->background->snapshot_wanted = false;
		flight_want(p->flight, "proberun --snapshot");
	}
	if (flight_turn(p->flight, &r->st, &r->printing.damaged))
		print_snapshot(&r->printing, p->flight);
}

/* Reports progress: arming and disarming thousands of kprobes takes a while. Only on a terminal or
 * on request. */
static void show_progress(struct run *r, int64_t now)
{
	bool arms = r->st.state == PRT_STATE_ARMING;

	if (!arms && (r->st.state != PRT_STATE_ENDING || !r->st.tried)) {
		r->progress_at = 0;
		return;
	}
	if (!r->progress_at)
		r->progress_at = now + PROGRESS_NS;
	if (now < r->progress_at || (!isatty(STDERR_FILENO) && !say_is_verbose()))
		return;
	if (arms)
		fprintf(stderr, "proberun: arming: %u of %u sites\n", r->st.tried,
			r->p->m->nsites);
	else
		fprintf(stderr, "proberun: disarming: %u of %u sites are left\n", r->st.tried,
			r->p->m->nsites);
	r->progress_at = now + PROGRESS_NS;
}

/* Runs once, when the begin probes have ended. */
static void after_arming(struct run *r)
{
	struct pump *p = r->p;

	r->armed = true;
	if (report_arming(p->d, p->m, &r->st) &&
	    (r->st.state == PRT_STATE_RUNNING || r->st.failed)) {
		p->status = 1;
		stop(r, "a probe could not be armed");
	}
	if (!r->st.ran || r->stopping)
		return;
	/* Also if a hit has ended it already: whether the loader was fast must not decide where the
	 * output goes. */
	if (p->background && background_ready(p->background)) {
		p->status = 1;
		stop(r, "its name could not be reported");
		return;
	}
	if (r->st.state != PRT_STATE_RUNNING)
		return;
	child_release(p->child);
	if (p->seconds > 0)
		r->deadline = clock_ns() + (int64_t)(p->seconds * 1e9);
}

static void stop_in_time(struct run *r)
{
	if (r->p->timed && !r->stopping)
		say_warn("E_GRANT", "ask the administrator for a larger seconds=",
			 "the session ends after the %g seconds that its rule allows",
			 r->p->seconds);
	stop(r, "the time limit of -T");
}

static void check_ends(struct run *r, int child_ended)
{
	struct pump *p = r->p;

	if (signals_count())
		stop(r, "a signal");
	else if (child_ended)
		stop(r, p->child->is_command ? "the command ended" : "the process ended");
	else if (p->background && p->background->stop_wanted)
		stop(r, "--stop");
	else if (p->out->broken)
		stop(r, "nobody reads the output");
	else if (r->deadline && clock_ns() >= r->deadline)
		stop_in_time(r);
}

/* Whether nobody waits for the end of the session. The output of a session that is ended before its
 * probes are armed is not worth the minutes that the kernel may take to disarm them. */
static bool end_early(struct run *r, int64_t now)
{
	if (signals_count() > 1) {
		say_step("second signal: the rest of the output is not shown");
		return true;
	}
	if (!signals_count() || r->st.ran)
		return false;
	if (!r->leave_at)
		r->leave_at = now + LEAVE_MS * 1000000LL;
	return now >= r->leave_at;
}

/* Waits for more output; returns true if the target process has ended. */
static bool wait_for_more(struct run *r)
{
	struct pump *p = r->p;
	struct pollfd fds[5 + BACKGROUND_FDS] = { { .fd = p->d->fd, .events = POLLIN },
				 { .fd = r->stopping ? -1 : p->child->fd, .events = POLLIN },
				 { .fd = r->stopping ? -1 : p->out->fd },
				 { .fd = r->commands.fd, .events = POLLIN },
				 { .fd = metrics_fd(p->metrics), .events = POLLIN } };
	int ms = metrics_waits(p->metrics) ? SOON_MS : TURN_MS;
	nfds_t n = 5;

	if (r->deadline && !r->stopping) {
		int64_t left = (r->deadline - clock_ns()) / 1000000 + 1;

		ms = left < 0 ? 0 : left < ms ? (int)left : ms;
	}
	if (p->background) {
		background_fds(p->background, fds + n);
		n += BACKGROUND_FDS;
	}
	ring_sleep(&p->d->rings, 1);
	if (poll(fds, n, ms) < 0)
		fds[1].revents = fds[2].revents = 0;
	ring_sleep(&p->d->rings, 0);
	if (p->background)
		background_serve(p->background);
	/* If the reader of a pipe is gone, a script that prints rarely would not notice. */
	if (fds[2].revents && !p->out->broken) {
		p->out->broken = true;
		p->out->error = fds[2].revents & POLLNVAL ? EBADF : EPIPE;
	}
	return fds[1].revents != 0;
}

/* Gives snapshots to clients that show them. */
static void serve_screens(struct run *r, int64_t now)
{
	struct pump *p = r->p;
	const struct buf *text;
	uint64_t made;

	if (!p->background || !p->metrics)
		return;
	made = metrics_made(p->metrics, &text);
	if (made != r->made) {
		r->made = made;
		background_snapshot(p->background, text);
	} else if (r->st.state == PRT_STATE_RUNNING &&
		   background_wants_snapshot(p->background, now)) {
		metrics_ask(p->metrics);
	}
}

static void pause_briefly(void)
{
	struct timespec ts = { 0, 1000000 };

	nanosleep(&ts, NULL);
}

/* Prints -t, and the end of the JSON stream. */
static void show_figures(struct run *r)
{
	struct pump *p = r->p;
	const struct tally *t = &r->losses.tally;

	if (p->show->format == SHOW_JSON && !p->out->broken) {
		if (p->timing)
			timing_object(p->show, p->m, t, &r->st);
		timing_summary(p->show, p->m, t, &r->st, tally_dropped_bytes(p->d), p->status);
	} else if (p->timing) {
		struct buf table = { 0 };

		timing_table(&table, p->m, t, &r->st);
		say_text(table.s, table.len);
		buf_deinit(&table);
	}
}

static void finish(struct run *r)
{
	struct pump *p = r->p;

	if (r->printing.damaged) {
		say_error("E_INTERNAL", NULL,
			  "%u records from the kernel are damaged and could not be read",
			  r->printing.damaged);
		p->status = 1;
	}
	if (r->st.exit_error && r->st.exit_error != PRT_E_ABORT)
		p->status = 1;
	if (r->st.exit_error == PRT_E_OTHER_RIGHTS)
		say_error("E_GRANT", "the target and its descendants must not gain privileges that "
				     "you do not have: no sudo, no setuid or setgid programs",
			  "the process of -x, or one that it started, has gained privileges; the "
			  "session ends");
	if (r->st.exit_error == PRT_E_PROCESSOR)
		say_error("E_NO_MEMORY", "use smaller arrays (-D MAXMAPENTRIES=N) or rings (-s MB)",
			  "a processor has come online, and there was no memory for its rings and "
			  "tables; the session ends, because it would miss hits there");
	if (child_check_started(p->child))
		p->status = 1;
	losses_report(&r->losses, &r->st, r->printing.errors);
	/* A recording that has something has words of its own. */
	if (!p->status && !r->st.exit_error && r->st.ran && !(p->flight && p->flight->groups))
		empty_report(&r->losses.tally, r->p->m, p->show->rows);
	if (r->losses.tally.status)
		sites_steps(&r->sites, r->losses.tally.status);
	show_figures(r);
	show_finish(p->show);
	output_flush(p->out);
	if (p->out->broken && p->out->error && p->out->error != EPIPE) {
		say_error("E_IO", NULL, "the output could not be written: %s",
			  strerror(p->out->error));
		p->status = 1;
	}
	modules_deinit(&r->modules);
	programs_deinit(&r->programs);
	marked_deinit(&r->marked);
}

static int name_of_frame(void *device, struct prt_symbol_get *get)
{
	return device_symbol(device, get);
}

static void begin_printing(struct run *r)
{
	const struct pump *p = r->p;

	commands_init(&r->commands, p->show);
	r->printing = (struct printing){ .m = p->m, .show = p->show, .metrics = p->metrics,
					 .commands = &r->commands, .st = &r->st,
					 .marked = p->m->has_marks ? &r->marked : NULL };
}

static void begin_counting(struct run *r)
{
	const struct pump *p = r->p;

	losses_init(&r->losses, p->d, p->m, clock_ns());
	sites_init(&r->sites, p->m, p->addresses, p->timing || say_is_verbose());
	r->losses.tally.sites = &r->sites;
	r->losses.tally.subtracts = p->subtracts;
}

void pump_run(struct pump *p)
{
	struct run r = { .p = p, .armed = p->heir };
	int child_ended = 0;

	begin_printing(&r);
	p->show->names.ask = name_of_frame;
	p->show->names.arg = p->d;
	begin_counting(&r);
	programs_watch(&r.programs, p->m);
	if (p->background)
		switches_init(&r.switches, p->m, p->d, p->background, p->metrics != NULL);
	if (p->heir)
		stop(&r, "proberun was killed");
	for (;;) {
		long groups;

		if (look(&r))
			break;
		show_progress(&r, clock_ns());
		if (!r.armed && r.st.state >= PRT_STATE_RUNNING)
			after_arming(&r);
		if (r.armed)
			modules_turn(&r.modules, p->d, p->m, &r.st);
		programs_turn(&r.programs, p->m, clock_ns());
		if (p->marks)
			marks_turn(p->marks, p->d, clock_ns());
		service_turn(p->show->names.service);
		if (r.armed && !r.stopping && r.st.state == PRT_STATE_RUNNING)
			sites_watch(&r.sites, clock_ns());
		record_turn(&r);
		groups = drain(&r);
		if (groups < 0)
			break;
		metrics_turn(p->metrics, &r.st, clock_ns());
		events_turn(p->events, clock_ns());
		serve_screens(&r, clock_ns());
		commands_turn(&r.commands);
		if (r.st.state == PRT_STATE_DONE && ring_empty(&p->d->rings)) {
			show_last(&r);
			break;
		}
		losses_watch(&r.losses, &r.st, clock_ns());
		p->left = end_early(&r, clock_ns());
		if (p->left)
			break;
		check_ends(&r, child_ended);
		if (r.st.state >= PRT_STATE_ENDING)
			r.stopping = true;
		if (r.st.state == PRT_STATE_DONE || !groups)
			pause_briefly();
		if (r.st.state != PRT_STATE_DONE)
			child_ended |= wait_for_more(&r);
	}
	if (signals_count() < 2)
		commands_wait(&r.commands);
	commands_deinit(&r.commands);
	finish(&r);
	switches_deinit(&r.switches);
	losses_deinit(&r.losses);
	sites_deinit(&r.sites);
}
