/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 5: starting proberun and waiting for it. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "target/kernel/kernel.h"
#include "state.h"

#define VM_DEFAULT_RELEASE "default" /* lab/run: the release of the distribution */
#define VM_FILE "/run/lab/file" /* lab/run --file FILE: contents written there are stored in FILE */

typedef bundle_words words;

static const struct range nowhere;

/* ---- may we? ---- */

/* Everybody can read the symbol names in /proc/kallsyms; only the addresses are hidden. */
static bool kernel_has_kprobes(void)
{
	char line[512];
	bool found = false, any = false;

	if (!access("/proc/sys/debug/kprobes-optimization", F_OK))
		return true;

	FILE *f = fopen("/proc/kallsyms", "re");

	while (f && !found && fgets(line, sizeof(line), f)) {
		any = true;
		found = strstr(line, " register_kprobe\n") != NULL;
	}
	if (f)
		fclose(f);
	return found || !any; /* without the list, the loader finds out */
}

int run_possible(struct state *s)
{
	const char *lacks = NULL;

	if (s->opt.vm)
		return 0;
	if (access("/proc/modules", F_OK))
		lacks = "modules";
	else if (!kernel_has_kprobes())
		lacks = "kprobes";
	if (lacks) {
		diag_error(s->diag, nowhere, E_NO_MODULES,
			   "the running kernel was built without %s", lacks);
		diag_hint(s->diag,
			  "probec --vm runs the script on a Debian kernel in a throwaway virtual "
			  "machine");
		return -1;
	}
	if (geteuid() && !s->opt.grant) {
		diag_error(s->diag, nowhere, E_NOT_ROOT, "loading a module needs root");
		diag_hint(s->diag,
			  "run it with 'sudo probec', or build it with 'probec -p4' and run the "
			  "module with 'sudo proberun'");
		return -1;
	}
	return 0;
}

/* ---- the virtual machine ---- */

static const char *vm_release(const struct state *s)
{
	return *s->opt.vm ? s->opt.vm : VM_DEFAULT_RELEASE;
}

static const char *lab_run(struct state *s)
{
	return arena_printf(s->arena, "%s/run", s->lab_dir);
}

int run_vm_target(struct state *s)
{
	const char *argv[] = { lab_run(s), "--target", vm_release(s), NULL };
	struct buf out;
	int status, ret = -1;

	if (s->opt.last_pass == 5 && geteuid()) {
		diag_error(s->diag, nowhere, E_NOT_ROOT,
			   "the virtual machine shares the files of this one, which needs root");
		diag_hint(s->diag, "run it with 'sudo probec --vm'");
		return -1;
	}
	buf_init(&out);
	status = subprocess_run(argv, NULL, &out, NULL);
	while (out.len && out.s[out.len - 1] == '\n')
		out.s[--out.len] = '\0';

	const char *last = out.len ? strrchr(out.s, '\n') : NULL;

	if (status || !out.len) {
		diag_error(s->diag, nowhere, E_VM, "no virtual machine with the kernel '%s'",
			   vm_release(s));
		/* Its message was printed already. */
		if (status < 0)
			diag_hint(s->diag, "%s: %s", argv[0], strerror(-status));
	} else {
		s->opt.target = arena_strdup(s->arena, last ? last + 1 : out.s);
		ret = 0;
	}
	buf_deinit(&out);
	return ret;
}

/* ---- children ---- */

/* Signals from the terminal go to the whole process group; only signals to this process are passed
 * on. */
