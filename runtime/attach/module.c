/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules that are loaded and unloaded while a session runs.
 *
 * The kernel notifies us of each module before its init function runs (COMING), when its __init
 * code is about to be freed (LIVE), and when it is removed (GOING), in the task that loads or
 * removes it. From COMING on, its symbols have their addresses, ftrace knows its functions and
 * kprobes can be set, so probes that are armed then miss no call. The symbols are read from the
 * module itself, because the kernel exports no function that looks up a name.
 *
 * The loader reads the addresses in modules that are loaded already from /proc/kallsyms, after we
 * have begun to watch. A notification is as recent as that or more so, and overrides the loader.
 *
 * If a module has several functions of one name, those outside of __init code are numbered first,
 * as they are the ones that exist for the rest of the module's life.
 *
 * At GOING, our notifier is called before that of kprobes, which kills the probes that it finds: by
 * then ours are unregistered in the usual way. At COMING, it is called after the others, because
 * only then do tracepoints have the jumps that arming them changes.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "attach.h"
#include "compat/kernel.h"
#include "compat/module.h"
#include "memory.h"
#include "session.h"

enum { BUILD_ID_MAX = 64, BUILD_ID_SEARCHED = 4096 }; /* bytes */

struct watched {
	u32 *sites;               /* site numbers, ordered by symbol, functions first, then by
				   * namesake */
	u32 *met;                 /* at the first site of a symbol: how many were found so far */
	u32 n;
	bool seen;                /* the kernel has announced it */
	struct prt_set core, init;
};

static struct watched *watched;    /* one for each probed module of the script */
static u32 *site_order, *site_met; /* memory of their sites[] and met[] */
static bool watching;              /* the notifiers are registered */
static bool is_open;               /* modules that are loaded now are armed */

/* ---- setting up ---- */

static int by_module_and_name(const void *x, const void *y)
{
	const struct prt_site *a = &prt_script.sites[*(const u32 *)x];
	const struct prt_site *b = &prt_script.sites[*(const u32 *)y];
	int c = (int)a->module - (int)b->module;

	if (!c)
		c = strcmp(a->symbol, b->symbol);
	if (!c)
		c = prt_trace_site(a) - prt_trace_site(b);
	return c ? c : (int)a->namesake - (int)b->namesake;
}

static int give_sites(void)
{
	u32 i, first = 0;
	int err = 0;

	for (i = 0; i < prt_script.nsites; i++)
		site_order[i] = i;
	sort(site_order, prt_script.nsites, sizeof(*site_order), by_module_and_name, NULL);
	for (i = 0; i < prt_script.nsites && !prt_script.sites[site_order[i]].module; i++)
		first++;
	for (i = 0; i < prt_script.nmodules && !err; i++) {
		struct watched *w = &watched[i];

		w->sites = site_order + first;
		w->met = site_met + first;
		while (first < prt_script.nsites &&
		       prt_script.sites[site_order[first]].module == i + 1) {
			first++;
			w->n++;
		}
		err = prt_set_init(&w->core, w->n);
		if (!err)
			err = prt_set_init(&w->init, w->n);
	}
	return err;
}

static int on_coming(struct notifier_block *nb, unsigned long what, void *data);
static int on_change(struct notifier_block *nb, unsigned long what, void *data);

static struct notifier_block watch_coming = { .notifier_call = on_coming, .priority = -10 };
static struct notifier_block watch_change = { .notifier_call = on_change, .priority = 10 };

/* Each site in a module belongs to two sets. */
u64 prt_module_memory(void)
{
	u64 ret;
	u32 in_modules = 0, i;

	if (!prt_script.nmodules)
		return 0;
	for (i = 0; i < prt_script.nsites; i++)
		in_modules += prt_script.sites[i].module != 0;
	ret = prt_script.nmodules * (sizeof(*watched) + 2 * prt_set_memory(0));
	ret += (prt_script.nsites + 1) * (sizeof(*site_order) + sizeof(*site_met));
	return ret + 2 * prt_set_memory(in_modules);
}

int prt_module_setup(void)
{
	int err;

	if (!prt_script.nmodules)
		return 0;
	watched = prt_alloc(prt_script.nmodules, sizeof(*watched), NUMA_NO_NODE);
	site_order = prt_alloc(prt_script.nsites + 1, sizeof(*site_order), NUMA_NO_NODE);
	site_met = prt_alloc(prt_script.nsites + 1, sizeof(*site_met), NUMA_NO_NODE);
	if (!watched || !site_order || !site_met)
		return -ENOMEM;
	err = give_sites();
	if (!err)
		err = prt_register(register_module_notifier(&watch_change));
	if (err)
		return err;
	err = prt_register(register_module_notifier(&watch_coming));
	if (err)
		unregister_module_notifier(&watch_change);
	watching = !err;
	return err;
}

