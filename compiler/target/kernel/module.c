/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules. One pass over the symbols finds those that are loaded; the rest of a module is read on
 * first use.
 */
#include "target/kernel/module.h"

#include <string.h>
#include <unistd.h>

#include "shared/file.h"
#include "shared/kernel_symbols.h"
#include "target/btf/btf.h"
#include "target/kernel/module_file.h"
#include "target/kernel/private.h"
#include "state.h"

const char *kernel_module_name(struct state *s, const char *name)
{
	char *copy = arena_strdup(s->arena, name);

	for (char *p = copy; *p; p++) {
		if (*p == '-')
			*p = '_';
	}
	return copy;
}

/* The result depends on this file, except for the running kernel, where it changes with the next
 * load. */
static void depend_on(struct state *s, const char *path)
{
	if (access(path, R_OK) == 0)
		vec_push(s->arena, &s->files_read, path);
}

/* ---- loaded modules ---- */

static struct kernel_module *new_module(struct kernel *k, const char *name)
{
	struct kernel_module *m = NEW(k->arena, struct kernel_module);

	m->name = m->key = name;
	buf_init(&m->symbols);
	buf_init(&m->btf_text);
	return m;
}

static void add_loaded(struct kernel *k, const char *symbol, size_t len, const char *module,
		       size_t module_len)
{
	char name[128];

	if (module_len >= sizeof(name))
		return;
	memcpy(name, module, module_len);
	name[module_len] = '\0';

	struct kernel_module *m = k->last_module;

	if (!m || strcmp(m->name, name) != 0)
		m = map_get(&k->modules, name);
	if (!m) {
		m = new_module(k, arena_strdup(k->arena, name));
		map_set(&k->modules, m->name, m);
	}
	k->last_module = m;
	namelist_add(&m->symbols, symbol, len);
}

/* A line of a target: "TYPE NAME MODULE". */
static void add_captured(struct kernel *k, const char *line, size_t len)
{
	const char *space = len > 2 ? memrchr(line + 2, ' ', len - 2) : NULL;

	if (space)
		add_loaded(k, line + 2, (size_t)(space - line - 2), space + 1,
			   (size_t)(line + len - space - 1));
}

/* A line of the running kernel: "ADDRESS TYPE NAME\t[MODULE]". "bpf" and "__builtin__ftrace" are
 * not modules. */
static void add_running(struct kernel *k, const char *line, size_t len)
{
	const char *end = line + len, *type = memchr(line, ' ', len), *tab;

	if (!type || end - type < 4 || !kernel_symbols_is_text(type[1]) ||
	    !(tab = memchr(type, '\t', (size_t)(end - type))) || end - tab < 4)
		return;

	const char *module = tab + 2;
	size_t module_len = (size_t)(end - 1 - module);

	if ((module_len == 3 && memcmp(module, "bpf", 3) == 0) ||
	    (module_len > 11 && memcmp(module, "__builtin__", 11) == 0))
		return;
	add_loaded(k, type + 3, (size_t)(tab - type - 3), module, module_len);
}

static void need_modules(struct kernel *k)
{
	if (k->read_modules)
		return;
	k->read_modules = true;
	map_init(&k->modules, k->arena);

	const char *text = k->target.section[TARGET_MODULES].data;
	size_t size = k->target.section[TARGET_MODULES].size;

	if (!k->has_target && k->is_running &&
	    file_read("/proc/kallsyms", &k->modules_text) == 0) {
		text = k->modules_text.s;
		size = k->modules_text.len;
	}

	const char *end = text ? text + size : NULL, *nl;

	for (const char *p = text; p < end && (nl = memchr(p, '\n', (size_t)(end - p)));
	     p = nl + 1) {
		if (k->has_target)
			add_captured(k, p, (size_t)(nl - p));
		else
			add_running(k, p, (size_t)(nl - p));
	}
}

