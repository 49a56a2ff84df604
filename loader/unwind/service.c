/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two threads meet here. The service's own reads mappings, compiles tables, and appends files to
 * `files`, which is in the order of their numbers; nothing of it changes later. The pump's asks
 * for names, which it reads from the files that it finds there.
 *
 * A process is wanted for the first time when it has hardly begun: its libraries are not mapped
 * yet. The runtime asks again when 50 ms have passed; so the service looks again by itself at the
 * processes that were wanted last. Until then, and in a process that ends first, hits find the
 * mappings themselves, if they know the files: the program of -c and those that the script probes,
 * with their libraries, and what running processes have mapped, is read before the session starts,
 * other files when a hit has met them.
 *
 * Files of names that processes make (perf_map.h) stay open, as they grow, until the process ends:
 * the service's thread sees that, and the pump's, which alone reads them, closes them.
 */
#include "unwind/service.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/say.h"
#include "device/device.h"
#include "module/meta.h"
#include "records.h"
#include "scripts/scripts.h"
#include "shared/clock.h"
#include "shared/file.h"
#include "shared/machine.h"
#include "shared/memory.h"
#include "unwind/lines.h"
#include "unwind/mappings.h"
#include "unwind/mounts.h"
#include "unwind/needed.h"
#include "unwind/symbols.h"
#include "unwind/table_store.h"

enum {
	YOUNG_MAX = 4,
	LOOKS = 6,
	POLL_NS = 500000,        /* between two questions for wanted processes in that time */
	PREPARE_NS = 300000000,  /* for the files of running processes, before the session starts */
	PREPARE_FILES = 512,     /* the same */
};

/* When an address space is looked at again, ns after it was described first. */
static const int64_t looks[LOOKS] = { 1000000, 2000000, 4000000, 10000000, 20000000, 40000000 };

/* An address space that was described a short time ago. */
struct young {
	struct prt_space_wanted wanted; /* of its last description */
	int64_t since;           /* ns */
	unsigned looks;          /* done */
};

/* A file that has a number. */
struct service_file {
	const char *path;
	struct symbols *symbols; /* NULL: it has none */
	struct lines *lines;     /* NULL: they are not wanted, or it has none */
	struct mapped_file *map; /* perf_map.h: it is open, and of the process `pid`; or NULL */
	pid_t pid;
	bool ended;              /* that process has ended */
	char refused[SCRIPT_VERSION_MAX]; /* an interpreter that is not supported, or "" */
	bool is_shown;           /* a frame of it was */
};

struct service {
	struct device *device;
	struct script_names *scripts; /* for the pump's thread */
	bool names;              /* the runtime wants them */
	bool lines;              /* service_lines() is called */
	bool blind;              /* /proc has the numbers of another pid namespace */
	pthread_t thread;
	struct mapped_files mapped;
	struct young young[YOUNG_MAX];
	size_t nyoung;
	uint64_t newest;         /* the highest number of an address space that was wanted */
	pthread_mutex_t lock;    /* of the two below */
	struct service_file *files;  /* by number less 1 */
	uint32_t nfiles;
};

/* ---- the service's thread ---- */

static void append(struct service *s, const struct service_file *file)
{
	pthread_mutex_lock(&s->lock);
	s->files = memory_resized(s->files, s->nfiles + 1, sizeof(*s->files));
	s->files[s->nfiles++] = *file;
	pthread_mutex_unlock(&s->lock);
}

/* Gives the runtime a file's tables; without the names, that of an interpreter, or all of them,
 * where it has no room: walks end there, and addresses have no names. false: it knows nothing of
 * the file. */
static bool give(struct service *s, struct prt_code_file_set *set)
{
	if (device_code_file(s->device, set) == 0)
		return true;
	if (set->script) {
		set->script = 0;
		if (device_code_file(s->device, set) == 0)
			return true;
	}
	if (set->names) {
		set->names = 0;
		if (device_code_file(s->device, set) == 0)
			return true;
	}
	set->table = 0;
	return device_code_file(s->device, set) == 0;
}

/* Marks the files of names of processes that have ended. */
static void find_ended(struct service *s)
{
	pthread_mutex_lock(&s->lock);
	for (uint32_t i = 0; i < s->nfiles; i++) {
		struct service_file *it = &s->files[i];

		if (!it->map || it->ended || kill(it->pid, 0) == 0 || errno != ESRCH)
			continue;
		it->map->is_gone = true;
		it->ended = true;
	}
	pthread_mutex_unlock(&s->lock);
}

