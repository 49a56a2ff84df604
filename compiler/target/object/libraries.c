/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The libraries of a program, found as ld.so finds them: ld.so(8), and elf/dl-load.c of glibc. A
 * name that a file needs is looked for
 *  - in the directories of its DT_RPATH, then of those of the files that needed this one, up to the
 *    program, where these files have no DT_RUNPATH,
 *  - in those of LD_LIBRARY_PATH, of this process, because a command of -c inherits it unless it
 *    begins with one of its own,
 *  - in those of its DT_RUNPATH,
 *  - in /etc/ld.so.cache, and in the system's directories.
 * In a container, these are the directories and the cache of its root, and LD_LIBRARY_PATH is none.
 * In each directory, glibc-hwcaps/ has builds for better processors. A file that is not for this
 * processor is passed over, as are those of 64 bits for a program of 32, and the reverse.
 */
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/buf.h"
#include "target/arch/arch.h"
#include "target/arch/names.h"
#include "base/subprocess.h"
#include "target/object/private.h"
#include "state.h"

enum { LOADERS_MAX = 64, LIBRARIES_MAX = 4096 };

static const struct {
	const char *path;
	bool is_of_processor; /* the processor's own directory below it is meant */
} system_dirs[] = {
	{ "/lib/", true }, { "/usr/lib/", true }, { "/lib64", false }, { "/usr/lib64", false },
	{ "/lib", false }, { "/usr/lib", false }, { "/lib32", false }, { "/usr/lib32", false },
};

/* An entry of the cache of ld.so, which may be below another root directory. */
struct cached_library { const char *name, *path; bool is_32bit; };
struct object_cache {
	const char *root;
	VEC(struct cached_library) v;
	struct object_cache *next; /* of another root directory */
};

/* A file, with what its dynamic section says. */
struct loaded {
	const char *path;      /* without symbolic links */
	const struct loaded *loader; /* the file that needs it; NULL: it is the program */
	const char *root;      /* object_root_of(path), where the names in the file are looked up */
	const char *origin;    /* the directory for $ORIGIN, below the root */
	const char *rpath, *runpath; /* NULL: none */
	bool no_system;        /* DF_1_NODEFLIB */
	bool is_32bit;         /* only libraries of 32 bits belong to it, or else none of these */
	VEC(const char *) needed;
};

/* ---- the dynamic section ---- */

static bool file_offset(Elf *elf, GElf_Addr address, GElf_Off *ret)
{
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_LOAD &&
		    address >= head.p_vaddr && address - head.p_vaddr < head.p_filesz) {
			*ret = address - head.p_vaddr + head.p_offset;
			return true;
		}
	}
	return false;
}

Elf_Data *object_dynamic(Elf *elf)
{
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_DYNAMIC)
			return elf_getdata_rawchunk(elf, (int64_t)head.p_offset, head.p_filesz,
						    ELF_T_DYN);
	}
	return NULL;
}

uint64_t object_dynamic_value(Elf_Data *dynamic, int64_t tag)
{
	GElf_Dyn one;

	for (int i = 0; gelf_getdyn(dynamic, i, &one) && one.d_tag != DT_NULL; i++)
		if (one.d_tag == tag)
			return one.d_un.d_val;
	return 0;
}

static Elf_Data *strings_of(Elf *elf, Elf_Data *dynamic)
{
	GElf_Off offset;

	if (!file_offset(elf, object_dynamic_value(dynamic, DT_STRTAB), &offset))
		return NULL;
	return elf_getdata_rawchunk(elf, (int64_t)offset, object_dynamic_value(dynamic, DT_STRSZ),
				    ELF_T_BYTE);
}

static const char *string_at(struct state *s, const Elf_Data *strings, uint64_t at)
{
	const char *text = strings->d_buf;

	if (at >= strings->d_size || !memchr(text + at, '\0', strings->d_size - at) || !text[at])
		return NULL;
	return arena_strdup(s->arena, text + at);
}

static void read_tags(struct state *s, Elf *elf, struct loaded *ret)
{
	Elf_Data *dynamic = object_dynamic(elf), *strings;
	GElf_Dyn one;

	strings = dynamic ? strings_of(elf, dynamic) : NULL;
	if (!strings || !strings->d_buf)
		return;
	for (int i = 0; gelf_getdyn(dynamic, i, &one) && one.d_tag != DT_NULL; i++) {
		const char *text;

		switch (one.d_tag) {
		case DT_NEEDED:
			text = string_at(s, strings, one.d_un.d_val);
			if (text)
				vec_push(s->arena, &ret->needed, text);
			break;
		case DT_RPATH: ret->rpath = string_at(s, strings, one.d_un.d_val); break;
		case DT_RUNPATH: ret->runpath = string_at(s, strings, one.d_un.d_val); break;
		case DT_FLAGS_1: ret->no_system = one.d_un.d_val & DF_1_NODEFLIB; break;
		}
	}
	/* If there is a DT_RUNPATH, the DT_RPATH is not used. */
	if (ret->runpath)
		ret->rpath = NULL;
}

