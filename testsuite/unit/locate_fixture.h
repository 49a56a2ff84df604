/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel of a few functions for the tests of compiler/analyse/locate: BTF made in memory, a
 * captured target around it, and readers for probe points and $-expressions that need no parser.
 */
#ifndef LOCATE_FIXTURE_H
#define LOCATE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/btf.h>

#include "shared/buf.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"
#include "program/program.h"
#include "state.h"

/* ---- BTF ---- */

struct types {
	int c_char, c_short, c_int, c_uint, c_long, c_ulong, c_double;
	int charp, file, filep, kuid, pair, two, big;
};

static void add_file(struct btf *b, struct types *t)
{
	int u8x16 = btf__add_array(b, t->c_uint, t->c_char, 16);
	int arr = btf__add_array(b, t->c_uint, t->c_int, 4);
	int grid_row = btf__add_array(b, t->c_uint, t->c_short, 3);
	int grid = btf__add_array(b, t->c_uint, grid_row, 2);
	int hidden = btf__add_fwd(b, "hidden", BTF_FWD_STRUCT);
	int hiddenp = btf__add_ptr(b, hidden);
	int voidp = btf__add_ptr(b, 0);
	int cfilep = btf__add_const(b, t->filep);

	int xy = btf__add_struct(b, NULL, 4);

	btf__add_field(b, "x", t->c_short, 0, 0);
	btf__add_field(b, "y", t->c_short, 16, 0);

	int anon = btf__add_union(b, NULL, 4);

	btf__add_field(b, "word", t->c_int, 0, 0);
	btf__add_field(b, NULL, xy, 0, 0);

	t->file = btf__add_struct(b, "file", 152);
	btf__add_field(b, "fd", t->c_int, 0, 0);
	btf__add_field(b, "name", t->charp, 64, 0);
	btf__add_field(b, NULL, anon, 128, 0);
	btf__add_field(b, "low", t->c_uint, 160, 3);
	btf__add_field(b, "mid", t->c_int, 163, 5);
	btf__add_field(b, "wide", t->c_uint, 168, 20);
	btf__add_field(b, "arr", arr, 192, 0);
	btf__add_field(b, "comm", u8x16, 320, 0);
	btf__add_field(b, "next", cfilep, 448, 0);
	btf__add_field(b, "h", hiddenp, 512, 0);
	btf__add_field(b, "priv", voidp, 576, 0);
	btf__add_field(b, "ratio", t->c_double, 640, 0);
	btf__add_field(b, "uid", t->kuid, 704, 0);
	btf__add_field(b, "inner", t->two, 768, 0);
	btf__add_field(b, "grid", grid, 896, 0);
	btf__add_field(b, "odd", t->c_ulong, 1000, 60);
	btf__add_field(b, "torn", t->c_ulong, 1085, 63);
}

static void add_types(struct btf *b, struct types *t)
{
	t->c_char = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	t->c_short = btf__add_int(b, "short", 2, BTF_INT_SIGNED);
	t->c_int = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	t->c_uint = btf__add_int(b, "unsigned int", 4, 0);
	t->c_long = btf__add_int(b, "long", 8, BTF_INT_SIGNED);
	t->c_ulong = btf__add_int(b, "unsigned long", 8, 0);
	t->c_double = btf__add_float(b, "double", 8);
	t->charp = btf__add_ptr(b, btf__add_const(b, t->c_char));

	int uid = btf__add_struct(b, NULL, 4);

	btf__add_field(b, "val", t->c_uint, 0, 0);
	t->kuid = btf__add_typedef(b, "kuid_t", uid);
	t->pair = btf__add_struct(b, "pair", 8);
	btf__add_field(b, "a", t->c_int, 0, 0);
	btf__add_field(b, "b", t->c_int, 32, 0);
	t->two = btf__add_struct(b, "two", 16);
	btf__add_field(b, "first", t->c_long, 0, 0);
	btf__add_field(b, "second", t->c_long, 64, 0);

	int three = btf__add_array(b, t->c_uint, t->c_long, 3);

	t->big = btf__add_struct(b, "big", 24);
	btf__add_field(b, "v", three, 0, 0);

	/* struct file has a pointer to itself; the pointer is added first, with the id that the
	 * structure gets after it and the ten types that add_file() needs for its members. */
	t->filep = btf__add_ptr(b, (int)btf__type_cnt(b) + 11);
	add_file(b, t);
	assert_int_equal(t->file, t->filep + 11);
}

