/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The section has a header; a table of functions, each with its address and the offset of a
 * description; and for each function a table that says how deep the stack is at its instructions,
 * as pairs of differences, of depths and of addresses. All registers are a function's own in Go, so
 * the caller's stack pointer and its return address are all that a walk needs.
 */
#include "unwind/go_frames.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/alloc.h"
#include "shared/bytes.h"
#include "unwind.h"

enum {
	GO_1_18 = 0xfffffff0, GO_1_20, /* the first four bytes */
	HEADER_TEXT = 24,        /* where the header has the address of the code */
	ENTRY = 8,               /* bytes of an entry of the table of functions */
	DESCRIPTION_DEPTHS = 16, /* where a description has the offset of the depths */
	DEPTH_MAX = INT32_MAX - PRT_UNWIND_WORD,
	CONTEXT_SIGNAL = 40,     /* struct sigcontext in the frame of a signal */
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
						     .offset = CONTEXT_SIGNAL };

static const struct {
	const char *name;
	const struct prt_unwind_rule *rule;
} specials[] = {
	{ "runtime.goexit", &outermost },
	{ "runtime.mstart", &outermost },
	{ "runtime.rt0_go", &outermost },
	/* The caller is on another stack. */
	{ "runtime.systemstack", &unknown },
	{ "runtime.mcall", &unknown },
	{ "runtime.morestack", &unknown },
	{ "runtime.asmcgocall", &unknown },
	{ "runtime.sigreturn", &signal_frame },
	{ "runtime.sigreturn__sigaction", &signal_frame },
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
			    ELF64_R_TYPE(it.r_info) == R_X86_64_RELATIVE)
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
		*it = (struct go_special){ *fn, specials[i].rule };
		/* A signal's handler returns to the first instruction, and a walk looks at the one
		 * before a return address. */
		it->fn.start -= it->rule == &signal_frame;
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

void go_frames_read(const struct image *f, struct go_frames *ret)
{
	struct header h;

	*ret = (struct go_frames){ 0 };
	if (!find_section(f, &ret->part) || !read_header(ret, &h))
		return;
	if (!h.text)
		h.text = relocated_text(f, ret);
	if (!h.text)
		return;
	ret->depths = h.depths;
	ret->functions = alloc_array(h.nfunctions + 1, sizeof(*ret->functions));
	for (uint64_t i = 0; i < h.nfunctions; i++)
		add_function(ret, &h, i);
}

void go_frames_deinit(struct go_frames *g)
{
	free(g->part.bytes);
	free(g->functions);
	*g = (struct go_frames){ 0 };
}

void go_frames_run(const struct go_frames *g, const struct frames_function *fn,
		   void (*row)(void *arg, uint64_t address, const struct prt_unwind_rule *rule),
		   void *arg)
{
	struct bytes c = at(g, g->depths + fn->at);
	uint64_t address = fn->start;
	int64_t depth = -1;

	for (;;) {
		uint64_t change = bytes_uleb(&c), size = bytes_uleb(&c);
		struct prt_unwind_rule rule = by_depth;

		depth = (int64_t)((uint64_t)depth +
				  (change & 1 ? ~(change >> 1) : change >> 1));
		/* Behind the last pair there is a 0; filling between functions has no depth. */
		if (c.bad || !change || !size || depth < 0 || depth > DEPTH_MAX) {
			row(arg, address, &unknown);
			return;
		}
		rule.offset = (int)depth + PRT_UNWIND_WORD;
		row(arg, address, &rule);
		if (size >= fn->end - address)
			return;
		address += size;
	}
}