/* Searches the target's lines "NAME BUILD-ID". */
static const char *captured_build_id(struct kernel *k, const char *name)
{
	const char *text = k->target.section[TARGET_MODULE_IDS].data;
	const char *end = text ? text + k->target.section[TARGET_MODULE_IDS].size : NULL, *nl;
	size_t len = strlen(name);

	for (const char *p = text; p < end && (nl = memchr(p, '\n', (size_t)(end - p)));
	     p = nl + 1) {
		if ((size_t)(nl - p) > len + 1 && memcmp(p, name, len) == 0 && p[len] == ' ')
			return arena_strndup(k->arena, p + len + 1, (size_t)(nl - p) - len - 1);
	}
	return NULL;
}

static void complete_loaded(struct state *s, struct kernel *k, struct kernel_module *m)
{
	if (k->has_target) {
		m->build_id = captured_build_id(k, m->name);
		m->btf_data = target_module_btf(&k->target, m->name, &m->btf_size);
		m->btf_why = "the captured target has no BTF of it";
		return;
	}

	struct buf notes;
	const char *path = arena_printf(s->arena, "/sys/module/%s/notes/.note.gnu.build-id",
					m->name);

	buf_init(&notes);
	if (file_read(path, &notes) == 0)
		m->build_id = kernel_build_id_of_notes(k->arena, notes.s, notes.len);
	buf_deinit(&notes);
	depend_on(s, path);
	path = arena_printf(s->arena, "/sys/kernel/btf/%s", m->name);
	if (file_read(path, &m->btf_text) == 0) {
		m->btf_data = m->btf_text.s;
		m->btf_size = m->btf_text.len;
	}
	m->btf_why = arena_printf(s->arena, "%s can't be read: the module was built without BTF",
				  path);
}

/* ---- installed modules ---- */

/* The module's name by the path of its file, or NULL if it is not such a path. */
static const char *name_of_path(struct state *s, const char *path, size_t len)
{
	const char *end = path + len, *slash = memrchr(path, '/', len);
	const char *start = slash ? slash + 1 : path;
	const char *ko = memmem(start, (size_t)(end - start), ".ko", 3);

	if (!ko)
		return NULL;
	return kernel_module_name(s, arena_strndup(s->arena, start, (size_t)(ko - start)));
}

/* /lib/modules/RELEASE, or the directory into which lab/image unpacked the kernel's package. */
static const char *modules_dir(struct state *s, struct kernel *k)
{
	const char *dir = arena_printf(s->arena, "/lib/modules/%s", k->release), *unpacked;

	if (!s->cache_dir || access(arena_printf(s->arena, "%s/modules.dep", dir), R_OK) == 0)
		return dir;
	unpacked = arena_printf(s->arena, "%s/lab/%s/root%s", s->cache_dir, k->release, dir);
	return access(unpacked, R_OK) == 0 ? unpacked : dir;
}

/* Calls @visit with each path of a list of the installed modules, up to its colon, until it returns
 * true. */
static void each_installed(struct state *s, struct kernel *k, const char *list, void *data,
			   bool (*visit)(void *data, const char *name, const char *path,
					 size_t len))
{
	const char *path = arena_printf(s->arena, "%s/%s", modules_dir(s, k), list), *nl;
	struct buf text;

	buf_init(&text);
	depend_on(s, path);
	if (!strchr(k->release, '/') && file_read(path, &text) == 0) {
		const char *end = text.s + text.len;

		for (const char *p = text.s;
		     p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1) {
			const char *colon = memchr(p, ':', (size_t)(nl - p));
			size_t len = (size_t)((colon ? colon : nl) - p);
			const char *name = name_of_path(s, p, len);

			if (name && visit(data, name, p, len))
				break;
		}
	}
	buf_deinit(&text);
}

struct wanted_module {
	struct state *s;
	const char *name;  /* a name or a pattern */
	const char *path;  /* of the file that was found, or NULL */
	struct buf *names; /* a line for each name */
};