/* Returns NULL if it is not an ELF file that this processor can load. */
static struct loaded *read_loaded(struct state *s, const char *path)
{
	struct loaded *ret = NULL;
	const char *why;
	struct stat st;
	Elf *elf;
	const char *real = object_real_path(s, path);
	int fd = open(real ? real : path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ?
	      elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	if (object_is_loadable(elf, &why)) {
		ret = NEW(s->arena, struct loaded);
		ret->path = real ? real : path;
		ret->is_32bit = object_is_32bit(elf);
		ret->root = object_root_of(s, ret->path);
		ret->origin = arena_strndup(s->arena, ret->path,
					    (size_t)(strrchr(ret->path, '/') - ret->path));
		ret->origin += strlen(ret->root);
		read_tags(s, elf, ret);
	}
	elf_end(elf);
	close(fd);
	return ret;
}

static bool is_of_32bit(const struct loaded *of)
{
	return of && of->is_32bit;
}

/* The same if @of can load it; NULL: a 64-bit program. */
static struct loaded *read_needed(struct state *s, const struct loaded *of, const char *path)
{
	struct loaded *ret = read_loaded(s, path);

	return ret && ret->is_32bit == is_of_32bit(of) ? ret : NULL;
}

/* ---- names ---- */

/* Whether @name means the file name @file: "libc.so.6" is meant by itself, by "libc.so" and by
 * "libc". */
static bool is_library(const char *file, const char *name)
{
	size_t len = strlen(file), n = strlen(name);

	if (len < n || memcmp(file, name, n) != 0)
		return false;
	return len == n || (len > n + 3 && memcmp(file + n, ".so", 3) == 0) ||
	       (file[n] == '.' && n > 3 && memcmp(name + n - 3, ".so", 3) == 0);
}

/* The same, also for a shell pattern. */
static bool means(const char *name, const char *file)
{
	return is_library(file, name) || fnmatch(name, file, 0) == 0;
}

/* ---- directories ---- */

/* The file in a directory that the name means; if there are several, the last one. NULL if there is
 * none. */
static struct loaded *in_dir(struct state *s, const struct loaded *of, const char *dir,
			     const char *name)
{
	const char *best = NULL;
	struct dirent *e;
	struct loaded *ret = read_needed(s, of, arena_printf(s->arena, "%s/%s", dir, name));
	const char *real = ret || strstr(name, ".so.") ? NULL : object_real_path(s, dir);
	DIR *d = real ? opendir(real) : NULL;

	while (d && (e = readdir(d)))
		if (is_library(e->d_name, name) && (!best || strverscmp(e->d_name, best) > 0))
			best = arena_strdup(s->arena, e->d_name);
	if (d)
		closedir(d);
	return best ? read_needed(s, of, arena_printf(s->arena, "%s/%s", dir, best)) : ret;
}

static struct loaded *in_dir_or_below(struct state *s, const struct loaded *of, const char *dir,
				      const char *name)
{
	struct loaded *ret = NULL;
	const char *level;

	for (unsigned i = 0; !ret && (level = arch_hwcaps(i, is_of_32bit(of))); i++)
		ret = in_dir(s, of, arena_printf(s->arena, "%s/glibc-hwcaps/%s", dir, level), name);
	return ret ? ret : in_dir(s, of, dir, name);
}

/* @dir with the values of $ORIGIN and $PLATFORM, and with @lib for $LIB. */
static const char *expand(struct state *s, const struct loaded *of, const char *dir,
			  const char *origin, const char *lib)
{
	const struct { const char *token, *text; } tokens[] = {
		{ "ORIGIN", origin }, { "LIB", lib },
		{ "PLATFORM", arch_names_of(is_of_32bit(of))->platform },
	};
	const char *text = arena_strdup(s->arena, "");

	while (*dir) {
		size_t plain = strcspn(dir, "$"), i, n = 0;

		text = arena_printf(s->arena, "%s%.*s", text, (int)plain, dir);
		dir += plain;
		for (i = 0; *dir && i < sizeof(tokens) / sizeof(*tokens); i++) {
			size_t len = strlen(tokens[i].token);
			bool braces = dir[1] == '{';

			if (!tokens[i].text ||
			    strncmp(dir + 1 + braces, tokens[i].token, len) != 0 ||
			    (braces && dir[2 + len] != '}'))
				continue;
			n = 1 + len + 2 * braces;
			text = arena_printf(s->arena, "%s%s", text, tokens[i].text);
			break;
		}
		if (*dir && !n) {
			text = arena_printf(s->arena, "%s$", text);
			n = 1;
		}
		dir += n;
	}
	return text;
}

/* The path by which a file is found here that @of names; @of may be NULL. */
static const char *below(struct state *s, const struct loaded *of, const char *path)
{
	return of && *of->root ? arena_printf(s->arena, "%s/%s", of->root, path) : path;
}

/* Searches the directories of a list. An empty one is the current directory. @separators: in
 * LD_LIBRARY_PATH also ';'. */
static struct loaded *in_list(struct state *s, const struct loaded *of, const char *list,
			      const char *separators, const char *origin, const char *name)
{
	const char *const libs[] = {
		arena_printf(s->arena, "lib/%s", arch_names_of(is_of_32bit(of))->libraries),
		arch_names_of(is_of_32bit(of))->lib,
	};
	struct loaded *ret = NULL;

	while (list && *list && !ret) {
		size_t n = strcspn(list, separators);
		const char *dir = n ? arena_strndup(s->arena, list, n) : ".";

		for (size_t i = 0; !ret && i < sizeof(libs) / sizeof(*libs); i++)
			ret = in_dir_or_below(s, of, below(s, of, expand(s, of, dir, origin,
									 libs[i])), name);
		list += n + (list[n] != '\0');
	}
	return ret;
}

/* ---- the cache ---- */

static bool is_for_us(const char *kind, bool of_32bit)
{
	const char *hwcap = strstr(kind, "hwcap: \""), *level, *own;

	own = arch_names_of(of_32bit)->ldconfig;
	/* After the kind of libc follows the kind of processor, or a property of the library. */
	if (own ? !strstr(kind, own) : strncmp(kind, " (libc6)", 8) != 0 &&
				       strncmp(kind, " (libc6, ", 9) != 0)
		return false;
	for (unsigned i = 0; hwcap && (level = arch_hwcaps(i, of_32bit)); i++)
		if (strncmp(hwcap + 8, level, strlen(level)) == 0)
			return true;
	return !hwcap;
}

/* Reads a line: "\tlibc.so.6 (libc6,x86-64) => /lib/x86_64-linux-gnu/libc.so.6". */
static void read_line(struct state *s, char *line, struct object_cache *ret)
{
	char *arrow = strstr(line, " => "), *kind = strstr(line, " (");
	bool of_32bit;

	if (!arrow || !kind || kind > arrow)
		return;
	*arrow = '\0';
	of_32bit = arch_has_32bit() && is_for_us(kind, true);
	if (!of_32bit && !is_for_us(kind, false))
		return;
	*kind = '\0';
	vec_push(s->arena, &ret->v, ((struct cached_library){
		line + strspn(line, " \t"), arrow + 4, of_32bit }));
}

static struct object_cache *read_cache(struct state *s, const char *root)
{
	static const char *const tools[] = { "ldconfig", "/sbin/ldconfig", "/usr/sbin/ldconfig" };
	const char *file = arena_printf(s->arena, "%s/etc/ld.so.cache", root);
	struct object_cache *ret = NEW(s->arena, struct object_cache);
	struct buf out, said;
	char *text, *line;

