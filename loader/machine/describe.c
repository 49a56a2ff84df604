/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --describe: writes this machine in the format of runtime/abi/target.h. All of it is text of the
 * kernel, reduced to names, section by section; the section of an unreadable file is left out.
 */
#include "machine/describe.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "target.h"

#include "common/say.h"
#include "machine/kernel.h"
#include "shared/file.h"
#include "shared/kernel_symbols.h"

static const char kallsyms[] = "/proc/kallsyms";

static void add_section(struct buf *out, const char *name, const struct buf *t)
{
	buf_puts(out, "section ");
	buf_puts(out, name);
	buf_printf(out, " %zu\n", t->len);
	buf_write(out, t->s ? t->s : "", t->len);
	buf_puts(out, "\n");
	say_step("section %s: %zu bytes", name, t->len);
}

/* Adds BTF so that its bytes begin at a multiple of 8 bytes of the file, after a section of 0 to 7
 * blanks. The compiler reads it where the file is mapped. */
static void add_btf_section(struct buf *out, const char *name, const struct buf *t)
{
	struct buf padding = { 0 };
	char head[512];
	size_t at = out->len;

	at += strlen("section padding N\n\n");
	at += (size_t)snprintf(head, sizeof(head), "section %s %zu\n", name, t->len);
	buf_write(&padding, "       ", -at % 8);
	add_section(out, "padding", &padding);
	buf_deinit(&padding);
	add_section(out, name, t);
}

/* As file_read(), with the types of symbols corrected. */
static int read_list(const char *path, struct buf *ret)
{
	int err = file_read(path, ret);
	bool in_data = false;

	if (!err && strcmp(path, kallsyms) == 0)
		kernel_symbols_correct(&in_data, ret->s, ret->len);
	return err;
}

/* Calls @add for each line (with a NUL for its newline) of the first of @paths that can be read. */
static int each_line(const char *const *paths, void (*add)(char *line, struct buf *out),
		     struct buf *ret)
{
	struct buf file = { 0 };
	int err = -ENOENT;
	size_t at = 0;
	char *line;

	for (; *paths && err; paths++) {
		file.len = 0;
		err = read_list(*paths, &file);
	}
	while (!err && (line = buf_line(&file, &at)) != NULL)
		add(line, ret);
	buf_deinit(&file);
	return err;
}

/* Parses "ADDRESS TYPE NAME[\t[MODULE]]". NULL if it is not a symbol of text, or of data. */
static char *symbol_of(char *line, bool text, char **module)
{
	char *p = strchr(line, ' ');

	if (!p || !p[1] || kernel_symbols_is_text(p[1]) != text || p[2] != ' ')
		return NULL;
	*module = strchr(p + 3, '\t');
	if (*module) {
		**module = '\0';
		*module += 2;
		(*module)[strcspn(*module, "]")] = '\0';
	}
	return p + 1;
}

static void add_if(bool text, char *line, struct buf *out)
{
	char *module, *s = symbol_of(line, text, &module);

	if (!s || module)
		return;
	buf_puts(out, s + 2);
	buf_write(out, "\n", 1);
}

static void add_symbol(char *line, struct buf *out)
{
	add_if(true, line, out);
}

static void add_data(char *line, struct buf *out)
{
	add_if(false, line, out);
}

static void add_module_symbol(char *line, struct buf *out)
{
	char *module, *s = symbol_of(line, true, &module);

	/* "bpf" and "__builtin__ftrace" are not modules. */
	if (!s || !module || strcmp(module, "bpf") == 0 || strncmp(module, "__builtin__", 11) == 0)
		return;
	buf_puts(out, s);
	buf_write(out, " ", 1);
	buf_puts(out, module);
	buf_write(out, "\n", 1);
}

/* kallsyms is sorted by address; names with the same address go into one line. */
static void add_aliases(struct buf *out)
{
	struct buf all = { 0 }, t = { 0 };
	char *line, *module, *s;
	const char *last = "", *name = NULL;
	bool open = false;
	size_t at = 0;

	if (read_list(kallsyms, &all) != 0)
		return;
	while ((line = buf_line(&all, &at)) != NULL) {
		s = symbol_of(line, true, &module);
		if (!s || module)
			continue;

		bool same = strncmp(last, line, (size_t)(s - line)) == 0;

		if (same && !open)
			buf_puts(&t, name);
		if (same)
			buf_write(&t, " ", 1);
		buf_puts(&t, same ? s + 2 : open ? "\n" : "");
		open = same;
		last = line;
		name = s + 2;
	}
	buf_puts(&t, open ? "\n" : "");
	add_section(out, "aliases", &t);
	buf_deinit(&t);
	buf_deinit(&all);
}

/* Parses "0xSTART-0xEND\tNAME". */
static void add_blacklisted(char *line, struct buf *out)
{
	char *name = strchr(line, '\t');

	if (!name)
		return;
	buf_puts(out, name + 1);
	buf_write(out, "\n", 1);
}

