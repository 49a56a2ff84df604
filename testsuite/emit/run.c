/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run - Runs a script's probes in user space, as a session does: begin probes, then each timer
 * probe twice, then end probes, with the one that shows unread globals. Prints their output.
 */
#include "context.h"
#include "session.h"

#include "testsuite/emit/session.h"
#include "testsuite/twin/machine.h"

static s64 run_timers_twice(void)
{
	u32 i;

	for (i = 0; i < 2 * prt_script.nprobes && !prt_session.stop; i++)
		if (prt_script.probes[i % prt_script.nprobes].kind == PRT_TIMER)
			prt_session_run(i % prt_script.nprobes);
	prt_session_stop();
	return -1;
}

int main(void)
{
	u32 state;

	machine_be_cpu(TWIN_CPUS);
	machine_timers = run_timers_twice;
	session_open();
	if (prt_session_start())
		bug("no thread");
	do {
		state = smp_load_acquire(&prt_session.state);
		session_show();
	} while (state != PRT_STATE_DONE);
	prt_session_end();
	session_close();
	return 0;
}
