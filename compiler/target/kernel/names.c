/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A captured target has the lists in the form that is needed. The running kernel generates
 * /proc/kallsyms and available_filter_functions for each reader, which takes four times as long as
 * analysing a script, so the lists are cached by build-id. Names and their order do not change with
 * a boot; the functions that ftrace knows do not change after it.
 */
#include <string.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/kernel_symbols.h"
#include "target/kernel/private.h"

/* ---- the kernel's own texts ---- */

/* The name in a line of kallsyms, "ADDRESS TYPE NAME" with "\t[MODULE]" for symbols of modules, if
 * it is a symbol of vmlinux and of text, or not of text; otherwise NULL. */
static const char *symbol_in(const char *line, size_t len, bool text)
{
	const char *type = memchr(line, ' ', len);
	bool is = type && line + len - type > 3 && kernel_symbols_is_text(type[1]) == text &&
		  !memchr(type, '\t', (size_t)(line + len - type));

	return is ? type + 3 : NULL;
}

static void take_if(bool text, const char *line, size_t len, struct buf *ret)
{
	const char *name = symbol_in(line, len, text);

	if (name)
		buf_write(ret, name, (size_t)(line + len + 1 - name));
}

static void take_symbol(const char *line, size_t len, struct buf *ret)
{
	take_if(true, line, len, ret);
}

static void take_data(const char *line, size_t len, struct buf *ret)
{
	take_if(false, line, len, ret);
}

/* A line "NAME", with " [MODULE]" unless the function is in vmlinux. */
static void take_traceable(const char *line, size_t len, struct buf *ret)
{
	if (!memchr(line, ' ', len))
		buf_write(ret, line, len + 1);
}

/* A line "0xSTART-0xEND\tNAME". */
static void take_blacklisted(const char *line, size_t len, struct buf *ret)
{
	const char *tab = memchr(line, '\t', len);

	if (tab)
		buf_write(ret, tab + 1, (size_t)(line + len - tab));
}

/* Calls @take for each complete line, which its newline follows. */
static void each_line(const struct buf *file,
		      void (*take)(const char *line, size_t len, struct buf *ret), struct buf *ret)
{
	const char *p = file->s, *end = p + file->len, *nl;

	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1)
		take(p, (size_t)(nl - p), ret);
}

/* Puts the names of one address into one line. Lines of kallsyms are in the order of addresses. */
static void make_aliases(const struct buf *file, struct buf *ret)
{
	enum { ADDRESS = 16 };
	const char *p = file->s, *end = p + file->len, *nl, *name, *last = NULL, *last_name = NULL;
	size_t last_len = 0;
	bool open = false;

	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
		name = symbol_in(p, (size_t)(nl - p), true);
		/* Users other than root see no addresses. */
		if (!name || strncmp(p, "0000000000000000", ADDRESS) == 0)
			continue;

		size_t len = (size_t)(nl - name);
		bool same = last && strncmp(last, p, ADDRESS) == 0;

		if (same && !open)
			buf_write(ret, last_name, last_len);
		if (same)
			buf_printf(ret, " %.*s", (int)len, name);
		else if (open)
			buf_putc(ret, '\n');
		open = same;
		last = p;
		last_name = name;
		last_len = len;
	}
	if (open)
		buf_putc(ret, '\n');
}

static const char kallsyms[] = "/proc/kallsyms";

static const struct names_source {
	enum target_section section; /* of a target */
	const char *path;            /* of the running kernel */
	void (*take)(const char *line, size_t len, struct buf *ret); /* NULL: make_aliases() */
	/* suffix of the cache file; NULL: reading the source is as fast */
	const char *kept;
	bool of_boot;                /* valid for this boot only */
} sources[KERNEL_NAMES] = {
	[KERNEL_SYMBOLS] = { TARGET_SYMBOLS, kallsyms, take_symbol, "symbols", false },
	[KERNEL_DATA] = { TARGET_DATA, kallsyms, take_data, "data", false },
	[KERNEL_TRACEABLE] = { TARGET_FTRACE, "/sys/kernel/tracing/available_filter_functions",
			       take_traceable, "traceable", true },
	[KERNEL_BLACKLIST] = { TARGET_BLACKLIST, "/sys/kernel/debug/kprobes/blacklist",
			       take_blacklisted, NULL, false },
	[KERNEL_ALIASES] = { TARGET_ALIASES, kallsyms, NULL, "aliases", false },
};

/* The cache file of a list. Its head has the boot's id if the list may change with a boot,
 * otherwise "-". */
static struct cache_file kept_of(struct kernel *k, const struct names_source *src)
{
	struct cache_file nowhere = {0};
	const char *boot = "-";
	struct buf id;

	if (!src->kept)
		return nowhere;
	buf_init(&id);
	if (src->of_boot && file_read("/proc/sys/kernel/random/boot_id", &id) == 0 && id.len)
		boot = arena_strndup(k->arena, id.s, strcspn(id.s, "\n"));
	buf_deinit(&id);
	if (src->of_boot && boot[0] == '-')
		return nowhere;
	return kernel_cache_file(k, src->kept, arena_printf(k->arena, "probec-names 2 %s", boot));
}

/* ---- interface ---- */

static void make_list(const struct names_source *src, struct buf *file, struct buf *ret)
{
	bool in_data = false;

	if (strcmp(src->path, kallsyms) == 0)
		kernel_symbols_correct(&in_data, file->s, file->len);
	if (!src->take) {
		make_aliases(file, ret);
		return;
	}
	each_line(file, src->take, ret);
	namelist_sort(ret);
}

static void read_running(struct kernel *k, const struct names_source *src, struct kernel_names *n)
{
	const struct cache_file at = kept_of(k, src);
	struct buf file;

	/* The cached list is used only by users who may read the kernel's own list. */
	if (access(src->path, R_OK) == 0 && cache_file_open(k->arena, &at, &n->kept)) {
		n->list = (struct namelist){ n->kept.data, n->kept.size };
		return;
	}
	buf_init(&file);
	if (file_read(src->path, &file) == 0 && file.len)
		make_list(src, &file, &n->text);
	buf_deinit(&file);
	n->list = (struct namelist){ n->text.s, n->text.len };
	if (n->text.len)
		cache_file_write(k->arena, &at, n->text.s, n->text.len);
}

const struct namelist *kernel_names(struct kernel *k, enum kernel_names_of which)
{
	struct kernel_names *n = &k->names[which];
	const struct names_source *src = &sources[which];

	if (n->is_read)
		return &n->list;
	n->is_read = true;
	if (k->has_target)
		n->list = (struct namelist){ k->target.section[src->section].data,
					     k->target.section[src->section].size };
	else if (k->is_running)
		read_running(k, src, n);
	return &n->list;
}

void kernel_names_deinit(struct kernel *k)
{
	for (int i = 0; i < KERNEL_NAMES; i++) {
		buf_deinit(&k->names[i].text);
		cache_file_close(&k->names[i].kept);
	}
}
