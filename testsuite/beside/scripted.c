/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scripted N COMMAND... - starts a program that knows its own stack, and compares it with the one
 * that the tables of loader/scripts/ find in its memory. The program writes
 *   FUNCTION<tab>FILE<tab>LINE    for each frame, innermost first, then
 *   THREAD                        the number of the thread that waits
 * and reads a byte. That is a point; after N points, the program is ended. Prints the first points
 * that differ, and then
 *   COUNT points COUNT same COUNT frames COUNT objects
 * Status 0: all are the same. Used by host/script-frames.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/script_check.h"
#include "runtime/script_step.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"
#include "shared/buf.h"
#include "shared/memory.h"
#include "unwind/mappings.h"

enum { SHOWN = 3, FILES = 256, DESCRIPTION = 1 << 16 };

/* A file of the process. */
struct interpreter {
	const struct mapped_file *file;
	struct prt_script_table *table;
	uint32_t keys;
};

static struct interpreter files[FILES];
static size_t nfiles;

static const struct interpreter *interpreter_of(const struct mapped_file *f)
{
	struct interpreter *it = files;
	char refused[SCRIPT_VERSION_MAX] = "";

	for (; it < files + nfiles; it++)
		if (it->file == f)
			return it;
	if (nfiles == FILES)
		abort();
	*it = (struct interpreter){ .file = f };
	nfiles++;
	if (f->fd >= 0) {
		it->table = script_table(f->fd, refused);
		it->keys = script_keys(f->fd);
	}
	if (*refused)
		fprintf(stderr, "%s in %s is not supported\n", refused, f->path);
	if (it->table && !prt_script_ok(it->table, it->table->size)) {
		fprintf(stderr, "the table of %s is not valid\n", f->path);
		exit(2);
	}
	return it;
}

