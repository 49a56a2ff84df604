/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the sections of a captured target of an image. The list of ftrace is __mcount_loc, the
 * blacklist of kprobes is _kprobe_blacklist and the sections that kernel/kprobes.c adds to it, and
 * the events are those that the pointers in _ftrace_events lead to.
 */
#include "target/kernel/installed.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "shared/file.h"
#include "shared/kernel_symbols.h"
#include "target/arch/names.h"
#include "base/cache/cache.h"
#include "target/kernel/image.h"
#include "target/kernel/kallsyms.h"
#include "target/kernel/namelist.h"
#include "target/kernel/target.h"
#include "runtime/abi/target.h"
#include "state.h"

/* endbr64 is at most this many bytes before a function's call of ftrace. */
enum { BEFORE_CALL = 4 };

/* Offsets in struct trace_event_call, the same since Linux 3.15: its class, and its name or its
 * tracepoint. Both of these, and the class, begin with a pointer to a name. */
enum { EVENT_CLASS = 16, EVENT_NAME = 24, NAME_SIZE = 128 };

struct installed {
	struct image image;
	struct kallsyms syms;
	struct buf list, out;
};

/* ---- sections ---- */

static void add_section(struct installed *r, const char *name, const void *data, size_t size)
{
	buf_printf(&r->out, "section %s %zu\n", name, size);
	buf_write(&r->out, data, size);
	buf_putc(&r->out, '\n');
}

/* Writes r->list, which is empty afterwards. */
static void add_list(struct installed *r, const char *name, bool is_sorted)
{
	if (r->list.len && is_sorted)
		namelist_sort(&r->list);
	if (r->list.len)
		add_section(r, name, r->list.s, r->list.len);
	r->list.len = 0;
}

static void add_symbols(struct installed *r, const char *section, bool text)
{
	vec_each(sym, &r->syms.v) {
		if (kernel_symbols_is_text(sym->type) == text)
			buf_printf(&r->list, "%s\n", sym->name);
	}
	add_list(r, section, true);
}

static void add_aliases(struct installed *r)
{
	const struct kallsym *last = NULL;
	bool open = false;

	vec_each(sym, &r->syms.v) {
		if (!kernel_symbols_is_text(sym->type))
			continue;

		bool same = last && last->addr == sym->addr;

		if (same && !open)
			buf_puts(&r->list, last->name);
		if (same)
			buf_printf(&r->list, " %s", sym->name);
		else if (open)
			buf_putc(&r->list, '\n');
		open = same;
		last = sym;
	}
	if (open)
		buf_putc(&r->list, '\n');
	add_list(r, "aliases", false);
}

/* Functions in __init code are skipped: it is gone when a script runs. */
static void add_ftrace(struct installed *r)
{
	uint64_t at = kallsyms_address(&r->syms, "__start_mcount_loc"),
		 end = kallsyms_address(&r->syms, "__stop_mcount_loc"),
		 init = kallsyms_address(&r->syms, "__init_begin"),
		 init_end = kallsyms_address(&r->syms, "__init_end"), addr;

	for (; at < end && image_word(&r->image, at, &addr); at += 8) {
		const struct kallsym *sym = kallsyms_at(&r->syms, addr);

		/* The linker may leave an entry empty. */
		if (sym && addr && addr - sym->addr <= BEFORE_CALL &&
		    (addr < init || addr >= init_end))
			buf_printf(&r->list, "%s\n", sym->name);
	}
	add_list(r, "ftrace", true);
}

static void blacklist(struct installed *r, uint64_t addr)
{
	const struct kallsym *sym = kallsyms_at(&r->syms, addr);

	if (sym)
		buf_printf(&r->list, "%s\n", sym->name);
}

static void add_blacklist(struct installed *r)
{
	static const char *const areas[][2] = {
		{ "__kprobes_text_start", "__kprobes_text_end" },
		{ "__noinstr_text_start", "__noinstr_text_end" },
		{ "__entry_text_start", "__entry_text_end" },
	};
	uint64_t at = kallsyms_address(&r->syms, "__start_kprobe_blacklist"),
		 end = kallsyms_address(&r->syms, "__stop_kprobe_blacklist"), addr, last;

	for (; at < end && image_word(&r->image, at, &addr); at += 8)
		blacklist(r, addr);
	for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]); i++) {
		at = last = kallsyms_address(&r->syms, areas[i][0]);
		end = kallsyms_address(&r->syms, areas[i][1]);
		if (at < end)
			blacklist(r, at);
		vec_each(sym, &r->syms.v) {
			if (sym->addr <= last || sym->addr >= end)
				continue;
			last = sym->addr;
			blacklist(r, last);
		}
	}
	add_list(r, "blacklist", true);
}

/* The name of an event or a system, to which the pointer at @addr leads, or NULL. */
static const char *name_at(const struct installed *r, uint64_t addr)
{
	const char *name = NULL;
	uint64_t where;
	size_t len = 0;

	if (image_word(&r->image, addr, &where))
		name = image_at(&r->image, where, NAME_SIZE);
	while (name && len < NAME_SIZE &&
	       (isalnum((unsigned char)name[len]) || name[len] == '_' || name[len] == '-'))
		len++;
	return name && len && len < NAME_SIZE && !name[len] ? name : NULL;
}

