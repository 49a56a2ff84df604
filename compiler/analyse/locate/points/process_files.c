/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the files that the first components of a program's probe point mean: process.h. */
#include <errno.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "target/arch/names.h"
#include "ast/points.h"
#include "base/words.h"
#include "analyse/locate/points/process.h"
#include "target/object/object.h"
#include "shared/machine.h"
#include "shared/word.h"
#include "state.h"

bool process_is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

int process_fail(const struct located_request *rq, struct range at, const char *text,
		 const char *hint)
{
	if (!rq->quiet) {
		diag_error(rq->s->diag, at, E_NO_MATCH, "%s", text);
		if (hint)
			diag_hint(rq->s->diag, "%s", hint);
	}
	return -ENOENT;
}

/* A hint for each reason why a file can't be probed; the processor's name stands before `rest`. */
static const struct { const char *why, *hint, *rest; } refused[] = {
	{ "it is not an ELF file",
	  "for a script, name the program that runs it: process(\"/usr/bin/python3\")", NULL },
	{ "it is a 32-bit file", "programs of its kind can't be probed on ",
	  "; probes of the kernel with if (pid() == target()) see its system calls (-c, -x)" },
	{ "it is for another processor", "only programs for ",
	  " can be probed; readelf -h shows the processor of a file" },
	{ "it is neither a program nor a library",
	  "a kernel module is module(\"NAME\"); an object file is probed once it is linked",
	  NULL },
};

static const char *hint_for(struct arena *a, const char *why)
{
	if (strstr(why, "--symbols"))
		return "--symbols=FILE=BUILD: BUILD is another build of the program FILE, and has "
		       "symbols (nm BUILD)";
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		if (strcmp(refused[i].why, why) != 0)
			continue;
		return refused[i].rest ? arena_printf(a, "%s%s%s", refused[i].hint,
						      arch_names->machine, refused[i].rest) :
					 refused[i].hint;
	}
	return NULL;
}

static const struct program_file *open_file(const struct located_request *rq, struct range at,
				      const char *path)
{
	const char *why;
	const struct program_file *o = object_open(rq->s, path, &why);

	if (!o)
		process_fail(rq, at,
			     arena_printf(rq->s->arena, "'%s' can't be probed: %s", path, why),
			     hint_for(rq->s->arena, why));
	return o;
}

/* A search in the files that a point means. */
struct wanted {
	const struct located_request *rq;
	process_locate *locate;
	struct located *ret;
};

/* A site that can't be probed, and why; NULL: none. */
struct refused_site {
	const struct site *site;
	const char *why, *hint;
};

/* valid_vma() of the kernel's uprobes leaves out memory that can be written. For saved flags, see
 * flow.h. */
static bool is_refused(const struct site *site, struct refused_site *ret)
{
	if (!site->user)
		return false;
	if (object_writes_code(site->user->file, site->file_offset))
		*ret = (struct refused_site){
			site, "the program may write to the memory of this code, and the kernel "
			"sets no breakpoints there",
			"readelf -lW shows such a segment as RWE; link the program without it" };
	else if (object_saves_flags(site->user->file, site->file_offset))
		*ret = (struct refused_site){
			site, "its instruction, pushf, would save the flag by which the kernel "
			"steps over it, and SIGTRAP would end the program when it restores the "
			"flags",
			"probe another instruction: function() the beginning of a function, "
			"statement() a line" };
	else if (object_is_exclusive(site->user->file, site->file_offset))
		*ret = (struct refused_site){
			site, "its instruction is one of an exclusive load and store, or between "
			"them: with a breakpoint there, the store would never succeed",
			"probe another instruction: function() the beginning of a function, "
			"statement() a line" };
	else if (object_is_unsteppable(site->user->file, site->file_offset))
		*ret = (struct refused_site){
			site, "the kernel does not step over its instruction, which loads a "
			"literal, makes an exception, or is a hint or msr",
			"probe the next instruction, or another line" };
	else
		return false;
	return true;
}

/* Takes out the sites from number @first on that can't be probed. */
static void drop_refused(struct located *ret, size_t first, struct refused_site *refused_one)
{
	size_t kept = first;

	for (size_t i = first; i < ret->sites.n; i++)
		if (!is_refused(ret->sites.v[i], refused_one))
			ret->sites.v[kept++] = ret->sites.v[i];
	ret->sites.n = kept;
}

