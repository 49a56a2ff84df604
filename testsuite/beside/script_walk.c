/* SPDX-License-Identifier: GPL-2.0 */
/*
 * script_walk COMMAND... - runs a command, and at each write() of one of its threads to descriptor
 * 99, or a copy of it, walks that thread's stack, both by unwind tables and by the table of its
 * interpreter, as the kernel half does. What is written is the program's own account of its stack,
 * for script_walk.awk. Prints for each point:
 *   point LOOPS GROUPS END STEPS       loops in the native stack; groups of the script's frames;
 *                                      operations, with the numbers remembered
 *   = FUNCTION <tab> FILE <tab> LINE   a frame, the innermost first
 *   -                                  the next ones belong to the next frame of the loop
 *   > TEXT                             a line of what was written
 * An object that is described otherwise when it is met again with the same key is "stale", and so
 * are a number that is remembered, and frames that are taken because they have come before. Used by
 * host/script-perl and host/script-php.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/script_check.h"
#include "runtime/script_step.h"
#include "runtime/unwind_step.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"
#include "shared/memory.h"
#include "unwind/mappings.h"

enum { JUDGE = 99, NATIVE_FRAMES = 4096, OBJECTS = 1 << 16, FOUND = 4096, TEXT_MAX = 1 << 16 };

static bool read_bytes(pid_t pid, uint64_t address, void *to, size_t n)
{
	struct iovec into = { to, n }, from = { (void *)(uintptr_t)address, n };

	return process_vm_readv(pid, &into, 1, &from, 1, 0) == (ssize_t)n;
}

static bool read_word(void *arg, prt_u64 address, prt_u64 *ret)
{
	return read_bytes(*(pid_t *)arg, address, ret, sizeof(*ret));
}

static bool read_sized(void *arg, prt_u64 address, unsigned size, prt_u64 *ret)
{
	*ret = 0;
	return read_bytes(*(pid_t *)arg, address, ret, 1u << size);
}

/* ---- the process ---- */

/* The tables of a file; they are made once. */
struct tables {
	const struct mapped_file *file;
	struct prt_script_table *script;
	uint32_t keys;
	struct tables *next;
};

struct interpreter {
	const struct prt_script_table *table; /* NULL: the process has none */
	uint64_t bias;
	uint32_t keys;
};

static const struct tables *tables_of(const struct mapped_file *file)
{
	static struct tables *all;
	char refused[SCRIPT_VERSION_MAX] = "";
	struct tables *t = all;

	while (t && t->file != file)
		t = t->next;
	if (t)
		return t;
	t = memory_zeroed(1, sizeof(*t));
	t->file = file;
	if (file->fd >= 0 && file->segments) {
		t->script = script_table(file->fd, refused);
		t->keys = script_keys(file->fd);
	}
	if (*refused)
		printf("refused: %s\n", refused);
	if (t->script && !prt_script_ok(t->script, t->script->size)) {
		fprintf(stderr, "the table for %s is damaged\n", file->path);
		exit(1);
	}
	t->next = all;
	return all = t;
}

static struct interpreter interpreter_of(const struct mappings *m)
{
	struct interpreter ret = { 0 };

	for (size_t i = 0; i < m->n; i++) {
		const struct tables *t = m->v[i].file ? tables_of(m->v[i].file) : NULL;

		if (t && t->script && !ret.table) {
			ret.table = t->script;
			ret.bias = m->v[i].bias;
		}
		if (t && t->keys)
			ret.keys = t->keys;
	}
	return ret;
}

/* ---- the native stack ---- */

static const struct prt_unwind_rule *rule_at(const struct mappings *m, uint64_t address)
{
	const struct mapping *it = mappings_find(m, address);

	return it && it->file && it->file->table ?
	       prt_unwind_find(it->file->table, address - it->bias) : NULL;
}

static bool in_loop(const struct interpreter *in, uint64_t address, bool *through)
{
	const struct prt_script_range *range = prt_script_ranges(in->table);

	address -= in->bias;
	for (unsigned i = 0; i < in->table->nranges; i++)
		if (address >= range[i].start &&
		    address < (range[i].end & ~PRT_SCRIPT_THROUGH)) {
			*through = range[i].end & PRT_SCRIPT_THROUGH;
			return true;
		}
	return false;
}