static bool visit_name(void *data, const char *name, const char *path, size_t len)
{
	struct wanted_module *w = data;

	if (strcmp(name, w->name) == 0)
		w->path = arena_strndup(w->s->arena, path, len);
	return w->path;
}

static bool visit_all(void *data, const char *name, const char *path, size_t len)
{
	struct wanted_module *w = data;

	(void)path;
	(void)len;
	namelist_add(w->names, name, strlen(name));
	return false;
}

const char *kernel_module_installed(struct state *s, struct kernel *k, const char *name)
{
	struct wanted_module w = { .s = s, .name = name };

	each_installed(s, k, "modules.dep", &w, visit_name);
	if (!w.path || *w.path == '/')
		return w.path;
	return arena_printf(s->arena, "%s/%s", modules_dir(s, k), w.path);
}

bool kernel_module_builtin(struct state *s, struct kernel *k, const char *name)
{
	struct wanted_module w = { .s = s, .name = kernel_module_name(s, name) };

	each_installed(s, k, "modules.builtin", &w, visit_name);
	return w.path;
}

/* Adds the names of lines "TYPE NAME". */
static void add_lines(struct buf *names, const struct buf *text)
{
	const char *end = text->s + text->len, *nl;

	for (const char *p = text->s; p < end && (nl = memchr(p, '\n', (size_t)(end - p)));
	     p = nl + 1)
		namelist_add(names, p + 2, (size_t)(nl - p) - 2);
}

static struct kernel_module *read_file(struct state *s, struct kernel *k, const char *path,
				       const char **why)
{
	struct module_file f;
	int err = module_file_read(k->arena, path, &f, why);

	if (err) {
		*why = arena_printf(s->arena, "%s: %s", path, *why);
		module_file_deinit(&f);
		return NULL;
	}

	struct kernel_module *m = new_module(k, kernel_module_name(s, f.name));

	m->file = path;
	m->build_id = f.build_id;
	add_lines(&m->symbols, &f.symbols);
	buf_deinit(&f.symbols);
	m->btf_text = f.btf;
	m->btf_data = f.btf.len ? m->btf_text.s : NULL;
	m->btf_size = f.btf.len;
	m->btf_why = f.btf_why ? f.btf_why :
				 arena_printf(s->arena, "%s was built without BTF", path);
	depend_on(s, path);
	return m;
}

/* ---- interface ---- */

/* The known module whose name is nearest to @name, or NULL. */
static const char *nearest_module(struct state *s, struct kernel *k, const char *name)
{
	const char *const *all;
	struct namelist list;
	struct buf names;

	need_modules(k);
	buf_init(&names);
	map_each(it, &k->modules)
		namelist_add(&names, it->key, strlen(it->key));

	struct wanted_module w = { .s = s, .names = &names };

	each_installed(s, k, "modules.dep", &w, visit_all);
	list = namelist_of(&names);

	size_t n = namelist_of_length(&list, s->arena, 1, 64, &all);
	const char *near = diag_nearest(name, all, n);

	buf_deinit(&names);
	return near;
}

static const char *not_known(struct state *s, struct kernel *k, const char *name)
{
	const char *near = nearest_module(s, k, name);

	if (kernel_module_builtin(s, k, name))
		return "it is built into the kernel: kernel.function(...) has its functions";
	if (near)
		return arena_printf(s->arena, "did you mean '%s'?", near);
	if (k->has_target)
		return "it was not loaded when the target was captured, and is not installed in "
		       "/lib/modules here";
	return "it is neither loaded nor installed in /lib/modules here";
}

struct kernel_module *kernel_module_find(struct state *s, struct kernel *k, const char *name,
					 const char **why)
{
	need_modules(k);

	const char *path = strchr(name, '/') ? arena_strdup(s->arena, name) : NULL;
	const char *key = path ? path : kernel_module_name(s, name);
	struct kernel_module *m = map_get(&k->modules, key);

	if (m) {
		if (!m->file && !m->btf_why)
			complete_loaded(s, k, m);
		return m;
	}
	if (!path)
		path = kernel_module_installed(s, k, key);
	if (!path) {
		*why = not_known(s, k, key);
		return NULL;
	}
	m = read_file(s, k, path, why);
	if (!m)
		return NULL;
	m->key = key;
	map_set(&k->modules, key, m);
	/* From now on its name means that file, unless it means another module already. */
	if (!map_get(&k->modules, m->name))
		map_set(&k->modules, m->name, m);
	return m;
}