static int locate_file(const struct wanted *w, const struct user_scope *scope, const char *prefix)
{
	const struct located_request *rq = w->rq;
	struct located *ret = w->ret;
	size_t first = ret->sites.n, first_also = ret->also ? ret->also->sites.n : 0;
	struct refused_site no = { NULL, NULL, NULL };
	int err = w->locate(rq, scope, prefix, ret);

	if (!err)
		drop_refused(ret, first, &no);
	if (!err && ret->also)
		drop_refused(ret->also, first_also, &no);
	if (!no.site || ret->sites.n > first || (ret->also && ret->also->sites.n > first_also))
		return err;
	if (!rq->quiet) {
		diag_error(rq->s->diag, rq->pp->range, E_NOT_PROBEABLE, "'%s' can't be probed: %s",
			   no.site->symbol, no.why);
		diag_hint(rq->s->diag, "%s", no.hint);
	}
	return -ENOENT;
}

/* ---- libraries ---- */

static int no_library(const struct located_request *rq, const struct user_scope *scope,
		      const struct expr *name, const struct object_libraries *all)
{
	struct name_list names = { 0 };
	struct arena *a = rq->s->arena;
	const char *text = name->u.str.s;

	/* The file exists, but ld.so would not load it as a library. */
	if (*text == '/' && access(text, F_OK) == 0) {
		const struct program_file *file = open_file(rq, name->range, text);

		if (!file)
			return -ENOENT;
		if (file->is_32bit != scope->file->is_32bit)
			return process_fail(rq, name->range, arena_printf(a, "%s is a file of %d "
					    "bits, which %s, of %d bits, can't load", text,
					    file->is_32bit ? 32 : 64, scope->file->path,
					    file->is_32bit ? 64 : 32),
					    "without a path, library(\"NAME\") is the one that it "
					    "loads");
	}
	vec_each(it, &all->v)
		vec_push(a, &names.v, it->name);
	return process_fail(rq, name->range,
			    arena_printf(a, "%s has no library '%s'", scope->file->path, text),
			    !names.v.n ? "it is linked with none; a path begins with /" :
			    arena_printf(a, "it has: %s; a path begins with /",
					 words_join(a, names.v.v, names.v.n)));
}

static int locate_library(const struct wanted *w, const struct user_scope *of, const char *prefix,
			  const char *path)
{
	const struct located_request *rq = w->rq;
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);

	*scope = *of;
	if (!scope->pid && !scope->is_target)
		scope->program = scope->file->path;
	scope->runs = scope->file;
	scope->file = open_file(rq, points_part(rq->pp, "library")->arg->range, path);
	if (!scope->file)
		return -ENOENT;
	return locate_file(w, scope, arena_printf(rq->s->arena, "%s.library(%s)", prefix,
						  provider_quoted(rq->s->arena, path)));
}

/* .library("libx*"): all files that the program is linked with or has mapped. Files without such a
 * place are skipped. */
static int locate_libraries(const struct wanted *w, const struct user_scope *scope,
			    const char *prefix, const struct object_libraries *found)
{
	const struct located_request *rq = w->rq;
	const struct expr *name = points_part(rq->pp, "library")->arg;
	struct located_request quiet = *rq;
	struct wanted each = *w;

	quiet.quiet = true;
	each.rq = &quiet;
	w->ret->from_wildcard = true;
	vec_each(it, &found->v)
		locate_library(&each, scope, prefix, it->path);
	if (w->ret->sites.n || w->ret->owners.n)
		return 0;
	return process_fail(rq, name->range,
			    arena_printf(rq->s->arena, "no library that matches '%s' has such a "
					 "place", name->u.str.s),
			    arena_printf(rq->s->arena, "%zu of those of %s match it", found->v.n,
					 scope->file->path));
}

/* Searches the file of @scope, or its library(). */
static int locate_from(const struct wanted *w, struct user_scope *scope, const char *prefix)
{
	const struct located_request *rq = w->rq;
	const struct pp_component *library = points_part(rq->pp, "library");
	int64_t pid = scope->is_target ? rq->s->opt.pid : scope->pid;
	struct object_libraries all = { { 0 } }, found = { { 0 } };
	const char *name = library ? library->arg->u.str.s : NULL, *path;

	if (!library)
		return locate_file(w, scope, prefix);
	/* The mappings of a process also have what it loaded by dlopen(). */
	if (pid)
		object_libraries_of_process(rq->s, pid, &all);
	else
		object_libraries(rq->s, scope->file, &all);
	object_libraries_named(&all, rq->s, name, &found);
	if (process_is_pattern(name))
		return found.v.n ? locate_libraries(w, scope, prefix, &found) :
				   no_library(rq, scope, library->arg, &all);
	path = found.v.n ? found.v.v[0].path :
	       pid ? object_library_of_process(rq->s, pid, scope->file->path, name) :
		     object_library(rq->s, scope->file->path, name);
	return path ? locate_library(w, scope, prefix, path) :
		      no_library(rq, scope, library->arg, &all);
}