/* Adds a function. The parameters are pairs of name and type, ended by NULL. */
static void add_func(struct btf *b, const char *name, int ret, ...)
{
	va_list ap;
	int proto = btf__add_func_proto(b, ret);

	va_start(ap, ret);
	for (const char *param; (param = va_arg(ap, const char *));) {
		int type = va_arg(ap, int);

		btf__add_func_param(b, *param ? param : NULL, type);
	}
	va_end(ap);
	btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

/* Flags, of which two have a name together. */
static inline void add_shape(struct btf *b)
{
	btf__add_enum(b, "shape", 4);
	btf__add_enum_value(b, "TWO", 2);
	btf__add_enum_value(b, "ONE", 1);
	btf__add_enum_value(b, "NONE", 0);
	btf__add_enum_value(b, "BOTH", 3);
	btf__add_enum_value(b, "BEYOND", 6);
}

/* @namesakes: functions of one name have a BTF entry each, which depends on the version of
 * pahole. */
static struct btf *fixture_btf(bool namesakes)
{
	struct types t;
	struct btf *b = btf__new_empty();

	add_types(b, &t);

	int longp = btf__add_ptr(b, t.c_long);

	add_func(b, "vfs_read", t.c_long, "file", t.filep, "buf", t.charp, "count", t.c_ulong,
		 "pos", longp, NULL);
	add_func(b, "vfs_write", t.c_long, "file", t.filep, "buf", t.charp, "count", t.c_ulong,
		 "pos", longp, NULL);
	add_func(b, "many", t.c_int, "a", t.c_int, "b", t.c_long, "c", t.c_char, "d", t.c_short,
		 "e", t.c_uint, "f", t.c_ulong, "g", t.c_int, "h", t.c_long, NULL);
	add_func(b, "by_value", 0, "uid", t.kuid, "p", t.pair, "t", t.two, "big", t.big, "last",
		 t.c_int, "t2", t.two, "after", t.c_int, NULL);
	add_func(b, "get_big", t.big, "a", t.c_int, NULL);
	add_func(b, "get_two", t.two, NULL);
	add_func(b, "get_pair", t.pair, NULL);
	add_func(b, "nothing", 0, "x", t.c_int, NULL);
	add_func(b, "floats", t.c_double, "a", t.c_int, "d", t.c_double, "b", t.c_int, NULL);
	add_func(b, "say", t.c_int, "fmt", t.charp, "", 0, NULL);
	add_func(b, "twin", t.c_int, "a", t.c_int, "x", t.c_long, NULL);
	add_func(b, "same", t.c_int, "a", t.c_int, NULL);
	if (namesakes) {
		add_func(b, "twin", t.c_int, "a", t.c_int, "x", t.filep, NULL);
		add_func(b, "same", t.c_int, "a", t.c_int, NULL);
	}
	add_func(b, "cloned", t.c_int, "a", t.c_int, NULL);
	add_func(b, "promoted", t.c_int, "a", t.c_int, NULL);
	add_func(b, "lonely", t.c_int, "a", t.c_int, NULL);
	add_func(b, "black", t.c_int, "a", t.c_int, NULL);
	add_func(b, "untraced", t.c_int, "a", t.c_int, NULL);

	int colour = btf__add_enum(b, "colour", 4);

	btf__add_enum_value(b, "BLUE", 7);
	btf__add_enum_value(b, "RED", -1);
	btf__add_enum_value(b, "AZURE", 7);

	add_shape(b);

	int painted = btf__add_struct(b, "painted", 4);

	btf__add_field(b, "c", colour, 0, 0);

	int paintedp = btf__add_ptr(b, painted);

	add_func(b, "paint", t.c_int, "c", colour, "p", paintedp, NULL);

	int pair = btf__add_var(b, "pair_per_cpu", BTF_VAR_GLOBAL_ALLOCATED, t.pair);
	int file = btf__add_var(b, "file_per_cpu", BTF_VAR_STATIC, t.filep);

	btf__add_var(b, "global_count", BTF_VAR_STATIC, t.c_long);
	btf__add_datasec(b, ".data..percpu", 16);
	btf__add_datasec_var_info(b, pair, 0, 8);
	btf__add_datasec_var_info(b, file, 8, 8);
	return b;
}

/* ---- the captured target ---- */

static const char fixture_symbols[] =
	"__pfx_vfs_read\nalias_a\nalias_b\nalias_listed\nalias_never\nalias_none\nblack\n"
	"by_value\ncloned.isra.0\nfloats\nget_big\nget_pair\nget_two\nlonely\nmany\nno_btf\n"
	"nothing\npaint\npart\npart.llvm.7\npart.llvm.7.cold\npromoted.llvm.123\nsame\nsame\nsay\n"
	"twin\ntwin\nuntraced\nvfs_asm\nvfs_read\nvfs_write\nvfs_write.cold\n";
static const char fixture_aliases[] = "alias_a alias_listed alias_b\nalias_none alias_never\n";
static const char fixture_blacklist[] = "black\n";
static const char fixture_modules[] =
	"t ext4_open ext4\nT ext4_same ext4\nt ext4_same ext4\nt init_module ext4\n"
	"t ext4_two ext4\n"
	"t vfs_read nf_x\nt nf_add nf_x\nt nf_add.cold nf_x\nt ext4_two nf_x\n";
static const char fixture_ids[] = "ext4 00ff\n";
static const char fixture_ftrace[] =
	"alias_listed\nby_value\ncloned.isra.0\nfloats\nget_big\nget_pair\nget_two\nlonely\n"
	"many\nno_btf\nnothing\npaint\npart\npart.llvm.7\npromoted\nsame\nsay\ntwin\nvfs_read\n"
	"vfs_write\n";

enum {
	WITH_SYMBOLS = 1, WITH_LISTS = 2, WITH_BTF = 4,
	WITH_ALL = 7,
	WITHOUT_NAMESAKES = 8, /* only one BTF entry for functions of one name */
};

static void put_section(FILE *f, const char *name, const void *data, size_t size)
{
	fprintf(f, "section %s %zu\n", name, size);
	fwrite(data, 1, size, f);
	fputc('\n', f);
}

/* Each module has a structure of its own behind ext4_two(), both with the same id. */
static void put_module_btf(FILE *f, struct btf *base, const char *name)
{
	char section[64];
	struct btf *b = btf__new_empty_split(base);
	bool is_ext4 = strcmp(name, "ext4") == 0;
	int c_int = btf__find_by_name(base, "int");
	int own = btf__add_struct(b, is_ext4 ? "ext4_own" : "nf_own", 8);

	btf__add_field(b, "pad", c_int, 0, 0);
	btf__add_field(b, "flags", c_int, 32, 0);

	int ownp = btf__add_ptr(b, own);
	int filep = btf__find_by_name_kind(base, "file", BTF_KIND_STRUCT);

	filep = btf__add_ptr(b, filep);
	add_func(b, "ext4_two", 0, "o", ownp, NULL);
	if (is_ext4)
		add_func(b, "ext4_open", c_int, "file", filep, "own", ownp, NULL);
	else
		add_func(b, "nf_add", c_int, "a", c_int, NULL);

	uint32_t size;
	const void *data = btf__raw_data(b, &size);

	snprintf(section, sizeof(section), "module-btf:%s", name);
	put_section(f, section, data, size);
	btf__free(b);
}

/* Returns the path of a new target file; the caller unlinks it. */
static const char *fixture_target(struct arena *a, int with)
{
	const char *dir = getenv("TMPDIR");
	char *path = arena_printf(a, "%s/probec-target-XXXXXX", dir ? dir : "/tmp");
	int fd = mkstemp(path);

	assert_true(fd >= 0);

	FILE *f = fdopen(fd, "w");

	fputs("probec-target 2\nrelease 6.6.6-test\nbuild-id 0123abcd\nmachine x86_64\n", f);
	put_section(f, "unheard-of", "end\n", 4);
	if (with & WITH_SYMBOLS)
		put_section(f, "symbols", fixture_symbols, sizeof(fixture_symbols) - 1);
	if (with & WITH_SYMBOLS)
		put_section(f, "modules", fixture_modules, sizeof(fixture_modules) - 1);
	put_section(f, "module-ids", fixture_ids, sizeof(fixture_ids) - 1);
	if (with & WITH_LISTS) {
		put_section(f, "blacklist", fixture_blacklist, sizeof(fixture_blacklist) - 1);
		put_section(f, "ftrace", fixture_ftrace, sizeof(fixture_ftrace) - 1);
		put_section(f, "aliases", fixture_aliases, sizeof(fixture_aliases) - 1);
	}
	if (with & WITH_BTF) {
		struct btf *b = fixture_btf(!(with & WITHOUT_NAMESAKES));
		uint32_t size;
		const void *data = btf__raw_data(b, &size);

		put_section(f, "btf", data, size);
		put_module_btf(f, b, "ext4");
		put_module_btf(f, b, "nf_x");
		btf__free(b);
	}
	fputs("end\n", f);
	fclose(f);
	return path;
}

/* ---- the state ---- */

static struct state *fixture_session(void)
{
	struct arena *a = arena_create();
	struct state *s = NEW(a, struct state);

	s->arena = a;
	s->diag = diag_create(a, 0);
	s->cache_dir = "/nonexistent";
	return s;
}

static inline struct state *fixture_open(int with)
{
	struct state *s = fixture_session();
	const char *path = fixture_target(s->arena, with);

	assert_int_equal(kernel_open(s, path, &s->kernel), 0);
	unlink(path);
	return s;
}

static inline void fixture_close(struct state *s)
{
	kernel_close(s->kernel);
	arena_destroy(s->arena);
}

/* A cmocka test on a complete kernel. */
static inline int fixture_setup_all(void **state)
{
	*state = fixture_open(WITH_ALL);
	return 0;
}

static inline int fixture_teardown(void **state)
{
	fixture_close(*state);
	return 0;
}

#define FIXTURE_TEST(name) TEST_WITH(name, fixture_setup_all, fixture_teardown)

/* Redirects what @expr writes to standard error into @text. */
struct capture { int saved; FILE *f; char text[4096]; };

static inline void capture_begin(struct capture *c)
{
	fflush(stderr);
	c->saved = dup(2);
	c->f = tmpfile();
	assert_non_null(c->f);
	dup2(fileno(c->f), 2);
}

static inline void capture_end(struct capture *c)
{
	fflush(stderr);
	dup2(c->saved, 2);
	close(c->saved);
	rewind(c->f);
	c->text[fread(c->text, 1, sizeof(c->text) - 1, c->f)] = '\0';
	fclose(c->f);
}

#define assert_says(c, what)                                                                      \
	do {                                                                                      \
		if (!strstr((c)->text, (what)))                                                   \
			fail_msg("expected \"%s\" in:\n%s", (what), (c)->text);                   \
	} while (0)

/* ---- readers ---- */

struct text_reader {
	struct state *s;
	struct source *src;
	const char *p;
};

static struct range range_from(struct text_reader *r, const char *start)
{
	return (struct range){ .src = r->src, .start = (uint32_t)(start - r->src->text),
			       .end = (uint32_t)(r->p - r->src->text) };
}

static struct expr *read_literal(struct text_reader *r)
{
	struct expr *e = NEW(r->s->arena, struct expr);
	const char *start = r->p;

	if (*r->p == '"') {
		size_t n = strcspn(r->p + 1, "\"");

		e->kind = EX_STR;
		e->u.str.s = arena_strndup(r->s->arena, r->p + 1, n);
		e->u.str.len = n;
		r->p += n + 2;
	} else if (*r->p >= 'a' && *r->p <= 'z') {
		size_t n = strcspn(r->p, "])");

		e->kind = EX_NAME;
		e->u.name.name = arena_strndup(r->s->arena, r->p, n);
		r->p += n;
	} else {
		char *end;

		e->kind = EX_NUM;
		e->u.num.v = strtoll(r->p, &end, 0);
		r->p = end;
	}
	e->range = range_from(r, start);
	return e;
}

/* "kernel.function("x").return" */
static inline struct probe_point *read_point(struct state *s, const char *text)
{
	struct source *src = source_from_text(s->arena, "point", text, strlen(text));
	struct text_reader r = { s, src, src->text };
	struct probe_point *pp = NEW(s->arena, struct probe_point);

	do {
		struct pp_component part = {0};
		const char *start = r.p;
		size_t n = strcspn(r.p, ".(");

		part.name = arena_strndup(s->arena, r.p, n);
		r.p += n;
		if (*r.p == '(') {
			r.p++;
			part.has_arg = true;
			part.arg = read_literal(&r);
			assert_int_equal(*r.p++, ')');
		}
		part.range = range_from(&r, start);
		vec_push(s->arena, &pp->parts, part);
	} while (*r.p++ == '.');
	pp->range = (struct range){ .src = src, .end = (uint32_t)src->len };
	return pp;
}

/* "$p->a[3]->b", "&$p->a", "$x$" */
static inline struct expr *read_context(struct state *s, const char *text)
{
	struct source *src = source_from_text(s->arena, "expr", text, strlen(text));
	struct text_reader r = { s, src, src->text };
	struct expr *e = NEW(s->arena, struct expr);

	e->kind = EX_CONTEXT;
	e->u.context.address = *r.p == '&';
	r.p += *r.p == '&';

	size_t n = 1 + strcspn(r.p + 1, "-[$");

	e->u.context.name = arena_strndup(s->arena, r.p, n);
	r.p += n;
	while (*r.p == '-' || *r.p == '[') {
		struct accessor step = {0};
		const char *start = r.p;

		if (*r.p == '[') {
			r.p++;
			step.index = read_literal(&r);
			assert_int_equal(*r.p++, ']');
		} else {
			r.p += 2;
			n = strcspn(r.p, "-[$");
			step.member = arena_strndup(s->arena, r.p, n);
			r.p += n;
		}
		step.range = range_from(&r, start);
		vec_push(s->arena, &e->u.context.path, step);
	}
	e->u.context.pretty = (int)strlen(r.p);
	e->range = (struct range){ .src = src, .end = (uint32_t)src->len };
	return e;
}

/* Returns whether one handler can serve both sites, as far as @name is concerned. */
static inline bool same_meaning(const struct site *a, const struct site *b, enum probe_kind kind,
				const char *name, bool as_number)
{
	struct buf x, y;
	bool same;

	buf_init(&x);
	buf_init(&y);
	locate_context_key(a, kind, name, as_number, &x);
	locate_context_key(b, kind, name, as_number, &y);
	same = x.len == y.len && memcmp(x.s, y.s, x.len) == 0;
	buf_deinit(&x);
	buf_deinit(&y);
	return same;
}

#endif
