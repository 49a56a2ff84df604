/* SPDX-License-Identifier: GPL-2.0 */
/* compiler/target/btf/btf_funcs.c: functions of BTF by name, from BTF itself and from the cache. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "base/arena.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "target/btf/btf.h"
#include "base/cache/file.h"
#include "target/kernel/kernel.h"
#include "unit.h"

enum { FUNCS = 60 };

/* Function i has i % 4 parameters. Every tenth function has a namesake with five parameters. */
static struct btf *make_btf(void)
{
	struct btf *b = btf__new_empty();
	int c_int = btf__add_int(b, "int", 4, BTF_INT_SIGNED);

	for (int i = 0; i < FUNCS + FUNCS / 10; i++) {
		int nr = i < FUNCS ? i * 7 % FUNCS : (i - FUNCS) * 10;
		int proto = btf__add_func_proto(b, c_int);
		char name[32];

		for (int j = 0; j < (i < FUNCS ? nr % 4 : 5); j++) {
			snprintf(name, sizeof(name), "p%d", j);
			btf__add_func_param(b, name, c_int);
		}
		snprintf(name, sizeof(name), "common_start_%d", nr);
		btf__add_func(b, name, BTF_FUNC_STATIC, proto);
	}
	return b;
}

static struct btf_db *open_db(struct arena *a, struct btf *b, const struct cache_file *at)
{
	struct btf_db *db;
	uint32_t size;
	const void *data = btf__raw_data(b, &size);

	assert_int_equal(btf_db_open(a, data, size, &db), 0);
	if (at)
		btf_db_set_cache(db, at);
	return db;
}

/* Makes every possible query. */
static void expect(struct btf_db *db, struct arena *a)
{
	const struct btf_func *found;
	const char *const *names;
	char name[32];

	for (int i = 0; i < FUNCS; i++) {
		snprintf(name, sizeof(name), "common_start_%d", i);

		size_t n = btf_db_funcs(db, name, &found);

		assert_int_equal(n, i % 10 ? 1 : 2);
		assert_int_equal(found[0].of, n);
		assert_int_equal(btf_func_nparams(&found[0]), i % 4);
		if (n == 2)
			assert_int_equal(btf_func_nparams(&found[1]), 5);
	}
	assert_int_equal(btf_db_funcs(db, "common_start_", &found), 0);
	assert_int_equal(btf_db_funcs(db, "common_start_99", &found), 0);
	assert_int_equal(btf_db_funcs(db, "a", &found), 0);
	assert_int_equal(btf_db_funcs(db, "z", &found), 0);
	assert_true(btf_db_knows_namesakes(db));
	assert_int_equal(btf_db_func_names(db, a, "*", &names), FUNCS);
	assert_int_equal(btf_db_func_names(db, a, "*_4?", &names), 10);
	assert_int_equal(btf_db_func_names(db, a, "common_start_1*", &names), 11);
	assert_string_equal(names[0], "common_start_1");
	assert_string_equal(names[10], "common_start_19");
	assert_int_equal(btf_db_func_names(db, a, "[a-b]*", &names), 0);
}

TEST(made)
{
	struct arena *a = arena_create();
	struct btf *b = make_btf();
	struct btf_db *db = open_db(a, b, NULL);

	expect(db, a);
	btf_db_close(db);
	btf__free(b);
	arena_destroy(a);
}

/* The header of BTF as Linux 7.2 has it, whichever headers there are here. */
struct wide_head {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len, layout_off, layout_len;
};

enum { NEW_KIND = 40, MANY = 0x10001 };

/* The same BTF with one more type, of a kind that nobody knows yet, with more elements of 8 bytes
 * than 16 bits can count, and with the sizes of this kind. */
