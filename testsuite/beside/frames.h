/* SPDX-License-Identifier: GPL-2.0 */
/* The stack of a process as libdwfl finds it, which is what eu-stack prints. */
#ifndef BESIDE_FRAMES_H
#define BESIDE_FRAMES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>

/* Whether call frame information of the file describes the frame's instruction. Where there is
 * none, libdwfl takes rbp for a frame pointer, which it may not be. */
static inline bool frame_is_described(Dwfl_Frame *frame)
{
	Dwfl *dwfl = dwfl_thread_dwfl(dwfl_frame_thread(frame));
	Dwarf_Addr pc, bias;
	Dwfl_Module *module;
	Dwarf_Frame *rules;
	Dwarf_CFI *cfi;
	bool activation;

	if (!dwfl_frame_pc(frame, &pc, &activation))
		return false;
	pc -= !activation;
	module = dwfl_addrmodule(dwfl, pc);
	cfi = dwfl_module_eh_cfi(module, &bias);
	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &rules) != 0)
		cfi = dwfl_module_dwarf_cfi(module, &bias);
	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &rules) != 0)
		return false;
	free(rules);
	return true;
}

struct frame_reader {
	int (*found)(Dwfl_Frame *frame, void *arg);
	void *arg;
	bool guessed;
};

static inline int read_frame(Dwfl_Frame *frame, void *arg)
{
	struct frame_reader *reader = arg;
	int ret = reader->found(frame, reader->arg);

	if (ret != DWARF_CB_OK || frame_is_described(frame))
		return ret;
	reader->guessed = true;
	return DWARF_CB_ABORT;
}

/* Calls @found with each frame of a stopped process, the innermost first, up to one without call
 * frame information. @traced: the caller has stopped it by ptrace. Returns whether it ended there.
 */
static inline bool each_frame(pid_t pid, bool traced, int (*found)(Dwfl_Frame *frame, void *arg),
			      void *arg)
{
	static char none[] = "";
	static char *path = none;
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &path,
	};
	struct frame_reader reader = { .found = found, .arg = arg };
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (dwfl_linux_proc_report(dwfl, pid) == 0 && dwfl_report_end(dwfl, NULL, NULL) == 0 &&
	    dwfl_linux_proc_attach(dwfl, pid, traced) == 0)
		dwfl_getthread_frames(dwfl, pid, read_frame, &reader);
	dwfl_end(dwfl);
	return reader.guessed;
}

#endif
