/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the user's input: the script's text and its arguments. */
#ifndef PARSE_TEXT_H
#define PARSE_TEXT_H

struct state;

/** text_read_script - set s->text from the file s->opt.script_path, or from standard input for
 *  "-"; or s->text_error. Nothing is reported. */
void text_read_script(struct state *s);
/** text_read - set s->text from the texts of -e, or from the script if it was not read yet, and add
 *  those of -E; a list may have none. Returns 0, or -1 after E_IO was reported. */
int text_read(struct state *s);

/** text_check_arguments - after pass 1: warn about arguments that the script did not use. */
void text_check_arguments(struct state *s);

#endif
