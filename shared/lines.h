/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the loader and its line reader, `probec --read-lines`, a process that reads debug
 * information of one file. The reader has the file, open for reading, as descriptor LINES_FILE, and
 * as descriptor LINES_SOCKET one end of a pair of sockets of type SOCK_SEQPACKET. If its command
 * line has the word LINES_HAS_ALTERNATE, LINES_ALTERNATE is the file to which dwz has moved parts
 * of it; with LINES_HAS_PACKAGE, LINES_PACKAGE is a .dwp file. The reader looks at none of them
 * before the first question.
 *
 * A question is an address of the file, a uint64_t. A relocatable file, such as a module of the
 * kernel, has no addresses: there it is the number of a section, shifted by LINES_SECTION, plus the
 * offset in the section.
 *
 * Its answer is one packet of at most LINES_ANSWER_MAX bytes: the number of frames at that address
 * as a uint32_t, at most LINES_FRAMES, and for each, the innermost first, the number of its line as
 * a uint32_t (0: not known), the name of its function and the path of its source file, each ended
 * by a NUL ("": not known). All frames but the last one are inlined into the one after them; a
 * frame's line is where it is at the address, or where it calls the frame before it. Numbers are
 * little-endian.
 *
 * Before it answers, the reader may ask for .dwo files, one packet each: LINES_WANTED as a
 * uint32_t, the directory that the unit was compiled in, and the name of the file, each ended by a
 * NUL. The loader replies with one byte and, if it has opened such a file, its descriptor
 * (SCM_RIGHTS).
 *
 * The reader ends when the loader closes its socket. It answers no other questions, and none at all
 * if it cannot give up its rights first: then its status is LINES_UNCONFINED.
 */
#ifndef SHARED_LINES_H
#define SHARED_LINES_H

enum {
	LINES_FRAMES = 64,
	LINES_TEXT_MAX = 4096,  /* bytes of a name or a path with its NUL; more are cut off */
	LINES_ANSWER_MAX = 4 + LINES_FRAMES * (4 + 2 * LINES_TEXT_MAX),
	LINES_SECTION = 32,
	LINES_SOCKET = 0,
	LINES_FILE = 3,
	LINES_ALTERNATE,
	LINES_PACKAGE,
	LINES_UNUSED,           /* the first descriptor that is not the reader's */
};

enum { LINES_UNCONFINED = 3 };

#define LINES_WANTED 0xffffffffu
#define LINES_COMMAND "--read-lines"
#define LINES_HAS_ALTERNATE "alternate"
#define LINES_HAS_PACKAGE "package"

#endif