	ret->root = root;
	buf_init(&out);
	buf_init(&said);
	for (size_t i = 0; i < sizeof(tools) / sizeof(*tools) && !out.len; i++) {
		const char *const argv[] = { tools[i], "-p", "-C", file, NULL };

		if (subprocess_run(argv, NULL, &out, &said) != 0)
			out.len = 0;
	}
	text = arena_strndup(s->arena, out.len ? out.s : "", out.len);
	while ((line = strsep(&text, "\n")))
		read_line(s, line, ret);
	buf_deinit(&out);
	buf_deinit(&said);
	return ret;
}

static const struct object_cache *cache_of(struct state *s, const char *root)
{
	struct object_cache *cache = s->library_cache;

	while (cache && strcmp(cache->root, root) != 0)
		cache = cache->next;
	if (!cache) {
		cache = read_cache(s, root);
		cache->next = s->library_cache;
		s->library_cache = cache;
	}
	return cache;
}

static struct loaded *in_cache(struct state *s, const struct loaded *of, const char *name)
{
	struct loaded *ret = NULL;

	vec_each(it, &cache_of(s, of ? of->root : "")->v)
		if (!ret && it->is_32bit == is_of_32bit(of) && is_library(it->name, name))
			ret = read_needed(s, of, below(s, of, it->path));
	return ret;
}

/* ---- searching ---- */

static struct loaded *in_rpaths(struct state *s, const struct loaded *of, const char *name)
{
	struct loaded *ret = NULL;

