/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals whose handlers call leaf(), for vm/programs-32bit: without and with siginfo, on a stack
 * of their own, and by an instruction.
 */
#include <signal.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

static volatile int seen;
static char room[65536];

APART void leaf(int number) { seen += number; }
APART void handle(int number) { leaf(number); seen++; }
APART void handle_info(int number, siginfo_t *info, void *context)
{
	leaf(number + !info + !context);
	seen++;
}

APART void middle(int number) { raise(number); seen++; }
APART void outer(int number) { middle(number); seen++; }
APART void trap(void) { __asm__ volatile("int3\n\tnop"); seen++; }

int main(void)
{
	const stack_t own = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handle;
	sigaction(SIGUSR1, &action, NULL);
	action.sa_sigaction = handle_info;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR2, &action, NULL);
	sigaction(SIGTRAP, &action, NULL);
	sigaltstack(&own, NULL);
	action.sa_flags |= SA_ONSTACK;
	sigaction(SIGHUP, &action, NULL);
	outer(SIGUSR1);
	outer(SIGUSR2);
	outer(SIGHUP);
	trap();
	return 0;
}
