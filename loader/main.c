/* SPDX-License-Identifier: GPL-2.0 */
/*
 * proberun: one session from the command line to the last message. The order of the steps makes it
 * safe to kill proberun at any point:
 *
 *   check everything that can be checked   nothing is loaded yet
 *   fork the command, then the guardian    each holds only what it needs
 *   tell the guardian the name, load       from here on the module is removed when proberun ends
 *   open the device                        closing it stops all handlers, however proberun ends
 *   set up, start, pump
 *   close, remove, tell the guardian       in this order on every way out
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "records.h"

#include "background/attach.h"
#include "background/background.h"
#include "bundle/bundle.h"
#include "common/memory_limit.h"
#include "common/namespace.h"
#include "common/say.h"
#include "common/signals.h"
#include "device/device.h"
#include "device/node.h"
#include "dump/dump.h"
#include "grant/grant.h"
#include "machine/describe.h"
#include "machine/kallsyms.h"
#include "machine/kernel.h"
#include "machine/kernel_lines.h"
#include "metrics/events.h"
#include "metrics/metrics.h"
#include "module/guardian.h"
#include "module/meta.h"
#include "module/module.h"
#include "monitor/view.h"
#include "options.h"
#include "resolve.h"
#include "results.h"
#include "session/child.h"
#include "session/control_group.h"
#include "session/flight.h"
#include "session/input.h"
#include "session/marks.h"
#include "session/pump.h"
#include "session/remote_end.h"
#include "show/output.h"
#include "show/show.h"
#include "start.h"
#include "unwind/service.h"

enum { NAMES_TRIED = 16, REMOVE_SECONDS = 60, DIRECT_SECONDS = 3, FLIGHT_EVERY = 1 };
#define REMOVE_STEP 0.1 /* seconds between two looks for a signal */

struct proberun {
	struct options opt;
	struct bundle_file bundle;
	struct module module;
	struct meta meta;
	struct kallsyms symbols;
	struct child child;
	pid_t watcher;           /* --remote-end: watches the connection */
	int cgroup; /* --cgroup: its directory */
	struct guardian guardian;
	struct device device;
	struct input *input;     /* NULL: the script has no probes of standard input */
	struct service *service; /* NULL: the script takes no stacks of processes */
	struct kernel_lines *kernel; /* NULL: they are not wanted, or there are none */
	struct background background;
	struct metrics *metrics; /* NULL: none are wanted */
	struct events *events;   /* NULL: no collector wants them */
	struct flight flight;
	struct marks marks;
	struct results results;
	struct show show;
	int loaded;
	bool left; /* the user does not wait until the probes are disarmed */
};

/* The module of a bundle. */
static int choose_module(struct proberun *s)
{
	const char *wrong;
	char *image;
	size_t len;

	s->opt.module = s->bundle.script;
	if (bundle_module(&s->bundle, &image, &len))
		return -1;
	if (module_parse(image, len, &s->module, &wrong) == 0)
		return 0;
	say_error("E_BAD_MODULE", "copy the file once more, or make it again with probec bundle",
		  "the module in this bundle: %s", wrong);
	return -1;
}

static int read_module(struct proberun *s)
{
	char why[256];

	if (s->opt.module ? module_read(s->opt.module, &s->module) : choose_module(s))
		return -1;
	if (meta_parse(s->module.meta, s->module.meta_len, &s->meta, why, sizeof(why))) {
		say_error("E_BAD_MODULE", "build it again with this version of probec",
			  "%s: section .probec: %s", s->opt.module, why);
		return -1;
	}
	if (s->opt.granted.on)
		close(GRANTED_MODULE);
	if (granted_check_module(&s->opt.granted, &s->meta))
		return -1;
	say_step("read %s: probec %s for %s, %u probes, %u sites", s->opt.module, s->meta.compiler,
		 s->meta.release, s->meta.nprobes, s->meta.nsites);
	return 0;
}

/* Without the trampolines, return probes use kretprobes. */
static void load_direct(struct proberun *s)
{
	int err = module_load_direct(&s->module);

	if (err)
		say_warn("E_LOAD", "return probes are kretprobes",
			 "the module '" PRT_DIRECT_MODULE "' can't be loaded: %s", strerror(-err));
}