/* ---- programs ---- */

static int locate_path(const struct wanted *w, const char *path)
{
	const struct located_request *rq = w->rq;
	const struct expr *arg = rq->pp->parts.v[0].arg;
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);

	scope->file = open_file(rq, arg->range, path);
	if (!scope->file)
		return -ENOENT;
	return locate_from(w, scope, arena_printf(rq->s->arena, "process(%s)",
						  provider_quoted(rq->s->arena, path)));
}

static bool is_listed(const struct name_list *list, const char *name)
{
	vec_each(it, &list->v)
		if (strcmp(*it, name) == 0)
			return true;
	return false;
}

/* Translates a pattern for the library directory of other distributions into one for Debian's,
 * which has a subdirectory for each architecture. NULL: @pattern is for another directory. */
static const char *multiarch_pattern(struct arena *a, const char *pattern)
{
	static const char *const prefixes[] = { "/lib*/", "/lib64/", "/usr/lib*/", "/usr/lib64/" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i]);

		if (strncmp(pattern, prefixes[i], n) == 0 && !strchr(pattern + n, '/'))
			return arena_printf(a, "/usr/lib/*-linux-gnu*/%s", pattern + n);
	}
	return NULL;
}

/* Returns whether any file matches. */
static bool find_files(struct arena *a, const char *pattern, glob_t *ret)
{
	const char *other = multiarch_pattern(a, pattern);

	glob(pattern, 0, NULL, ret);
	if (other)
		glob(other, GLOB_APPEND, NULL, ret);
	return ret->gl_pathc > 0;
}

/* Another file in the directory may match later. */
static void note_directory(struct state *s, const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	const char *dir = arena_strndup(s->arena, pattern, (size_t)(slash - pattern));

	if (*pattern != '/')
		s->around |= AROUND_DIRECTORY;
	if (*dir && !process_is_pattern(dir))
		vec_push(s->arena, &s->files_read, dir);
}

/*
 * process("/usr/bin/x*"): each program among the files that match. Files without such a place are
 * skipped; a file with several links counts once.
 */
static int locate_paths(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct expr *arg = rq->pp->parts.v[0].arg;
	struct located_request quiet = *rq;
	struct wanted each = *w;
	struct name_list seen = { 0 };
	const char *refused_file = NULL, *why = NULL, *hint;
	glob_t files = { 0 };

	quiet.quiet = true;
	each.rq = &quiet;
	w->ret->from_wildcard = true;
	note_directory(rq->s, arg->u.str.s);
	if (find_files(rq->s->arena, arg->u.str.s, &files)) {
		for (size_t i = 0; i < files.gl_pathc; i++) {
			const char *path = object_program(rq->s, files.gl_pathv[i]);

			if (!path || is_listed(&seen, path))
				continue;
			vec_push(rq->s->arena, &seen.v, path);
			if (object_open(rq->s, path, &why))
				locate_path(&each, path);
			else if (!refused_file && hint_for(rq->s->arena, why))
				refused_file = arena_printf(rq->s->arena, "%s: %s", path, why);
		}
	}
	globfree(&files);
	hint = refused_file ? arena_printf(rq->s->arena, "some can't be probed, among them %s",
					   refused_file) :
			      "a pattern for paths begins with /; it stands for all files that "
			      "match it";
	return w->ret->sites.n || w->ret->owners.n ? 0 :
	       process_fail(rq, arg->range,
			    arena_printf(rq->s->arena, "no file that matches '%s' has such a "
					 "place", arg->u.str.s), hint);
}

static const char *hint_for_name(const char *name)
{
	return strstr(name, "vdso") ?
	       "the vDSO is kernel memory, where breakpoints can't be set; probe the libc "
	       "functions that use it: process(\"libc.so.6\").function(\"clock_gettime\")" :
	       "process(\"PATH\") names the file of a program or of a library";
}

static int locate_named(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct expr *arg = rq->pp->parts.v[0].arg;
	const char *name = arg->u.str.s, *path;

	if (strchr(name, '/') && process_is_pattern(name))
		return locate_paths(w);
	path = object_program(rq->s, name);
	if (!path && !strchr(name, '/'))
		path = object_library(rq->s, NULL, name);
	if (!path && !strchr(name, '/'))
		path = object_program(rq->s, arena_printf(rq->s->arena, "./%s", name));
	if (!path)
		return process_fail(rq, arg->range,
			    arena_printf(rq->s->arena, strchr(name, '/') ? "there is no file '%s'" :
					 "neither PATH nor the libraries nor this directory have "
					 "'%s'", name),
			    hint_for_name(name));
	return locate_path(w, path);
}

