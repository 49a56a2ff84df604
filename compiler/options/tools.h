/* SPDX-License-Identifier: GPL-2.0 */
/* Tools: scripts that are found by their names in the user's, the system's and probec's
 * directories of tools. */
#ifndef OPTIONS_TOOLS_H
#define OPTIONS_TOOLS_H

struct arena;
struct state;

/** tools_find - the path of the tool that @word, "opensnoop" or "opensnoop.kp", names; NULL: there
 *  is none, or @word is the path of a file. Owned by the arena. */
const char *tools_find(struct state *s, const char *word);
/** tools_nearest - the name of the tool of which @word may be a misspelling, or NULL. */
const char *tools_nearest(struct state *s, const char *word);
/** tools_main - probec tools: list all tools with what they do. Returns the exit status. */
int tools_main(struct state *s, int argc, char **argv);

#endif
