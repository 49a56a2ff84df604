/* SPDX-License-Identifier: GPL-2.0 */
/* The stack of a process as libdwfl finds it, which is what eu-stack prints. */
#ifndef BESIDE_FRAMES_H
#define BESIDE_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <sys/types.h>

/* Calls @found with each frame of a stopped process, the innermost first. @traced: the caller has
 * stopped it by ptrace. */
static inline void each_frame(pid_t pid, bool traced, int (*found)(Dwfl_Frame *frame, void *arg),
			      void *arg)
{
	static char none[] = "";
	static char *path = none;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &path,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (dwfl_linux_proc_report(dwfl, pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
	    dwfl_linux_proc_attach(dwfl, pid, traced) == 0)
		dwfl_getthread_frames(dwfl, pid, found, arg);
	dwfl_end(dwfl);
}

#endif