void prt_module_free(void)
{
	u32 i;

	prt_module_close();
	for (i = 0; watched && i < prt_script.nmodules; i++) {
		prt_set_free(&watched[i].core);
		prt_set_free(&watched[i].init);
	}
	kvfree(watched);
	kvfree(site_order);
	kvfree(site_met);
	watched = NULL;
	site_order = site_met = NULL;
}

bool prt_module_seen(u32 nr)
{
	u32 module = prt_script.sites[nr].module;

	return module && watched[module - 1].seen;
}

void prt_module_open(void)
{
	is_open = true;
}

void prt_module_close(void)
{
	if (watching) {
		unregister_module_notifier(&watch_coming);
		unregister_module_notifier(&watch_change);
	}
	watching = false;
}

void prt_module_disarm(void)
{
	u32 i;

	for (i = 0; watched && i < prt_script.nmodules; i++) {
		prt_set_disarm_others(&watched[i].core);
		prt_set_disarm_others(&watched[i].init);
		prt_set_disarm_ftrace(&watched[i].core);
		prt_set_disarm_ftrace(&watched[i].init);
	}
}

void prt_module_follow(void)
{
	u32 i;

	for (i = 0; watched && i < prt_script.nmodules; i++) {
		prt_set_follow(&watched[i].core);
		prt_set_follow(&watched[i].init);
	}
}

/* ---- which build it is ---- */

/* Finds the build-id in the notes at the start of the read-only data, where the linker puts them;
 * NULL: it has none. */
static const u8 *find_build_id(const struct module *mod, u32 *len)
{
	struct prt_compat_region r = prt_compat_module_rodata(mod);
	unsigned long p, end = r.start + min_t(unsigned long, r.size, BUILD_ID_SEARCHED);

	for (p = ALIGN(r.start, 4); r.start && p + 16 <= end; p += 4) {
		const u32 *note = (const u32 *)p;

		if (note[0] == 4 && note[2] == 3 && note[1] <= BUILD_ID_MAX &&
		    memcmp(&note[3], "GNU", 4) == 0 && p + 16 + note[1] <= end) {
			*len = note[1];
			return (const u8 *)&note[4];
		}
	}
	return NULL;
}

/* Whether the module is the build that was compiled for; true if either build-id is unknown. */
static bool is_meant(const struct module *mod, const char *build_id)
{
	const u8 *found;
	u8 want[BUILD_ID_MAX];
	u32 len;

	found = find_build_id(mod, &len);
	if (!build_id || !found)
		return true;
	return strlen(build_id) == 2 * len && !hex2bin(want, build_id, len) &&
	       memcmp(want, found, len) == 0;
}

/* ---- addresses ---- */

static int compare_site(const struct prt_site *site, const char *symbol, bool trace)
{
	int c = strcmp(site->symbol, symbol);

	return c ? c : prt_trace_site(site) - trace;
}

/* Finds the first site of @w with that symbol, among tracepoints or among functions; w->n: there is
 * none. */
static u32 find_sites(const struct watched *w, const char *symbol, bool trace)
{
	u32 low = 0, high = w->n;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (compare_site(&prt_script.sites[w->sites[mid]], symbol, trace) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < w->n && compare_site(&prt_script.sites[w->sites[low]], symbol, trace))
		return w->n;
	return low;
}

/* Gives the address of another symbol to the sites that mean it; @first is the first site with that
 * name. */
static void found_symbol(struct watched *w, u32 first, unsigned long addr, bool init)
{
	const struct prt_site *one = &prt_script.sites[w->sites[first]];
	u32 nr = w->met[first]++, i;

	for (i = first; i < w->n; i++) {
		const struct prt_site *site = &prt_script.sites[w->sites[i]];
		struct prt_site_info *info = &prt_site_infos[w->sites[i]];

		if (compare_site(site, one->symbol, prt_trace_site(one)))
			break;
		if (site->namesake != nr)
			continue;
		info->addr = addr + site->offset;
		info->init = init;
	}
}

static bool is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

static void resolve_half(struct watched *w, const struct module *mod, bool init)
{
	const struct mod_kallsyms *k = rcu_dereference_protected(mod->kallsyms, true);
	u32 i, first;

	for (i = 0; i < k->num_symtab; i++) {
		unsigned long addr = k->symtab[i].st_value;

		if (!is_text(k->typetab[i]) || within_module_init(addr, mod) != init)
			continue;
		first = find_sites(w, k->strtab + k->symtab[i].st_name, false);
		if (first < w->n)
			found_symbol(w, first, addr, init);
	}
}

