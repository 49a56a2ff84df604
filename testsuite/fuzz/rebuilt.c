/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/*
 * Finds the functions of a stripped program by their code in another build (--symbols). The input
 * is the size of the stripped one in two bytes, that file, and the other one. The corpus has two
 * builds of a small program.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "target/dwarf/dwarf.h"
#include "target/object/object.h"
#include "state.h"

/* Writes a file of @n bytes. Returns its path, owned by the arena. */
static const char *write_file(struct state *s, struct fuzz_input *in, size_t n, int *fd)
{
	n = n < in->left ? n : in->left;
	*fd = memfd_create("build", 0);
	FUZZ_MUST(*fd >= 0 && write(*fd, in->p, n) == (ssize_t)n);
	in->p += n;
	in->left -= n;
	return arena_printf(s->arena, "/proc/self/fd/%d", *fd);
}

static bool has_symbol(const struct program_file *o, const char *name)
{
	vec_each(it, &o->symbols)
		if (strcmp(it->name, name) == 0)
			return true;
	return false;
}

static void check(struct state *s, const struct program_file *o, const char *build)
{
	const char *why = NULL;
	const struct program_file *other = object_open(s, build, &why);

	FUZZ_MUST(other && o->other_build);
	vec_each(it, &o->symbols) {
		const struct object_symbol *at = object_symbol_at(o, it->address);

		FUZZ_MUST(it->name && at && at->address <= it->address);
	}
	vec_each(it, &o->unfound)
		FUZZ_MUST(has_symbol(other, it->name) && strlen(it->why) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state s = { .arena = arena_create() };
	struct fuzz_input in = { data, size };
	struct other_build one;
	struct program_file *o;
	const char *why = NULL;
	int fds[2];

	s.diag = diag_create(s.arena, 0);
	one.file = write_file(&s, &in, fuzz_number(&in, 2), &fds[0]);
	one.build = write_file(&s, &in, in.left, &fds[1]);
	vec_push(s.arena, &s.opt.other_builds, one);
	o = object_open(&s, one.file, &why);
	FUZZ_MUST(o || why);
	if (o && o->other_build)
		check(&s, o, one.build);
	dwarf_close(&s);
	object_close(&s);
	arena_destroy(s.arena);
	close(fds[0]);
	close(fds[1]);
	return 0;
}