/* From now on, hits find the file in processes that are not described. */
static void give_key(struct service *s, const struct mapped_file *f)
{
	struct prt_code_key key = { .number = f->number, .fd = (uint32_t)f->fd };

	if (f->is_map)
		return;
	if (!f->device)
		key.vdso = f->inode ? PRT_VDSO_32 : PRT_VDSO_64;
	for (size_t i = 0; i < f->nsegments; i++) {
		const struct image_segment *it = &f->segments[i];

		if (!it->is_code)
			continue;
		/* None is better than some: the process's description has all. */
		if (key.n == PRT_CODE_SEGMENTS) {
			key.n = 0;
			break;
		}
		key.segments[key.n++] = (struct prt_code_segment){
			.address = it->address, .offset = it->offset, .size = it->size,
		};
	}
	device_code_key(s->device, &key);
}

/* Gives a file of the process @pid its number. */
static void add_file(struct service *s, struct mapped_file *f, pid_t pid)
{
	struct prt_code_file_set set = { .number = s->nfiles + 1 };
	struct service_file file = { .path = f->path };
	struct prt_script_table *script = NULL;
	struct prt_name_table *names = NULL;
	bool given;

	if (f->is_map)
		find_ended(s);
	strncpy(set.name, file_name(f->path), sizeof(set.name) - 1);
	if (f->table) {
		set.table = (uintptr_t)f->table;
		set.size = f->table->size;
	}
	file.symbols = f->is_map ? symbols_read_perf_map(f->fd) : symbols_read(f->fd, f->path);
	if (s->names && file.symbols && !f->is_map) {
		names = symbols_table(file.symbols);
		set.names = (uintptr_t)names;
		set.names_size = names->size;
	}
	if (s->lines && file.symbols && !f->is_map)
		file.lines = lines_read(f->fd, f->path);
	if (!f->is_map && f->device) {
		script = script_table(f->fd, file.refused);
		set.script = (uintptr_t)script;
		set.script_size = script ? script->size : 0;
		set.keys = script_keys(f->fd);
	}
	given = give(s, &set);
	free(script);
	free(names);
	if (!given) {
		symbols_free(file.symbols);
		lines_free(file.lines);
		return;
	}
	if (f->is_map && file.symbols) {
		file.map = f;
		file.pid = pid;
	}
	f->number = set.number;
	give_key(s, f);
	free(f->table);
	f->table = NULL;
	close(f->fd);
	f->fd = -1;
	append(s, &file);
}

/* Returns 0, or -ESRCH: the process has ended or executes another program. */
static int give_space(struct service *s, const struct prt_space_wanted *wanted,
		      const struct mappings *m)
{
	struct prt_space_set set = { .wanted = *wanted };
	struct prt_space_range *ranges;
	size_t n = m->n < PRT_SPACE_RANGES ? m->n : PRT_SPACE_RANGES;
	int err;

	ranges = memory_zeroed(n + 1, sizeof(*ranges));
	for (size_t i = 0; i < n; i++) {
		const struct mapping *it = &m->v[i];

		if (it->file && !it->file->number)
			add_file(s, it->file, (pid_t)wanted->pid);
		ranges[i] = (struct prt_space_range){
			.start = it->start, .end = it->end, .bias = it->bias,
			.file = it->file ? it->file->number : 0,
			.is_unread = it->is_unread || (it->file && !it->file->number),
		};
	}
	set.n = (uint32_t)n;
	set.ranges = (uintptr_t)ranges;
	err = device_space(s->device, &set);
	free(ranges);
	return err == -ESRCH ? err : 0;
}

static bool read_mappings(struct service *s, const struct prt_space_wanted *wanted,
			  struct mappings *ret)
{
	int fd = s->blind ? -1 : mappings_open((pid_t)wanted->pid);

	return fd >= 0 && mappings_read(&s->mapped, (pid_t)wanted->pid, fd, ret) == 0;
}

/* ---- processes that have just begun ---- */

static void remember(struct service *s, const struct prt_space_wanted *wanted)
{
	for (size_t i = 0; i < s->nyoung; i++)
		if (s->young[i].wanted.space == wanted->space) {
			s->young[i].wanted = *wanted;
			return;
		}
	/* Numbers of address spaces rise: one that is lower belongs to an older process. */
	if (wanted->space <= s->newest)
		return;
	s->newest = wanted->space;
	if (s->nyoung < YOUNG_MAX)
		s->young[s->nyoung++] = (struct young){ .wanted = *wanted,
							.since = clock_ns() };
}

