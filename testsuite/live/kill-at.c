/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kill-at N WHOM COMMAND... - Runs proberun until its N-th stop at a system call, counted from its
 * fork of the guardian process; each call stops twice, before and after. There it kills WHOM with
 * SIGKILL: the loader, the guardian, or both at once, and prints at which call that was. Status 3:
 * COMMAND ended before and succeeded; 1: it ended before and failed.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void start(char **command)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	execv(command[0], command);
	_exit(127);
}

static long call_number(pid_t pid)
{
	struct user_regs_struct regs;

	return ptrace(PTRACE_GETREGS, pid, NULL, &regs) == 0 ? (long)regs.orig_rax : -1;
}

/* Detaches from the guardian process at its first stop, so that it runs freely. */
static void let_go(pid_t guardian)
{
	ptrace(PTRACE_DETACH, guardian, NULL, NULL);
}

/* Runs the loader to its N-th stop and returns 1, or to its end and returns 0 and its @status. */
static int run_to(long n, pid_t loader, pid_t *guardian, int *status)
{
	pid_t pid;
	int sig, gone = 0;

	for (sig = 0; (pid = waitpid(-1, status, __WALL)) > 0; sig = 0) {
		if (pid != loader) {
			let_go(pid);
			gone = 1;
			continue;
		}
		if (WIFEXITED(*status) || WIFSIGNALED(*status))
			return 0;
		if (*status >> 16 == PTRACE_EVENT_FORK || *status >> 16 == PTRACE_EVENT_CLONE ||
		    *status >> 16 == PTRACE_EVENT_VFORK) {
			unsigned long child;

			ptrace(PTRACE_GETEVENTMSG, loader, NULL, &child);
			*guardian = (pid_t)child;
		} else if (WSTOPSIG(*status) == (SIGTRAP | 0x80)) {
			if (*guardian && --n == 0) {
				/* A process that is still traced when this one ends stays
				 * stopped. */
				if (!gone && waitpid(*guardian, NULL, __WALL) == *guardian)
					let_go(*guardian);
				return 1;
			}
		} else if (*status >> 16 == 0 && WSTOPSIG(*status) != SIGTRAP) {
			sig = WSTOPSIG(*status);
		}
		ptrace(PTRACE_SYSCALL, loader, NULL, (void *)(long)sig);
	}
	return 0;
}

int main(int argc, char **argv)
{
	pid_t loader, guardian = 0;
	int status = 0;

	if (argc < 4)
		return 2;
	loader = fork();
	if (loader == 0)
		start(argv + 3);
	if (loader < 0 || waitpid(loader, &status, 0) != loader || !WIFSTOPPED(status))
		return 2;
	ptrace(PTRACE_SETOPTIONS, loader, NULL,
	       (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACECLONE |
			PTRACE_O_TRACEVFORK));
	ptrace(PTRACE_SYSCALL, loader, NULL, NULL);
	if (!run_to(atol(argv[1]), loader, &guardian, &status))
		return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 3 : 1;
	printf("stop %s, system call %ld, %s\n", argv[1], call_number(loader), argv[2]);
	fflush(stdout);
	if (strcmp(argv[2], "loader") != 0)
		kill(guardian, SIGKILL);
	if (strcmp(argv[2], "guardian") != 0)
		kill(loader, SIGKILL);
	else
		ptrace(PTRACE_DETACH, loader, NULL, NULL);
	while (waitpid(loader, &status, __WALL) < 0 && errno == EINTR)
		;
	if (strcmp(argv[2], "guardian") == 0)
		return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
	return 0;
}
