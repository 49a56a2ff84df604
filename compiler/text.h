/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the user's input: the script's text and its arguments. */
#ifndef TEXT_H
#define TEXT_H

struct state;

/** text_read - set s->text from a file, -e or standard input; a list may have none. Returns 0, or
 *  -1 after E_IO was reported. */
int text_read(struct state *s);

/** text_check_arguments - after pass 1: warn about arguments that the script did not use. */
void text_check_arguments(struct state *s);

#endif
