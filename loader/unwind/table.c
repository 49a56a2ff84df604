/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A large library has some hundred thousand rows, but a few thousand different rules, because
 * functions store the same registers in the same order. So rows have the number of a rule, and
 * addresses of one byte below the page's.
 */
#include "unwind/table.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "unwind/pointer.h"
#include "unwind/frames.h"
#include "unwind/go_frames.h"
#include "unwind/image.h"
#include "unwind/rows.h"
#include "unwind/undescribed.h"

enum {
	SLOTS = 1 << 18,      /* of the hash table: at least twice the rules */
	SPAN_MAX = 1 << 30,   /* bytes of code between the first function and the last one's end */
	ROWS_MAX = 1 << 26,
};

struct table_row {
	uint64_t address;
	uint32_t rule;
};

enum {
	BUILTINS_LEAST = 256 << 10, /* bytes of code without a function: smaller holes have none */
	OTHERS = UNDESCRIBED_JUMPS + 3,
};

/* Where several describe a function, the highest decides. */
enum source_kind {
	SOURCE_GO, SOURCE_DEBUG_FRAME, SOURCE_EH_FRAME, SOURCE_RULE, SOURCE_GO_SPECIAL,
};

/* A function that one of them describes. */
struct source {
	enum source_kind kind;
	const struct frames_function *fn;
	struct frames *frames;              /* of the two sections */
	const struct go_frames *go;         /* of SOURCE_GO and SOURCE_GO_SPECIAL */
	const struct go_special *special;   /* of SOURCE_GO_SPECIAL; otherwise NULL */
	const struct prt_unwind_rule *rule; /* of SOURCE_RULE; it holds in all of the function */
};

/* All descriptions that a file has. */
struct described {
	struct frames frames[2];
	size_t nframes;
	struct go_frames go;
	struct frames_function others[OTHERS];
};

/* The stack is as it was at the call. */
static const struct prt_unwind_rule at_jump = {
	.cfa = PRT_UNWIND_REG, .reg = PRT_UNWIND_SP, .offset = PRT_UNWIND_CALL_SIZE,
	.stored = !PRT_UNWIND_RA_KEPT << PRT_UNWIND_RA,
	.ra_reg = PRT_UNWIND_RA_KEPT ? 1 + PRT_UNWIND_IP : 0,
	.at = { [PRT_UNWIND_RA] = -PRT_UNWIND_CALL_SIZE },
};

/* The frame pointer leads to the caller's, above which is the return address. Code that was made at
 * run time may use all other registers. */
static const struct prt_unwind_rule by_frame_pointer = {
	.cfa = PRT_UNWIND_REG, .reg = PRT_UNWIND_BP, .offset = 2 * PRT_UNWIND_WORD,
	.stored = 1 << PRT_UNWIND_RA | 1 << PRT_UNWIND_FRAME,
	.gone = ~(1 << PRT_UNWIND_RA | 1 << PRT_UNWIND_FRAME) & ((1 << PRT_UNWIND_COLUMNS) - 1),
	.at = { [PRT_UNWIND_RA] = -PRT_UNWIND_WORD, [PRT_UNWIND_FRAME] = -2 * PRT_UNWIND_WORD },
};

struct builder {
	struct table_row *rows;
	size_t nrows, row_room;
	struct prt_unwind_rule *rules;
	uint32_t nrules, rule_room;
	uint32_t *slots;      /* number of a rule + 1 */
	uint64_t from, limit; /* where rows of the function go that is run now */
	uint32_t unknown;
};

/* ---- rules and rows ---- */

