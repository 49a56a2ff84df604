/* SPDX-License-Identifier: GPL-2.0 */
/* links: compiler */
/*
 * Reads untrusted programs, as probes in them do: symbols, SDT markers, the procedure linkage
 * table, libraries, and debug information with functions, lines, calls, variables and types. The
 * corpus has small programs of C and C++.
 */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/arch/operand.h"
#include "target/dwarf/dwarf.h"
#include "target/object/demangle.h"
#include "target/object/object.h"
#include "program/access.h"
#include "state.h"

enum { PLACES = 40, NAMES = 40 };

static void read_symbols(struct state *s, const struct program_file *o)
{
	struct object_symbols found = { { 0 } };
	uint64_t offset;

	object_find(s, o, "*", &found);
	object_find(s, o, "ns::C::m(int)", &found);
	vec_each(it, &found.v) {
		const struct object_symbol *at = object_symbol_at(o, (*it)->address);

		object_offset(o, (*it)->address, &offset);
		/* An indirect function is called by the address that its resolver returns. */
		FUZZ_MUST((*it)->is_indirect || (at && at->address <= (*it)->address));
		FUZZ_MUST(strlen(demangle_shown(s->arena, (*it)->name)) > 0);
	}
	object_variable(o, "counter", &offset);
}

static void read_marks(struct state *s, const struct program_file *o)
{
	vec_each(it, &o->marks) {
		unsigned n = arch_operand_count(it->arguments);
		struct arch_operand operand;

		for (unsigned i = 1; i <= n && i < NAMES; i++)
			arch_operand(s->arena, it->arguments, i, o->is_32bit, &operand);
		FUZZ_MUST(strlen(it->provider) + strlen(it->name) < 100000);
	}
}

static void read_values(struct state *s, const struct dwarf_place *place)
{
	struct dwarf_names names = { { 0 } };
	size_t n = 0;

	dwarf_value_names(s, place, &names);
	vec_each(it, &names.v) {
		struct location l = { 0 };
		const char *why = NULL;
		int err = dwarf_value(s, place, it->name, &l, &why);

		FUZZ_MUST(err || l.pieces.n);
		if (n++ == NAMES)
			break;
	}
	dwarf_place_entry(place);
}

static void read_places(struct state *s, struct dwarf_places *places)
{
	size_t n = 0;

	vec_each(it, &places->v) {
		FUZZ_MUST((*it)->function && (*it)->symbol);
		if (n++ < PLACES)
			read_values(s, *it);
	}
}

static void read_debug_info(struct state *s, struct dwarf_db *db)
{
	static const char *const texts[] = { "*", "work", "ns::*", "C::m", "*:*", "*@c.c:*",
					     "outer:*", "m@*:1-20" };
	static const char *const globals[] = { "counter", "all", "none" };
	const struct dwarf_calls calls = { .most = 3, .limit = 100 };
	struct dwarf_function_names names = { { 0 } };
	struct dwarf_types_differ differ;
	unsigned before, after;
	const char *why;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct dwarf_places places = { { 0 } };
		struct dwarf_spec spec;

		FUZZ_MUST(dwarf_spec_read(s->arena, texts[i], &spec, &why));
		dwarf_functions(db, &spec, DWARF_ENTRIES | DWARF_COPIES, &places);
		if (spec.lines == DWARF_LINES_NONE) {
			dwarf_labels(db, &spec, "*", &places);
			dwarf_callees(db, &spec, &calls, &places);
		} else {
			dwarf_statements(db, &spec, true, &places, &before, &after);
		}
		read_places(s, &places);
	}
	dwarf_function_names(db, &names);
	for (size_t i = 0; i < sizeof(globals) / sizeof(*globals); i++) {
		struct location l = { 0 };

		dwarf_global(s, db, globals[i], NULL, &l, &why);
	}
	dwarf_types_named(s, db, &(struct dwarf_type_name){ .text = "s", .pointers = 1 },
			  &differ);
	dwarf_types_named(s, db, &(struct dwarf_type_name){ .text = "", .constant = "Y" },
			  &differ);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("program", 0);
	struct state s = { .arena = arena_create() };
	const char *why = NULL, *path = arena_printf(s.arena, "/proc/self/fd/%d", fd);
	struct object_libraries libraries = { { 0 } };
	struct program_file *o;

	FUZZ_MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	s.diag = diag_create(s.arena, 0);
	o = object_open(&s, path, &why);
	FUZZ_MUST(o || why);
	if (o) {
		struct dwarf_db *db = dwarf_db_of_program(&s, o, &why);

		read_symbols(&s, o);
		read_marks(&s, o);
		object_libraries(&s, o, &libraries);
		if (db)
			read_debug_info(&s, db);
	}
	dwarf_close(&s);
	object_close(&s);
	arena_destroy(s.arena);
	close(fd);
	return 0;
}
