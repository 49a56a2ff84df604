/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The section has a header; a table of functions, each with its address and the offset of a
 * description; and for each function a table that says how deep the stack is at its instructions,
 * as pairs of differences, of depths and of addresses. All registers are a function's own in Go, so
 * the caller's stack pointer and its return address are all that a walk needs.
 *
 * Parts of the runtime run on the stack of the thread: the collector, allocation, growing a stack,
 * the scheduler, and C. The functions that change to it save the stack pointer of the goroutine in
 * its descriptor, to which the thread's base leads (PRT_UNWIND_SWITCH). The thread's descriptor
 * loses its goroutine before the scheduler is entered and has the next one shortly before that one
 * runs, so functions that called the scheduler have no caller (GO_SCHEDULE).
 */
#include "unwind/go_frames.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "shared/bytes.h"
#include "shared/memory.h"
#include "unwind.h"

enum {
	GO_1_18 = 0xfffffff0, GO_1_20, /* the first four bytes */
	HEADER_TEXT = 24,        /* where the header has the address of the code */
	ENTRY = 8,               /* bytes of an entry of the table of functions */
	DESCRIPTION_DEPTHS = 16, /* where a description has the offset of the depths */
	DEPTH_MAX = INT32_MAX - PRT_UNWIND_WORD,
	CODE_MAX = 1024,         /* bytes of a function of GO_SWITCH; at most 190 in Go 1.19 */
};

/* No register but the stack pointer is known in the caller. */
static const struct prt_unwind_rule by_depth = {
	.cfa = PRT_UNWIND_REG, .reg = PRT_UNWIND_SP,
	.stored = 1 << PRT_UNWIND_RA,
	.gone = ~(1 << PRT_UNWIND_RA) & ((1 << PRT_UNWIND_COLUMNS) - 1),
	.at = { [PRT_UNWIND_RA] = -PRT_UNWIND_WORD },
};
static const struct prt_unwind_rule unknown, outermost = { .cfa = PRT_UNWIND_END };
static const struct prt_unwind_rule signal_frame = { .cfa = PRT_UNWIND_SIGNAL,
						     .reg = PRT_UNWIND_SP,
						     .offset = ARCH_SIGNAL_CONTEXT };

static const struct {
	const char *name;
	enum go_kind kind;
} specials[] = {
	{ "runtime.goexit", GO_OUTERMOST },
	{ "runtime.mstart", GO_OUTERMOST },
	{ "runtime.rt0_go", GO_OUTERMOST },
	{ "runtime.systemstack", GO_SWITCH },
	{ "runtime.asmcgocall", GO_SWITCH },
	{ "runtime.mcall", GO_SWITCH_LEFT },
	{ "runtime.morestack", GO_SWITCH_LEFT },
	{ "runtime.schedule", GO_SCHEDULE },
	{ "runtime.sigreturn", GO_SIGNAL },
	{ "runtime.sigreturn__sigaction", GO_SIGNAL },
};

/* The header's offsets. */
struct header {
	uint64_t nfunctions, text, names, depths, functions;
};

static struct bytes at(const struct go_frames *g, uint64_t offset)
{
	struct bytes c = { .p = g->part.bytes, .end = g->part.bytes + g->part.size };

	bytes_skip(&c, offset);
	return c;
}

static bool read_header(const struct go_frames *g, struct header *ret)
{
	struct bytes c = at(g, 0);
	uint64_t magic = bytes_fixed(&c, 4), unit, word;

	bytes_skip(&c, 2);
	unit = bytes_fixed(&c, 1);
	word = bytes_fixed(&c, 1);
	ret->nfunctions = bytes_fixed(&c, 8);
	bytes_skip(&c, 8);
	ret->text = bytes_fixed(&c, 8);
	ret->names = bytes_fixed(&c, 8);
	bytes_skip(&c, 16);
	ret->depths = bytes_fixed(&c, 8);
	ret->functions = bytes_fixed(&c, 8);
	return !c.bad && (magic == GO_1_18 || magic == GO_1_20) && unit == 1 && word == 8 &&
	       ret->nfunctions <= g->part.size / ENTRY;
}

/* Where code may be loaded anywhere, the address of its start is that of a relocation. */
static uint64_t relocated_text(const struct image *f, const struct go_frames *g)
{
	static const char *const names[] = { ".rela.dyn", ".rela" };
	struct image_part part;
	uint64_t found = 0;
	Elf64_Rela it;

	for (size_t i = 0; i < 2 && !found; i++) {
		if (!image_section(f, names[i], &part))
			continue;
		for (size_t k = 0; k + sizeof(it) <= part.size && !found; k += sizeof(it)) {
			memcpy(&it, part.bytes + k, sizeof(it));
			if (it.r_offset == g->part.address + HEADER_TEXT &&
			    ELF64_R_TYPE(it.r_info) == ARCH_RELATIVE)
				found = (uint64_t)it.r_addend;
		}
		free(part.bytes);
	}
	return found;
}

static bool find_section(const struct image *f, struct image_part *ret)
{
	return image_section(f, ".gopclntab", ret) ||
	       image_section(f, ".data.rel.ro.gopclntab", ret);
}

static void add_special(struct go_frames *g, const struct frames_function *fn, const char *name)
{
	struct go_special *it;

	for (size_t i = 0; i < sizeof(specials) / sizeof(*specials); i++) {
		if (strcmp(name, specials[i].name) != 0 || g->nspecials == GO_SPECIALS)
			continue;
		it = &g->specials[g->nspecials++];
		*it = (struct go_special){ .fn = *fn, .kind = specials[i].kind };
		/* A signal's handler returns to the first instruction, and a walk looks at the one
		 * before a return address. */
		it->fn.start -= it->kind == GO_SIGNAL;
	}
}

