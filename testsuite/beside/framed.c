/* SPDX-License-Identifier: GPL-2.0 */
/*
 * framed PID N - N times: waits until the process is stopped by a signal, prints the frames that
 * libdwfl finds in it, which is what eu-stack does, and lets it go on. One line a time:
 *   FILE+0xADDRESS FILE+0xADDRESS ...
 * with addresses of the files, as probec prints stacks of processes. For vm/user-stacks.
 */
#include <elfutils/libdwfl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 256 };

struct frames {
	Dwfl *dwfl;
	unsigned n;
};

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
	struct frames *all = arg;
	Dwarf_Addr pc, bias = 0;
	Dwfl_Module *module;
	const char *name = NULL, *slash;
	bool activation;

	if (all->n == FRAMES || !dwfl_frame_pc(frame, &pc, &activation))
		return DWARF_CB_ABORT;
	module = dwfl_addrmodule(all->dwfl, activation ? pc : pc - 1);
	if (module) {
		name = dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
		dwfl_module_getelf(module, &bias);
	}
	slash = name ? strrchr(name, '/') : NULL;
	printf("%s%s+0x%016llx", all->n++ ? " " : "", slash ? slash + 1 : name ? name : "",
	       (unsigned long long)(pc - bias));
	return DWARF_CB_OK;
}

static void print_frames(int pid)
{
	static char none[] = "";
	static char *path = none;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &path,
	};
	struct frames all = { .dwfl = dwfl_begin(&callbacks) };

	if (dwfl_linux_proc_report(all.dwfl, pid) == 0 &&
	    dwfl_report_end(all.dwfl, NULL, NULL) == 0 &&
	    dwfl_linux_proc_attach(all.dwfl, pid, false) == 0)
		dwfl_getthread_frames(all.dwfl, pid, print_frame, &all);
	dwfl_end(all.dwfl);
	puts("");
}

int main(int argc, char **argv)
{
	int pid = argc == 3 ? atoi(argv[1]) : 0, n = argc == 3 ? atoi(argv[2]) : 0;

	while (n-- > 0) {
		wait_stopped(pid);
		print_frames(pid);
		fflush(stdout);
		kill(pid, SIGCONT);
	}
	return 0;
}