static bool read_bytes(pid_t pid, uint64_t address, void *to, size_t size)
{
	struct iovec local = { to, size };
	struct iovec remote = { (void *)(uintptr_t)address, size };

	return !size || process_vm_readv(pid, &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static bool read_word(void *arg, prt_u64 address, unsigned size, prt_u64 *ret)
{
	*ret = 0;
	return read_bytes(*(pid_t *)arg, address, ret, 1u << size);
}

/* ---- objects ---- */

static void put_piece(struct buf *to, const struct prt_script_piece *piece, const void *bytes)
{
	static const char zero[8];

	buf_write(to, piece, sizeof(*piece));
	buf_write(to, bytes, piece->len);
	buf_write(to, zero, -piece->len & 7u);
}

static size_t string_length(pid_t pid, uint64_t address, char *to, size_t most)
{
	size_t n = 0;

	while (n < most && read_bytes(pid, address + n, to + n, 1) && to[n])
		n++;
	return n;
}

static void describe(struct prt_script_run *run, pid_t pid, struct buf *to)
{
	static char bytes[DESCRIPTION];
	unsigned end;

	while (prt_script_next(run, read_word, &pid, &end) == PRT_SCRIPT_IS_PIECE) {
		const struct prt_script_op *op = prt_script_last(run);
		struct prt_script_piece piece = { .kind = op->c };
		uint64_t at = run->r[op->a];

		if (op->op == PRT_SCRIPT_NUMBER) {
			piece.len = 8;
			put_piece(to, &piece, &at);
			continue;
		}
		piece.width = op->op == PRT_SCRIPT_TEXT ? (prt_u8)op->n : 1;
		if (op->op == PRT_SCRIPT_STRING)
			piece.len = (prt_u32)string_length(pid, at, bytes, sizeof(bytes));
		else if (run->r[op->b] <= sizeof(bytes) / piece.width &&
			 read_bytes(pid, at, bytes, run->r[op->b] * piece.width))
			piece.len = (prt_u32)(run->r[op->b] * piece.width);
		else
			piece.cut = 1;
		put_piece(to, &piece, bytes);
	}
}

/* Objects that were described: the kernel half does not describe one again whose key it knows. */
static struct {
	uint64_t key;
	struct script_object object;
} *objects;
static size_t nobjects, objects_room;

static const struct script_object *object_of(struct prt_script_run *run, pid_t pid)
{
	uint64_t key = prt_script_key(run);
	struct prt_script_run describing = prt_script_describing(run);
	struct buf b = { 0 };

	for (size_t i = 0; i < nobjects; i++)
		if (objects[i].key == key)
			return &objects[i].object;
	describe(&describing, pid, &b);
	memory_grow(objects, nobjects, objects_room, 64);
	objects[nobjects].key = key;
	script_object_read((const unsigned char *)b.s, b.len,
			   script_language_of(run->table->language), &objects[nobjects].object);
	buf_deinit(&b);
	return &objects[nobjects++].object;
}

/* ---- stacks ---- */

/* Writes the thread's frames of scripts as the program does. Returns their number. */
static unsigned write_frames(struct prt_script_run *run, pid_t pid, struct buf *to, unsigned *end)
{
	unsigned n = 0;

	for (;;) {
		const struct script_object *o;
		enum prt_script_event event = prt_script_next(run, read_word, &pid, end);

		/* Nothing is remembered. */
		if (event == PRT_SCRIPT_IS_YIELD || event == PRT_SCRIPT_IS_MEMO ||
		    event == PRT_SCRIPT_IS_REMEMBER)
			continue;
		if (event != PRT_SCRIPT_IS_FRAME)
			return n;
		o = object_of(run, pid);
		buf_printf(to, "%s\t%s\t%u\n", o->function, o->file,
			   script_language_of(run->table->language)
				   ->line(o, prt_script_position(run)));
		n++;
	}
}

static uint32_t keys_of(const struct mappings *m)
{
	uint32_t keys = 0;

	for (size_t i = 0; i < m->n && !keys; i++)
		keys = m->v[i].file ? interpreter_of(m->v[i].file)->keys : 0;
	return keys;
}

/* The stack of a thread of the process @pid that waits in a system call. */
static unsigned walk(struct mapped_files *mapped, pid_t pid, pid_t thread, struct buf *to)
{
	struct user_regs_struct regs;
	struct mappings m;
	unsigned n = 0, end = PRT_SCRIPT_NO_THREAD;
	const struct prt_script_table *last = NULL;
	int status;

	if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0 ||
	    ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0 ||
	    waitpid(thread, &status, __WALL) != thread ||
	    ptrace(PTRACE_GETREGS, thread, 0, &regs) != 0 ||
	    mappings_read(mapped, pid, mappings_open(pid), &m) != 0) {
		perror("stopping the thread");
		exit(2);
	}
	for (size_t i = 0; i < m.n; i++) {
		const struct interpreter *it =
			m.v[i].file ? interpreter_of(m.v[i].file) : NULL;
		struct prt_script_run run;

		if (!it || !it->table || it->table == last)
			continue;
		last = it->table;
		prt_script_begin(&run, it->table, m.v[i].bias, regs.fs_base, keys_of(&m));
		n += write_frames(&run, pid, to, &end);
		if (end != PRT_SCRIPT_WHOLE)
			buf_printf(to, "end %u\n", end);
	}
	mappings_deinit(&m);
	ptrace(PTRACE_DETACH, thread, 0, 0);
	return n;
}

/* ---- points ---- */

static pid_t start(char **command, FILE **from, int *to)
{
	int out[2], in[2];
	pid_t pid;

	if (pipe(out) != 0 || pipe(in) != 0)
		exit(2);
	pid = fork();
	if (!pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		for (int fd = 3; fd < 16; fd++)
			close(fd);
		execvp(*command, command);
		perror(*command);
		_exit(2);
	}
	close(out[1]);
	close(in[0]);
	*from = fdopen(out[0], "r");
	*to = in[1];
	return pid;
}

/* The stack that the program writes. Returns the thread; 0: the program has ended. */
static pid_t read_point(FILE *from, struct buf *to)
{
	char *line = NULL;
	size_t room = 0;
	pid_t thread = 0;

	while (!thread && getline(&line, &room, from) > 0) {
		if (strchr(line, '\t'))
			buf_puts(to, line);
		else
			thread = (pid_t)strtol(line, NULL, 10);
	}
	free(line);
	return thread;
}

int main(int argc, char **argv)
{
	struct mapped_files mapped = { 0 };
	unsigned long most = argc > 2 ? strtoul(argv[1], NULL, 10) : 0, n = 0, same = 0;
	unsigned long frames = 0;
	pid_t pid, thread;
	FILE *from;
	int to;

	if (!most)
		return 2;
	pid = start(argv + 2, &from, &to);
	for (; n < most; n++) {
		struct buf theirs = { 0 }, ours = { 0 };

		buf_puts(&theirs, "");
		buf_puts(&ours, "");
		thread = read_point(from, &theirs);
		if (!thread)
			break;
		frames += walk(&mapped, pid, thread, &ours);
		if (strcmp(theirs.s, ours.s) == 0)
			same++;
		else if (n - same < SHOWN)
			printf("the program's:\n%sours:\n%s\n", theirs.s, ours.s);
		buf_deinit(&theirs);
		buf_deinit(&ours);
		if (write(to, "\n", 1) != 1)
			break;
	}
	kill(pid, SIGKILL);
	printf("%lu points %lu same %lu frames %zu objects\n", n, same, frames, nobjects);
	return n && same == n ? 0 : 1;
}