static void *with_new_kind(struct btf *b, size_t *size)
{
	uint32_t old_size;
	const struct wide_head *old = btf__raw_data(b, &old_size);
	const char *sections = (const char *)old + old->hdr_len;
	uint32_t added[3 + 1 + 2 * MANY] = { 0, (uint32_t)NEW_KIND << 24 | MANY };
	unsigned char layout[(NEW_KIND + 1) * 4] = { 0 };
	struct wide_head head = {
		old->magic, old->version, .hdr_len = sizeof(head),
		.type_len = old->type_len + (uint32_t)sizeof(added),
		.layout_off = old->type_len + (uint32_t)sizeof(added),
		.layout_len = sizeof(layout),
		.str_off = old->type_len + (uint32_t)(sizeof(added) + sizeof(layout)),
		.str_len = old->str_len,
	};
	char *ret = malloc(sizeof(head) + head.str_off + head.str_len), *p = ret;

	assert_non_null(ret);
	layout[NEW_KIND * 4] = 4;
	layout[NEW_KIND * 4 + 1] = 8;
	memcpy(p, &head, sizeof(head));
	memcpy(p += sizeof(head), sections + old->type_off, old->type_len);
	memcpy(p += old->type_len, added, sizeof(added));
	memcpy(p += sizeof(added), layout, sizeof(layout));
	memcpy(p += sizeof(layout), sections + old->str_off, old->str_len);
	*size = sizeof(head) + head.str_off + head.str_len;
	return ret;
}

TEST(new_kind)
{
	struct arena *a = arena_create();
	struct btf *b = make_btf();
	uint32_t added = btf__type_cnt(b);
	struct btf_db *db;
	size_t size;
	struct wide_head *data = with_new_kind(b, &size);

	assert_int_equal(btf_db_open(a, data, size, &db), 0);
	expect(db, a);
	assert_int_equal(btf_types_shape(db, added).kind, BTF_VOID);
	btf_db_close(db);
	/* Nobody knows its size without the layout. */
	data->layout_len = 0;
	assert_int_equal(btf_db_open(a, data, size, &db), -EINVAL);
	data->layout_len = (uint32_t)size;
	assert_int_equal(btf_db_open(a, data, size, &db), -EINVAL);
	free(data);
	btf__free(b);
	arena_destroy(a);
}

TEST(nothing)
{
	struct arena *a = arena_create();
	struct btf *b = btf__new_empty();
	const struct btf_func *found;
	struct btf_db *db;

	btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	db = open_db(a, b, NULL);
	assert_int_equal(btf_db_funcs(db, "f", &found), 0);
	assert_false(btf_db_knows_namesakes(db));
	btf_db_close(db);
	btf__free(b);
	arena_destroy(a);
}

/* The cached file gives the same answers; if a byte of it is changed, it is written again. */
TEST(kept)
{
	char dir[] = "/tmp/probec.funcs.XXXXXX";
	struct cache_file at = { .dir = dir, .name = "functions", .head = "test 1" };
	struct arena *a = arena_create();
	struct btf *b = make_btf();
	struct buf whole = { 0 };
	struct btf_db *db;

	assert_non_null(mkdtemp(dir));

	const char *path = arena_printf(a, "%s/functions", dir);

	for (int i = 0; i < 2; i++) {
		db = open_db(a, b, &at);
		expect(db, a);
		btf_db_close(db);
	}
	assert_int_equal(file_read(path, &whole), 0);
	for (size_t i = 0; i < whole.len; i++) {
		FILE *f = fopen(path, "w");
		char *s = arena_strndup(a, whole.s, whole.len);

		s[i] ^= 1 << i % 8;
		fwrite(s, 1, whole.len - (i % 3 == 0), f);
		fclose(f);
		db = open_db(a, b, &at);
		expect(db, a);
		btf_db_close(db);

		struct buf again = { 0 };

		assert_int_equal(file_read(path, &again), 0);
		assert_int_equal(again.len, whole.len);
		assert_memory_equal(again.s, whole.s, whole.len);
		buf_deinit(&again);
	}
	buf_deinit(&whole);
	unlink(path);
	rmdir(dir);
	btf__free(b);
	arena_destroy(a);
}