static void add_events(struct installed *r)
{
	uint64_t at = kallsyms_address(&r->syms, "__start_ftrace_events"),
		 end = kallsyms_address(&r->syms, "__stop_ftrace_events"), event, of, point;

	for (; at < end && image_word(&r->image, at, &event) &&
	       image_word(&r->image, event + EVENT_CLASS, &of) &&
	       image_word(&r->image, event + EVENT_NAME, &point); at += 8) {
		const char *system = name_at(r, of), *name = name_at(r, point);

		name = name ? name : name_at(r, event + EVENT_NAME);
		/* Events of the system "ftrace" can't be enabled. */
		if (system && name && strcmp(system, "ftrace") != 0)
			buf_printf(&r->list, "%s:%s\n", system, name);
	}
	add_list(r, "tracepoints", false);
}

/* ---- the whole ---- */

/* A line that differs between states of an image file. */
static const char *image_line(struct state *s, const char *path, const struct stat *st)
{
	return arena_printf(s->arena, "%s %lld %lld.%09ld", path, (long long)st->st_size,
			    (long long)st->st_mtim.tv_sec, st->st_mtim.tv_nsec);
}

static int describe(struct state *s, const char *release, const char *path, const char *line,
		    const char *to, const char **why)
{
	struct installed r = {0};
	int err;

	buf_init(&r.list);
	buf_init(&r.out);
	err = image_open(s, path, &r.image, why);
	err = err ? err : kallsyms_read(s->arena, &r.image, &r.syms, why);
	if (!err) {
		buf_printf(&r.out, PRT_TARGET_MAGIC "\nrelease %s\nbuild-id %s\nmachine %s\n"
			   "image %s\n", release, r.image.build_id ? r.image.build_id : "-",
			   arch_names->machine, line);
		add_symbols(&r, "symbols", true);
		add_symbols(&r, "data", false);
		add_blacklist(&r);
		add_ftrace(&r);
		add_aliases(&r);
		add_events(&r);
		if (r.image.btf)
			add_section(&r, "btf", r.image.btf, r.image.btf_size);
		buf_puts(&r.out, "end\n");
		err = file_write(to, r.out.s, r.out.len);
		if (err)
			*why = arena_printf(s->arena, "%s: %s", to, strerror(-err));
	}
	buf_deinit(&r.list);
	buf_deinit(&r.out);
	image_close(&r.image);
	return err;
}

static int open_image(struct state *s, const char *release, const char *path,
		      const struct stat *st, struct target *ret, const char **why)
{
	const char *dir = cache_dir_of(s, "installed"), *line = image_line(s, path, st);
	const char *kept = arena_printf(s->arena, "%s/%s", dir ? dir : s->tmp_dir, release);

	if (target_open(s->arena, kept, ret, why) == 0) {
		if (ret->image && strcmp(ret->image, line) == 0)
			return 0;
		target_close(ret);
	}

	int err = describe(s, release, path, line, kept, why);

	return err ? err : target_open(s->arena, kept, ret, why);
}

int installed_open(struct state *s, const char *release, const char *build_tree,
		   struct target *ret, const char **why)
{
	const char *lab = s->cache_dir ?
		arena_printf(s->arena, "%s/lab/%s/root", s->cache_dir, release) : NULL;
	const char *const paths[] = {
		build_tree ? arena_printf(s->arena, "%s/vmlinux", build_tree) : NULL,
		build_tree ? arena_printf(s->arena, "%s/arch/%s/%s", build_tree,
					  arch_names->folder, arch_names->image) : NULL,
		arena_printf(s->arena, "/boot/vmlinuz-%s", release),
		arena_printf(s->arena, "/lib/modules/%s/vmlinuz", release),
		lab ? arena_printf(s->arena, "%s/boot/vmlinuz-%s", lab, release) : NULL,
		lab ? arena_printf(s->arena, "%s/lib/modules/%s/vmlinuz", lab, release) : NULL,
		arena_printf(s->arena, "/usr/lib/debug/boot/vmlinux-%s", release),
		arena_printf(s->arena, "/usr/lib/debug/lib/modules/%s/vmlinux", release),
		arena_printf(s->arena, "/lib/modules/%s/build/vmlinux", release),
	};
	const char *wrong = NULL;

	*ret = (struct target){0};
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct stat st;

		if (!paths[i] || stat(paths[i], &st) < 0)
			continue;
		if (open_image(s, release, paths[i], &st, ret, why) == 0)
			return 0;
		/* Another image may be complete: the vmlinux in a package of headers has only
		 * BTF. */
		wrong = arena_printf(s->arena, "%s: %s", paths[i], *why);
	}
	*why = wrong ? wrong :
		       arena_printf(s->arena, "there is neither /boot/vmlinuz-%s nor "
					      "/lib/modules/%s/vmlinuz", release, release);
	return -ENOENT;
}
