/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scripted N COMMAND... - starts a program that knows its own stack, and compares it with the one
 * that the tables of loader/scripts/ find in its memory. The program writes
 *   FUNCTION<tab>FILE<tab>LINE    for each frame, innermost first, then
 *   THREAD                        the number of the thread that waits
 * and reads a byte. That is a point; after N points, the program is ended. Prints the first points
 * that differ, and then
 *   COUNT points COUNT same COUNT frames COUNT objects COUNT seen again
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

/* A frame that was seen: PRT_SCRIPT_SAME. Each one is kept, so that this is hard on programs whose
 * loads do not tell two frames apart. */
struct seen_frame {
	uint64_t address, loaded[PRT_SCRIPT_SAME_LOADS], carried[PRT_SCRIPT_CARRIED];
	char *text;               /* "": there is no frame */
	uint32_t at;
	enum prt_script_event event; /* PRT_SCRIPT_IS_PIECE: it is not complete */
	unsigned end;
};

static struct seen_frame *seen;
static size_t nseen, seen_room, again;

static struct seen_frame *seen_at(uint64_t address)
{
	for (size_t i = 0; i < nseen; i++)
		if (seen[i].address == address)
			return &seen[i];
	memory_grow(seen, nseen, seen_room, 64);
	seen[nseen] = (struct seen_frame){ .address = address, .event = PRT_SCRIPT_IS_PIECE };
	return &seen[nseen++];
}

/* Does the loads that belong to the operation. Returns whether they load what they did before; then
 * it stands in @it what they load now. */
static bool load_seen(struct prt_script_run *run, pid_t pid, struct seen_frame *it)
{
	const struct prt_script_op *op = prt_script_last(run);
	bool is_same = it->event != PRT_SCRIPT_IS_PIECE;

	for (int i = 0; i < op->n; i++) {
		const struct prt_script_op *load = op + 1 + i;
		uint64_t word = 0;

		if (!read_bytes(pid, run->r[load->b] + (uint64_t)(int64_t)load->n, &word, 8))
			is_same = false;
		is_same &= word == it->loaded[i];
		it->loaded[i] = run->r[load->a] = word;
	}
	return is_same;
}

/* The program goes on where the frame ended that was seen. */
static void take_seen(struct prt_script_run *run, const struct seen_frame *it)
{
	memcpy(run->r, it->carried, sizeof(it->carried));
	run->at = it->at;
	if (it->event != PRT_SCRIPT_IS_SAME)
		return;
	run->event = &prt_script_ops(run->table)[it->at];
	run->at += 1 + (uint32_t)run->event->n;
}

static void end_seen(struct seen_frame *it, const struct prt_script_run *run, const char *text,
		     enum prt_script_event event, unsigned end)
{
	if (event == PRT_SCRIPT_IS_END && end != PRT_SCRIPT_WHOLE)
		return;
	free(it->text);
	it->text = strdup(text);
	it->event = event;
	it->end = end;
	it->at = event == PRT_SCRIPT_IS_SAME ?
			 (uint32_t)(run->event - prt_script_ops(run->table)) : run->at;
	memcpy(it->carried, run->r, sizeof(it->carried));
}

static void put_frame(struct buf *to, struct prt_script_run *run, pid_t pid)
{
	const struct script_language *l = script_language_of(run->table->language);
	const struct script_object *o = object_of(run, pid);

	buf_printf(to, "%s\t%s\t%u\n", o->function, o->file,
		   l->line(o, prt_script_position(run)));
}

/* Writes the thread's frames of scripts as the program does. Returns their number. */
static unsigned write_frames(struct prt_script_run *run, pid_t pid, struct buf *to, unsigned *end)
{
	enum prt_script_event event = prt_script_next(run, read_word, &pid, end);
	ssize_t keep = -1;        /* the frame that is seen now: its number, */
	size_t from = 0;          /* and where its text begins */
	unsigned n = 0;

	for (;;) {
		bool is_over = event == PRT_SCRIPT_IS_SAME || event == PRT_SCRIPT_IS_YIELD ||
			       event == PRT_SCRIPT_IS_END;

		if (keep >= 0 && is_over) {
			end_seen(&seen[keep], run, to->s + from, event, *end);
			keep = -1;
		}
		if (event == PRT_SCRIPT_IS_END)
			return n;
		if (event == PRT_SCRIPT_IS_FRAME) {
			put_frame(to, run, pid);
			n++;
		} else if (event == PRT_SCRIPT_IS_SAME) {
			struct seen_frame *it = seen_at(run->r[prt_script_last(run)->a]);

			if (load_seen(run, pid, it)) {
				buf_puts(to, it->text);
				n += *it->text != '\0';
				again++;
				*end = it->end;
				event = it->event;
				take_seen(run, it);
				continue;
			}
			it->event = PRT_SCRIPT_IS_PIECE;
			keep = it - seen;
			from = to->len;
		}
		event = prt_script_next(run, read_word, &pid, end);
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
	printf("%lu points %lu same %lu frames %zu objects %zu seen again\n", n, same, frames,
	       nobjects, again);
	return n && same == n ? 0 : 1;
}
