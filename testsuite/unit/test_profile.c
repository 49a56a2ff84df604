/* SPDX-License-Identifier: GPL-2.0 */
/* Saved stacks: frames with their kinds, modules and addresses, the tree, the limits. */
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "profile/tree.h"
#include "shared/buf.h"
#include "unit.h"

#define VFS "\"address\":\"0xffffffff81000010\",\"symbol\":\"vfs_read\",\"module\":\"kernel\""
#define HOOK "\"address\":\"0xffffffffc0000010\",\"symbol\":\"hook\",\"module\":\"nf\""
#define LIBC "\"address\":\"0x7f0000001000\",\"object\":\"/lib/libc.so.6\",\"kind\":\"user\""
#define MAIN "\"address\":\"0x401000\",\"symbol\":\"main(int)\",\"module\":\"/bin/a\""

static struct arena *arena;

static int setup(void **state)
{
	(void)state;
	arena = arena_create();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_destroy(arena);
	return 0;
}

/* Reads @text. Returns the text of the error, or NULL. */
static const char *take(const char *text, struct profile *ret)
{
	struct diag *d = diag_create(arena, 0);
	int fd = memfd_create("profile", 0), status;
	const char *why;

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	diag_hold(d);
	status = profile_read(arena, d, arena_printf(arena, "/proc/self/fd/%d", fd), ret);
	why = diag_held_text(d);
	assert_int_equal(status != 0, why != NULL);
	diag_release(d);
	close(fd);
	return why;
}

/* The first stack of @text as "kind:name@module/address ... =count,sum". */
static const char *first(const char *text)
{
	struct profile_stack s;
	struct profile p;
	const char *out = "";

	assert_null(take(text, &p));
	s = ((struct profile_set *)p.sets.first->value)->stacks.v[0];
	for (size_t i = 0; i < s.n; i++) {
		const struct profile_frame *f = s.steps[i].frame;

		out = arena_printf(arena, "%s%c:%s@%s/%lx ", out, "ukyn"[f->kind], f->name,
				   f->module ? f->module : "", (unsigned long)s.steps[i].address);
	}
	return arena_printf(arena, "%s=%lu,%lu", out, (unsigned long)s.count,
			    (unsigned long)s.sum);
}

TEST_WITH(frames, setup, teardown)
{
	assert_string_equal(first("a b;main;vfs_read_[k];--;[lost stack] 7\n"),
			    "u:a b@/0 u:main@/0 k:vfs_read@/0 n:--@/0 n:[lost stack]@/0 =0,7");
	assert_string_equal(first("_[k] 7"), "u:_[k]@/0 =0,7");
	assert_string_equal(first("{\"type\":\"global\",\"name\":\"n\",\"keys\":[\"a\",[{" VFS
				  "},{" HOOK "},{\"missing\":\"x\"},{" MAIN "}],-3],"
				  "\"value\":{\"count\":2,\"sum\":9}}"),
			    "y:a@/0 u:main(int)@/bin/a/401000 n:[missing frames]@/0 "
			    "k:hook@nf/ffffffffc0000010 k:vfs_read@/ffffffff81000010 y:-3@/0 =2,9");
	assert_string_equal(first("{\"type\":\"global\",\"name\":\"n\",\"keys\":[[{" LIBC
				  "}]],\"value\":9}"),
			    "u:[unknown]@/lib/libc.so.6/7f0000001000 =0,9");
	assert_string_equal(first("n[\"a,\"b\",\n 0xffffffff81000010 : vfs_read+0x0/0x9 [kernel]\n"
				  " ... more\n"
				  " 0x401000 : operator+(A [3])+0x1/0x2 [/bin/a]\n,-3]=4"),
			    "y:a,\"b@/0 u:operator+(A [3])@/bin/a/401000 n:[missing frames]@/0 "
			    "k:vfs_read@/ffffffff81000010 y:-3@/0 =0,4");
}

/* Functions that are inlined, and source lines. */
TEST_WITH(inlined, setup, teardown)
{
	assert_string_equal(first("a;b_[i];read_[k];get_[i];put_[i];c 7\n"),
			    "u:a@/0 u:b@/0 k:read@/0 k:get@/0 k:put@/0 u:c@/0 =0,7");
	assert_string_equal(first("n[\n"
				  " 0xffffffff81000010 : get [inlined] [kernel] at a] at b.h:3\n"
				  " 0xffffffff81000010 : vfs_read+0x0/0x9 [kernel] at b.c:4\n"
				  " 0x401000 : put(A [3]) [inlined] [/bin/a] at /a b.c:5\n"
				  " 0x401000 : main+0x1/0x2 [/bin/a]\n]=4"),
			    "u:main@/bin/a/401000 u:put(A [3])@/bin/a/401000 "
			    "k:vfs_read@/ffffffff81000010 k:get@/ffffffff81000010 =0,4");
}

TEST_WITH(tree, setup, teardown)
{
	struct tree_node *n;
	struct profile p;

	assert_null(take("b;x 1\na 2\nb;c 4\nb 8\na_[k] 16\nz 0\n", &p));
	n = tree_build(arena, p.sets.first->value, false);
	assert_int_equal(n->value, 31);
	n = n->child;
	assert_string_equal(n->frame->name, "a");
	assert_int_equal(n->frame->kind, FRAME_USER);
	n = n->next;
	assert_int_equal(n->frame->kind, FRAME_KERNEL);
	assert_int_equal(n->start, 2);
	n = n->next;
	assert_int_equal(n->start, 18);
	assert_int_equal(n->value, 13);
	assert_null(n->next);
	assert_string_equal(n->child->frame->name, "c");
	assert_int_equal(n->child->next->start, 22);
}

TEST_WITH(limits, setup, teardown)
{
	struct profile p;
	struct buf b;

	assert_null(take("a 9223372036854775807\n", &p));
	assert_string_equal(take("a 9223372036854775808\n", &p),
			    "not a number up to 9223372036854775807");
	assert_string_equal(take("a 1\na 9223372036854775807\n", &p),
			    "the sum of the numbers up to here does not fit in 63 bits");
	buf_init(&b);
	for (int i = 0; i < 4095; i++)
		buf_puts(&b, "f;");
	buf_puts(&b, "f 1");
	assert_null(take(b.s, &p));
	b.len -= 3;
	buf_puts(&b, "f;f 1");
	assert_string_equal(take(b.s, &p), "a stack of 4097 frames; at most 4096 are possible");
	buf_deinit(&b);
}