/* Chooses a name that no other session has; a module that was built with a name of its own keeps
 * it. */
static int load(struct proberun *s)
{
	int kmsg = module_kmsg_open(), err = -EEXIST;

	module_sweep();
	node_sweep_all();
	load_direct(s);
	for (int i = 0; i < NAMES_TRIED && err == -EEXIST; i++) {
		char name[64], own[NAMESPACE_NAME];

		if (s->module.has_placeholder) {
			snprintf(name, sizeof(name), "probec_%s_%d", namespace_name(own), i);
			module_rename(&s->module, name);
		} else if (i > 0) {
			break;
		}
		/* If the name is taken, that module is not ours to remove: the guardian must not
		 * learn it. */
		if (module_is_loaded(s->module.name))
			continue;
		guardian_name(&s->guardian, s->module.name);
		err = module_load(&s->module);
		if (err)
			guardian_name(&s->guardian, "");
	}
	if (err)
		module_explain(&s->module, err, kmsg);
	else
		say_step("loaded as %s, %ld KiB", s->module.name,
			 module_size(s->module.name) / 1024);
	if (kmsg >= 0)
		close(kmsg);
	s->loaded = !err;
	return err ? -1 : 0;
}

/* A command with exec in it may become the program in question. */
static bool is_shell(const struct words *w)
{
	return w->way == WORDS_SHELL && !strstr(w->text, "exec ");
}

static void begin_show(struct proberun *s)
{
	show_open(&s->show, s->opt.format, s->opt.percentiles.n ? &s->opt.percentiles : NULL,
		  results_escape(&s->results, &s->opt), &s->results.out);
	if (s->results.ctf)
		show_trace(&s->show, s->results.ctf);
	s->show.also = s->events ? events_add : NULL;
	s->show.also_arg = s->events;
	s->show.script = s->meta.script;
	s->show.names.service = s->service;
	s->show.names.lines = s->opt.stack_lines;
	s->show.names.kernel = s->kernel;
}

/* In the guardian process, after proberun was killed. What was recorded is still there, since the
 * guardian has the device. Names of frames in programs are not looked up: the threads that do so
 * have gone with proberun. */
static void show_last_snapshot(void *arg, int device)
{
	struct proberun *s = arg;
	struct pump pump = { .m = &s->meta, .d = &s->device, .out = &s->results.out,
			     .show = &s->show, .child = &s->child, .flight = &s->flight,
			     .heir = true };

	child_init(&s->child);
	s->device.fd = device;
	s->device.records = true;
	if (rotate_resume(&s->results.rotate, s->flight.past->file) ||
	    device_hello(&s->device, &s->meta) || device_map(&s->device)) {
		device_close(&s->device);
		return;
	}
	begin_show(s);
	pump.addresses = s->symbols.addresses;
	pump_run(&pump);
	show_close(&s->show);
	device_close(&s->device);
}

/* A session in the background shows its output to clients, which a killed one has lost, and must
 * not hold what its caller reads; so it needs a file. */
static int prepare_recording(struct proberun *s)
{
	struct guardian *g = &s->guardian;

	if (flight_init(&s->flight, &s->device,
			s->opt.flight_every ? s->opt.flight_every : FLIGHT_EVERY))
		return -1;
	s->results.rotate.told = &s->flight.past->file;
	if (s->opt.background && !s->opt.output)
		return 0;
	g->heir = show_last_snapshot;
	g->arg = s;
	g->speaks = !s->opt.background;
	if (s->results.rotate.name) {
		g->keep[0] = s->results.rotate.dir;
		g->keep[1] = s->results.rotate.fd;
	} else if (s->results.fd > STDERR_FILENO) {
		g->keep[0] = s->results.fd;
	}
	return 0;
}

static int open_results(struct proberun *s)
{
	if (results_open(&s->results, &s->opt) || results_trace(&s->results, &s->opt, &s->meta))
		return -1;
	if (s->opt.background && !s->opt.output)
		output_to(&s->results.out, background_write, &s->background);
	return 0;
}