static unsigned count_loops(pid_t pid, const struct mappings *m, const struct interpreter *in,
			    const struct user_regs_struct *r)
{
	struct prt_unwind_frame f = {
		.r = { r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp, r->r8,
		       r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15 },
		.ip = r->rip, .thread = r->fs_base, .is_inner = true,
		.known = PRT_UNWIND_ALL | PRT_UNWIND_THREAD_KNOWN,
	};
	enum prt_unwind_result end = PRT_UNWIND_CALLER;
	bool is_joined = false, through;
	unsigned n = 0, last = 0;

	for (unsigned i = 0; i < NATIVE_FRAMES && end == PRT_UNWIND_CALLER; i++) {
		uint64_t address = prt_unwind_address(&f);
		struct prt_unwind_plan plan = prt_unwind_plan_of(rule_at(m, address), 0xff);

		if (in_loop(in, address, &through)) {
			n += !through && !is_joined;
			is_joined = through && (is_joined || (n && last + 1 == i));
			last = through ? last : i;
		}
		end = prt_unwind_step(&f, &plan, read_word, &pid);
	}
	if (end != PRT_UNWIND_LAST)
		printf("native stack ends early: %u\n", end);
	return n;
}

/* ---- the script's ---- */

struct described {
	uint64_t key;
	size_t size;
	unsigned char *bytes;
};

static struct described objects[OBJECTS];
static size_t nobjects;

static size_t string_length(pid_t pid, uint64_t address)
{
	char c;
	size_t n = 0;

	while (n < TEXT_MAX && read_bytes(pid, address + n, &c, 1) && c)
		n++;
	return n;
}

/* Appends a piece of a description, as the kernel half does. */
static size_t add_piece(pid_t pid, const struct prt_script_run *s, unsigned char *to)
{
	const struct prt_script_op *op = prt_script_last(s);
	struct prt_script_piece piece = { .kind = op->c };
	unsigned char *content = to + sizeof(piece);

	if (op->op == PRT_SCRIPT_NUMBER) {
		piece.len = 8;
		memcpy(content, &s->r[op->a], 8);
	} else {
		uint64_t n = op->op == PRT_SCRIPT_STRING ? string_length(pid, s->r[op->a]) :
			     op->n == PRT_SCRIPT_UTF8 ? s->r[op->b] :
							s->r[op->b] * (unsigned)op->n;

		piece.width = op->op == PRT_SCRIPT_STRING ? 1 : (prt_u8)op->n;
		piece.len = n > TEXT_MAX ? TEXT_MAX : (prt_u32)n;
		piece.cut = n > TEXT_MAX;
		if (!read_bytes(pid, s->r[op->a], content, piece.len)) {
			piece.len = 0;
			piece.cut = 1;
		}
	}
	memcpy(to, &piece, sizeof(piece));
	memset(content + piece.len, 0, 8);
	return sizeof(piece) + ((piece.len + 7) & ~7u);
}

static size_t describe(pid_t pid, const struct prt_script_run *frame, unsigned char *to)
{
	struct prt_script_run s = prt_script_describing(frame);
	size_t size = 0;
	unsigned end;

	while (prt_script_next(&s, read_sized, &pid, &end) == PRT_SCRIPT_IS_PIECE)
		size += add_piece(pid, &s, to + size);
	if (end != PRT_SCRIPT_WHOLE)
		printf("description ends early: %u\n", end);
	return size;
}

static void check_stale(uint64_t key, const unsigned char *bytes, size_t size)
{
	size_t i = 0;

	while (i < nobjects && objects[i].key != key)
		i++;
	if (i < nobjects) {
		if (objects[i].size != size || memcmp(objects[i].bytes, bytes, size) != 0)
			printf("stale: key %" PRIx64 "\n", key);
		return;
	}
	if (nobjects == OBJECTS)
		return;
	objects[nobjects].key = key;
	objects[nobjects].size = size;
	objects[nobjects].bytes = memcpy(malloc(size), bytes, size);
	nobjects++;
}

static void show_frame(pid_t pid, const struct prt_script_run *s)
{
	static unsigned char bytes[PRT_SCRIPT_KINDS * (TEXT_MAX + 64)];
	const struct script_language *l = script_language_of(s->table->language);
	size_t size = describe(pid, s, bytes);
	struct script_object o;

	check_stale(prt_script_key(s), bytes, size);
	script_object_read(bytes, size, l, &o);
	printf("= %s\t%s\t%u\n", o.function, o.file, l->line(&o, prt_script_position(s)));
	script_object_free(&o);
}

struct remembered {
	uint64_t key;
	uint32_t number;
};

static struct remembered numbers[OBJECTS];
static size_t nnumbers;

static struct remembered *remembered(uint64_t key)
{
	for (size_t i = 0; i < nnumbers; i++)
		if (numbers[i].key == key)
			return &numbers[i];
	return NULL;
}

static void remember(const struct prt_script_run *s)
{
	uint64_t key = prt_script_key(s);
	const struct remembered *it = remembered(key);

	if (it && it->number != prt_script_number(s))
		puts("stale number");
	if (!it && nnumbers < OBJECTS)
		numbers[nnumbers++] = (struct remembered){ key, prt_script_number(s) };
}

