/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of scripts: tables by which the kernel half finds them (abi/script_frames.h), and their
 * names, files and lines. Each language is a file of this folder (language.h).
 *
 * What a process or a file says is untrusted: names have no control characters when they leave
 * this folder, and every length is checked.
 */
#ifndef LOADER_SCRIPTS_H
#define LOADER_SCRIPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "script_frames.h"

struct device;
struct script_names;

/* A frame of a script. The texts are valid until the next call for the same names. */
struct script_frame {
	const char *language;  /* "python", "perl" */
	const char *function;  /* with its class or package; never empty */
	const char *file;      /* "": not known */
	uint32_t line;         /* 0: not known */
};

enum { SCRIPT_VERSION_MAX = 64 }; /* bytes of "python 3.8 or older" */

/**
 * script_table - the table for the interpreter of a file
 *
 * @fd:      of the file as a process has it mapped; stays the caller's
 * @refused: the language and version of an interpreter that is not supported; "" otherwise
 *
 * Returns the table, to free(); NULL: the file has no interpreter, or one that is not supported.
 * Any thread.
 */
struct prt_script_table *script_table(int fd, char refused[SCRIPT_VERSION_MAX]);
/** script_keys - where a C library keeps what pthread_getspecific() returns: PRT_KEYS_...; 0: the
 *  file is no C library, or its layout is not known. Any thread. */
uint32_t script_keys(int fd);

/** script_names_start - the names of a session's frames, to script_names_stop(). They are read from
 *  the device when they are first shown. @device: may be NULL: frames have no names then. */
struct script_names *script_names_start(struct device *device);
/** script_names_stop - accepts NULL. */
void script_names_stop(struct script_names *names);
/** script_names_frame - the frame @word, which has PRT_FRAME_SCRIPT. "[unknown]" is the function of
 *  one that has no name, "script" the language of one that is not known. @names may be NULL. One
 *  thread at a time. */
struct script_frame script_names_frame(struct script_names *names, uint64_t word);

#endif
