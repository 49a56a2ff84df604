/* SPDX-License-Identifier: GPL-2.0 */
#include "base/json.h"

struct json_object *json_member(struct json_object *o, const char *name, enum json_type type)
{
	struct json_object *v;

	return json_object_object_get_ex(o, name, &v) && json_object_is_type(v, type) ? v : NULL;
}

const char *json_member_text(struct json_object *o, const char *name)
{
	struct json_object *v = json_member(o, name, json_type_string);

	return v ? json_object_get_string(v) : NULL;
}

bool json_parse(struct json_tokener *tokener, const char *text, size_t len,
		struct json_object **ret, size_t *at)
{
	json_tokener_reset(tokener);
	*ret = json_tokener_parse_ex(tokener, text, (int)len);
	*at = json_tokener_get_parse_end(tokener);
	if (json_tokener_get_error(tokener) == json_tokener_success && *at == len)
		return true;
	json_object_put(*ret);
	*ret = NULL;
	return false;
}

/* json-c stores numbers above 2^63 - 1 as unsigned ones, for which json_object_get_int64() returns
 * INT64_MAX. */
__int128 json_number(struct json_object *v)
{
	int64_t n = json_object_get_int64(v);

	return n == INT64_MAX ? (__int128)json_object_get_uint64(v) : (__int128)n;
}
