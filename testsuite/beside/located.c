/* SPDX-License-Identifier: GPL-2.0 */
/*
 * located TARGET DEBUGINFO NM - Prints the sites that the compiler finds for kernel.function("*")
 * and their parameters, one per line, in the format in which dumped.c prints what llvm-dwarfdump
 * finds; located TARGET PROGRAM does so for process("PROGRAM").function("*"), with names of
 * functions as probec has them.
 *   PC e|c FUNCTION             the entry of a function (e) or of an inlined copy (c)
 *   PC e|c FUNCTION $PARAM VALUE
 * VALUE is "vN" for a value, "aN" for the content of an address, "pN" for the content of a per-CPU
 * address, several of them with ':' and their bits, "-" for a value that is not available, or "<"
 * for one of which debug information has only a part. The numbers are those of the made-up machine
 * of unit/location_run.h. NM is the output of `nm -n`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/location_run.h"
#include "base/map.h"
#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"
#include "parse/parse.h"
#include "state.h"

struct addresses { VEC(uint64_t) v; };

/* Maps a symbol to its addresses in ascending order. */
static void read_symbols(struct arena *a, const char *path, struct map *text, struct map *data)
{
	FILE *f = fopen(path, "re");
	unsigned long long address;
	char type, name[512];

	map_init(text, a);
	map_init(data, a);
	while (f && fscanf(f, "%llx %c %511s", &address, &type, name) == 3) {
		struct map *to = strchr("tTwW", type) ? text : data;
		struct addresses *known = map_get(to, name);

		if (!known) {
			known = NEW(a, struct addresses);
			map_set(to, arena_strdup(a, name), known);
		}
		vec_push(a, &known->v, address);
	}
	if (f)
		fclose(f);
}

static uint64_t address_of(struct map *text, struct map *data, const char *name, size_t nth)
{
	const struct addresses *known = map_get(text, name);

	if (!known)
		known = map_get(data, name);
	return known && nth < known->v.n ? known->v.v[nth] : 0;
}

static struct map text, data;
static uint64_t here; /* the address of the place in a program */

static void put_piece(const struct location_piece *p)
{
	struct run r = {0};
	bool per_cpu = false;

	vec_each(op, &p->ops) {
		/* In programs, addresses are relative to that of the instruction. */
		if (here && op->kind == LO_REG &&
		    strcmp(op->name, arch_instruction_pointer()) == 0) {
			op->kind = LO_CONST;
			op->n = (int64_t)here;
		}
		per_cpu |= op->kind == LO_PERCPU;
		if (op->kind == LO_SYMBOL) {
			op->kind = LO_CONST;
			op->n += (int64_t)address_of(&text, &data, op->name, 0);
		}
	}
	if (p->ops.n && per_cpu && !p->is_value)
		printf("p%llx", (unsigned long long)(run_piece(&r, p) - RUN_PERCPU));
	else if (p->ops.n)
		printf("%c%llx", p->is_value ? 'v' : 'a', (unsigned long long)run_piece(&r, p));
	else
		printf("-");
	if (p->bit_size)
		printf(":%u", p->bit_size);
}

static void put_value(const struct access *access)
{
	static const unsigned arguments[] = { 5, 4, 1, 2, 8, 9 };
	const uint64_t stack = RUN_REGISTER(7);

	switch (access->base) {
	case AB_REG_ARG:
		printf("v%llx", (unsigned long long)RUN_REGISTER(arguments[access->n]));
		break;
	case AB_SIMD_ARG:
		printf("v%llx", (unsigned long long)RUN_REGISTER(17 + access->n));
		break;
	case AB_STACK_ARG:
		printf("a%llx", (unsigned long long)(stack + 8 + 8 * access->n));
		break;
	case AB_LOCATION:
		vec_each(piece, &access->location->pieces)
			put_piece(piece);
		break;
	default:
		printf("-");
	}
}

/* Prints a structure. If it is in registers, only its members have values. */
static void put_structure(struct state *s, const struct dwarf_place *place, const char *name)
{
	struct location l;
	const char *why = NULL;

	if (dwarf_value(s, place, name, &l, &why) != 0) {
		printf("%s", why && strstr(why, "only a part of it") ? "<" : "-");
		return;
	}
	vec_each(piece, &l.pieces)
		put_piece(piece);
}

/* A name without spaces. */
static const char *one_word(struct arena *a, const char *name)
{
	char *word = arena_strdup(a, name);

	for (char *at = word; *at; at++)
		if (*at == ' ')
			*at = '_';
	return word;
}

static void put_site(struct state *s, const struct site *site, enum probe_kind kind)
{
	const struct dwarf_place *place = site->place;
	const char *name = site->function ? site->function : site->symbol;
	/* Finds the function that a clone was made of. */
	const char *function = site->user ? one_word(s->arena, name) :
		arena_strndup(s->arena, name, strcspn(name, "."));
	unsigned long long pc = site->user && place ? place->pc :
		address_of(&text, &data, site->symbol, (size_t)site->namesake) + site->offset;
	struct name_list names = {{0}};

	here = site->user ? pc : 0;

	char which = place && place->inlined ? 'c' : 'e';

	printf("%llx %c %s\n", pc, which, function);
	locate_context_names(s, site, kind, CONTEXT_PARAMS, &names);
	vec_each(it, &names.v) {
		struct expr e = { .kind = EX_CONTEXT };

		e.u.context.name = *it;
		printf("%llx %c %s %s ", pc, which, function, *it);
		if (locate_context(s, site, kind, &e, true) == 0)
			put_value(e.u.context.access);
		else if (place)
			put_structure(s, place, *it + 1);
		else
			printf("-");
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	if (argc != 3 && argc != 4)
		return 2;

	struct arena *a = arena_create();
	struct state *s = NEW(a, struct state);
	struct located_list found = {{0}};
	const char *point;

	s->arena = a;
	s->diag = diag_create(a, 0);
	if (argc == 4) {
		s->opt.debuginfo = argv[2];
		point = "probe kernel.function(\"*\") { }";
		read_symbols(a, argv[3], &text, &data);
	} else {
		point = arena_printf(a, "probe process(\"%s\").function(\"*\") { }", argv[2]);
	}
	if (kernel_open(s, argv[1], &s->kernel) != 0)
		return 1;

	const struct script *script =
		parse_source(s, source_from_text(a, "<all>", point, strlen(point)));

	if (!script ||
	    locate_probe_point(s, script->probes.v[0]->points.v[0], false, &found) != 0)
		return 1;
	vec_each(it, &found.v) {
		vec_each(site, &(*it)->sites)
			put_site(s, *site, (*it)->kind);
	}
	dwarf_close(s);
	kernel_close(s->kernel);
	arena_destroy(a);
	return 0;
}