/* The path of the program that process @pid runs. */
static const char *program_of(struct state *s, int64_t pid)
{
	char path[4096];
	ssize_t n = readlink(arena_printf(s->arena, "/proc/%lld/exe", (long long)pid), path,
			     sizeof(path) - 1);

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	return object_path_of_process(s, pid, arena_strdup(s->arena, path));
}

/* The number means another process there. */
static int foreign_proc(const struct located_request *rq, struct range at)
{
	return process_fail(rq, at, "/proc belongs to another pid namespace, so the program of the "
				    "process can't be seen", MACHINE_PROC_HINT);
}

static int locate_pid(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct pp_component *part = &rq->pp->parts.v[0];
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);
	int64_t pid = 0;
	const char *path;

	provider_number(part, &pid);
	if (pid < 1 || pid > INT32_MAX)
		return provider_bad_number(rq, part, "a process", "a process id");
	if (!machine_proc_is_own())
		return foreign_proc(rq, part->arg->range);
	vec_push(rq->s->arena, &rq->s->files_read,
		 arena_printf(rq->s->arena, "/proc/%lld/exe", (long long)pid));
	path = program_of(rq->s, pid);
	if (!path)
		return process_fail(rq, part->arg->range,
			    arena_printf(rq->s->arena, "there is no process %lld whose program can "
					 "be seen", (long long)pid),
			    "process(\"PATH\") probes programs that start later");
	scope->pid = pid;
	scope->file = open_file(rq, part->arg->range, path);
	if (!scope->file)
		return -ENOENT;
	return locate_from(w, scope, arena_printf(rq->s->arena, "process(%lld)", (long long)pid));
}

#define SHELL "/bin/sh"

/* The program that a shell command runs; the command may begin with assignments. NULL if it is not
 * known. Sets @by_shell if the shell itself runs the command. */
static const char *program_of_command(struct state *s, const char *command, bool *by_shell)
{
	static const char ends[] = " \t\n;&|<>()", path[] = "LD_LIBRARY_PATH=";

	for (;;) {
		const char *word = command + strspn(command, " \t\n");
		size_t len = strcspn(word, ends), name = strcspn(word, "=");

		if (name >= len || !name || memchr(word, '/', name)) {
			const char *first = arena_strndup(s->arena, word, len);

			/* "(cd /; ls)" begins with no word. */
			*by_shell = !len || word_is_for_shell(first);
			return object_program(s, *by_shell ? SHELL : first);
		}
		if (strncmp(word, path, sizeof(path) - 1) == 0)
			s->library_path = arena_strndup(s->arena, word + name + 1, len - name - 1);
		command = word + len;
	}
}

/* The program of -c or -x. */
static int locate_target(const struct wanted *w)
{
	const struct located_request *rq = w->rq;
	const struct options *opt = &rq->s->opt;
	struct user_scope *scope = NEW(rq->s->arena, struct user_scope);
	const struct range at = rq->pp->parts.v[0].range;
	bool by_shell = false;
	const char *path;
	int err;

	rq->s->around |= AROUND_COMMAND | AROUND_PROCESS;
	if (!opt->command && !opt->pid)
		return process_fail(rq, at, "'process' without a path or a process id is the "
				    "process of -c or -x, and neither is given",
				    "process(\"PATH\") probes a program");
	if (opt->pid && !machine_proc_is_own())
		return foreign_proc(rq, at);
	path = opt->pid ? program_of(rq->s, opt->pid) :
				program_of_command(rq->s, opt->command, &by_shell);
	if (!path)
		return process_fail(rq, at, opt->pid ?
				    "the program of the process of -x can't be seen" :
				    "the program of -c is not found",
				    "process(\"PATH\") names it");
	scope->is_target = true;
	scope->file = open_file(rq, at, path);
	if (!scope->file)
		return -ENOENT;
	err = locate_from(w, scope, "process");
	if (err && by_shell && !rq->quiet)
		diag_hint(rq->s->diag, "a shell runs the command of -c, so 'process' is the shell: "
			  "process(\"PATH\") names a program that it runs");
	return err;
}

int process_each_file(const struct located_request *rq, process_locate *locate,
		      struct located *ret)
{
	const struct pp_component *first = &rq->pp->parts.v[0];
	const struct wanted w = { rq, locate, ret };

	if (!first->has_arg)
		return locate_target(&w);
	return first->arg->kind == EX_STR ? locate_named(&w) : locate_pid(&w);
}