static uint32_t hash_rule(const struct prt_unwind_rule *rule)
{
	uint32_t words[sizeof(*rule) / sizeof(uint32_t)];
	uint64_t h = 0;

	memcpy(words, rule, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		h = (h ^ words[i]) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

/* The rule's number; 0 if there are too many. */
static uint32_t number_of(struct builder *b, const struct prt_unwind_rule *rule)
{
	uint32_t i = hash_rule(rule) % SLOTS;

	for (; b->slots[i]; i = (i + 1) % SLOTS)
		if (memcmp(&b->rules[b->slots[i] - 1], rule, sizeof(*rule)) == 0)
			return b->slots[i] - 1;
	if (b->nrules == PRT_UNWIND_RULES)
		return 0;
	memory_grow(b->rules, b->nrules, b->rule_room, 1024);
	b->rules[b->nrules++] = *rule;
	b->slots[i] = b->nrules;
	return b->nrules - 1;
}

static void add_row(struct builder *b, uint64_t address, uint32_t rule)
{
	if (b->nrows && b->rows[b->nrows - 1].address == address)
		b->nrows--;
	if (b->nrows && b->rows[b->nrows - 1].rule == rule)
		return;
	memory_grow(b->rows, b->nrows, b->row_room, 4096);
	b->rows[b->nrows++] = (struct table_row){ address, rule };
}

static void take_row(void *arg, uint64_t address, const struct prt_unwind_rule *rule)
{
	struct builder *b = arg;

	if (address >= b->limit || b->nrows >= ROWS_MAX)
		return;
	b->unknown += rule->cfa == PRT_UNWIND_UNKNOWN;
	add_row(b, address < b->from ? b->from : address, number_of(b, rule));
}

/* ---- functions ---- */

static bool is_code(const struct image *f, const struct frames_function *fn)
{
	for (size_t i = 0; i < f->nsegments; i++)
		if (f->segments[i].is_code && fn->start >= f->segments[i].address &&
		    fn->end - f->segments[i].address <= f->segments[i].size)
			return true;
	return false;
}

/* The last one of those that describe a function decides. */
static int by_start(const void *x, const void *y)
{
	const struct source *a = x, *b = y;

	if (a->fn->start != b->fn->start)
		return a->fn->start < b->fn->start ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->fn < b->fn ? -1 : a->fn > b->fn;
}

/* Adds code with its rule if no section describes any of it. */
static void add_other(const struct image *f, const struct undescribed *code,
		      const struct prt_unwind_rule *rule, struct frames_function *fn,
		      struct source *sources, size_t *n)
{
	*fn = (struct frames_function){ .start = code->start, .end = code->end };
	if (!is_code(f, fn))
		return;
	for (size_t i = 0; i < *n; i++)
		if (sources[i].fn->start < fn->end && fn->start < sources[i].fn->end)
			return;
	sources[(*n)++] = (struct source){ .kind = SOURCE_RULE, .fn = fn, .rule = rule };
}

/* @sources are in order. */
static bool may_have_builtins(const struct source *sources, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (sources[i].fn->start > sources[i - 1].fn->end &&
		    sources[i].fn->start - sources[i - 1].fn->end >= BUILTINS_LEAST)
			return true;
	return false;
}

static const struct prt_unwind_rule outermost = { .cfa = PRT_UNWIND_END };
static const struct prt_unwind_rule signal_frame = {
	.cfa = PRT_UNWIND_SIGNAL, .reg = PRT_UNWIND_SP, .offset = ARCH_SIGNAL_CONTEXT,
};

/* The address of the first function after @address. @sources are in order. */
static uint64_t next_function(const struct source *sources, size_t n, uint64_t address)
{
	size_t i;

	search_first(i, n, sources[i].fn->start <= address);
	return i < n ? sources[i].fn->start : UINT64_MAX;
}

/* Adds code that no section describes. @fns: room for OTHERS. */
static size_t add_others(const struct image *f, struct frames_function *fns,
			 struct source *sources, size_t n)
{
	struct undescribed jumps[UNDESCRIBED_JUMPS], builtins, entry;
	const bool look = !f->is_32bit && may_have_builtins(sources, n);
	const uint64_t next = next_function(sources, n, f->entry);
	size_t njumps = undescribed_jumps(f, jumps);

	for (size_t i = 0; i < njumps; i++)
		add_other(f, &jumps[i], &at_jump, &fns[i], sources, &n);
	if (look && undescribed_builtins(f, &builtins))
		add_other(f, &builtins, &by_frame_pointer, &fns[njumps], sources, &n);
	if (undescribed_entry(f, next, &entry))
		add_other(f, &entry, &outermost, &fns[njumps + 1], sources, &n);
	return n;
}

/* The same for the vdso, which describes none of its code on arm64. */
static size_t add_sigreturn(const struct image *f, struct frames_function *fn,
			    struct source *sources, size_t n)
{
	struct undescribed code;

	if (undescribed_sigreturn(f, &code))
		add_other(f, &code, &signal_frame, fn, sources, &n);
	return n;
}

static size_t add_functions(const struct image *f, struct described *d, struct source *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nframes; i++)
		for (size_t j = 0; j < d->frames[i].nfunctions; j++)
			ret[n++] = (struct source){
				.kind = d->frames[i].kind == FRAMES_DEBUG ? SOURCE_DEBUG_FRAME :
									    SOURCE_EH_FRAME,
				.fn = &d->frames[i].functions[j], .frames = &d->frames[i] };
	for (size_t i = 0; i < d->go.nfunctions; i++)
		ret[n++] = (struct source){ .kind = SOURCE_GO, .fn = &d->go.functions[i],
					    .go = &d->go };
	for (size_t i = 0; i < d->go.nspecials; i++) {
		const struct go_special *it = &d->go.specials[i];
		const struct prt_unwind_rule *rule = go_frames_rule(it);

		ret[n++] = (struct source){ .kind = rule ? SOURCE_RULE : SOURCE_GO_SPECIAL,
					    .fn = &it->fn, .go = &d->go, .special = it,
					    .rule = rule };
	}
	for (size_t i = 0; i < n;) {
		if (is_code(f, ret[i].fn))
			i++;
		else
			ret[i] = ret[--n];
	}
	return n;
}

static size_t find_functions(const struct image *f, struct described *d, struct source **ret)
{
	size_t n = d->frames[0].nfunctions + d->frames[1].nfunctions + d->go.nfunctions, all;

	*ret = memory_zeroed(n + d->go.nspecials + OTHERS, sizeof(**ret));
	n = add_functions(f, d, *ret);
	qsort(*ret, n, sizeof(**ret), by_start);
	all = n ? add_others(f, d->others, *ret, n) : 0;
	all = add_sigreturn(f, &d->others[OTHERS - 1], *ret, all);
	if (all > n)
		qsort(*ret, all, sizeof(**ret), by_start);
	return all;
}

static void run_function(struct builder *b, const struct source *it)
{
	switch (it->kind) {
	case SOURCE_GO:
	case SOURCE_GO_SPECIAL:
		go_frames_run(it->go, it->fn, it->special, b->limit, take_row, b);
		break;
	case SOURCE_RULE:
		add_row(b, b->from, number_of(b, it->rule));
		break;
	default:
		rows_run(it->frames, it->fn, take_row, b);
	}
}

static void run_functions(struct builder *b, const struct source *sources, size_t n)
{
	uint64_t end = 0;

	for (size_t i = 0; i < n; i++) {
		const struct frames_function *fn = sources[i].fn;
		uint64_t next = i + 1 < n ? sources[i + 1].fn->start : UINT64_MAX;

		b->from = fn->start;
		b->limit = fn->end < next ? fn->end : next;
		if (i && end < fn->start)
			add_row(b, end, 0);
		if (b->from < b->limit)
			run_function(b, &sources[i]);
		end = fn->end > end ? fn->end : end;
	}
	add_row(b, end, 0);
}

/* ---- sections ---- */

/* Without section headers, .eh_frame is found by its header: LSB 5.0 Core, 10.6.2. */
static bool find_loaded(const struct image *f, struct image_part *ret)
{
	unsigned char head[4 + 8];
	struct bytes c = { .p = head + 4, .end = head + sizeof(head) };
	uint64_t address;

	if (!f->frames_header || !image_read(f, f->frames_header, head, sizeof(head)) ||
	    head[0] != 1 || head[1] & POINTER_INDIRECT)
		return false;
	address = pointer_read(&c, head[1], f->is_32bit ? 4 : 8, f->frames_header + 4);
	return !c.bad && image_rest(f, address, ret);
}

/* Fills @ret, of two; returns how many there are. */
static size_t read_sections(const struct image *f, struct frames *ret)
{
	struct image_part part;
	size_t n = 0;

	if (image_section(f, ".eh_frame", &part))
		frames_read(&part, FRAMES_SECTION, f->is_32bit, &ret[n++]);
	else if (find_loaded(f, &part))
		frames_read(&part, FRAMES_LOADED, f->is_32bit, &ret[n++]);
	if (image_section(f, ".debug_frame", &part))
		frames_read(&part, FRAMES_DEBUG, f->is_32bit, &ret[n++]);
	return n;
}

/* ---- the table ---- */

static struct prt_unwind_table *pack(const struct builder *b)
{
	uint64_t start = b->rows[0].address & -(uint64_t)PRT_UNWIND_PAGE;
	uint64_t span = b->rows[b->nrows - 1].address - start;
	uint32_t npages = (uint32_t)(span / PRT_UNWIND_PAGE + 1), page = 0;
	uint64_t size = prt_unwind_size(npages, b->nrules, (uint32_t)b->nrows);
	struct prt_unwind_table *t = memory_zeroed(1, size);
	uint32_t *pages;
	uint16_t *rules_of;
	unsigned char *low;

	*t = (struct prt_unwind_table){ .magic = PRT_UNWIND_MAGIC, .npages = npages,
					.nrules = b->nrules, .nrows = (uint32_t)b->nrows,
					.start = start, .size = size };
	pages = (uint32_t *)(uintptr_t)prt_unwind_pages(t);
	rules_of = (uint16_t *)(uintptr_t)prt_unwind_rules_of(t);
	low = (unsigned char *)(uintptr_t)prt_unwind_low(t);
	memcpy((void *)(uintptr_t)prt_unwind_rules(t), b->rules, b->nrules * sizeof(*b->rules));
	for (uint32_t i = 0; i < b->nrows; i++) {
		uint64_t at = b->rows[i].address - start;

		while (page <= at / PRT_UNWIND_PAGE)
			pages[page++] = i;
		rules_of[i] = (uint16_t)b->rows[i].rule;
		low[i] = (unsigned char)(at % PRT_UNWIND_PAGE);
	}
	pages[npages] = (uint32_t)b->nrows;
	return t;
}

static struct prt_unwind_table *build(const struct source *sources, size_t n,
				      struct table_counts *counts, const char **why)
{
	struct builder b = { .slots = memory_zeroed(SLOTS, sizeof(*b.slots)) };
	const struct prt_unwind_rule unknown = { 0 };
	struct prt_unwind_table *t = NULL;

	number_of(&b, &unknown);
	run_functions(&b, sources, n);
	if (b.rows[b.nrows - 1].address - b.rows[0].address > SPAN_MAX) {
		*why = "its code is larger than 1 GiB";
	} else {
		t = pack(&b);
		if (counts)
			*counts = (struct table_counts){ .functions = (uint32_t)n,
							 .rows = (uint32_t)b.nrows,
							 .unknown = b.unknown };
	}
	free(b.rows);
	free(b.rules);
	free(b.slots);
	return t;
}

struct prt_unwind_table *table_of_frame_pointers(void)
{
	uint64_t size = prt_unwind_size(0, 2, 1);
	struct prt_unwind_table *t = memory_zeroed(1, size);

	*t = (struct prt_unwind_table){ .magic = PRT_UNWIND_MAGIC, .nrules = 2, .nrows = 1,
					.size = size };
	((uint32_t *)(uintptr_t)prt_unwind_pages(t))[0] = 1;
	((struct prt_unwind_rule *)(uintptr_t)prt_unwind_rules(t))[1] = by_frame_pointer;
	((uint16_t *)(uintptr_t)prt_unwind_rules_of(t))[0] = 1;
	return t;
}

struct prt_unwind_table *table_compile(const struct image *f, struct table_counts *counts,
				       const char **why)
{
	struct prt_unwind_table *t = NULL;
	struct described d = { .nframes = 0 };
	struct source *sources = NULL;
	size_t n;

	d.nframes = read_sections(f, d.frames);
	go_frames_read(f, &d.go);
	n = find_functions(f, &d, &sources);
	if (n)
		t = build(sources, n, counts, why);
	else
		*why = "it has no call frame information";
	free(sources);
	frames_deinit(&d.frames[0]);
	frames_deinit(&d.frames[1]);
	go_frames_deinit(&d.go);
	return t;
}