size_t kernel_modules_match(struct state *s, struct kernel *k, const char *pattern,
			    const char *const **ret)
{
	struct namelist list;
	struct buf names;

	need_modules(k);
	pattern = kernel_module_name(s, pattern);
	buf_init(&names);
	map_each(it, &k->modules) {
		const struct kernel_module *m = it->value;

		if (!m->file)
			namelist_add(&names, m->name, strlen(m->name));
	}
	list = namelist_of(&names);

	size_t n = namelist_match(&list, s->arena, pattern, ret);

	if (n == 0) {
		struct wanted_module w = { .s = s, .names = &names };

		each_installed(s, k, "modules.dep", &w, visit_all);
		list = namelist_of(&names);
		n = namelist_match(&list, s->arena, pattern, ret);
	}
	buf_deinit(&names);
	/* Modules may have been loaded or unloaded without a change of any file. */
	if (k->is_running)
		s->cache_key = NULL;
	return n;
}

const char *kernel_modules_owner(struct kernel *k, const char *name)
{
	need_modules(k);
	map_each(it, &k->modules) {
		struct kernel_module *m = it->value;

		if (namelist_count(kernel_module_symbols(m), name))
			return m->name;
	}
	return NULL;
}

size_t kernel_modules_owners(struct state *s, struct kernel *k, const char *pattern,
			     const char *const **ret)
{
	const char *const *names;
	struct namelist list;
	struct buf owners;

	need_modules(k);
	buf_init(&owners);
	map_each(it, &k->modules) {
		struct kernel_module *m = it->value;

		if (!m->file &&
		    namelist_match(kernel_module_symbols(m), s->arena, pattern, &names))
			namelist_add(&owners, m->name, strlen(m->name));
	}
	list = namelist_of(&owners);

	size_t n = namelist_match(&list, s->arena, "*", ret);

	buf_deinit(&owners);
	/* Modules may have been loaded or unloaded without a change of any file. */
	if (k->is_running)
		s->cache_key = NULL;
	return n;
}

const struct namelist *kernel_module_symbols(struct kernel_module *m)
{
	if (!m->sorted.text)
		m->sorted = namelist_of(&m->symbols);
	return &m->sorted;
}

const char *kernel_module_nearest(struct state *s, struct kernel_module *m, const char *name)
{
	size_t len = strlen(name);
	const char *const *names;
	size_t n = namelist_of_length(kernel_module_symbols(m), s->arena, len - len / 3,
				      len + len / 3, &names);

	return diag_nearest(name, names, n);
}

struct btf_db *kernel_module_btf(struct state *s, struct kernel *k, struct kernel_module *m,
				 const char **why)
{
	struct btf_db *base = kernel_btf(k, why);

	if (!base)
		return NULL;
	if (m->btf_data && !m->btf_opened) {
		m->btf_opened = true;
		if (btf_db_open_split(k->arena, base, m->btf_data, m->btf_size, &m->btf) != 0)
			m->btf_why = arena_printf(s->arena, "the BTF of '%s' does not fit that of "
						  "the kernel", m->name);
	}
	*why = m->btf ? NULL : m->btf_why;
	return m->btf;
}

void kernel_modules_deinit(struct kernel *k)
{
	if (!k->read_modules)
		return;
	map_each(it, &k->modules) {
		struct kernel_module *m = it->value;

		btf_db_close(m->btf);
		m->btf = NULL;
		buf_deinit(&m->symbols);
		buf_deinit(&m->btf_text);
	}
	buf_deinit(&k->modules_text);
	k->read_modules = false;
}
