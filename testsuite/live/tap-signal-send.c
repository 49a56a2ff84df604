/* SPDX-License-Identifier: GPL-2.0 */
/* Sends itself signals of each origin, and prints what its handler received for each: the number,
 * si_code, whether any of its threads could have received it, and the name. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t got, code;
static sigjmp_buf again;

static void handler(int sig, siginfo_t *info, void *context)
{
	(void)context;
	got = sig;
	code = info->si_code;
	if (sig == SIGSEGV)
		siglongjmp(again, 1);
}

static void show(int shared)
{
	while (!got)
		pause();
	if (got < 32)
		printf("%d %d %d SIG%s\n", got, code, shared, sigabbrev_np(got));
	else
		printf("%d %d %d SIGRTMIN+%d\n", got, code, shared, got - 32);
	got = 0;
}

static void touch(volatile char *nowhere)
{
	if (!sigsetjmp(again, 1))
		*nowhere = 1;
	show(0);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	struct itimerval soon = { .it_value.tv_usec = 200000 };
	struct itimerspec once = { .it_value.tv_nsec = 1000000 };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	timer_t timer;
	int ends[2];

	for (int sig = 1; sig < SIGRTMIN + 2; sig++)
		sigaction(sig, &action, NULL);
	kill(getpid(), SIGUSR1);
	show(1);
	tgkill(getpid(), gettid(), SIGUSR2);
	show(0);
	sigqueue(getpid(), SIGRTMIN + 1, (union sigval){ .sival_int = 5 });
	show(1);
	setitimer(ITIMER_REAL, &soon, NULL);
	show(1);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &once, NULL))
		return 1;
	show(1);
	touch(NULL);
	touch((char *)0x8000000000000000);
	if (pipe(ends) || close(ends[0]) || write(ends[1], "", 1) == 1)
		return 1;
	show(0);
	if (!fork())
		_exit(0);
	show(1);
	return wait(NULL) < 0;
}
