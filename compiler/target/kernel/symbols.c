/* SPDX-License-Identifier: GPL-2.0 */
/* The symbols of vmlinux, the kernel's lists of them, and its events. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "shared/file.h"
#include "target/kernel/private.h"
#include "state.h"

#define RUNNING_EVENTS "/sys/kernel/tracing/available_events"

/* The longest name of a symbol in the kernel. */
enum { KSYM_NAME_LEN = 512 };

bool kernel_symbols_known(struct kernel *k)
{
	return kernel_names(k, KERNEL_SYMBOLS)->size > 0;
}

int kernel_symbol_count(struct kernel *k, const char *name)
{
	const struct namelist *l = kernel_names(k, KERNEL_SYMBOLS);
	const char *const *promoted;

	return (int)(namelist_count(l, name) + namelist_promoted(l, k->arena, name, &promoted));
}

bool kernel_is_joined(const struct state *s)
{
	struct kernel *k = s->kernel;

	if (!k->read_joined)
		k->is_joined = namelist_has_promoted(kernel_names(k, KERNEL_SYMBOLS)) ||
			       kernel_config(s, "CONFIG_LTO_CLANG_FULL");
	k->read_joined = true;
	return k->is_joined;
}

bool kernel_has_symbol(struct kernel *k, const char *name)
{
	return namelist_count(kernel_names(k, KERNEL_DATA), name) || kernel_symbol_count(k, name);
}

bool kernel_lacks_symbol(struct kernel *k, const char *name)
{
	return kernel_names(k, KERNEL_DATA)->size && !kernel_has_symbol(k, name);
}

size_t kernel_symbols_match(struct state *s, struct kernel *k, const char *pattern,
			    const char *const **ret)
{
	return namelist_match(kernel_names(k, KERNEL_SYMBOLS), s->arena, pattern, ret);
}

const char *kernel_symbols_nearest(struct state *s, struct kernel *k, const char *name)
{
	size_t len = strlen(name);
	const char *const *names;
	size_t n = namelist_of_length(kernel_names(k, KERNEL_SYMBOLS), s->arena, len - len / 3,
				      len + len / 3, &names);

	return diag_nearest(name, names, n);
}

const char *kernel_symbols_clone(struct state *s, struct kernel *k, const char *name)
{
	const char *const *clones;
	size_t n = kernel_symbols_match(s, k, arena_printf(s->arena, "%s.*", name), &clones);

	for (size_t i = 0; i < n; i++) {
		if (namelist_clone_suffix(clones[i]) && !strstr(clones[i], ".cold"))
			return clones[i];
	}
	return NULL;
}

/* Kernels before 6.11 list promoted functions without their numbers. */
static bool is_in(struct kernel *k, const struct namelist *l, const char *symbol)
{
	const char *name = namelist_unpromoted(k->arena, symbol);

	return namelist_count(l, symbol) || (name != symbol && namelist_count(l, name));
}

bool kernel_symbols_blacklisted(struct kernel *k, const char *symbol)
{
	return is_in(k, kernel_names(k, KERNEL_BLACKLIST), symbol);
}

static void need_aliases(struct kernel *k)
{
	const struct namelist *l = kernel_names(k, KERNEL_ALIASES);
	const char *line = l->text, *end = line ? line + l->size : NULL, *nl;

	if (k->read_aliases)
		return;
	k->read_aliases = true;
	map_init(&k->aliases, k->arena);
	for (; line < end && (nl = memchr(line, '\n', (size_t)(end - line))); line = nl + 1) {
		char *names = arena_strndup(k->arena, line, (size_t)(nl - line));

		for (const char *p = names; *p; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");

			map_set(&k->aliases, arena_strndup(k->arena, p, len), names);
			p += len;
		}
	}
}

/* The next name of the address of @symbol after @last (NULL: the first), or NULL. */
static const char *next_alias(struct kernel *k, const char *symbol, const char *last,
			      char name[KSYM_NAME_LEN])
{
	need_aliases(k);

	const char *p = last ? last + strcspn(last, " ") : map_get(&k->aliases, symbol);

	if (!p)
		return NULL;
	p += strspn(p, " ");
	snprintf(name, KSYM_NAME_LEN, "%.*s", (int)strcspn(p, " "), p);
	return *p ? p : NULL;
}

static bool is_listed(struct kernel *k, const char *symbol)
{
	const struct namelist *l = kernel_names(k, KERNEL_TRACEABLE);

	return !l->text || is_in(k, l, symbol);
}

bool kernel_symbols_untraceable(struct kernel *k, const char *symbol)
{
	char name[KSYM_NAME_LEN];

	if (is_listed(k, symbol))
		return false;
	/* The kernel lists one name for each address that it can trace. */
	for (const char *it = NULL; (it = next_alias(k, symbol, it, name));) {
		if (is_listed(k, name))
			return false;
	}
	return true;
}

bool kernel_symbols_is_second(struct kernel *k, const char *symbol, const char *pattern)
{
	char name[KSYM_NAME_LEN];
	bool passed = false;

	if (is_listed(k, symbol))
		return false;
	for (const char *it = NULL; (it = next_alias(k, symbol, it, name));) {
		if (strcmp(name, symbol) == 0)
			passed = true;
		else if ((!passed || is_listed(k, name)) && fnmatch(pattern, name, 0) == 0)
			return true;
	}
	return false;
}

const char *kernel_forbids(struct kernel *k, const char *symbol)
{
	if (kernel_symbols_blacklisted(k, symbol))
		return "it is on the kernel's blacklist of functions that must not be probed";
	if (kernel_symbols_untraceable(k, symbol))
		return "it is not in the kernel's list of functions that can be traced";
	return NULL;
}

/* ---- events ---- */

/* Each line is "SYSTEM:NAME". */
static void add_events(struct kernel *k, const char *text, size_t size)
{
	const char *end = text + size, *nl;

	for (; text < end && (nl = memchr(text, '\n', (size_t)(end - text))); text = nl + 1) {
		const char *colon = memchr(text, ':', (size_t)(nl - text));

		if (!colon)
			continue;

		char *name = arena_strndup(k->arena, colon + 1, (size_t)(nl - colon - 1));

		map_set(&k->event_systems, name,
			arena_strndup(k->arena, text, (size_t)(colon - text)));
	}
}

bool kernel_tracepoint_systems_known(struct kernel *k)
{
	struct buf text;

	if (k->read_events)
		return k->events_known;
	k->read_events = true;
	map_init(&k->event_systems, k->arena);
	if (k->has_target && k->target.section[TARGET_TRACEPOINTS].data) {
		add_events(k, k->target.section[TARGET_TRACEPOINTS].data,
			   k->target.section[TARGET_TRACEPOINTS].size);
		return k->events_known = true;
	}
	buf_init(&text);
	if (k->is_running && file_read(RUNNING_EVENTS, &text) == 0 && text.len) {
		add_events(k, text.s, text.len);
		k->events_known = true;
	}
	buf_deinit(&text);
	return k->events_known;
}

const char *kernel_tracepoint_system(struct kernel *k, const char *name)
{
	return kernel_tracepoint_systems_known(k) ? map_get(&k->event_systems, name) : NULL;
}
