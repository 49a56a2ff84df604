/* SPDX-License-Identifier: GPL-2.0 */
/* Reading values of json-c, from files and hosts that are not trusted. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/** json_member - the member @name of @o if it has that type, or NULL. */
struct json_object *json_member(struct json_object *o, const char *name, enum json_type type);
/** json_member_text - the string of a member, owned by @o, or NULL. */
const char *json_member_text(struct json_object *o, const char *name);
/**
 * json_parse - parse a text that is one value
 * @ret: gets the value, which the caller owns; NULL: it is null, or not whole
 * @at:  gets the byte at which it stops to be one
 *
 * returns false if it is not whole.
 */
bool json_parse(struct json_tokener *tokener, const char *text, size_t len,
		struct json_object **ret, size_t *at);
/** json_number - a whole number of 64 bits, signed or unsigned. */
__int128 json_number(struct json_object *v);

#endif
