/* SPDX-License-Identifier: GPL-2.0 */
/* Recognises whole scripts of bpftrace. */
#ifndef PARSE_FOREIGN_SCRIPT_H
#define PARSE_FOREIGN_SCRIPT_H

struct state;
struct source;

/** foreign_script - report that @src is a script of bpftrace, with the equivalents of its probe
 *  points and words. Returns 0 without a report if it is not: its name does not end in .bt, its
 *  first line does not name bpftrace, and its first declaration has no probe point of bpftrace. */
int foreign_script(struct state *s, const struct source *src);

#endif
