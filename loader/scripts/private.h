/* SPDX-License-Identifier: GPL-2.0 */
/* The other end of language.h: what languages.c and keys.c need of a file and a program. */
#ifndef SCRIPTS_PRIVATE_H
#define SCRIPTS_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "script_frames.h"

struct script_file;
struct script_language;
struct script_object;
struct script_program;

/** script_language_of - the language of that number, from 1 on, as tables have it; NULL: there is
 *  none. */
const struct script_language *script_language_of(uint32_t number);

/** script_object_read - the object of a description, to script_object_free(). What is damaged is
 *  left out. */
void script_object_read(const unsigned char *bytes, size_t size, const struct script_language *l,
			struct script_object *ret);
/** script_object_free - accepts one that is all zero. */
void script_object_free(struct script_object *o);

/** script_file_open - read the headers of a file. @fd stays the caller's, who keeps it open. NULL:
 *  it is no program or library of 64 bits. To script_file_close(). */
struct script_file *script_file_open(int fd);
/** script_file_close - accepts NULL. */
void script_file_close(struct script_file *f);
/** script_file_deepen - from now on, script_file_symbol() looks in .symtab as well. */
void script_file_deepen(struct script_file *f);

/** script_program_start - one without operations, to script_program_free(). */
struct script_program *script_program_start(void);
/** script_program_free - accepts NULL. */
void script_program_free(struct script_program *p);
/** script_program_table - the table of a program, to free(). NULL: it is not a valid one: it has
 *  too many operations, a label without a place, a number that does not fit, no description, or no
 *  loop. */
struct prt_script_table *script_program_table(const struct script_program *p, uint32_t language);

#endif
