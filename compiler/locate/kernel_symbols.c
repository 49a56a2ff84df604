/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols of vmlinux and the kernel's lists of what can be probed. Each text is read in one pass
 * when it is first asked for; the sets point into it.
 */
#include <string.h>

#include "locate/kernel_private.h"
#include "session.h"

#define RUNNING_BLACKLIST "/sys/kernel/debug/kprobes/blacklist"
#define RUNNING_FTRACE "/sys/kernel/tracing/available_filter_functions"

/* Calls @add with each line, without its newline. */
static void each_line(const char *text, size_t size, struct nameset *set,
		      void (*add)(struct nameset *set, const char *line, size_t len))
{
	const char *end = text + size;
	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		if (!nl)
			nl = end;
		add(set, text, (size_t)(nl - text));
		text = nl + 1;
	}
}

static bool is_text_type(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* "TYPE NAME" */
static void add_symbol(struct nameset *set, const char *line, size_t len)
{
	if (len > 2 && line[1] == ' ' && is_text_type(line[0]))
		nameset_add(set, line + 2, len - 2);
}

static void add_plain(struct nameset *set, const char *line, size_t len)
{
	nameset_add(set, line, len);
}

/* "0xSTART-0xEND\tNAME" */
static void add_blacklist(struct nameset *set, const char *line, size_t len)
{
	const char *tab = memchr(line, '\t', len);
	if (tab)
		nameset_add(set, tab + 1, len - (size_t)(tab + 1 - line));
}

/* "NAME", with " [MODULE]" where it is not of vmlinux. */
static void add_ftrace(struct nameset *set, const char *line, size_t len)
{
	if (!memchr(line, ' ', len))
		nameset_add(set, line, len);
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
	const char *text = NULL;
	size_t size = 0;
	if (k->has_target) {
		text = k->target.section[TARGET_SYMBOLS].data;
		size = k->target.section[TARGET_SYMBOLS].size;
	} else if (k->is_running) {
		read_running_symbols(k);
		text = k->symbols_text.s;
		size = k->symbols_text.len;
	}
	if (!text)
		return;
	nameset_init(&k->symbols, size / 24);
	each_line(text, size, &k->symbols, add_symbol);
}

/* One list, from the target's section or the running kernel's file; false: not known. */
static bool read_list(struct kernel *k, enum target_section section, const char *path,
		      struct buf *text, struct nameset *set,
		      void (*add)(struct nameset *set, const char *line, size_t len))
{
	if (k->has_target && k->target.section[section].data) {
		size_t size = k->target.section[section].size;
		nameset_init(set, size / 24);
		each_line(k->target.section[section].data, size, set, add_plain);
		return true;
	}
	if (!k->is_running || kernel_read_file(path, text) != 0 || text->len == 0)
		return false;
	nameset_init(set, text->len / 24);
	each_line(text->s, text->len, set, add);
	return true;
}

void kernel_symbols_deinit(struct kernel *k)
{
	nameset_deinit(&k->symbols);
	nameset_deinit(&k->blacklist);
	nameset_deinit(&k->ftrace);
	buf_deinit(&k->symbols_text);
	buf_deinit(&k->blacklist_text);
	buf_deinit(&k->ftrace_text);
}

bool kernel_symbols_known(struct kernel *k)
{
	need_symbols(k);
	return k->symbols.n > 0;
}

int kernel_symbol_count(struct kernel *k, const char *name)
{
	need_symbols(k);
	return (int)nameset_count(&k->symbols, name);
}

size_t kernel_symbols_match(struct session *s, struct kernel *k, const char *pattern,
			    const char *const **ret)
{
	need_symbols(k);
	return nameset_match(&k->symbols, s->arena, pattern, ret);
}

const char *kernel_symbols_nearest(struct session *s, struct kernel *k, const char *name)
{
	size_t len = strlen(name);
	const char *const *names;
	need_symbols(k);
	size_t n = nameset_of_length(&k->symbols, s->arena, len - len / 3, len + len / 3, &names);
	return diag_nearest(name, names, n);
}

const char *kernel_symbols_clone(struct session *s, struct kernel *k, const char *name)
{
	const char *const *names;
	size_t n = kernel_symbols_match(s, k, arena_printf(s->arena, "%s.*", name), &names);
	for (size_t i = 0; i < n; i++) {
		if (!strstr(names[i], ".cold"))
			return names[i];
	}
	return NULL;
}

bool kernel_symbols_blacklisted(struct kernel *k, const char *symbol)
{
	if (!k->read_blacklist) {
		k->read_blacklist = true;
		k->blacklist_known = read_list(k, TARGET_BLACKLIST, RUNNING_BLACKLIST,
					       &k->blacklist_text, &k->blacklist, add_blacklist);
	}
	return k->blacklist_known && nameset_count(&k->blacklist, symbol) > 0;
}

bool kernel_symbols_untraceable(struct kernel *k, const char *symbol)
{
	if (!k->read_ftrace) {
		k->read_ftrace = true;
		k->ftrace_known = read_list(k, TARGET_FTRACE, RUNNING_FTRACE, &k->ftrace_text,
					    &k->ftrace, add_ftrace);
	}
	return k->ftrace_known && nameset_count(&k->ftrace, symbol) == 0;
}

const char *kernel_forbids(struct kernel *k, const char *symbol)
{
	if (kernel_symbols_blacklisted(k, symbol))
		return "it is on the kernel's blacklist of functions that must not be probed";
	if (kernel_symbols_untraceable(k, symbol))
		return "it is not in the kernel's list of functions that can be traced";
	return NULL;
}
