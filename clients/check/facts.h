/* SPDX-License-Identifier: GPL-2.0 */
/* Facts about an analysed script: what it uses of its kernel, for probec check. */
#ifndef CHECK_FACTS_H
#define CHECK_FACTS_H

struct buf;
struct state;

/*
 * facts_put - append what the analysed program uses, one fact in each line, as four words with tabs
 * between them:
 *
 *   kernel - RELEASE known|unknown   whether it has a list of inlined functions
 *   point POINT FUNCTION -           a place in the kernel that the probe point of the script means
 *   copies POINT FUNCTION -          that function is inlined at other places as well
 *   value POINT EXPRESSION TYPE      a value that a handler reads
 */
void facts_put(struct state *s, struct buf *out);

#endif
