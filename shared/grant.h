/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The connection between proberun --grant, which any user may run, and probec-grant, which has the
 * rights of root: a socket of AF_UNIX and SOCK_SEQPACKET. The helper trusts no byte of it.
 *
 * The user's side sends one request, in one message: struct grant_request and then, without gaps,
 *
 *   name        the name of a file in a directory of the administrator; without NUL
 *   signature   GRANT_SIGNATURE_BYTES bytes, or none
 *   globals     NAME=VALUE, each ended by a NUL
 *
 * and, unless there is a name, one descriptor: the module, in a memfd with F_SEAL_WRITE,
 * F_SEAL_GROW and F_SEAL_SHRINK, so that reading it neither waits for anybody nor gives two
 * results. No other descriptor is passed: what a session writes comes back through the socket, so
 * the helper never writes to a file that a user has opened. Afterwards the user's side may send
 * messages of one byte, GRANT_INTERRUPT; the end of the connection ends the session.
 *
 * Each message of the helper begins with a byte of enum grant_answer. After GRANT_REFUSED or
 * GRANT_ENDED there are no more.
 */
#ifndef SHARED_GRANT_H
#define SHARED_GRANT_H

#include <stdint.h>

#define GRANT_SOCKET "/run/probec-grant.sock"

enum { GRANT_VERSION = 1 };

/* Limits of a request. */
enum {
	GRANT_NAME_MAX = 255,             /* that of file systems */
	GRANT_SIGNATURE_BYTES = 64,       /* of Ed25519 */
	GRANT_GLOBALS_MAX = 64,           /* more than any script has */
	GRANT_GLOBALS_BYTES_MAX = 16384,  /* two of the longest strings of a script */
	GRANT_MODULE_BYTES_MAX = 64 << 20, /* modules with thousands of probes have 10 MB */
	GRANT_MILLISECONDS_MAX = 7 * 86400 * 1000, /* the longest that a rule may allow */
};

enum grant_flags {
	GRANT_TIMING = 1,        /* -t */
	GRANT_NO_WARNINGS = 2,   /* -w */
	GRANT_ESCAPE = 4,        /* --escape=always, otherwise never */
	GRANT_FLAGS = 7,
};

struct grant_request {
	uint32_t version;
	uint32_t flags;          /* enum grant_flags */
	uint32_t format;         /* a number below GRANT_FORMATS */
	uint32_t milliseconds;   /* -T; 0: as long as the rule allows */
	uint32_t pid;            /* -x; 0: none */
	uint32_t name_bytes, signature_bytes, globals_bytes;
};

enum { GRANT_REQUEST_MAX = sizeof(struct grant_request) + GRANT_NAME_MAX + GRANT_SIGNATURE_BYTES +
			   GRANT_GLOBALS_BYTES_MAX };

/* The words of --format, by the number in a request. */
#define GRANT_FORMAT_WORDS { "text", "json", "csv", "folded", "perfetto" }
enum { GRANT_FORMATS = 5 };

enum { GRANT_INTERRUPT = 'i' };

enum grant_answer {
	GRANT_OUTPUT = 'o',      /* bytes for standard output */
	GRANT_MESSAGES = 'm',    /* bytes for standard error */
	GRANT_REFUSED = 'r',     /* the reason, a NUL, the next step */
	GRANT_ENDED = 'e',       /* a byte: the status of the session */
};

/* The longest message of the helper. */
enum { GRANT_ANSWER_MAX = 1 + 32768 };

#endif