static int prepare(struct proberun *s)
{
	struct group_name group = { s->opt.cgroup, s->opt.container, s->opt.pod };

	if (kernel_check(&s->meta) ||
	    device_globals_check(&s->meta, s->opt.globals, s->opt.nglobals) ||
	    resolve_sites(&s->meta, s->opt.override_any, &s->symbols) || open_results(s) ||
	    metrics_open(&s->opt.metrics, &s->meta, &s->metrics))
		return -1;
	if (s->opt.pid && (child_attach(&s->child, s->opt.pid) ||
			   granted_check_process(&s->opt.granted, &s->child)))
		return -1;
	if (s->opt.command && child_fork(&s->child, s->opt.command, input_wanted(&s->meta)))
		return -1;
	if (control_group_choose(&group, s->meta.limits_cgroup, &s->cgroup))
		return -1;
	if (s->meta.uses_target && !s->child.pid)
		say_warn("E_TARGET", "set it with -c CMD or -x PID",
			 "the script uses target(), but there is no target process");
	if (s->meta.target_only && is_shell(&s->child.words))
		say_warn("E_TARGET",
			 "give -c one program with its arguments, or use target_set_pid(pid()), "
			 "which is 1 for descendants, too",
			 "a shell runs the command of -c: target() is the shell, not what it "
			 "starts");
	if (s->opt.setup_flags & PRT_SETUP_FLIGHT && prepare_recording(s))
		return -1;
	s->guardian.module = &s->module;
	return guardian_start(&s->guardian);
}

static bool wants_lines(const struct proberun *s)
{
	return s->meta.has_stacks && (s->meta.has_lines || s->opt.stack_lines);
}

static struct service *begin_service(struct proberun *s)
{
	char programs[CHILD_PROGRAMS][PATH_MAX];
	size_t n = child_programs(&s->child, programs);

	return service_start(&s->device, &s->meta, programs, n, wants_lines(s));
}

static int limit_memory(struct proberun *s)
{
	const struct options *o = &s->opt;
	uint64_t bytes = o->granted.on ? o->granted.memory : (uint64_t)o->memory_mb << 20;

	return o->granted.on || bytes ?
	       device_limit(&s->device, s->module.name, bytes, o->ring_mb, o->granted.on) : 0;
}

/* For probec vmcore. */
static void describe_recorder(struct proberun *s)
{
	int err = device_about(&s->device, s->module.meta, s->module.meta_len);

	if (err)
		say_warn("E_VMCORE", err == -ENOTTY ? "build it again" : NULL,
			 "what is recorded can't be read from a dump of the machine: %s",
			 strerror(-err));
}

static int set_up(struct proberun *s)
{
	struct device *d = &s->device;

	if (device_open(d, s->module.name) || device_hello(d, &s->meta) ||
	    limit_memory(s) ||
	    device_setup(d, s->opt.ring_mb, s->child.pid,
			 s->opt.setup_flags | (s->opt.timing ? PRT_SETUP_COST : 0) |
				 granted_flags(&s->opt.granted, &s->meta, &s->child)) ||
	    (s->opt.pid && granted_check_process(&s->opt.granted, &s->child)) ||
	    (s->meta.limits_cgroup && device_cgroup(d, s->cgroup)) ||
	    device_environment(d, &s->meta, s->opt.remote_id, s->opt.remote_name) ||
	    device_globals(d, &s->meta, s->opt.globals, s->opt.nglobals) ||
	    device_variables(d, &s->meta, s->symbols.variables) ||
	    resolve_modules(&s->meta, &s->symbols) ||
	    device_sites(d, s->symbols.addresses, s->meta.nsites) || device_map(d))
		return -1;
	if (s->meta.has_user_stacks) {
		s->service = begin_service(s);
		if (!s->service)
			return -1;
	}
	if (metrics_begin(s->metrics, d) ||
	    events_start(s->opt.metrics.events, &s->meta, &s->events) || signals_count())
		return -1;
	if (s->opt.setup_flags & PRT_SETUP_FLIGHT)
		describe_recorder(s);
	if (s->meta.has_marks)
		marks_give(&s->marks, d);
	if (device_start(d))
		return -1;
	if (s->guardian.heir)
		guardian_device(&s->guardian, s->module.name, d->fd);
	if (s->opt.background || !input_wanted(&s->meta))
		return 0;
	s->input = input_start(d, &s->meta);
	return s->input ? 0 : -1;
}

