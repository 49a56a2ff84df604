/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols of vmlinux and the kernel's lists of what can be probed. Each text is read when it is first
 * asked for; the lists point into it.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "locate/kernel_private.h"
#include "session.h"

#define RUNNING_BLACKLIST "/sys/kernel/debug/kprobes/blacklist"
#define RUNNING_FTRACE "/sys/kernel/tracing/available_filter_functions"
#define RUNNING_EVENTS "/sys/kernel/tracing/available_events"

/* The longest name of a symbol, as the kernel has it. */
enum { KSYM_NAME_LEN = 512 };

static bool is_text_type(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* "TYPE NAME" */
static size_t pick_symbol(const char *line, size_t len, const char **name)
{
	*name = line + 2;
	return len > 2 && line[1] == ' ' && is_text_type(line[0]) ? len - 2 : 0;
}

static size_t pick_line(const char *line, size_t len, const char **name)
{
	*name = line;
	return len;
}

/* "0xSTART-0xEND\tNAME" */
static size_t pick_blacklisted(const char *line, size_t len, const char **name)
{
	const char *tab = memchr(line, '\t', len);

	*name = tab ? tab + 1 : line;
	return tab ? len - (size_t)(tab + 1 - line) : 0;
}

/* "NAME", with " [MODULE]" where it is not of vmlinux. */
static size_t pick_traceable(const char *line, size_t len, const char **name)
{
	*name = line;
	return memchr(line, ' ', len) ? 0 : len;
}

/* Appends the lines of kallsyms that are text symbols of vmlinux, as a target has them. */
static void pick_text_symbols(const struct buf *kallsyms, struct buf *text)
{
	const char *p = kallsyms->s, *end = p + kallsyms->len, *nl;
	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		const char *type = memchr(p, ' ', (size_t)(nl - p));
		if (type && nl - type > 3 && is_text_type(type[1]) &&
		    !memchr(type, '\t', (size_t)(nl - type)))
			buf_write(text, type + 1, (size_t)(nl - type));
	}
}

/*
 * The running kernel makes the text of /proc/kallsyms anew for each reader, which takes longer
 * than the whole analysis of a script, so what is needed of it is kept by build-id. Addresses
 * change with each boot; names, types and their order do not.
 */
static void read_running_symbols(struct kernel *k)
{
	const char *build_id = kernel_build_id(k), *dir = NULL;
	struct buf kallsyms;
	if (k->cache_dir && build_id) {
		dir = arena_printf(k->arena, "%s/symbols", k->cache_dir);
		const char *path = arena_printf(k->arena, "%s/%s", dir, build_id);
		if (kernel_read_file(path, &k->symbols_text) == 0 && k->symbols_text.len)
			return;
	}
	buf_init(&kallsyms);
	k->symbols_text.len = 0;
	if (kernel_read_file("/proc/kallsyms", &kallsyms) == 0)
		pick_text_symbols(&kallsyms, &k->symbols_text);
	buf_deinit(&kallsyms);
	if (dir && k->symbols_text.len)
		kernel_write_file(k->arena, dir, build_id, &k->symbols_text);
}

static void need_symbols(struct kernel *k)
{
	if (k->read_symbols)
		return;
	k->read_symbols = true;
	if (k->has_target) {
		namelist_init(&k->symbols, k->target.section[TARGET_SYMBOLS].data,
			      k->target.section[TARGET_SYMBOLS].size, pick_symbol);
	} else if (k->is_running) {
		read_running_symbols(k);
		namelist_init(&k->symbols, k->symbols_text.s, k->symbols_text.len, pick_symbol);
	}
}

/* One list, from the target's section or the running kernel's file. */
static void read_list(struct kernel *k, enum target_section section, const char *path,
		      struct buf *text, struct namelist *list, namelist_pick *pick)
{
	if (k->has_target && k->target.section[section].data)
		namelist_init(list, k->target.section[section].data,
			      k->target.section[section].size, pick_line);
	else if (k->is_running && kernel_read_file(path, text) == 0 && text->len)
		namelist_init(list, text->s, text->len, pick);
}

void kernel_symbols_deinit(struct kernel *k)
{
	namelist_deinit(&k->symbols);
	namelist_deinit(&k->blacklist);
	namelist_deinit(&k->ftrace);
	buf_deinit(&k->symbols_text);
	buf_deinit(&k->clones_text);
	buf_deinit(&k->blacklist_text);
	buf_deinit(&k->ftrace_text);
}

bool kernel_symbols_known(struct kernel *k)
{
	need_symbols(k);
	return k->symbols.size > 0;
}

int kernel_symbol_count(struct kernel *k, const char *name)
{
	need_symbols(k);
	return (int)namelist_count(&k->symbols, name);
}

size_t kernel_symbols_match(struct session *s, struct kernel *k, const char *pattern,
			    const char *const **ret)
{
	need_symbols(k);
	return nameset_match(namelist_set(&k->symbols), s->arena, pattern, ret);
}