/* false: the process has ended or executes another program. */
static bool look_again(struct service *s, struct young *it)
{
	struct mappings m;
	int err = 0;

	it->looks++;
	if (!read_mappings(s, &it->wanted, &m))
		return false;
	if (m.n && m.pages != it->wanted.pages) {
		it->wanted.pages = m.pages;
		err = give_space(s, &it->wanted, &m);
	}
	mappings_deinit(&m);
	return !err;
}

static void look_at_young(struct service *s)
{
	for (size_t i = 0; i < s->nyoung;) {
		struct young *it = &s->young[i];
		bool is_due = clock_ns() - it->since >= looks[it->looks];

		if (is_due && (!look_again(s, it) || it->looks == LOOKS))
			*it = s->young[--s->nyoung];
		else
			i++;
	}
}

/* ---- files that hits have met ---- */

/* Reads a file if it may be read and is new. Closes @fd. */
static void meet_file(struct service *s, int fd)
{
	struct mounts mounts = { 0 };
	char link[64], path[PATH_MAX];
	struct mapped_file *f = NULL;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0 || s->blind || !mounts_allow(&mounts, fd)) {
		close(fd);
	} else {
		path[n] = '\0';
		fd = mounts_reopen(fd);
		f = fd < 0 ? NULL : mappings_file(&s->mapped, fd, path);
	}
	if (f && !f->number)
		add_file(s, f, 0);
	mounts_deinit(&mounts);
}

static void meet_files(struct service *s)
{
	int fd;

	while ((fd = device_file_wanted(s->device)) >= 0)
		meet_file(s, fd);
}

/* ---- the thread ---- */

static void describe(struct service *s, const struct prt_space_wanted *wanted)
{
	struct mappings m;

	if (!read_mappings(s, wanted, &m))
		return;
	if (give_space(s, wanted, &m) == 0)
		remember(s, wanted);
	mappings_deinit(&m);
}

/* Returns 0, -EAGAIN: nothing is wanted and @wait is not, or another error: the session has
 * ended. */
static int serve_once(struct service *s, bool wait)
{
	struct prt_space_wanted wanted = { .wait = wait };
	int err = device_space_wanted(s->device, &wanted);

	if (!err)
		describe(s, &wanted);
	meet_files(s);
	return err == -EINTR ? 0 : err;
}

static void *serve(void *arg)
{
	struct service *s = arg;

	for (;;) {
		int err = serve_once(s, s->nyoung == 0);

		if (err && err != -EAGAIN)
			return NULL;
		if (err)
			nanosleep(&(struct timespec){ .tv_nsec = POLL_NS }, NULL);
		look_at_young(s);
	}
}

/* ---- the beginning and the end ---- */

/* One of the files that the program will map. Returns false if it can't be read or is known
 * already; in the latter case, so are the files that it needs. */
static bool prepare_file(void *arg, int fd, const char *path)
{
	struct service *s = arg;
	struct mapped_file *f = fd < 0 ? NULL : mappings_file(&s->mapped, fd, path);

	if (!f || f->number)
		return false;
	add_file(s, f, 0);
	return true;
}

static void prepare_process(struct service *s, pid_t pid)
{
	int fd = mappings_open(pid);
	struct mappings m;

	if (fd < 0 || mappings_read(&s->mapped, pid, fd, &m) != 0)
		return;
	for (size_t i = 0; i < m.n; i++)
		if (m.v[i].file && !m.v[i].file->number && !m.v[i].file->is_map)
			add_file(s, m.v[i].file, pid);
	mappings_deinit(&m);
}

/* Reads the files of the processes that run, as far as there is time: those that start later map
 * most of them as well. */
static void prepare_running(struct service *s)
{
	int64_t end = clock_ns() + PREPARE_NS;
	DIR *processes = s->blind ? NULL : opendir("/proc");
	struct dirent *it;

	while (processes && s->nfiles < PREPARE_FILES && clock_ns() < end &&
	       (it = readdir(processes))) {
		pid_t pid = (pid_t)strtol(it->d_name, NULL, 10);

		if (pid > 0)
			prepare_process(s, pid);
	}
	if (processes)
		closedir(processes);
}