static int run(struct proberun *s)
{
	struct pump pump = { .m = &s->meta,
			     .d = &s->device,
			     .out = &s->results.out,
			     .show = &s->show,
			     .child = &s->child,
			     .background = s->opt.background ? &s->background : NULL,
			     .timing = s->opt.timing,
			     .subtracts = s->opt.setup_flags & PRT_SETUP_SUBTRACT_COST,
			     .seconds = s->opt.seconds,
			     .timed = s->opt.granted.timed };

	if (read_module(s) || signals_count() || prepare(s) || signals_count() || load(s))
		return 1;
	if (s->opt.background &&
	    background_publish(&s->background, s->module.name, s->opt.output, s->meta.script))
		return 1;
	if (set_up(s))
		return say_errors() ? 1 : 0;
	module_forget(&s->module);
	say_step("started");
	say_escape(s->opt.escape);
	pump.addresses = s->symbols.addresses;
	pump.metrics = s->metrics;
	pump.events = s->events;
	pump.marks = s->meta.has_marks ? &s->marks : NULL;
	if (wants_lines(s))
		s->kernel = kernel_lines_open(s->opt.debuginfo);
	begin_show(s);
	if (s->flight.past) {
		pump.flight = &s->flight;
		s->flight.triggered = s->opt.remote_end ? remote_end_trigger : NULL;
	}
	pump_run(&pump);
	s->left = pump.left;
	service_report(s->service);
	show_close(&s->show);
	return pump.status;
}

/* The kernel keeps the module until all probes are disarmed. After ^C, nobody waits for that. */
static int remove_module(const struct proberun *s)
{
	int enough = s->left ? 0 : 1, err;
	double seconds = REMOVE_SECONDS;

	do {
		err = module_remove(s->module.name, REMOVE_STEP);
		seconds -= REMOVE_STEP;
	} while (err && seconds > 0 && signals_count() <= enough);
	if (!err || seconds <= 0)
		return err;
	say_warn("E_ARM", "disarming thousands of returns can take minutes",
		 "the kernel is still disarming the probes, which see no more hits; the process "
		 "proberun-guard removes the module '%s' afterwards", s->module.name);
	return err;
}

/* Runs on every way out. */
static int end(struct proberun *s)
{
	int status = 0, waits = 0;
	struct rusage used;

	input_stop(s->input);
	metrics_close(s->metrics);
	events_stop(s->events);
	service_stop(s->service);
	marks_deinit(&s->marks);
	kernel_lines_free(s->kernel);
	flight_deinit(&s->flight);
	if (s->guardian.heir && s->loaded)
		guardian_name(&s->guardian, s->module.name);
	device_close(&s->device);
	if (s->loaded) {
		int err = remove_module(s);

		if (err && signals_count()) {
			waits = 1;
		} else if (err) {
			say_error("E_INTERNAL", "remove it with rmmod when it is no longer in use",
				  "the module '%s' can't be removed: %s", s->module.name,
				  strerror(-err));
			status = 1;
		} else {
			guardian_name(&s->guardian, "");
			say_step("removed %s", s->module.name);
		}
		/* The module stays while a call is inside a trampoline: the guardian waits for
		 * that. */
		if (!err && s->module.has_direct &&
		    module_remove(PRT_DIRECT_MODULE, DIRECT_SECONDS)) {
			guardian_name(&s->guardian, PRT_DIRECT_MODULE);
			waits = 1;
		}
	}
	/* If the module is still loaded, the guardian process continues to try to remove it, and
	 * nobody waits for it. */
	if (!status && !waits)
		guardian_end(&s->guardian);
	/* A signal may end it before there is a child. */
	if (child_finish(&s->child) ||
	    (s->opt.command && !s->child.is_command && child_not_started()))
		status = 1;
	if (results_close(&s->results, &s->opt))
		status = 1;
	kallsyms_deinit(&s->symbols);
	getrusage(RUSAGE_SELF, &used);
	say_step("ended; this program took %ld KiB at most", used.ru_maxrss);
	return status;
}

static int whole_session(struct proberun *s)
{
	int status;

	memory_limit_set();
	child_init(&s->child);
	status = run(s);
	status |= end(s);
	remote_end_stop(s->watcher);
	if (s->opt.background)
		background_end(&s->background, status);
	bundle_close(&s->bundle);
	meta_deinit(&s->meta);
	module_deinit(&s->module);
	return status;
}

