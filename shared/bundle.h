/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of a bundle: one executable file, which probec bundle writes and proberun reads. Only
 * this file says what is in it.
 *
 *   a static proberun
 *   modules, one for each kernel, one after the other
 *   the index: records, each ended by a NUL; the fields of a record are separated by tabs
 *   the trailer, struct bundle_trailer: the last bytes of the file
 *
 * The index begins with "bundle" and ends with "end". Its other records, in any order:
 *   script    NAME
 *   module    RELEASE  BUILD-ID|-  OFFSET  SIZE    in the file
 *   argument  WORD                      of the command line, before those of the user; WORD is the
 *                                       rest of the record and may have tabs
 *   about     LINE                      of the text that --help begins with
 *   option    LETTER  NAME  VALUE  GLOBAL  HELP    an option that the script declares. LETTER and
 *                                       NAME may be empty, but not both; VALUE is empty for a
 *                                       flag; HELP may have newlines
 *
 * Numbers are decimal. The processor's byte order is that of the modules: little-endian.
 */
#ifndef SHARED_BUNDLE_H
#define SHARED_BUNDLE_H

#include <stdint.h>

#define BUNDLE_MAGIC "\177probec bundle 1\n" /* and NULs */

struct bundle_trailer {
	uint64_t index;      /* offset in the file */
	uint64_t index_size;
	uint64_t size;       /* of the whole file */
	char magic[24];      /* BUNDLE_MAGIC, and NULs */
};

#endif
