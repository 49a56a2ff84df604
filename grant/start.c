/* SPDX-License-Identifier: GPL-2.0 */
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"

enum { MODULE_FD = 3, ABOVE = 10, WORDS_MAX = 24 + GRANT_GLOBALS_MAX };

int start_find(char ret[PATH_MAX])
{
	static const char *const beside[] = { "proberun", "../bin/proberun" };
	char self[PATH_MAX - 32], *slash;
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return n ? -errno : -ENOENT;
	self[n] = '\0';
	slash = strrchr(self, '/');
	*slash = '\0';
	for (unsigned i = 0; i < 2; i++) {
		snprintf(ret, PATH_MAX, "%s/%s", self, beside[i]);
		if (!access(ret, X_OK))
			return 0;
	}
	strcpy(ret, PROBEC_BINDIR "/proberun");
	return access(ret, X_OK) ? -errno : 0;
}

/* ---- the command line ---- */

struct words {
	const char *v[WORDS_MAX + 1];
	unsigned n;
	char granted[96], seconds[32], pid[16];
};

static void add(struct words *w, const char *word)
{
	w->v[w->n++] = word;
}

static void make_words(struct words *w, const struct peer *peer, const struct request *r,
		       const struct policy_limits *limits)
{
	static const char *const formats[] = GRANT_FORMAT_WORDS;
	unsigned ms = r->head.milliseconds ? r->head.milliseconds : limits->seconds * 1000;

	*w = (struct words){ .n = 0 };
	snprintf(w->granted, sizeof(w->granted), "--granted=%u:%u,%llu%s%s", (unsigned)peer->uid,
		 (unsigned)peer->gid, (unsigned long long)limits->memory,
		 limits->guru ? ",guru" : "",
		 r->head.milliseconds ? "" : ",timed");
	snprintf(w->seconds, sizeof(w->seconds), "%u.%03u", ms / 1000, ms % 1000);
	snprintf(w->pid, sizeof(w->pid), "%u", r->head.pid);
	add(w, "proberun");
	add(w, w->granted);
	add(w, "-T");
	add(w, w->seconds);
	add(w, "--format");
	add(w, formats[r->head.format]);
	add(w, "--escape");
	add(w, r->head.flags & GRANT_ESCAPE ? "always" : "never");
	if (r->head.flags & GRANT_TIMING)
		add(w, "-t");
	if (r->head.flags & GRANT_NO_WARNINGS)
		add(w, "-w");
	if (r->head.pid) {
		add(w, "-x");
		add(w, w->pid);
	}
	add(w, "--");
	add(w, "/proc/self/fd/3");
	for (unsigned i = 0; i < r->nglobals; i++)
		add(w, r->globals[i]);
}

/* ---- the process ---- */

/* Moves the descriptors to their numbers; those that they have may be among these. Returns only
 * after an error. */
static void become(const char *program, const struct words *w, char *const *environment,
		   const int from[4])
{
	int high[4];

	for (int i = 0; i < 4; i++) {
		high[i] = fcntl(from[i], F_DUPFD_CLOEXEC, ABOVE);
		if (high[i] < 0)
			return;
	}
	for (int i = 0; i < 4; i++)
		if (dup2(high[i], i) < 0)
			return;
	if (close_range(MODULE_FD + 1, ~0u, 0) || chdir("/") || setsid() < 0)
		return;
	umask(077);
	execve(program, (char *const *)(uintptr_t)w->v, environment);
}

static void child(const char *program, const struct words *w, const struct peer *peer, pid_t parent,
		  const int from[4])
{
	static char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	char uid[32], gid[32];
	char *environment[] = { path, uid, gid, NULL };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	/* By these, proberun knows for whom it runs commands. */
	snprintf(uid, sizeof(uid), "SUDO_UID=%u", (unsigned)peer->uid);
	snprintf(gid, sizeof(gid), "SUDO_GID=%u", (unsigned)peer->gid);
	become(program, w, environment, from);
	dprintf(from[2], "probec: error: '%s' can't be started: %s [E_IO]\n", program,
		strerror(errno));
	_exit(1);
}

int start_proberun(const char *program, const struct peer *peer, const struct request *request,
		   const struct policy_limits *limits, const struct content *content,
		   struct started *ret)
{
	int output[2] = { -1, -1 }, messages[2] = { -1, -1 }, err = 0;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	pid_t self = getpid();
	struct words w;

	*ret = (struct started){ .fd = -1, .output = -1, .messages = -1 };
	make_words(&w, peer, request, limits);
	if (null < 0 || pipe2(output, O_CLOEXEC) || pipe2(messages, O_CLOEXEC))
		err = -errno;
	ret->pid = err ? -1 : fork();
	if (!ret->pid)
		child(program, &w, peer, self,
		      (int[]){ null, output[1], messages[1], content->fd });
	if (!err && ret->pid < 0)
		err = -errno;
	close(null);
	close(output[1]);
	close(messages[1]);
	ret->output = output[0];
	ret->messages = messages[0];
	if (err)
		return err;
	fcntl(ret->output, F_SETFL, O_NONBLOCK);
	fcntl(ret->messages, F_SETFL, O_NONBLOCK);
	ret->fd = (int)syscall(SYS_pidfd_open, ret->pid, 0);
	if (ret->fd >= 0)
		return 0;
	err = -errno;
	kill(ret->pid, SIGKILL);
	waitpid(ret->pid, NULL, 0);
	return err;
}
