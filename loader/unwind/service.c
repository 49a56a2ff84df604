/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two threads meet here. The service's own reads mappings, compiles tables, and appends files to
 * `files`, which is in the order of their numbers; nothing of it changes later. The pump's asks
 * for names, which it reads from the files that it finds there.
 */
#include "unwind/service.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/alloc.h"
#include "common/say.h"
#include "device/device.h"
#include "records.h"
#include "unwind/lines.h"
#include "unwind/mappings.h"
#include "unwind/symbols.h"
#include "unwind/table_store.h"

/* A file that has a number. */
struct service_file {
	const char *path;
	struct symbols *symbols; /* NULL: it has none */
	struct lines *lines;     /* NULL: they are not wanted, or it has none */
};

struct service {
	struct device *device;
	bool names;              /* the runtime wants them */
	bool lines;              /* service_lines() is called */
	pthread_t thread;
	struct mapped_files mapped;
	pthread_mutex_t lock;    /* of the two below */
	struct service_file *files;  /* by number less 1 */
	uint32_t nfiles;
};

/* ---- the service's thread ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void append(struct service *s, const struct service_file *file)
{
	pthread_mutex_lock(&s->lock);
	s->files = alloc_resize(s->files, (s->nfiles + 1) * sizeof(*s->files));
	s->files[s->nfiles++] = *file;
	pthread_mutex_unlock(&s->lock);
}

/* Gives the runtime a file's tables; without the names, or without both, where it has no room:
 * walks end there, and addresses have no names. false: it knows nothing of the file. */
static bool give(struct service *s, struct prt_code_file_set *set)
{
	if (device_code_file(s->device, set) == 0)
		return true;
	if (set->names) {
		set->names = 0;
		if (device_code_file(s->device, set) == 0)
			return true;
	}
	set->table = 0;
	return device_code_file(s->device, set) == 0;
}

/* Gives a file its number. */
static void add_file(struct service *s, struct mapped_file *f)
{
	struct prt_code_file_set set = { .number = s->nfiles + 1 };
	struct service_file file = { .path = f->path };
	struct prt_name_table *names = NULL;
	bool given;

	strncpy(set.name, last_part(f->path), sizeof(set.name) - 1);
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
	given = give(s, &set);
	free(names);
	if (!given) {
		symbols_free(file.symbols);
		lines_free(file.lines);
		return;
	}
	f->number = set.number;
	free(f->table);
	f->table = NULL;
	close(f->fd);
	f->fd = -1;
	append(s, &file);
}

static void describe(struct service *s, const struct prt_space_wanted *wanted)
{
	struct prt_space_set set = { .wanted = *wanted };
	struct prt_space_range *ranges;
	struct mappings m;
	int fd = mappings_open((pid_t)wanted->pid);

	if (fd < 0 || mappings_read(&s->mapped, (pid_t)wanted->pid, fd, &m) != 0)
		return;
	if (m.n > PRT_SPACE_RANGES)
		m.n = PRT_SPACE_RANGES;
	ranges = alloc_array(m.n + 1, sizeof(*ranges));
	for (size_t i = 0; i < m.n; i++) {
		const struct mapping *it = &m.v[i];

		if (it->file && !it->file->number)
			add_file(s, it->file);
		ranges[i] = (struct prt_space_range){
			.start = it->start, .end = it->end, .bias = it->bias,
			.file = it->file ? it->file->number : 0,
		};
	}
	set.n = (uint32_t)m.n;
	set.ranges = (uintptr_t)ranges;
	device_space(s->device, &set);
	free(ranges);
	mappings_deinit(&m);
}

/* false: the session has ended, or nothing is wanted and @wait is not. */
static bool serve_once(struct service *s, bool wait)
{
	struct prt_space_wanted wanted = { .wait = wait };
	int err = device_space_wanted(s->device, &wanted);

	if (!err)
		describe(s, &wanted);
	return !err || err == -EINTR;
}

static void *serve(void *arg)
{
	while (serve_once(arg, true))
		;
	return NULL;
}

/* ---- the beginning and the end ---- */

/* Signals are for the other thread. */
struct service *service_start(struct device *d, bool names, bool lines)
{
	struct service *s = alloc_array(1, sizeof(*s));
	sigset_t all, old;
	int err;

	s->device = d;
	s->names = names;
	s->lines = lines;
	s->mapped.store = run_dir_make() == 0 ? TABLE_STORE : NULL;
	while (serve_once(s, false))
		;
	pthread_mutex_init(&s->lock, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&s->thread, NULL, serve, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return s;
	say_error("E_INTERNAL", NULL, "can't make a thread: %s", strerror(err));
	pthread_mutex_destroy(&s->lock);
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
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- names ---- */

/* The file of a frame; all zero: it has none. */
static struct service_file file_of(struct service *s, uint64_t word)
{
	uint64_t number = word >> PRT_FRAME_FILE;
	struct service_file ret = { 0 };

	if (!s || !number)
		return ret;
	pthread_mutex_lock(&s->lock);
	if (number <= s->nfiles)
		ret = s->files[number - 1];
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