static void add_function(struct go_frames *g, const struct header *h, uint64_t number)
{
	struct bytes c = at(g, h->functions + number * ENTRY), description, text;
	struct frames_function fn = { .start = h->text + bytes_fixed(&c, 4) };
	uint64_t offset = bytes_fixed(&c, 4);
	const char *name;

	fn.end = h->text + bytes_fixed(&c, 4);
	description = at(g, h->functions + offset);
	bytes_skip(&description, 4);
	text = at(g, h->names + bytes_fixed(&description, 4));
	bytes_skip(&description, DESCRIPTION_DEPTHS - 8);
	fn.at = bytes_fixed(&description, 4);
	if (c.bad || description.bad || fn.start >= fn.end)
		return;
	g->functions[g->nfunctions++] = fn;
	name = bytes_string(&text);
	if (name)
		add_special(g, &fn, name);
}

/* Returns the size of the function's code, which it reads to @code; 0: it can't be read. */
static size_t read_code(const struct image *f, const struct frames_function *fn,
			unsigned char *code)
{
	uint64_t size = fn->end - fn->start;

	return size <= CODE_MAX && image_read(f, fn->start, code, size) ? size : 0;
}

/* Without the links, and where no part of a function runs on another stack, its callers are not
 * known. */
static void find_switches(const struct image *f, struct go_frames *g)
{
	unsigned char code[CODE_MAX];
	bool found = false;

	for (size_t i = 0; i < g->nspecials && !found; i++)
		found = g->specials[i].kind == GO_SWITCH &&
			arch_go_links(code, read_code(f, &g->specials[i].fn, code), g->links);
	for (size_t i = 0; i < g->nspecials; i++) {
		struct go_special *it = &g->specials[i];
		size_t from = 0, to = 0;

		if (it->kind != GO_SWITCH && it->kind != GO_SWITCH_LEFT)
			continue;
		if (!found || !arch_go_switch(code, read_code(f, &it->fn, code),
					      g->links[PRT_UNWIND_LINKS - 1], &from, &to))
			it->kind = GO_UNKNOWN;
		it->from = it->fn.start + from;
		it->to = it->fn.start + to;
	}
}

void go_frames_read(const struct image *f, struct go_frames *ret)
{
	struct header h;

	*ret = (struct go_frames){ 0 };
	if (!ARCH_GO_FRAMES || !find_section(f, &ret->part) || !read_header(ret, &h))
		return;
	if (!h.text)
		h.text = relocated_text(f, ret);
	if (!h.text)
		return;
	ret->depths = h.depths;
	ret->functions = memory_zeroed(h.nfunctions + 1, sizeof(*ret->functions));
	for (uint64_t i = 0; i < h.nfunctions; i++)
		add_function(ret, &h, i);
	find_switches(f, ret);
}

void go_frames_deinit(struct go_frames *g)
{
	free(g->part.bytes);
	free(g->functions);
	*g = (struct go_frames){ 0 };
}

const struct prt_unwind_rule *go_frames_rule(const struct go_special *special)
{
	switch (special->kind) {
	case GO_OUTERMOST: return &outermost;
	case GO_UNKNOWN: return &unknown;
	case GO_SIGNAL: return &signal_frame;
	default: return NULL;
	}
}

/* The rows of a function. */
struct go_rows {
	const struct go_special *special;  /* NULL: it is like most others */
	struct prt_unwind_rule on_thread;  /* in the part that runs on the stack of the thread */
	void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule);
	void *arg;
};

/* The row from @address to @end, in parts if some of it runs on another stack. How deep the stack
 * of the goroutine is does not change from the beginning of that part on. */
static void give_row(struct go_rows *r, uint64_t address, uint64_t end, int offset)
{
	const struct go_special *s = r->special;
	struct prt_unwind_rule rule = by_depth;

	rule.offset = offset;
	if (s && s->kind == GO_SCHEDULE)
		rule.gone |= PRT_UNWIND_THREAD;
	if (!s || address < s->from || address >= s->to)
		r->row(r->arg, address, &rule);
	if (!s || s->from >= end || s->to <= address)
		return;
	if (s->from >= address) {
		r->on_thread.offset = s->kind == GO_SWITCH ? offset : 0;
		address = s->from;
	}
	r->row(r->arg, address, &r->on_thread);
	if (s->to < end)
		r->row(r->arg, s->to, &rule);
}

void go_frames_run(const struct go_frames *g, const struct frames_function *fn,
		   const struct go_special *special, uint64_t limit,
		   void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule),
		   void *arg)
{
	struct go_rows r = { special, by_depth, row, arg };
	struct bytes c = at(g, g->depths + fn->at);
	uint64_t address = fn->start;
	int64_t depth = -1;

	r.on_thread.cfa = PRT_UNWIND_SWITCH;
	memcpy(r.on_thread.at, g->links, sizeof(g->links));
	for (;;) {
		uint64_t change = bytes_uleb(&c), size = bytes_uleb(&c), left = limit - address;

		depth = (int64_t)((uint64_t)depth +
				  (change & 1 ? ~(change >> 1) : change >> 1));
		/* Behind the last pair there is a 0; filling between functions has no depth. */
		if (c.bad || !change || !size || depth < 0 || depth > DEPTH_MAX) {
			row(arg, address, &unknown);
			return;
		}
		give_row(&r, address, address + (size < left ? size : left),
			 (int)depth + PRT_UNWIND_WORD);
		if (size >= left)
			return;
		address += size;
	}
}
