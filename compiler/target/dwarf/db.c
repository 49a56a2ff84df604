/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds and opens debug information. A file is used only if its build-id is that of the probed
 * object; the release merely helps to find it. A cached module depends on which files were
 * searched, so that debug information that is installed later is noticed.
 *
 * The kernel's file has hundreds of megabytes, of which a script needs a few pages, so it is mapped
 * and read only where necessary. A module's file is relocatable, so libdwfl assigns addresses to
 * its sections and relocates its debug information.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/packages.h"
#include "shared/buf.h"
#include "target/dwarf/private.h"
#include "target/dwarf/values/definitions.h"
#include "target/dwarf/values/types.h"
#include "target/dwarf/values/written.h"
#include "target/kernel/module.h"
#include "target/kernel/kernel.h"
#include "target/object/debug.h"
#include "target/object/object.h"
#include "target/object/section.h"
#include "state.h"

/* All debug information that a run opened, or did not find. */
struct dwarf_dbs {
	struct map by_object; /* name, or path by which a module is named -> struct found */
};

struct found {
	struct dwarf_db *db;  /* NULL if there is none */
	const char *why;
};

/* A search for one object. */
struct file_search {
	struct state *s;
	const char *object;
	const char *build_id; /* lower-case hex; NULL: not known */
	struct dwarf_db *db;  /* opened */
	const char *unusable; /* a file that can't be read, with the reason and the next step */
	const char *mismatch; /* a file of another build */
	const char *bare;     /* a file without debug information */
};

/* ---- one file ---- */

static void close_file(struct dwarf_db *db)
{
	dwarf_types_close(db->types);
	dwarf_split_close(db);
	if (db->loaded_cfi)
		dwarf_cfi_end(db->loaded_cfi);
	if (db->dwfl) {
		dwfl_end(db->dwfl);
	} else if (!db->is_program) {
		dwarf_end(db->dwarf);
		elf_end(db->elf);
	}
	if (db->fd >= 0)
		close(db->fd);
	dwarf_index_close(db);
	definitions_close(db);
	dwarf_symbols_close(db);
}