/* ---- frames that come again ---- */

/* The frames of a run: keys of frames and positions; of a group's end, 0 and 0. */
struct found {
	uint64_t key[FOUND];
	uint32_t position[FOUND];
	size_t n;
};

static void add_found(struct found *f, uint64_t key, uint32_t position)
{
	if (f->n == FOUND)
		return;
	f->key[f->n] = key;
	f->position[f->n++] = position;
}

/* A frame as PRT_SCRIPT_SAME keeps it. */
struct kept {
	uint64_t frame, loaded[PRT_SCRIPT_SAME_LOADS], carried[PRT_SCRIPT_CARRIED];
	uint64_t key;
	uint32_t position;
	bool has_frame, is_valid;
	enum prt_script_event event;
	unsigned at, end, frames;
};

static struct kept kept[OBJECTS];

/* The entry of the frame at which the program is. */
static struct kept *kept_at(const struct prt_script_run *s)
{
	uint64_t frame = s->r[prt_script_last(s)->a];

	return &kept[(frame * 0x9e3779b97f4a7c15ull) >> 48];
}

/* Does the loads as the kernel half does; false: one of them fails. */
static bool load_all(pid_t pid, struct prt_script_run *s, uint64_t *loaded)
{
	const struct prt_script_op *op = prt_script_last(s);
	prt_u64 word;

	for (int i = 1; i <= op->n; i++) {
		if (!read_sized(&pid, s->r[op[i].b] + (prt_s64)op[i].n, 3, &word))
			return false;
		loaded[i - 1] = s->r[op[i].a] = word;
	}
	return true;
}

/* Ends the frame that is being kept, with an event at operation @at. */
static void keep(struct kept *new, const struct prt_script_run *s, enum prt_script_event event,
		 unsigned at, unsigned end)
{
	struct kept *to = &kept[(new->frame * 0x9e3779b97f4a7c15ull) >> 48];

	if (!new->is_valid || new->frames > 1)
		return;
	*to = *new;
	to->event = event;
	to->at = at;
	to->end = end;
	memcpy(to->carried, s->r, sizeof(to->carried));
}

/* The program is at PRT_SCRIPT_SAME. Takes the frame from what was kept, or begins to keep it.
 * Returns the event after it; PRT_SCRIPT_IS_FRAME: there is none. */
static enum prt_script_event take(pid_t pid, struct prt_script_run *s, struct kept *new,
				  struct found *f, unsigned *end)
{
	const struct prt_script_op *op = prt_script_last(s);
	uint64_t frame = s->r[op->a], loaded[PRT_SCRIPT_SAME_LOADS] = { 0 };
	const struct kept *it = kept_at(s);
	bool is_read = load_all(pid, s, loaded);

	if (is_read && it->is_valid && it->frame == frame &&
	    memcmp(it->loaded, loaded, (size_t)op->n * sizeof(*loaded)) == 0) {
		if (it->has_frame)
			add_found(f, it->key, it->position);
		memcpy(s->r, it->carried, sizeof(it->carried));
		s->at = it->at;
		*end = it->end;
		new->is_valid = false;
		return it->event;
	}
	*new = (struct kept){ .frame = frame, .is_valid = is_read };
	memcpy(new->loaded, loaded, sizeof(loaded));
	return PRT_SCRIPT_IS_FRAME;
}

/* Runs the program. @show: the frames are printed, and nothing that is remembered or kept is used,
 * but numbers are compared with what the program finds again. Returns the number of groups. */
static unsigned run(pid_t pid, const struct interpreter *in, uint64_t thread, bool show,
		    struct prt_script_run *s, struct found *f, unsigned *end)
{
	enum prt_script_event event;
	unsigned groups = 0;
	bool is_new = true;           /* a group's first frame is the next one */
	struct kept new = { 0 };
	size_t before;

