/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/* seeds: kp */
/*
 * Runs passes 1 to 3 on any text, on the made-up kernel of the unit tests and with the tapsets of
 * the tree. A script that is rejected must have reported an error; the printed form of a script
 * that is accepted must parse again and print the same text.
 */
#include "fuzz.h"

/* The fixture uses assertions; here they are without cmocka. */
#define CMOCKA_H_
#define assert_true(c) FUZZ_MUST(c)
#define assert_non_null(p) FUZZ_MUST(p)
#define assert_int_equal(a, b) FUZZ_MUST((a) == (b))
#define fail_msg(...) abort()

#include "../unit/locate_fixture.h"

#include <fcntl.h>

#include "analyse/analyse.h"
#include "ast/print.h"
#include "shared/buf.h"
#include "target/dwarf/dwarf.h"
#include "emit/emit.h"
#include "target/object/object.h"
#include "parse/parse.h"

static char arg_one[] = "12", arg_two[] = "word";
static char *args[] = { arg_one, arg_two, NULL };

/* Stores the target in an unnamed file, so that it disappears with the process, and returns its
 * path. */
static void open_target(char *name, size_t room)
{
	struct arena *a = arena_create();
	const char *path = fixture_target(a, WITH_ALL);
	int fd = open(path, O_RDONLY);

	FUZZ_MUST(fd >= 0);
	unlink(path);
	snprintf(name, room, "/proc/self/fd/%d", fd);
	arena_destroy(a);
}

static struct state *state_new(const char *target)
{
	struct state *s = fixture_session();

	s->opt.last_pass = 3;
	s->opt.guru = true;
	s->opt.argc = 2;
	s->opt.argv = args;
	s->opt.caps = (struct caps){ 512, 2048, 10000, 32, 0, 50, 50, 2, 5, 0, 16384, 5000 };
	s->tapset_dir = "tapsets";
	FUZZ_MUST(kernel_open(s, target, &s->kernel) == 0);
	return s;
}

static struct script *parse(struct state *s, const char *text, size_t len)
{
	struct script *sc = parse_source(s, source_from_text(s->arena, "fuzz", text, len));

	FUZZ_MUST(!sc == (diag_errors(s->diag) > 0));
	return sc;
}

/* Checks that -p1 of the output of -p1 is the same text. */
static void print_again(struct state *s, const char *target)
{
	struct state *other = state_new(target);
	struct script *again;
	struct buf one, two;

	buf_init(&one);
	buf_init(&two);
	print_script(&one, s->main);
	again = parse(other, one.s ? one.s : "", one.len);
	FUZZ_MUST(again);
	print_script(&two, again);
	FUZZ_MUST(one.len == two.len && (!one.len || memcmp(one.s, two.s, one.len) == 0));
	buf_deinit(&one);
	buf_deinit(&two);
	fixture_close(other);
}

static void analyse_and_emit(struct state *s)
{
	struct buf shown, c_text;

	if (analyse_program(s)) {
		FUZZ_MUST(diag_errors(s->diag));
		return;
	}
	buf_init(&shown);
	buf_init(&c_text);
	analyse_print(s, &shown);
	if (emit_program(s, &c_text))
		FUZZ_MUST(diag_errors(s->diag));
	buf_deinit(&c_text);
	buf_deinit(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char target[32];
	struct state *s;

	if (!*target)
		open_target(target, sizeof(target));
	s = state_new(target);
	s->opt.unoptimized = size & 1;
	s->main = parse(s, (const char *)data, size);
	if (s->main) {
		print_again(s, target);
		analyse_and_emit(s);
	}
	dwarf_close(s);
	object_close(s);
	fixture_close(s);
	return 0;
}