/* 1: it is the wanted build, 0: it is not, -1: the file has no build-id. */
static int match_build(Elf *elf, const char *build_id)
{
	const void *id;
	char hex[129];
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	if (n <= 0 || n > 64 || !build_id)
		return -1;
	for (ssize_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", ((const unsigned char *)id)[i]);
	return strcmp(hex, build_id) == 0;
}

static bool open_linked(struct dwarf_db *db)
{
	db->fd = open(db->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (db->fd < 0)
		return false;
	elf_version(EV_CURRENT);
	db->elf = elf_begin(db->fd, ELF_C_READ_MMAP, NULL);
	return db->elf && elf_kind(db->elf) == ELF_K_ELF;
}

/* Also opens compressed files. */
static bool open_module(struct dwarf_db *db)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	GElf_Addr bias;

	db->dwfl = dwfl_begin(&callbacks);
	if (!db->dwfl)
		return false;

	Dwfl_Module *m = dwfl_report_offline(db->dwfl, db->object, db->path, -1);

	dwfl_report_end(db->dwfl, NULL, NULL);
	db->elf = m ? dwfl_module_getelf(m, &bias) : NULL;
	/* This relocates all sections, so it is done only if there is debug information. */
	if (db->elf && dwarf_damage_has_info(db->elf))
		db->dwarf = dwfl_module_getdwarf(m, &bias);
	return db->elf;
}

static struct dwarf_db *new_db(struct state *s, const char *object, const char *path)
{
	struct dwarf_db *db = NEW(s->arena, struct dwarf_db);

	db->s = s;
	db->arena = s->arena;
	map_init(&db->units, s->arena);
	map_init(&db->part_of, s->arena);
	db->object = object;
	db->path = path;
	db->is_module = strcmp(object, "kernel") != 0;
	db->fd = -1;
	return db;
}

/* Tries a file. Returns true if the search is over. */
static bool try_file(struct file_search *f, const char *path)
{
	struct stat st;

	path = arena_strdup(f->s->arena, path);
	vec_push(f->s->arena, &f->s->files_read, path);
	if (stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return false;

	struct dwarf_db *db = new_db(f->s, f->object, path);
	bool ok = db->is_module ? open_module(db) : open_linked(db);
	int same = ok ? match_build(db->elf, f->build_id) : -1;
	const char *unusable = ok ? NULL : dwarf_damage_unopened(db);

	if (ok && same != 0) {
		if (!db->is_module && dwarf_damage_has_info(db->elf))
			db->dwarf = dwarf_begin_elf(db->elf, DWARF_C_READ, NULL);
		unusable = dwarf_damage_of(db);
		if (db->dwarf && !unusable)
			unusable = dwarf_split_refused(db);
		if (db->dwarf && !unusable) {
			f->db = db;
			return true;
		}
	}
	if (unusable)
		f->unusable = f->unusable ? f->unusable : unusable;
	else if (ok && same == 0)
		f->mismatch = f->mismatch ? f->mismatch : path;
	else if (ok)
		f->bare = f->bare ? f->bare : path;
	close_file(db);
	return false;
}

/* ---- locations of files ---- */

static bool try_build_id(struct file_search *f, const char *root)
{
	const char *id = f->build_id;

	return id && strlen(id) > 2 &&
	       try_file(f, arena_printf(f->s->arena, "%s/.build-id/%.2s/%s.debug", root, id,
					id + 2));
}

static bool try_kernel_in(struct file_search *f, const char *root)
{
	struct arena *a = f->s->arena;
	const char *release = kernel_release(f->s->kernel);

	return try_file(f, arena_printf(a, "%s/boot/vmlinux-%s", root, release)) ||
	       try_file(f, arena_printf(a, "%s/lib/modules/%s/vmlinux", root, release)) ||
	       try_build_id(f, root) ||
	       try_file(f, arena_printf(a, "%s/vmlinux-%s", root, release)) ||
	       try_file(f, arena_printf(a, "%s/vmlinux", root));
}

/* "drivers/net/dummy.ko" without the directory above and without a suffix of compression, as the
 * directories of debug information have it. */
static const char *below_kernel(struct arena *a, const char *path)
{
	const char *dir = strstr(path, "/kernel/"), *ko = strrchr(path, '/');

	ko = ko ? strstr(ko, ".ko") : NULL;
	return dir && ko ? arena_strndup(a, dir + 1, (size_t)(ko - dir - 1)) : NULL;
}

/* Searches a directory for a module's file. The kernel's name of a module has _ for -. */
static const char *find_below(struct file_search *f, const char *dir)
{
	char *paths[] = { (char *)dir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	const char *found = NULL;

	for (FTSENT *e = fts ? fts_read(fts) : NULL; e && !found; e = fts_read(fts)) {
		const char *ko = e->fts_info == FTS_D ? NULL : strstr(e->fts_name, ".ko");

		if (!ko)
			continue;

		const char *name = arena_strndup(f->s->arena, e->fts_name,
						 (size_t)(ko - e->fts_name));

		if (strcmp(kernel_module_name(f->s, name), f->object) == 0)
			found = arena_strdup(f->s->arena, e->fts_path);
	}
	if (fts)
		fts_close(fts);
	return found;
}

static bool try_module_in(struct file_search *f, const char *root, const char *file)
{
	struct arena *a = f->s->arena;
	const char *dir = arena_printf(a, "%s/lib/modules/%s", root, kernel_release(f->s->kernel));
	const char *below = file ? below_kernel(a, file) : NULL;

	if (try_build_id(f, root))
		return true;
	if (below)
		return try_file(f, arena_printf(a, "%s/%s.ko", dir, below)) ||
		       try_file(f, arena_printf(a, "%s/%s.ko.debug", dir, below));

	const char *found = find_below(f, dir);

	return found && try_file(f, found);
}

static bool try_in(struct file_search *f, const char *root, const char *file)
{
	struct stat st;

	if (stat(root, &st) == 0 && S_ISREG(st.st_mode))
		return try_file(f, root);

	const char *package = arena_printf(f->s->arena, "%s/usr/lib/debug", root);

	if (stat(package, &st) == 0 && S_ISDIR(st.st_mode))
		root = package;
	return strcmp(f->object, "kernel") == 0 ? try_kernel_in(f, root) :
						  try_module_in(f, root, file);
}

/* Searches the directories that the user named. */
static void try_named(struct file_search *f, const char *list, const char *file)
{
	while (*list && !f->db) {
		size_t n = strcspn(list, ":");

		if (n)
			try_in(f, arena_strndup(f->s->arena, list, n), file);
		list += n + (list[n] == ':');
	}
}

static void try_usual(struct file_search *f, const char *file)
{
	struct state *s = f->s;
	const char *release = kernel_release(s->kernel), *tree = kernel_build_tree(s->kernel);
	const char *fetched = kernel_fetched_debug(s, s->kernel);

	if (try_in(f, "/usr/lib/debug", file))
		return;
	if (fetched && try_in(f, fetched, file))
		return;
	if (file) {
		try_file(f, file);
	} else if (strcmp(f->object, "kernel") == 0) {
		if (!try_file(f, arena_printf(s->arena, "/lib/modules/%s/vmlinux", release)) &&
		    !try_file(f, arena_printf(s->arena, "/boot/vmlinux-%s", release)) && tree)
			try_file(f, arena_printf(s->arena, "%s/vmlinux", tree));
	}
}

static const char *why_not(const struct file_search *f)
{
	struct arena *a = f->s->arena;
	const char *release = kernel_release(f->s->kernel), *named = f->s->opt.debuginfo;

	if (f->unusable)
		return f->unusable;
	if (f->mismatch)
		return arena_printf(a, "the debug information in %s is of another build",
				    f->mismatch);
	if (f->bare)
		return arena_printf(a, "%s has no debug information", f->bare);
	if (named && !*named)
		return "the search for it is disabled (--debuginfo, PROBEC_DEBUGINFO)";
	if (named)
		return arena_printf(a, "there is none for %s %s in %s (--debuginfo, "
				    "PROBEC_DEBUGINFO)", f->object, release, named);

	const char *how = packages_hint(a, arena_printf(a, "linux-image-%s-dbg", release));

	return arena_printf(a, "there is none for %s %s in /usr/lib/debug; %s%s"
			    "name its directory with --debuginfo DIR",
			    f->object, release, how, *how ? ", or " : "");
}

/* ---- interface ---- */

static void search_kernel(struct file_search *f)
{
	f->build_id = kernel_build_id(f->s->kernel);
	if (f->s->opt.debuginfo)
		try_named(f, f->s->opt.debuginfo, NULL);
	else
		try_usual(f, NULL);
}

static void search_module(struct file_search *f, const char *name, const char **why)
{
	const char *file;
	struct kernel_module *m = kernel_module_find(f->s, f->s->kernel, name, why);

	if (!m)
		return;
	f->object = m->name;
	f->build_id = m->build_id;
	file = m->file ? m->file : kernel_module_installed(f->s, f->s->kernel, m->name);
	/* A file that the user named is always used. */
	if (strchr(m->key, '/') && try_file(f, m->file))
		return;
	if (f->s->opt.debuginfo)
		try_named(f, f->s->opt.debuginfo, file);
	else
		try_usual(f, file);
}

static struct map *known_objects(struct state *s)
{
	if (!s->dwarf) {
		s->dwarf = NEW(s->arena, struct dwarf_dbs);
		map_init(&s->dwarf->by_object, s->arena);
	}
	return &s->dwarf->by_object;
}

/* Its name finds the same debug information as the path of its file that the user named. */
static const char *key_of(struct state *s, const char *object)
{
	const char *why;
	struct kernel_module *m = strcmp(object, "kernel") == 0 ? NULL :
				  kernel_module_find(s, s->kernel, object, &why);

	return m ? m->key : object;
}

struct dwarf_db *dwarf_db_get(struct state *s, const char *object, const char **why)
{
	const char *key = key_of(s, object);
	struct found *one = map_get(known_objects(s), key);

	if (!one) {
		struct file_search f = { .s = s, .object = object };

		one = NEW(s->arena, struct found);
		if (strcmp(object, "kernel") == 0)
			search_kernel(&f);
		else
			search_module(&f, object, &one->why);
		one->db = f.db;
		if (!one->db && !one->why)
			one->why = why_not(&f);
		map_set(&s->dwarf->by_object, arena_strdup(s->arena, key), one);
	}
	*why = one->db ? NULL : one->why;
	return one->db;
}

struct dwarf_db *dwarf_db_of_file(struct state *s, const char *path, const char **why)
{
	struct dwarf_db *db = new_db(s, path, path);
	bool opened = open_module(db);

	if (!opened || !db->dwarf) {
		*why = opened ? "it has no debug information" : "it is not an object file";
		close_file(db);
		return NULL;
	}

	struct found *one = NEW(s->arena, struct found);

	one->db = db;
	db->is_32bit = gelf_getclass(db->elf) == ELFCLASS32;

	/* No module has that name; the path may mean another file the next time. */
	struct map *known = known_objects(s);

	map_set(known, arena_printf(s->arena, "%zu %s", known->n, path), one);
	return db;
}

struct dwarf_db *dwarf_db_with_types(struct state *s, const struct btf_db *types)
{
	map_each(it, known_objects(s)) {
		struct found *one = it->value;

		if (one->db && one->db->written && written_has(one->db->written, types))
			return one->db;
	}
	return NULL;
}

/* Symbols are in the file with debug information, unless the program has its own. */
static Elf *with_symbols(Dwarf *dwarf, Elf *loaded)
{
	GElf_Shdr head;

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(loaded, scn));) {
		if (gelf_getshdr(scn, &head) && head.sh_type == SHT_SYMTAB)
			return loaded;
	}
	return dwarf_getelf(dwarf);
}

static bool open_program(struct dwarf_db *db, const struct program_file *o)
{
	const char *file = NULL;

	db->dwarf = object_debug_info(db->s, o, &db->loaded, &file);
	if (!db->dwarf || !dwarf_damage_has_info(dwarf_getelf(db->dwarf)))
		return false;
	db->elf = with_symbols(db->dwarf, db->loaded);
	dwarf_split_open(db, file);
	return true;
}

struct dwarf_db *dwarf_db_of_program(struct state *s, const struct program_file *o,
				     const char **why)
{
	const char *key = arena_printf(s->arena, "program %s", o->path);
	struct found *one = map_get(known_objects(s), key);

	if (!one) {
		struct dwarf_db *db = new_db(s, o->path, o->path);

		one = NEW(s->arena, struct found);
		db->is_module = false;
		db->is_program = true;
		db->is_32bit = o->is_32bit;
		if (s->opt.debuginfo && !*s->opt.debuginfo)
			one->why = "the search for it is disabled (--debuginfo, PROBEC_DEBUGINFO)";
		else if (open_program(db, o))
			one->db = db;
		else
			dwarf_damage_said(db, dwfl_errmsg(-1));
		if (!one->db) {
			close_file(db);
			one->why = one->why ? one->why :
				   arena_printf(s->arena, "%s has none, and there is none for its "
						"build-id in /usr/lib/debug; install its -dbgsym "
						"package, or set DEBUGINFOD_URLS", o->path);
		}
		map_set(&s->dwarf->by_object, key, one);
	}
	*why = one->db ? NULL : one->why;
	return one->db;
}

void dwarf_close(struct state *s)
{
	if (!s->dwarf)
		return;
	map_each(it, &s->dwarf->by_object) {
		struct found *one = it->value;

		if (one->db)
			close_file(one->db);
	}
	s->dwarf = NULL;
}

/* ---- inside of one ---- */

const Elf_Data *dwarf_db_section(const struct dwarf_db *db, const char *name)
{
	GElf_Shdr head;
	Elf_Scn *scn = section_find(dwarf_getelf(db->dwarf), name, &head);

	return scn && head.sh_type != SHT_NOBITS ? elf_getdata(scn, NULL) : NULL;
}

struct dwarf_section dwarf_db_bytes(const struct dwarf_db *db, const char *name)
{
	const Elf_Data *data = dwarf_db_section(db, name);

	return (struct dwarf_section){ data ? data->d_buf : NULL, data ? data->d_size : 0 };
}

const char *dwarf_string_at(const struct dwarf_section *s, uint64_t offset)
{
	if (offset >= s->size || !memchr(s->start + offset, '\0', s->size - offset))
		return NULL;
	return (const char *)s->start + offset;
}

uint64_t dwarf_address(struct dwarf_db *db, uint64_t offset)
{
	GElf_Shdr text;

	return db->is_module && section_find(db->elf, ".text", &text) ? text.sh_addr + offset :
									offset;
}

Elf_Scn *dwarf_db_section_at(const struct dwarf_db *db, uint64_t address, GElf_Shdr *ret)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(db->elf, scn));) {
		if (gelf_getshdr(scn, ret) && (ret->sh_flags & SHF_ALLOC) &&
		    ret->sh_type != SHT_NULL && address >= ret->sh_addr &&
		    address - ret->sh_addr < ret->sh_size)
			return scn;
	}
	return NULL;
}

bool dwarf_db_moves_with(const struct dwarf_db *db, uint64_t one, uint64_t other)
{
	GElf_Shdr head;

	/* The address after a call that never returns may belong to the next section. */
	return !db->is_module || (dwarf_db_section_at(db, one, &head) &&
				  other >= head.sh_addr && other - head.sh_addr <= head.sh_size);
}
