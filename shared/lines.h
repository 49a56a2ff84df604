/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Between the loader and its line reader, `probec --read-lines`, a process that reads debug
 * information of one file. The reader has the file, open for reading, as descriptor 3, and as
 * descriptor 0 one end of a pair of sockets of type SOCK_SEQPACKET.
 *
 * A question is an address of the file, a uint64_t. Its answer is one packet of at most
 * LINES_ANSWER_MAX bytes: the number of frames at that address as a uint32_t, at most LINES_FRAMES,
 * and for each, the innermost first, the number of its line as a uint32_t (0: not known), the name
 * of its function and the path of its source file, each ended by a NUL ("": not known). All frames
 * but the last one are inlined into the one after them; a frame's line is where it is at the
 * address, or where it calls the frame before it. Numbers are little-endian.
 *
 * The reader ends when the loader closes its socket. It answers no other questions.
 */
#ifndef SHARED_LINES_H
#define SHARED_LINES_H

enum {
	LINES_FRAMES = 64,
	LINES_TEXT_MAX = 4096,  /* bytes of a name or a path with its NUL; more are cut off */
	LINES_ANSWER_MAX = 4 + LINES_FRAMES * (4 + 2 * LINES_TEXT_MAX),
	LINES_SOCKET = 0,
	LINES_FILE = 3,
};

#define LINES_COMMAND "--read-lines"

#endif
