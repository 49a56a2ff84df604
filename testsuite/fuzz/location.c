/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/*
 * Compiles untrusted location expressions. The resulting program must not pop from an empty stack,
 * and each part of a value must be the same however it is requested.
 */
#include "fuzz.h"

#include "../unit/dwarf_writer.h"
#include "../unit/location_run.h"
#include "target/dwarf/values/location.h"

enum { MOST = 120 };

/* Compares a range of bits that is read at once with the same bits read one by one. */
static void check_bits(struct arena *a, const struct location *l, uint32_t from, uint32_t bits)
{
	struct location all, one;
	struct run r = {0};
	bool there = access_bits(a, l, from, bits, &all);
	uint64_t whole = there ? run_bits(&r, &all) : 0;

	FUZZ_MUST(!r.broken);
	for (uint32_t i = 0; i < bits; i++) {
		bool has = access_bits(a, l, from + i, 1, &one);

		FUZZ_MUST(has || !there);
		if (has && there)
			FUZZ_MUST(run_bits(&r, &one) == (whole >> i & 1));
		FUZZ_MUST(!r.broken);
	}
}

static void check(struct arena *a, const struct location *l)
{
	static const uint32_t from[] = { 0, 3, 8, 32, 64, 61 }, bits[] = { 64, 5, 8, 32, 64, 30 };

	FUZZ_MUST(l->pieces.n > 0);
	vec_each(p, &l->pieces) {
		struct run r = {0};

		FUZZ_MUST(p->bit_size || l->pieces.n == 1);
		if (p->ops.n)
			run_piece(&r, p);
		FUZZ_MUST(!r.broken);
	}
	FUZZ_MUST(!l->entry_reg == !l->return_at);
	if (l->return_at) {
		struct run r = {0};

		run_piece(&r, &l->return_at->pieces.v[0]);
		FUZZ_MUST(!r.broken);
	}
	for (size_t i = 0; i < sizeof(from) / sizeof(*from); i++)
		check_bits(a, l, from[i], bits[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	enum writer_form form = (enum writer_form)(fuzz_number(&in, 1) % 4);
	unsigned byte = (unsigned)fuzz_number(&in, 1) % WRITER_SIZE;
	enum writer_type type = (enum writer_type)(fuzz_number(&in, 1) % WRITER_TYPES);
	struct arena *a = arena_create();
	struct writer w;
	struct dwarf_db db;
	Dwarf_Die function, variable;
	size_t n;
	char *bytes = fuzz_bytes(&in, MOST, &n);

	writer_begin(&w);
	writer_variable(&w, "v", type, form, bytes, n);
	writer_end(&w);
	if (writer_open(&w, a, &db) && writer_find(&db, &function, &variable)) {
		struct location_place at = {
			.db = &db, .pc = WRITER_CODE + byte, .function = function,
			.entry = byte == 0,
		};
		struct location l;
		const char *why = NULL;

		if (location_of(&at, &variable, &l, &why) == 0)
			check(a, &l);
		else
			FUZZ_MUST(why);
	}
	writer_close(&w, &db);
	arena_destroy(a);
	free(bytes);
	return 0;
}
