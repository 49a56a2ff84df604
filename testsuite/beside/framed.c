/* SPDX-License-Identifier: GPL-2.0 */
/*
 * framed PID N - repeats N times: waits until the process is stopped by a signal, prints the frames
 * that libdwfl finds in it in one line, and continues the process. A frame is an address in its
 * file, as probec prints stacks of processes:
 *   FILE+0xADDRESS FILE+0xADDRESS ...
 * The word "guessed" follows a frame without call frame information.
 * Used by vm/user-stacks.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frames.h"

enum { FRAMES = 256 };

static char state_of(int pid)
{
	char path[64], line[512], *paren, ret = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	paren = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	if (paren)
		ret = paren[2];
	fclose(f);
	return ret;
}

static void wait_stopped(int pid)
{
	const struct timespec pause = { 0, 2000000 };
	char state;

	while ((state = state_of(pid)) != 'T') {
		if (!state || state == 'Z')
			exit(1);
		nanosleep(&pause, NULL);
	}
}

static int print_frame(Dwfl_Frame *frame, void *arg)
{
	unsigned *printed = arg;
	Dwarf_Addr pc, bias = 0;
	Dwfl_Module *module;
	const char *name = NULL, *slash;
	bool activation;

	if (*printed == FRAMES || !dwfl_frame_pc(frame, &pc, &activation))
		return DWARF_CB_ABORT;
	module = dwfl_addrmodule(dwfl_thread_dwfl(dwfl_frame_thread(frame)),
				 activation ? pc : pc - 1);
	if (module) {
		name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
		dwfl_module_getelf(module, &bias);
	}
	slash = name ? strrchr(name, '/') : NULL;
	printf("%s%s+0x%016llx", (*printed)++ ? " " : "", slash ? slash + 1 : name ? name : "",
	       (unsigned long long)(pc - bias));
	return DWARF_CB_OK;
}

int main(int argc, char **argv)
{
	int pid = argc == 3 ? atoi(argv[1]) : 0, n = argc == 3 ? atoi(argv[2]) : 0;

	while (n-- > 0) {
		unsigned printed = 0;

		wait_stopped(pid);
		puts(each_frame(pid, false, print_frame, &printed) ? " guessed" : "");
		fflush(stdout);
		kill(pid, SIGCONT);
	}
	return 0;
}