const char *kernel_symbols_nearest(struct session *s, struct kernel *k, const char *name)
{
	size_t len = strlen(name);
	const char *const *names;
	need_symbols(k);
	size_t n = nameset_of_length(namelist_set(&k->symbols), s->arena, len - len / 3,
				     len + len / 3, &names);
	return diag_nearest(name, names, n);
}

/* Few symbols have a dot, and each function of a script is asked for. */
static void need_clones(struct kernel *k)
{
	const char *p = k->symbols.text, *end, *dot;
	if (k->read_clones || !p)
		return;
	k->read_clones = true;
	for (end = p + k->symbols.size; (dot = memchr(p, '.', (size_t)(end - p)));) {
		const char *line = memrchr(p, '\n', (size_t)(dot - p));
		const char *nl = memchr(dot, '\n', (size_t)(end - dot));
		line = line ? line + 1 : p;
		p = nl ? nl + 1 : end;
		buf_write(&k->clones_text, line, (size_t)(p - line));
	}
	namelist_init(&k->clones, k->clones_text.s, k->clones_text.len, pick_symbol);
}

const char *kernel_symbols_clone(struct session *s, struct kernel *k, const char *name)
{
	const char *prefix = arena_printf(s->arena, "%s.", name), *found, *first = NULL;
	size_t from = 0, len;
	need_symbols(k);
	need_clones(k);
	while ((found = namelist_starting(&k->clones, prefix, &from, &len))) {
		const char *clone = arena_strndup(s->arena, found, len);
		if (!strstr(clone, ".cold") && (!first || strcmp(clone, first) < 0))
			first = clone;
	}
	return first;
}

bool kernel_symbols_blacklisted(struct kernel *k, const char *symbol)
{
	if (!k->read_blacklist) {
		k->read_blacklist = true;
		read_list(k, TARGET_BLACKLIST, RUNNING_BLACKLIST, &k->blacklist_text,
			  &k->blacklist, pick_blacklisted);
	}
	return namelist_count(&k->blacklist, symbol) > 0;
}

/* Lines of kallsyms, which are in the order of addresses: names of one address in one line. */
static void pick_aliases(const struct buf *kallsyms, struct buf *ret)
{
	enum { ADDRESS = 16, NAME = ADDRESS + 3 };
	const char *p = kallsyms->s, *end = p + kallsyms->len, *nl, *last = NULL;
	size_t last_len = 0;
	bool open = false;
	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		size_t len = (size_t)(nl - p);
		if (len <= NAME || p[ADDRESS] != ' ' || !is_text_type(p[ADDRESS + 1]) ||
		    memchr(p, '\t', len) || strncmp(p, "0000000000000000", ADDRESS) == 0)
			continue;
		bool same = last && strncmp(last, p, ADDRESS) == 0;
		if (same && !open)
			buf_write(ret, last + NAME, last_len - NAME);
		if (same)
			buf_printf(ret, " %.*s", (int)(len - NAME), p + NAME);
		else if (open)
			buf_putc(ret, '\n');
		open = same;
		last = p;
		last_len = len;
	}
	if (open)
		buf_putc(ret, '\n');
}

static void add_aliases(struct kernel *k, const char *text, size_t size)
{
	const char *end = text + size, *nl;
	for (; text < end && (nl = memchr(text, '\n', (size_t)(end - text))); text = nl + 1) {
		char *names = arena_strndup(k->arena, text, (size_t)(nl - text));
		for (const char *p = names; *p; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");
			map_set(&k->aliases, arena_strndup(k->arena, p, len), names);
			p += len;
		}
	}
}

static void need_aliases(struct kernel *k)
{
	struct buf kallsyms, text;
	if (k->read_aliases)
		return;
	k->read_aliases = true;
	map_init(&k->aliases, k->arena);
	if (k->has_target) {
		add_aliases(k, k->target.section[TARGET_ALIASES].data,
			    k->target.section[TARGET_ALIASES].size);
		return;
	}
	buf_init(&kallsyms);
	buf_init(&text);
	if (k->is_running && kernel_read_file("/proc/kallsyms", &kallsyms) == 0) {
		pick_aliases(&kallsyms, &text);
		add_aliases(k, text.s, text.len);
	}
	buf_deinit(&kallsyms);
	buf_deinit(&text);
}

/* The next name of the address of @symbol after @last (NULL: the first); NULL: there is none. */
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
	if (!k->read_ftrace) {
		k->read_ftrace = true;
		read_list(k, TARGET_FTRACE, RUNNING_FTRACE, &k->ftrace_text, &k->ftrace,
			  pick_traceable);
	}
	return !k->ftrace.text || namelist_count(&k->ftrace, symbol);
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
	if (k->is_running && kernel_read_file(RUNNING_EVENTS, &text) == 0 && text.len) {
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