/* Parses "NAME" or "NAME [MODULE]"; an entry without a name is not a function. */
static void add_ftrace(char *line, struct buf *out)
{
	if (strchr(line, '[') || strncmp(line, "__ftrace_invalid_address", 24) == 0)
		return;
	line[strcspn(line, " ")] = '\0';
	buf_puts(out, line);
	buf_write(out, "\n", 1);
}

/* Calls @add for each loaded module. */
static void each_module(struct buf *out, void (*add)(struct buf *out, const char *name))
{
	struct buf list = { 0 };
	size_t at = 0;
	char *line;

	if (file_read("/proc/modules", &list) != 0)
		list.len = 0;
	while ((line = buf_line(&list, &at)) != NULL) {
		line[strcspn(line, " ")] = '\0';
		add(out, line);
	}
	buf_deinit(&list);
}

static void add_module_id(struct buf *out, const char *name)
{
	char id[KERNEL_BUILD_ID_SIZE];

	kernel_module_build_id(name, id);
	if (!id[0])
		return;
	buf_printf(out, "%s %s\n", name, id);
}

static void add_module_btf(struct buf *out, const char *name)
{
	char path[256], section[256];
	struct buf btf = { 0 };

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	snprintf(section, sizeof(section), "module-btf:%s", name);
	if (file_read(path, &btf) == 0)
		add_btf_section(out, section, &btf);
	buf_deinit(&btf);
}

static void add_line(char *line, struct buf *out)
{
	buf_puts(out, line);
	buf_write(out, "\n", 1);
}

static void add_list(struct buf *out, const char *name, const char *const *paths,
		     void (*add)(char *line, struct buf *out), bool is_sorted)
{
	struct buf t = { 0 };
	int err = each_line(paths, add, &t);

	if (err == 0 && is_sorted)
		buf_sort(&t, NULL);
	if (err == 0)
		add_section(out, name, &t);
	else
		say_step("section %s left out: %s: %s", name, paths[0], strerror(-err));
	buf_deinit(&t);
}

static void add_config(struct buf *out, const char *release)
{
	static const char *const where[] = { "/boot/config-%s", "/lib/modules/%s/config",
					     "/lib/modules/%s/build/.config" };
	char path[512];

	for (size_t i = 0; i < sizeof(where) / sizeof(where[0]); i++) {
		struct buf t = { 0 };

		snprintf(path, sizeof(path), where[i], release);
		if (file_read(path, &t) == 0) {
			add_section(out, "config", &t);
			buf_deinit(&t);
			return;
		}
		buf_deinit(&t);
	}
	say_step("section config left out: neither in /boot nor in /lib/modules/%s", release);
}

static void add_header(struct buf *out, const struct utsname *u)
{
	char id[KERNEL_BUILD_ID_SIZE];

	kernel_build_id(id);
	buf_printf(out, "%s\nrelease %s\nbuild-id %s\nmachine %s\n", PRT_TARGET_MAGIC, u->release,
		   id[0] ? id : "-", u->machine);
}

int describe_machine(int fd)
{
	static const char *const symbols[] = { kallsyms, NULL };
	static const char *const blacklist[] = { "/sys/kernel/debug/kprobes/blacklist", NULL };
	static const char *const functions[] = {
		"/sys/kernel/tracing/available_filter_functions",
		"/sys/kernel/debug/tracing/available_filter_functions", NULL
	};
	static const char *const events[] = { "/sys/kernel/tracing/available_events",
					      "/sys/kernel/debug/tracing/available_events", NULL };
	struct buf out = { 0 }, btf = { 0 }, ids = { 0 };
	struct utsname u;
	int err;

	if (isatty(fd)) {
		say_error("E_OPTION", "proberun --describe > FILE",
			  "the description cannot be written to a terminal");
		return 1;
	}
	if (geteuid() != 0) {
		say_error("E_NOT_ROOT", "sudo proberun --describe > FILE",
			  "only root can read which functions can be probed");
		return 1;
	}
	uname(&u);
	add_header(&out, &u);
	add_list(&out, "symbols", symbols, add_symbol, true);
	add_list(&out, "data", symbols, add_data, true);
	add_list(&out, "modules", symbols, add_module_symbol, false);
	add_list(&out, "blacklist", blacklist, add_blacklisted, true);
	add_list(&out, "ftrace", functions, add_ftrace, true);
	add_aliases(&out);
	add_list(&out, "tracepoints", events, add_line, false);
	add_config(&out, u.release);
	if (file_read("/sys/kernel/btf/vmlinux", &btf) == 0)
		add_btf_section(&out, "btf", &btf);
	buf_deinit(&btf);
	each_module(&ids, add_module_id);
	add_section(&out, "module-ids", &ids);
	buf_deinit(&ids);
	each_module(&out, add_module_btf);
	buf_puts(&out, "end\n");
	err = file_write_all(fd, out.s, out.len);
	buf_deinit(&out);
	if (err) {
		say_error("E_IO", NULL, "the description could not be written: %s", strerror(-err));
		return 1;
	}
	return 0;
}
