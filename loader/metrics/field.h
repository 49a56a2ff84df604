/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of OTLP's messages in both of its encodings. A field has a name, which JSON uses, and
 * a number, which protocol buffers use. In a list of JSON, the name is NULL.
 */
#ifndef LOADER_METRICS_FIELD_H
#define LOADER_METRICS_FIELD_H

#include "metrics/private.h"

/** field_open, field_close - begin and end a message. */
void field_open(struct metrics_page *p, const char *name, unsigned number);
void field_close(struct metrics_page *p);
/** field_list, field_list_end - enclose messages of a repeated field, which are opened with its
 * number and without a name. */
void field_list(struct metrics_page *p, const char *name);
void field_list_end(struct metrics_page *p);
/** field_numbers, field_numbers_end - enclose a repeated field of numbers, which the functions
 * named field_in_... add. */
void field_numbers(struct metrics_page *p, const char *name, unsigned number);
void field_numbers_end(struct metrics_page *p);

/** field_text - add a text; bytes that are not UTF-8 become U+FFFD. */
void field_text(struct metrics_page *p, const char *name, unsigned number, const char *s,
		size_t len);
/** field_bytes - add bytes; JSON has them in hex. */
void field_bytes(struct metrics_page *p, const char *name, unsigned number,
		 const unsigned char *s, size_t len);
/** field_int, field_fixed - add an integer of 64 bits; JSON has it as text. @is_signed: it is. */
void field_int(struct metrics_page *p, const char *name, unsigned number, int64_t v);
void field_fixed(struct metrics_page *p, const char *name, unsigned number, uint64_t v,
		 bool is_signed);
/** field_small, field_sint - add an integer of 32 bits; field_sint: of the type sint32. */
void field_small(struct metrics_page *p, const char *name, unsigned number, unsigned v);
void field_sint(struct metrics_page *p, const char *name, unsigned number, int32_t v);
/** field_double - add an integer that is a double there. */
void field_double(struct metrics_page *p, const char *name, unsigned number, int64_t v);

void field_true(struct metrics_page *p, const char *name, unsigned number);

void field_in_fixed(struct metrics_page *p, uint64_t v);
void field_in_int(struct metrics_page *p, uint64_t v);
void field_in_double(struct metrics_page *p, int64_t v);

#endif