/* Signals are for the other thread. */
struct service *service_start(struct device *d, const struct meta *m, char (*programs)[PATH_MAX],
			      size_t n, bool lines)
{
	struct service *s = memory_zeroed(1, sizeof(*s));
	sigset_t all, old;
	int err;

	s->device = d;
	s->scripts = script_names_start(d);
	s->names = m->has_user_names;
	s->lines = lines;
	s->blind = !machine_proc_is_own();
	if (s->blind)
		say_warn("E_TARGET", MACHINE_PROC_HINT,
			 "/proc belongs to another pid namespace: the stacks of processes have one "
			 "frame and no names");
	s->mapped.store = run_dir_make(RUN_DIR) == 0 ? TABLE_STORE : NULL;
	pthread_mutex_init(&s->lock, NULL);
	while (serve_once(s, false) == 0)
		;
	for (size_t i = 0; i < n; i++)
		needed_each(programs[i], prepare_file, s);
	for (uint32_t i = 0; i < m->nprograms; i++)
		needed_each(m->programs[i].name, prepare_file, s);
	prepare_running(s);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&s->thread, NULL, serve, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return s;
	say_error("E_INTERNAL", NULL, "can't make a thread: %s", strerror(err));
	pthread_mutex_destroy(&s->lock);
	script_names_stop(s->scripts);
	free(s);
	return NULL;
}

void service_stop(struct service *s)
{
	if (!s)
		return;
	device_stop(s->device);
	pthread_join(s->thread, NULL);
	for (uint32_t i = 0; i < s->nfiles; i++) {
		symbols_free(s->files[i].symbols);
		lines_free(s->files[i].lines);
	}
	free(s->files);
	mappings_free_files(&s->mapped);
	script_names_stop(s->scripts);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- in the pump's thread ---- */

/* A file of names whose process has ended and which is still open, or NULL. */
static struct symbols *ended_map(struct service *s)
{
	struct symbols *ret = NULL;

	pthread_mutex_lock(&s->lock);
	for (uint32_t i = 0; i < s->nfiles && !ret; i++) {
		struct service_file *it = &s->files[i];

		if (!it->ended)
			continue;
		ret = it->symbols;
		it->ended = false;
		it->map = NULL;
	}
	pthread_mutex_unlock(&s->lock);
	return ret;
}

void service_turn(struct service *s)
{
	struct symbols *it;

	while (s && (it = ended_map(s)))
		symbols_end_map(it);
}

/* Warns of interpreters that are not supported, of files that stacks have. */
static void report_refused(struct service *s)
{
	pthread_mutex_lock(&s->lock);
	for (uint32_t i = 0; i < s->nfiles; i++)
		if (*s->files[i].refused && s->files[i].is_shown)
			say_warn("E_SKIPPED", "doc/script-stacks.md has the versions that are",
				 "stacks have no frames of scripts that '%s' runs: %s, as it was "
				 "built, is not supported", s->files[i].path, s->files[i].refused);
	pthread_mutex_unlock(&s->lock);
}

void service_report(struct service *s)
{
	unsigned mb, n = s ? symbols_left_out(&mb) : 0;

	if (n)
		say_warn("E_LIMIT", "take stacks of fewer processes: -x PID, or a condition in the "
			 "script",
			 "%u file%s of processes %s no names in stacks: names have at most %u MB, "
			 "and 512 files that name code made at run time are open at a time", n,
			 plural_s(n), n == 1 ? "has" : "have", mb);
	if (s)
		report_refused(s);
}

/* The file of a frame; all zero: it has none. */
static struct service_file file_of(struct service *s, uint64_t word)
{
	uint64_t number = word >> PRT_FRAME_FILE;
	struct service_file ret = { 0 };

	if (!s || !number)
		return ret;
	pthread_mutex_lock(&s->lock);
	if (number <= s->nfiles) {
		s->files[number - 1].is_shown = true;
		ret = s->files[number - 1];
	}
	pthread_mutex_unlock(&s->lock);
	return ret;
}

/* An address of the instruction of a frame. */
static uint64_t inside(uint64_t word)
{
	return (word & PRT_FRAME_ADDRESS) - (word & PRT_FRAME_CALL ? 1 : 0);
}

struct service_frame service_frame(struct service *s, uint64_t word)
{
	struct service_frame ret = { .address = word & PRT_FRAME_ADDRESS };
	struct service_file file = file_of(s, word);
	struct symbol symbol;

	ret.path = file.path;
	if (!file.symbols || !symbols_find(file.symbols, inside(word), &symbol))
		return ret;
	ret.function = symbol.name;
	ret.offset = ret.address - symbol.start;
	ret.size = symbol.size;
	return ret;
}

size_t service_lines(struct service *s, uint64_t word, const struct line_frame **ret)
{
	return lines_find(file_of(s, word).lines, inside(word), ret);
}

bool service_script(struct service *s, uint64_t word, struct script_frame *ret)
{
	if (!(word & PRT_FRAME_SCRIPT))
		return false;
	*ret = script_names_frame(s ? s->scripts : NULL, word);
	return true;
}