static void found_tracepoint(void *data, const char *name, unsigned long addr)
{
	struct watched *w = data;
	u32 first = find_sites(w, name, true);

	if (first < w->n)
		found_symbol(w, first, addr, false);
}

/* Removes the addresses of its sites. */
static void forget_addresses(struct watched *w)
{
	u32 i;

	for (i = 0; i < w->n; i++) {
		struct prt_site_info *info = &prt_site_infos[w->sites[i]];

		info->addr = 0;
		info->init = false;
	}
}

static void set_errors(struct watched *w, int error)
{
	u32 i;

	for (i = 0; i < w->n; i++)
		WRITE_ONCE(prt_site_infos[w->sites[i]].error, error);
}

static void resolve(struct watched *w, const struct module *mod, bool init_too)
{
	const char *build_id = prt_script.modules[w - watched].build_id;
	u32 i;

	forget_addresses(w);
	set_errors(w, 0);
	if (!is_meant(mod, build_id)) {
		set_errors(w, -ESTALE);
		return;
	}
	memset(w->met, 0, w->n * sizeof(*w->met));
	resolve_half(w, mod, false);
	prt_trace_of_module(mod, w, found_tracepoint);
	if (!init_too)
		return;
	resolve_half(w, mod, true);
	for (i = 0; i < w->n; i++)
		if (!prt_site_infos[w->sites[i]].addr)
			WRITE_ONCE(prt_site_infos[w->sites[i]].error, -ENOENT);
}

/* ---- modules that come and go ---- */

static bool is_core(const struct prt_site_info *info)
{
	return !info->init;
}

static bool is_init(const struct prt_site_info *info)
{
	return info->init;
}

/* Disarms points of the session's start that lie in the module. */
static void leave_start(const struct module *mod, bool core_too)
{
	struct prt_compat_region r = prt_compat_module_region(mod, PRT_COMPAT_INIT);
	int i;

	prt_attach_leave(r.start, r.start + r.size);
	for (i = 0; core_too && i < PRT_COMPAT_CORE_REGIONS; i++) {
		r = prt_compat_module_region(mod, i);
		prt_attach_leave(r.start, r.start + r.size);
	}
}

static void leave_set(struct prt_set *set)
{
	prt_set_leave(set, 0, ULONG_MAX);
	prt_set_disarm_ftrace(set);
}

static void module_comes(struct watched *w, const struct module *mod)
{
	/* The loader may have found its addresses before the notification. */
	leave_start(mod, true);
	w->seen = true;
	resolve(w, mod, true);
	if (!is_open || READ_ONCE(prt_session.stop))
		return;
	prt_set_arm(&w->core, w->sites, w->n, is_core);
	prt_set_arm(&w->init, w->sites, w->n, is_init);
}

static void module_lives(struct watched *w, const struct module *mod)
{
	u32 i;

	if (!w->seen && !is_open) {
		w->seen = true;
		resolve(w, mod, false);
	}
	leave_start(mod, false);
	leave_set(&w->init);
	for (i = 0; i < w->n; i++)
		if (prt_site_infos[w->sites[i]].init)
			prt_site_infos[w->sites[i]].addr = 0;
}

static void module_goes(struct watched *w, const struct module *mod)
{
	w->seen = true;
	leave_start(mod, true);
	leave_set(&w->init);
	leave_set(&w->core);
	forget_addresses(w);
}

static struct watched *find_watched(const struct module *mod)
{
	u32 i;

	for (i = 0; i < prt_script.nmodules; i++)
		if (strcmp(prt_script.modules[i].name, mod->name) == 0)
			return &watched[i];
	return NULL;
}

static int on_coming(struct notifier_block *nb, unsigned long what, void *data)
{
	struct watched *w = what == MODULE_STATE_COMING ? find_watched(data) : NULL;

	if (!w)
		return NOTIFY_DONE;
	mutex_lock(&prt_attach_lock);
	module_comes(w, data);
	prt_attach_changed();
	mutex_unlock(&prt_attach_lock);
	return NOTIFY_DONE;
}

static int on_change(struct notifier_block *nb, unsigned long what, void *data)
{
	struct watched *w = what == MODULE_STATE_COMING ? NULL : find_watched(data);

	if (!w)
		return NOTIFY_DONE;
	mutex_lock(&prt_attach_lock);
	if (what == MODULE_STATE_LIVE)
		module_lives(w, data);
	else if (what == MODULE_STATE_GOING)
		module_goes(w, data);
	prt_attach_changed();
	mutex_unlock(&prt_attach_lock);
	return NOTIFY_DONE;
}

void prt_module_tracepoints(const struct module *mod)
{
	struct watched *w = find_watched(mod);

	if (w && !w->seen)
		prt_trace_of_module(mod, w, found_tracepoint);
}