/* --grant: the session runs elsewhere, and the module is only read here. */
static int ask_for_session(struct proberun *s)
{
	const struct options *o = &s->opt;
	struct grant g = { .globals = o->globals, .nglobals = o->nglobals, .pid = o->pid,
			   .seconds = o->seconds, .format = o->format, .escape = o->escape,
			   .timing = o->timing, .quiet = o->quiet };
	int status = 1;

	if (o->module && !strchr(o->module, '/'))
		g.name = o->module;
	else
		g.path = o->module;
	if (g.name || !read_module(s)) {
		g.image = s->module.image;
		g.len = s->module.len;
		status = grant_session(&g);
	}
	remote_end_stop(s->watcher);
	bundle_close(&s->bundle);
	meta_deinit(&s->meta);
	module_deinit(&s->module);
	return status;
}

/* "--trust KEY BUNDLE [OPTION]...": the rest of the command line is that of the bundle. */
static int open_trusted(struct proberun *s, int argc, char **argv)
{
	int fd;

	if (argc < 4) {
		say_error("E_OPTION", "proberun --trust KEY BUNDLE [OPTION]...",
			  "--trust needs a key and a bundle");
		return -1;
	}
	fd = bundle_open_trusted(argv[2], argv[3]);
	if (fd < 0 || bundle_take(&s->bundle, fd))
		return -1;
	if (s->bundle.fd >= 0)
		return 0;
	say_error("E_BAD_MODULE", "probec bundle makes one", "'%s' is not a bundle", argv[3]);
	return -1;
}

/* --vmcore: no session runs. */
static int show_vmcore(const struct options *o)
{
	struct results r;
	int err;

	memory_limit_set();
	if (results_open(&r, o))
		return 1;
	say_escape(o->escape);
	err = dump_show(&(struct dump_options){
		.path = o->vmcore, .session = o->module, .debuginfo = o->debuginfo,
		.format = o->format, .out = &r.out, .directory = r.fd,
		.percentiles = o->percentiles.n ? &o->percentiles : NULL,
		.escape = results_escape(&r, o) });
	return results_close(&r, o) || err;
}

int main(int argc, char **argv)
{
	struct proberun s = { .device.fd = -1 };
	bool trusted = argc > 1 && strcmp(argv[1], "--trust") == 0;
	int skip = trusted ? 3 : 0, err, status = 0;

	start_fill_descriptors();
	if (start_is_setuid())
		return 1;
	if (trusted ? open_trusted(&s, argc, argv) : bundle_open(&s.bundle))
		return 1;
	err = options_parse(argc - skip, argv + skip, &s.bundle, &s.opt);
	if (err)
		return err < 0;
	if (trusted && s.opt.remote_end) {
		say_error("E_OPTION", NULL, "--remote-end would remove this proberun");
		return 1;
	}
	say_set(s.opt.verbose, s.opt.quiet);
	if (s.opt.describe)
		return describe_machine(STDOUT_FILENO);
	if (s.opt.list)
		return attach_list();
	signals_init();
	if (s.opt.vmcore)
		return show_vmcore(&s.opt);
	if (s.opt.setup_flags & PRT_SETUP_FLIGHT)
		signals_catch_snapshot();
	if (s.opt.remote_end && (s.watcher = remote_end_begin()) < 0)
		return 1;
	if (s.opt.grant)
		return ask_for_session(&s);
	if (s.opt.monitor && view_check())
		return 1;
	if (s.opt.snapshot)
		return attach_snapshot(s.opt.attach);
	if (s.opt.attach)
		return attach_follow(s.opt.attach, s.opt.stop ? ATTACH_STOP :
				     s.opt.monitor ? ATTACH_MONITOR : ATTACH_SHOW,
				     s.opt.monitor_ms);
	if (s.opt.background) {
		err = background_fork(&s.background, s.opt.keep_mb,
				      s.opt.monitor ? s.opt.monitor_ms : 0, &status);
		if (err)
			return err < 0 ? 1 : status;
		s.background.records = s.opt.setup_flags & PRT_SETUP_FLIGHT;
	}
	return whole_session(&s);
}
