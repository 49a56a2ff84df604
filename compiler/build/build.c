/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 4: the runtime, the script, the link, the cache. */
#include "build/build.h"
#include "build/private.h"

const char *build_module(struct state *s, const struct buf *c_text)
{
	struct kbuild_runtime rt;
	const char *object, *module, *stored;

	if (kbuild_runtime_get(s, &rt))
		return NULL;
	object = build_script_object(s, &rt, c_text);
	module = object ? build_link_module(s, &rt, object) : NULL;
	if (!module)
		return NULL;
	stored = build_cache_store(s, module);
	return build_cache_deliver(s, stored ? stored : module, stored != NULL);
}
