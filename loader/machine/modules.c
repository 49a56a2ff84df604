/* SPDX-License-Identifier: GPL-2.0 */
/* The modules of the kernel that a script probes. */
#include "machine/modules.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "device/device.h"
#include "machine/kernel.h"
#include "machine/unarmed.h"
#include "module/meta.h"
#include "module/module.h"
#include "shared/memory.h"

int modules_check(const struct meta *m)
{
	int err = 0;

	for (uint32_t i = 0; i < m->nmodules; i++) {
		const struct meta_module *mod = &m->modules[i];
		char id[KERNEL_BUILD_ID_SIZE];

		kernel_module_build_id(mod->name, id);
		if (!id[0] || strcmp(mod->build_id, "-") == 0 || strcmp(mod->build_id, id) == 0)
			continue;
		say_error("E_WRONG_MODULE",
			  "build the script again, on this machine or for a target captured on it",
			  "the loaded module '%s' is not the one that the script was compiled for: "
			  "build-id %s, compiled for %s",
			  mod->name, id, mod->build_id);
		err = -1;
	}
	return err;
}

static bool is_of(const struct meta_site *s, const struct meta_module *mod)
{
	return strcmp(s->object, mod->name) == 0;
}

void modules_waiting(const struct meta *m, const uint64_t *addresses)
{
	for (uint32_t k = 0; k < m->nmodules; k++) {
		const struct meta_module *mod = &m->modules[k];
		int loaded = module_is_loaded(mod->name);
		const char *first = NULL;
		unsigned n = 0;

		for (uint32_t i = 0; i < m->nsites; i++) {
			const struct meta_site *s = &m->sites[i];

			/* Missing matches of a wildcard in a loaded module are __init code, which
			 * needs no warning. */
			if (addresses[i] || s->optional || !is_of(s, mod) ||
			    ((s->wildcard || s->is_found) && loaded))
				continue;
			first = first ? first : m->sites[i].symbol;
			n++;
		}
		if (n && loaded)
			say_warn("E_MODULE_ABSENT", NULL,
				 "the module '%s' has no function '%s' now; %u probe point%s in it "
				 "%s until it is loaded again",
				 mod->name, first, n, plural_s(n), n == 1 ? "waits" : "wait");
		else if (n)
			say_warn("E_MODULE_ABSENT", NULL,
				 "the module '%s' is not loaded; %u probe point%s in it %s for it",
				 mod->name, n, plural_s(n), n == 1 ? "waits" : "wait");
	}
}

/* ---- while the session runs ---- */

static const char *reason_of(int err)
{
	switch (err) {
	case -ESTALE:
		return "it is not the build that the script was compiled for";
	case -ENOENT:
		return "it has no such function or tracepoint";
	case -EINVAL:
	case -EOPNOTSUPP:
		return "the kernel forbids a probe there";
	default:
		return unarmed_reason(err);
	}
}

/* Returns the number of a module's sites that changed from a state in @old to @state. */
static uint32_t changed(const struct meta *m, const struct meta_module *mod,
			const struct prt_site_status *old, const struct prt_site_status *new,
			int state)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->nsites; i++)
		n += new[i].state == state && old[i].state != state &&
		     old[i].state != PRT_SITE_GATED &&
		     old[i].state != PRT_SITE_SWITCHED && is_of(&m->sites[i], mod);
	return n;
}

static void say_refused(const struct meta *m, const struct meta_module *mod,
			const struct prt_site_status *old, const struct prt_site_status *new)
{
	const struct meta_site *first = NULL;
	unsigned n = 0;
	int err = 0;

	for (uint32_t i = 0; i < m->nsites; i++) {
		if (!new[i].error || new[i].error == old[i].error || !is_of(&m->sites[i], mod))
			continue;
		err = first ? err : (int)new[i].error;
		first = first ? first : &m->sites[i];
		n++;
	}
	if (n)
		say_warn("E_ARM", err == -ESTALE ? "build the script again" : NULL,
			 "the module '%s' was loaded, and %u probe point%s in it could not be "
			 "armed ('%s': %s)", mod->name, n, plural_s(n), first->symbol,
			 reason_of(err));
}

static void say_module(const struct meta *m, const struct meta_module *mod,
		       const struct prt_site_status *old, const struct prt_site_status *new)
{
	uint32_t n;

	say_refused(m, mod, old, new);
	n = changed(m, mod, old, new, PRT_SITE_GONE);
	if (n)
		say_step("module %s: %u sites are gone", mod->name, n);
	n = changed(m, mod, old, new, PRT_SITE_ARMED);
	if (n)
		say_step("module %s was loaded: armed %u sites", mod->name, n);
}

void modules_turn(struct modules *s, struct device *d, const struct meta *m,
		  const struct prt_status *st)
{
	struct prt_site_status *now;

	if (!m->nmodules || (s->status && s->armed == st->armed && s->failed == st->failed &&
			     s->absent == st->absent))
		return;
	now = memory_zeroed(m->nsites, sizeof(*now));
	if (device_site_status(d, now, m->nsites)) {
		free(now);
		return;
	}
	for (uint32_t i = 0; s->status && i < m->nmodules; i++)
		say_module(m, &m->modules[i], s->status, now);
	free(s->status);
	*s = (struct modules){ now, st->armed, st->failed, st->absent };
}

void modules_deinit(struct modules *s)
{
	free(s->status);
	*s = (struct modules){ 0 };
}
