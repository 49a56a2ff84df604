/* SPDX-License-Identifier: GPL-2.0 */
/*
 * JSON text (RFC 8259), written piece by piece; commas are added automatically. The result is valid
 * for every string: each byte that is not UTF-8 becomes U+FFFD, and control characters become \u
 * escapes, so that an object never spans lines.
 */
#ifndef LOADER_JSON_H
#define LOADER_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

/** json_open / json_close - '{' or '[' and their ends; @key: NULL inside an array and at the top
 * level. */
void json_open(struct buf *t, const char *key, char bracket);
void json_close(struct buf *t, char bracket);
/** json_string - add @len bytes; bytes that are not UTF-8 become U+FFFD. */
void json_string(struct buf *t, const char *key, const char *s, size_t len);
/** json_text - add a C string; NULL is null. */
void json_text(struct buf *t, const char *key, const char *s);
/** json_number - add a number by its text. */
void json_number(struct buf *t, const char *key, const char *number);
/** json_signed / json_unsigned - add an integer, in full. */
void json_signed(struct buf *t, const char *key, int64_t v);
void json_unsigned(struct buf *t, const char *key, uint64_t v);
/** json_thousandths - @v as a number with up to three decimals. */
void json_thousandths(struct buf *t, const char *key, uint64_t v);
/** json_seconds - add @ns as seconds with nine decimals. */
void json_seconds(struct buf *t, const char *key, uint64_t ns);
void json_null(struct buf *t, const char *key);
/** json_is_utf8 - return whether json_string() keeps every byte. */
bool json_is_utf8(const char *s, size_t len);

/* ---- histograms ---- */

struct arg;
struct percentiles;
struct buf;

/** json_hist - add the H argument @a as an object: its buckets that count something, min and max
 * unless it is empty, and each of @percentiles (NULL: none) with the bounds of the exact value. */
void json_hist(struct buf *t, const char *key, const struct arg *a,
	       const struct percentiles *percentiles);

#endif
