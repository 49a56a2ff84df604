/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs emitted C: probec -p3 and gcc compile each testsuite/emit/run.NAME.kp, which is linked with
 * the runtime for user space (testsuite/emit/build) and run; its output is compared with
 * run.NAME.out.
 *
 * -Wall -Wextra -Werror check that emitted C causes no warning. Runs in the top directory of the
 * tree.
 */
#include <stdbool.h>
#include <glob.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/subprocess.h"
#include "shared/buf.h"
#include "unit.h"

struct place {
	struct arena *a;
	char dir[64];
};

static int run(const char *const argv[], struct buf *out, struct buf *err)
{
	int status = subprocess_run(argv, NULL, out, err);

	if (status && err->len)
		print_message("%s: status %d\n%s\n", argv[0], status, err->s);
	return status;
}

static int build_runtime(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct buf err;

	buf_init(&err);
	p->a = arena_create();
	strcpy(p->dir, "/tmp/probec.emit.XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	*state = p;

	const char *const argv[] = {
		"testsuite/emit/build", arena_printf(p->a, "%s/run.o", p->dir), "run", NULL,
	};
	int status = run(argv, NULL, &err);

	buf_deinit(&err);
	return status ? -1 : 0;
}

static int remove_runtime(void **state)
{
	struct place *p = *state;
	const char *const argv[] = { "rm", "-rf", p->dir, NULL };

	subprocess_run(argv, NULL, NULL, NULL);
	arena_destroy(p->a);
	free(p);
	return 0;
}

static bool write_file(const char *path, const struct buf *b)
{
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(b->s, 1, b->len, f) == b->len;

	return (f && !fclose(f)) && ok;
}

/* Emits and builds one script. Returns whether there is a program to run. */
static bool build(struct place *p, const char *script, const char *program)
{
	const char *c = arena_printf(p->a, "%s/script.c", p->dir);
	const char *const emit[] = { "./probec", "--color=never", "-p3", script, NULL };
	const char *const compile[] = {
		"gcc", "-std=gnu11", "-DPRT_IN_USER_SPACE", "-g", "-O2", "-fwrapv",
		"-Wall", "-Wextra", "-Werror",
		"-Iruntime/abi", "-o", program, c,
		arena_printf(p->a, "%s/run.o", p->dir), "-lpthread", "-lm", NULL,
	};
	struct buf out, err;
	bool ok;

	buf_init(&out);
	buf_init(&err);
	ok = !run(emit, &out, &err) && write_file(c, &out) && !run(compile, NULL, &err);
	buf_deinit(&out);
	buf_deinit(&err);
	return ok;
}

static bool same(struct place *p, const char *script, const struct buf *out)
{
	size_t n = strlen(script) - strlen("kp");
	struct source *want = source_from_file(p->a, arena_printf(p->a, "%.*sout", (int)n, script));
	const char *got = out->len ? out->s : "";

	if (want && want->len == out->len && memcmp(want->text, got, out->len) == 0)
		return true;
	print_message("%s: expected\n%sgot\n%s", script, want ? want->text : "(no .out file)\n",
		      got);
	return false;
}

static bool run_script(struct place *p, const char *script)
{
	const char *program = arena_printf(p->a, "%s/script", p->dir);
	const char *const argv[] = { "timeout", "20", program, NULL };
	struct buf out, err;
	bool ok = build(p, script, program);

	buf_init(&out);
	buf_init(&err);
	ok = ok && !run(argv, &out, &err) && same(p, script, &out);
	if (!ok)
		print_message("FAIL %s\n", script);
	buf_deinit(&out);
	buf_deinit(&err);
	return ok;
}

TEST_WITH(scripts, build_runtime, remove_runtime)
{
	glob_t g;
	size_t failed = 0;

	if (access("./probec", X_OK))
		skip();
	assert_int_equal(glob("testsuite/emit/run.*.kp", 0, NULL, &g), 0);
	for (size_t i = 0; i < g.gl_pathc; i++)
		failed += !run_script(*state, g.gl_pathv[i]);
	globfree(&g);
	assert_int_equal(failed, 0);
}