	if (of && of->runpath)
		return NULL;
	for (int i = 0; of && !ret && i < LOADERS_MAX; of = of->loader, i++)
		ret = in_list(s, of, of->rpath, ":", of->origin, name);
	return ret;
}

/* @of: the file that needs the library; NULL: none. */
static struct loaded *search(struct state *s, const struct loaded *of, const char *name)
{
	const char *origin = of ? of->origin : NULL;
	const char *library_path = s->library_path ? s->library_path : getenv("LD_LIBRARY_PATH");
	struct loaded *ret;

	s->around |= s->library_path ? AROUND_COMMAND : AROUND_LIBRARIES;
	/* The variable of this process does not apply to a program in a container. */
	if (of && *of->root)
		library_path = NULL;
	if (strchr(name, '/'))
		return read_needed(s, of, below(s, of, expand(s, of, name, origin, "lib")));
	ret = in_rpaths(s, of, name);
	if (!ret)
		ret = in_list(s, of, library_path, ":;", origin, name);
	if (!ret && of)
		ret = in_list(s, of, of->runpath, ":", origin, name);
	if (!ret && (!of || !of->no_system))
		ret = in_cache(s, of, name);
	for (size_t i = 0; !ret && (!of || !of->no_system) &&
			   i < sizeof(system_dirs) / sizeof(*system_dirs); i++)
		ret = in_dir_or_below(s, of, below(s, of, arena_printf(s->arena, "%s%s",
			system_dirs[i].path, system_dirs[i].is_of_processor ?
			arch_names_of(is_of_32bit(of))->libraries : "")), name);
	return ret;
}

static void add(struct state *s, struct object_libraries *ret, const char *name,
		const char *path)
{
	vec_each(it, &ret->v)
		if (strcmp(it->path, path) == 0)
			return;
	vec_push(s->arena, &ret->v, ((struct object_library){ name, path }));
}

static bool is_needed(const struct object_libraries *known, const char *name)
{
	vec_each(it, &known->v)
		if (strcmp(it->name, name) == 0)
			return true;
	return false;
}

void object_libraries(struct state *s, const struct program_file *program,
		      struct object_libraries *ret)
{
	VEC(struct loaded *) queue = { 0 };
	struct loaded *first = read_loaded(s, program->path);

	if (first)
		vec_push(s->arena, &queue, first);
	for (size_t i = 0; i < queue.n && queue.n < LIBRARIES_MAX; i++) {
		vec_each(name, &queue.v[i]->needed) {
			struct loaded *one;

			if (is_needed(ret, *name) || !(one = search(s, queue.v[i], *name)))
				continue;
			one->loader = queue.v[i];
			add(s, ret, *name, one->path);
			vec_push(s->arena, &queue, one);
		}
	}
}

void object_libraries_of_process(struct state *s, int64_t pid, struct object_libraries *ret)
{
	struct object_mappings all = { { 0 } };

	object_mappings_read(s, pid, &all);
	vec_each(it, &all.v) {
		const char *own = it->is_code && *it->path == '/' ?
				  object_path_of_process(s, pid, it->path) : NULL;

		if (own)
			add(s, ret, basename(it->path), own);
	}
}

size_t object_libraries_named(const struct object_libraries *all, struct state *s,
			      const char *name, struct object_libraries *ret)
{
	bool is_path = strchr(name, '/');
	size_t before = ret->v.n;

	vec_each(it, &all->v)
		if (is_path ? fnmatch(name, it->path, 0) == 0 :
			      means(name, it->name) || means(name, basename(it->path)))
			add(s, ret, it->name, it->path);
	return ret->v.n - before;
}

const char *object_library(struct state *s, const char *program, const char *name)
{
	const struct loaded *of = program ? read_loaded(s, program) : NULL;
	const struct loaded *found = *name ? search(s, of, name) : NULL;

	return found ? found->path : NULL;
}

const char *object_library_of_process(struct state *s, int64_t pid, const char *program,
				      const char *name)
{
	const char *found = object_library(s, object_path_below(s, pid, program), name);
	const char *root = object_root_of(s, found);

	return *root ? object_path_of_process(s, pid, found + strlen(root)) : found;
}