	f->n = 0;
	prt_script_begin(s, in->table, in->bias, thread, in->keys);
	for (;;) {
		const struct remembered *it;

		event = prt_script_next(s, read_sized, &pid, end);
		if (event == PRT_SCRIPT_IS_SAME && !show) {
			keep(&new, s, event, (unsigned)(s->event - prt_script_ops(s->table)), 0);
			do {
				before = f->n;
				event = take(pid, s, &new, f, end);
				is_new &= f->n == before;
				if (event == PRT_SCRIPT_IS_SAME) {
					s->event = prt_script_ops(s->table) + s->at;
					s->at += 1 + (unsigned)s->event->n;
				}
			} while (event == PRT_SCRIPT_IS_SAME);
			if (event == PRT_SCRIPT_IS_FRAME)
				continue;
		} else if (event == PRT_SCRIPT_IS_YIELD || event == PRT_SCRIPT_IS_END) {
			keep(&new, s, event, s->at, *end);
			new.is_valid = false;
		}
		if (event == PRT_SCRIPT_IS_END)
			return groups + !is_new;
		if (event == PRT_SCRIPT_IS_MEMO) {
			it = show ? NULL : remembered(prt_script_key(s));
			if (it)
				prt_script_recall(s, it->number);
		} else if (event == PRT_SCRIPT_IS_REMEMBER) {
			remember(s);
		} else if (event == PRT_SCRIPT_IS_YIELD) {
			groups++;
			is_new = true;
			add_found(f, 0, 0);
			if (show)
				puts("-");
		} else if (event == PRT_SCRIPT_IS_FRAME) {
			is_new = false;
			new.frames++;
			new.has_frame = true;
			new.key = prt_script_key(s);
			new.position = prt_script_position(s);
			add_found(f, new.key, new.position);
			if (show)
				show_frame(pid, s);
		}
	}
}

static bool are_same(const struct found *a, const struct found *b)
{
	return a->n == b->n && memcmp(a->key, b->key, a->n * sizeof(*a->key)) == 0 &&
	       memcmp(a->position, b->position, a->n * sizeof(*a->position)) == 0;
}

static void walk_script(pid_t pid, const struct interpreter *in, uint64_t thread, unsigned loops)
{
	struct prt_script_run s;
	static struct found plain, again;
	unsigned groups, end = 0;
	FILE *out = stdout;
	char *frames;
	size_t size;

	stdout = open_memstream(&frames, &size);
	run(pid, in, thread, true, &s, &plain, &end);
	fclose(stdout);
	stdout = out;
	groups = run(pid, in, thread, false, &s, &again, &end);
	printf("point %u %u %u %u\n%s", loops, groups, end, PRT_SCRIPT_STEPS - s.left, frames);
	free(frames);
	if (!are_same(&plain, &again))
		puts("stale frames");
}

/* ---- tracing ---- */

static void show_written(pid_t pid, const struct user_regs_struct *r)
{
	static char text[TEXT_MAX];
	size_t n = r->rdx < sizeof(text) ? r->rdx : sizeof(text);

	if (!read_bytes(pid, r->rsi, text, n))
		return;
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && text[end] != '\n';)
			end++;
		printf("> %.*s\n", (int)(end - i), text + i);
	}
}

static void at_point(pid_t pid, struct mapped_files *files, const struct user_regs_struct *r)
{
	struct interpreter in;
	struct mappings m;

	if (mappings_read(files, pid, mappings_open(pid), &m) != 0)
		exit(1);
	in = interpreter_of(&m);
	if (in.table)
		walk_script(pid, &in, r->fs_base, count_loops(pid, &m, &in, r));
	else
		puts("no interpreter");
	show_written(pid, r);
	mappings_deinit(&m);
}

static struct stat judged;

/* Whether a descriptor is JUDGE or a copy of it. */
static bool is_judge(pid_t pid, unsigned long long fd)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%llu", (int)pid, fd);
	return stat(path, &st) == 0 && st.st_dev == judged.st_dev && st.st_ino == judged.st_ino;
}

static bool is_entry(pid_t pid, int status, struct user_regs_struct *r)
{
	return WSTOPSIG(status) == (SIGTRAP | 0x80) &&
	       ptrace(PTRACE_GETREGS, pid, NULL, r) == 0 && r->orig_rax == SYS_write &&
	       (int64_t)r->rax == -ENOSYS && is_judge(pid, r->rdi);
}

static pid_t start(char **command)
{
	int judge = memfd_create("judge", 0);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		dup2(judge, JUDGE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		execvp(command[0], command);
		_exit(127);
	}
	if (fstat(judge, &judged) != 0 || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
		exit(1);
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
	       (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL |
			PTRACE_O_TRACEEXEC));
	ptrace(PTRACE_SYSCALL, pid, NULL, NULL);
	return pid;
}

int main(int argc, char **argv)
{
	struct mapped_files files = { 0 };
	struct user_regs_struct r;
	int status, ret = 0;
	pid_t pid, first;

	if (argc < 2)
		return 2;
	first = start(argv + 1);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		int signal = WIFSTOPPED(status) ? WSTOPSIG(status) : 0;

		if (!WIFSTOPPED(status)) {
			if (pid == first)
				ret = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
			continue;
		}
		if (is_entry(pid, status, &r))
			at_point(pid, &files, &r);
		/* Signals for the tracer are not passed on. */
		if (signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP)
			signal = 0;
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)signal);
	}
	mappings_free_files(&files);
	return ret;
}
