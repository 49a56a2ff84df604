/* SPDX-License-Identifier: GPL-2.0 */
/* The answer of a host of probec --remote: taken as it should be, and refused otherwise. */
#include "base/arena.h"
#include "remote/private.h"
#include "unit.h"

#define NOTES "notes 04 00 00 00 02 00 00 00 03 00 00 00 47 4e 55 00 ab cd 00 00"

/* Takes lines that end with newlines. Returns the last result. */
static enum answer_result take(struct arena *a, struct host_answer *ret, const char *text)
{
	enum answer_result r = ANSWER_MORE;

	*ret = (struct host_answer){ .begun = false };
	for (const char *end; r == ANSWER_MORE && (end = strchr(text, '\n')); text = end + 1)
		r = answer_take(a, ret, text, (size_t)(end - text));
	return r;
}

TEST(takes)
{
	struct arena *a = arena_create();
	struct host_answer h;

	assert_int_equal(take(a, &h, "Welcome!\nready\nstart\n\nprobec-remote 1\n"
			      "release 6.1.0-4+b~1\nmachine x86_64\n" NOTES "\nready\n"),
			 ANSWER_READY);
	assert_string_equal(h.release, "6.1.0-4+b~1");
	assert_string_equal(h.build_id, "abcd");
	assert_int_equal(answer_take(a, &h, "start", 5), ANSWER_STARTED);
	assert_int_equal(take(a, &h, "probec-remote 1\nrelease 6.1\nmachine x86_64\nnotes\n"
			      "ready\n"), ANSWER_READY);
	assert_null(h.build_id);
	assert_int_equal(take(a, &h, "probec-remote 1\nfailed no room \033[31m\n"), ANSWER_WRONG);
	assert_string_equal(h.wrong, "no room ?[31m");
	arena_destroy(a);
}

TEST(refuses)
{
	static const char *const wrong[] = {
		"release ../6.1", "release .", "release -r", "release ", "release a/b",
		"release a b",
		"release \001", "release \303\244", "machine ../x", "nonsense", "ready",
		"release 6.1\nready", "release 6.1\nmachine aarch64\nready",
	};
	struct arena *a = arena_create();
	struct host_answer h;
	char line[200];

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		assert_int_equal(take(a, &h, arena_printf(a, "probec-remote 1\n%s\n", wrong[i])),
				 ANSWER_WRONG);
		assert_non_null(h.wrong);
	}
	memset(line, 'x', sizeof(line));
	assert_int_equal(take(a, &h, arena_printf(a, "probec-remote 1\nrelease %.*s\n",
						  (int)sizeof(line), line)), ANSWER_WRONG);
	arena_destroy(a);
}

/* Bytes of any kind, with and without the first line, end in an answer or in a refusal. */
TEST(survives)
{
	static const char *const words[] = { "release ", "machine ", "notes ", "failed ", "ready" };

	srand(1);
	for (int i = 0; i < 20000; i++) {
		struct arena *a = arena_create();
		struct host_answer h = { .begun = i % 8 != 0 };
		char line[96];
		size_t len = 0;

		if (i % 3)
			len = strlen(strcpy(line, words[i % 5]));
		for (size_t n = (size_t)rand() % 60; n; n--)
			line[len++] = (char)(i % 2 ? "0123456789abcdef "[rand() % 17] : rand());
		answer_take(a, &h, line, len);
		assert_true(strlen(h.release) < sizeof(h.release));
		arena_destroy(a);
	}
}

/* A host that prints without end is given up. */
TEST(gives_up)
{
	struct arena *a = arena_create();
	struct host_answer h = { .begun = false };
	char line[1000];
	int n = 0;

	memset(line, 'x', sizeof(line));
	while (answer_take(a, &h, line, sizeof(line)) == ANSWER_MORE)
		assert_true(n++ < 1000);
	assert_non_null(h.wrong);
	arena_destroy(a);
}
