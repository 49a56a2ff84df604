/* SPDX-License-Identifier: GPL-2.0 */
/* The remote end of probec --remote: remote_end.h. */
#include "session/remote_end.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/say.h"
#include "common/signals.h"
#include "shared/remote.h"

enum { CONNECTION = 3 };

/* The directory is removed if it has nothing else and a name as probec --remote gives it. */
static void remove_own_file(void)
{
	char path[PATH_MAX], *slash, *name;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0)
		return;
	path[n] = '\0';
	unlink(path);
	slash = strrchr(path, '/');
	*slash = '\0';
	name = strrchr(path, '/');
	if (name && strncmp(name + 1, REMOTE_DIR_PREFIX, strlen(REMOTE_DIR_PREFIX)) == 0)
		rmdir(path);
}

/* Waits for bytes. Returns how many there are in @to, 0 at the end of the file, -1 after a
 * silence. */
static ssize_t listen_once(char *to, size_t size)
{
	struct pollfd fd = { .fd = CONNECTION, .events = POLLIN };
	ssize_t n = poll(&fd, 1, REMOTE_SILENT_SECONDS * 1000);

	if (n == 0)
		return -1;
	n = read(CONNECTION, to, size);
	return n < 0 ? 0 : n;
}

/* Runs in the child until the session has ended, and does not return. */
static void watch(pid_t session)
{
	bool asked = false, gone = false;
	sigset_t all;
	char bytes[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != session)
		_exit(0);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "proberun-remote");
	if (chdir("/") != 0 || dup2(STDIN_FILENO, CONNECTION) < 0)
		_exit(1);
	for (int i = 0; i < CONNECTION; i++)
		close(i);
	close_range(CONNECTION + 1, ~0u, 0);
	for (;;) {
		ssize_t n = gone ? poll(NULL, 0, REMOTE_SILENT_SECONDS * 1000) - 1 :
				   listen_once(bytes, sizeof(bytes));
		bool silent = n < 0;

		gone |= n == 0;
		if (n > 0 && memchr(bytes, REMOTE_SNAPSHOT, (size_t)n))
			sigqueue(session, SIGUSR2, (union sigval){ .sival_int = SIGNALS_FLEET });
		if (silent || ((gone || memchr(bytes, REMOTE_STOP, (size_t)n)) && !asked)) {
			kill(session, SIGTERM);
			asked = true;
		}
	}
}

/* Nothing of the session may read what is sent to the watcher. */
static int leave_empty_input(void)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0)
		return -1;
	close(null);
	return 0;
}

int remote_end_parse(const char *s, int *number, const char **name)
{
	char *end;
	unsigned long n = s ? strtoul(s, &end, 10) : 0;

	if (!s)
		return 0;
	if (end == s || *end != ':' || n > INT_MAX)
		return -1;
	*number = (int)n;
	*name = end + 1;
	return 0;
}

pid_t remote_end_begin(void)
{
	pid_t session = getpid(), watcher;

	remove_own_file();
	watcher = fork();
	if (watcher == 0)
		watch(session);
	if (watcher > 0 && leave_empty_input() == 0)
		return watcher;
	say_error("E_NO_MEMORY", "end some processes, or raise their limit (ulimit -u, pids.max)",
		  "a process could not be started: %s", strerror(errno));
	return -1;
}

void remote_end_trigger(void)
{
	say_text(REMOTE_TRIGGER "\n", sizeof(REMOTE_TRIGGER));
}

void remote_end_stop(pid_t watcher)
{
	if (watcher <= 0)
		return;
	kill(watcher, SIGKILL);
	while (waitpid(watcher, NULL, 0) < 0 && errno == EINTR)
		;
}
