/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache of a kernel's debug information, for the tests of what compiler/target/dwarf stores
 * there.
 */
#ifndef DWARF_CACHE_FIXTURE_H
#define DWARF_CACHE_FIXTURE_H

#include "dwarf_fixture.h"

#include "target/dwarf/private.h"
#include "target/kernel/private.h"

struct cache_fixture {
	struct state s;
	struct kernel kernel;
	struct dwarf_db *db;
	const char *object, *cache, *file;
	struct buf good; /* the file as it was first written */
};

/* Makes an empty cache; f->file will have that suffix. */
static inline void cache_fixture_begin(struct cache_fixture *f, const char *suffix)
{
	const char *dir = getenv("TMPDIR");
	char *cache;

	f->s.arena = arena_create();
	f->s.diag = diag_create(f->s.arena, 0);
	cache = arena_printf(f->s.arena, "%s/probec-cache-XXXXXX", dir ? dir : "/tmp");
	assert_non_null(mkdtemp(cache));
	f->kernel.arena = f->s.arena;
	f->kernel.cache_dir = f->cache = cache;
	f->kernel.build_id = "0123";
	f->s.kernel = &f->kernel;
	f->file = arena_printf(f->s.arena, "%s/symbols/0123.%s", cache, suffix);
	buf_init(&f->good);
}

/* Opens the debug information of f->object. */
static inline void cache_fixture_open(struct cache_fixture *f)
{
	const char *why;

	f->db = dwarf_db_of_file(&f->s, f->object, &why);
	assert_non_null(f->db);
	f->db->is_module = false; /* as for the kernel, whose debug information is cached */
}

static inline void cache_fixture_end(struct cache_fixture *f)
{
	const char *const argv[] = { "rm", "-rf", f->cache, NULL };

	fixture_run(argv);
	unlink(f->object);
	buf_deinit(&f->good);
	dwarf_close(&f->s);
	arena_destroy(f->s.arena);
	free(f);
}

#endif
