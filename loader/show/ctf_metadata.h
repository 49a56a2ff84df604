/* SPDX-License-Identifier: GPL-2.0 */
/* The text that describes the events of a trace, in the language TSDL of CTF 1.8. */
#ifndef LOADER_CTF_METADATA_H
#define LOADER_CTF_METADATA_H

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct meta;
struct meta_print;

enum { CTF_UUID = 16 };

/* Streams of processors have packets with a number of the processor, that of the session's thread
 * has not. */
enum ctf_stream_class { CTF_PROCESSOR, CTF_SESSION, CTF_STREAM_CLASSES };

/** ctf_metadata - add the description of all that a session of @m can print. An event's number is
 * that of its print. */
void ctf_metadata(struct buf *to, const struct meta *m, const char *host,
		  const unsigned char uuid[CTF_UUID]);
/** ctf_metadata_has_text - whether events of @p have the text of the print as their first field. */
bool ctf_metadata_has_text(const struct meta_print *p);
/** ctf_metadata_has - whether argument @i of @p is a field. */
bool ctf_metadata_has(const struct meta_print *p, unsigned i);

#endif