static int wait_for(pid_t pid, const sigset_t *set)
{
	siginfo_t info;
	int status;

	for (;;) {
		pid_t got = waitpid(pid, &status, WNOHANG);

		if (got == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		if (got < 0 && errno != EINTR)
			return 1;
		if (sigwaitinfo(set, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
			kill(pid, info.si_signo);
	}
}

int run_wait(int *status)
{
	sigset_t set, old;
	pid_t parent = getpid(), pid;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			_exit(1);
		sigprocmask(SIG_SETMASK, &old, NULL);
		return 0;
	}
	if (pid > 0)
		*status = wait_for(pid, &set);
	else
		*status = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid > 0 ? 1 : -*status;
}

/* ---- the session ---- */

static void put_flag(struct state *s, words *w, const char *option, bool given)
{
	if (given)
		vec_push(s->arena, w, option);
}

static void put_text(struct state *s, words *w, const char *option, const char *value)
{
	if (!value)
		return;
	vec_push(s->arena, w, option);
	vec_push(s->arena, w, value);
}

static void put_number(struct state *s, words *w, const char *option, int64_t value)
{
	if (value)
		put_text(s, w, option, arena_printf(s->arena, "%lld", (long long)value));
}

/* Options that are passed on as they are. */
static void passed_words(struct state *s, words *w)
{
	struct options *o = &s->opt;

#define SESSION_OPTION(key, name, takes, arg, help, grant)
#define SESSION_FLAG(key, field, name, help, grant) put_flag(s, w, "--" name, o->field);
#define SESSION_TEXT(key, field, name, arg, help, grant) put_text(s, w, "--" name, o->field);
#include "shared/session_options.def"
}

/* Where the kernel's source lines are found: as the compiler looks for them. */
static void lines(struct state *s, words *w)
{
	const char *where = s->opt.debuginfo;
	const char *fetched = s->kernel ? kernel_fetched_debug(s, s->kernel) : NULL;

	if (!where && fetched && access(fetched, F_OK) == 0)
		where = arena_printf(s->arena, "/usr/lib/debug:%s", fetched);
	put_text(s, w, "--debuginfo", where);
}

/* The last value of a global counts. */
static void assignments(const struct state *s, words *w)
{
	vec_each(g, &s->opt.globals)
		vec_push(s->arena, w, *g);
	vec_each(g, &s->opt.load_globals)
		vec_push(s->arena, w, *g);
}

/* The options of proberun. */
static void session_words(struct state *s, words *w)
{
	struct options *o = &s->opt;
	struct arena *a = s->arena;
	bool elsewhere = o->vm || o->remotes.n;

	passed_words(s, w);
	put_number(s, w, "-x", o->pid);
	put_number(s, w, "-T", o->seconds);
	/* Only files that the machine writes there survive it; the output of hosts is written
	 * here. */
	if (o->output && !o->remotes.n)
		put_text(s, w, "-o", o->vm ? VM_FILE : o->output);
	put_number(s, w, "--keep", o->keep_mb);
	/* As it was given: messages name the option. */
	if (o->flight && o->ring_mb)
		put_flag(s, w, arena_printf(s->arena, "--flight=%d", o->ring_mb), true);
	else
		put_number(s, w, "-s", o->ring_mb);
	put_number(s, w, "--memory", o->memory_mb);
	put_flag(s, w, "--flight", o->flight && !o->ring_mb);
	put_number(s, w, "--flight-every", o->flight_every);
	put_flag(s, w, "--grant", o->grant);
	/* In the virtual machine and on other hosts, standard output is not a terminal. */
	if (o->escape || (elsewhere && !o->output && isatty(STDOUT_FILENO)))
		put_text(s, w, "--escape",
			 o->escape && strcmp(o->escape, "auto") != 0 ? o->escape :
			 elsewhere && isatty(STDOUT_FILENO) ? "always" : "auto");
	lines(s, w);
	if (o->monitor_ms)
		vec_push(a, w, arena_printf(a, "--monitor=%g", o->monitor_ms / 1000.0));
	else
		put_flag(s, w, "--monitor", o->monitor);
	put_number(s, w, "--otlp-interval", o->otlp_seconds);
	put_flag(s, w, "-w", o->quiet_warnings);
	for (int i = 0; i < o->verbose && !o->grant; i++)
		vec_push(a, w, "-v");
}

void run_arguments(struct state *s, bundle_words *ret)
{
	session_words(s, ret);
	assignments(s, ret);
}

/* Runs in the child; does not return. */
static void start(struct state *s, const words *w)
{
	if (s->opt.vm && s->opt.output) {
		/* Reported now, and not by programs in the machine. */
		if (open(s->opt.output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) < 0) {
			diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", s->opt.output,
				   strerror(errno));
			_exit(1);
		}
	}
	/* A shell without job control ignores SIGINT in background commands, and lab/run can't trap
	 * an ignored signal. kill -INT has to end a session there, too. */
	signal(SIGINT, SIG_DFL);
	execv(w->v[0], (char *const *)w->v);
	diag_error(s->diag, nowhere, s->opt.vm ? E_VM : E_LOAD, "can't start %s: %s", w->v[0],
		   strerror(errno));
	_exit(1);
}

int run_module(struct state *s, const char *module)
{
	words w = { 0 };
	int status, ret;

	if (s->opt.vm) {
		vec_push(s->arena, &w, lab_run(s));
		if (s->opt.output) {
			vec_push(s->arena, &w, "--file");
			vec_push(s->arena, &w, s->opt.output);
		}
		vec_push(s->arena, &w, vm_release(s));
		vec_push(s->arena, &w, "--");
	}
	vec_push(s->arena, &w, s->proberun);
	session_words(s, &w);
	vec_push(s->arena, &w, module);
	assignments(s, &w);
	vec_push(s->arena, &w, NULL);
	fflush(stdout);
	ret = run_wait(&status);
	if (ret == 0)
		start(s, &w);
	if (ret > 0)
		return status;
	diag_error(s->diag, nowhere, E_LOAD, "can't start %s: %s", w.v[0], strerror(-ret));
	return 1;
}
