/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the functions of a stripped file by their code in another build of the same program, which
 * has symbols (--symbols).
 *
 * Functions of the stripped file begin where its call frame information says so (.eh_frame).
 * A function of the other build has the same code as one of these if all bytes agree but those that
 * depend on where code and data lie; branches out of the function, and distances to data, need only
 * lead to the same kind of memory, calls of other files to the same name, and references to texts
 * to the same text. Its end must be the end in both files.
 *
 * Equal code does not yet tell functions apart. A function is found by its own code if no other one
 * of either file has that code, and it is long enough. It is found by its callers if these are
 * found, refer to it at two places at least, and all of them agree. Functions whose references
 * contradict each other are given up, and so are those that were found by way of them.
 */
#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "target/arch/flow.h"
#include "target/arch/references.h"
#include "base/map.h"
#include "target/object/demangle.h"
#include "target/object/private.h"
#include "target/object/section.h"
#include "shared/search.h"
#include "state.h"

enum {
	LEAST = 16,      /* bytes to compare of a function that is found by its own code */
	MOST = 1 << 20,  /* bytes of the largest function */
	PADDING = 64,    /* most bytes after a function */
	TEXT = 200,      /* longer texts are not compared */
	PAGE = 4096,     /* smaller numbers are no addresses */
};

/* An instruction that refers to something outside of its function. */
struct outward {
	uint64_t at;     /* from the beginning of the function */
	unsigned which;  /* of its references */
	uint64_t target;
};

/* A function of the other build. */
struct sought {
	uint64_t address, size;
	const unsigned char *code;
	unsigned char *mask;     /* 0: a byte that is not compared */
	size_t compared;
	VEC(struct outward) out;
	VEC(uint64_t) places;    /* that have its code, in the stripped file */
	uint64_t at;             /* where it is found; 0: nowhere */
	uint64_t voted;          /* where found callers refer to; 0: nowhere */
	unsigned votes;
	struct sought *by;       /* a caller by which it was found */
	bool is_shared;          /* another function has one of its places */
	bool is_contradicted;
};

/* A beginning of a function in the stripped file. */
struct code_start { uint64_t size, address; };

struct rebuilt {
	struct state *s;
	struct object_file *f, *other;
	VEC(struct code_start) starts; /* by size */
	VEC(struct sought) functions;
	struct map by_address;        /* struct sought */
	struct map by_place;          /* struct sought: the last one that has it */
};

/* ---- the stripped file ---- */

static int by_number(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

static int by_size(const void *x, const void *y)
{
	const struct code_start *a = x, *b = y;

	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static int32_t number_at(const unsigned char *p)
{
	int32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

/* The bytes from an address of code to the end of its section, or @most. */
static uint64_t to_end(const struct rebuilt *r, uint64_t address, uint64_t most)
{
	GElf_Addr bias;
	GElf_Shdr head;
	Elf *elf = dwfl_module_getelf(r->f->module, &bias);

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
		if (gelf_getshdr(scn, &head) && head.sh_flags & SHF_EXECINSTR &&
		    address - head.sh_addr < head.sh_size)
			return head.sh_size - (address - head.sh_addr) < most ?
			       head.sh_size - (address - head.sh_addr) : most;
	return most;
}

/* Reads the table of .eh_frame_hdr: Linux Standard Base, "Exception Frame Header". All linkers
 * write pairs of four-byte distances from the section's beginning (DW_EH_PE_datarel and sdata4). */
static void read_table(struct rebuilt *r, struct object_addresses *all)
{
	enum { HEAD = 12, ROW = 8, TABLE_FORMAT = 0x3b, COUNT_FORMAT = 0x03 };
	uint64_t at = r->f->frame_table, n;
	const unsigned char *head = object_data_at(r->f, at, HEAD, false), *rows;

	if (!at || !head || head[0] != 1 || head[2] != COUNT_FORMAT || head[3] != TABLE_FORMAT)
		return;
	n = (uint32_t)number_at(head + 8);
	rows = object_data_at(r->f, at + HEAD, n * ROW, false);
	for (uint64_t i = 0; rows && i < n; i++)
		vec_push(r->s->arena, &all->v, at + (uint64_t)(int64_t)number_at(rows + i * ROW));
}

/* Whether addresses in the descriptions that belong to @cie are four-byte distances from themselves
 * (DW_EH_PE_pcrel and sdata4), as compilers write them. */
static bool is_relative(const Dwarf_CIE *cie)
{
	enum { FORMAT = 0x1b };
	const char *letter = cie->augmentation;
	const uint8_t *data = cie->augmentation_data;

	if (*letter++ != 'z')
		return false;
	for (size_t at = 0; *letter && at < cie->augmentation_data_size; letter++) {
		if (*letter == 'R')
			return data[at] == FORMAT;
		if (*letter == 'L')
			at++;
		else if (*letter == 'P')
			at += 1 + sizeof(int32_t);
		else if (*letter != 'S')
			return false;
	}
	return false;
}

/* Reads .eh_frame itself: linkers make no table of it in programs that are linked statically. */
static void read_frames(struct rebuilt *r, struct object_addresses *all)
{
	GElf_Addr bias;
	GElf_Shdr head;
	GElf_Ehdr ehdr;
	Elf *elf = dwfl_module_getelf(r->f->module, &bias);
	Elf_Scn *scn = section_find(elf, ".eh_frame", &head);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	Dwarf_Off at = 0, next, kind = UINT64_MAX;
	Dwarf_CFI_Entry entry;
	bool relative = false;

	if (!data || !data->d_buf || !gelf_getehdr(elf, &ehdr))
		return;
	for (; dwarf_next_cfi(ehdr.e_ident, data, true, at, &next, &entry) == 0; at = next) {
		Dwarf_CFI_Entry cie;
		Dwarf_Off after;
		const uint8_t *start = dwarf_cfi_cie_p(&entry) ? NULL : entry.fde.start;

		if (!start || entry.fde.end - start < 4)
			continue;
		if (entry.fde.CIE_pointer != kind) {
			kind = entry.fde.CIE_pointer;
			relative = dwarf_next_cfi(ehdr.e_ident, data, true, kind, &after,
						  &cie) == 0 &&
				   dwarf_cfi_cie_p(&cie) && is_relative(&cie.cie);
		}
		if (relative)
			vec_push(r->s->arena, &all->v,
				 head.sh_addr + (uint64_t)(start - (uint8_t *)data->d_buf) +
					 (uint64_t)(int64_t)number_at(start));
	}
}

static void read_starts(struct rebuilt *r)
{
	struct object_addresses found = { { 0 } };
	uint64_t *all, left = 0;

	read_table(r, &found);
	if (!found.v.n)
		read_frames(r, &found);
	if (found.v.n)
		qsort(found.v.v, found.v.n, sizeof(*found.v.v), by_number);
	all = found.v.v;
	for (size_t i = 0; i < found.v.n; i++) {
		if (!object_code_at(r->f, all[i], &left))
			continue;
		if (i + 1 < found.v.n && all[i + 1] - all[i] < left)
			left = all[i + 1] - all[i];
		left = to_end(r, all[i], left);
		vec_push(r->s->arena, &r->starts, ((struct code_start){ left, all[i] }));
	}
	if (r->starts.n)
		qsort(r->starts.v, r->starts.n, sizeof(*r->starts.v), by_size);
}

/* ---- the other build ---- */

static bool is_code(struct object_file *f, uint64_t address)
{
	size_t left;

	return object_code_at(f, address, &left);
}

/* Whether a number in an instruction is an address of the file. */
static bool is_address(const struct object_file *f, uint64_t n)
{
	if (!f->o.is_fixed || n < PAGE)
		return false;
	vec_each(it, &f->segments)
		if (n >= it->address && n - it->address < it->memory)
			return true;
	return false;
}

static void mask_reference(struct rebuilt *r, struct sought *fn, uint64_t at,
			   const struct arch_references *all, unsigned which)
{
	const struct arch_reference *one = &all->v[which];

	if (one->target - fn->address < fn->size ||
	    (one->kind == ARCH_REFERENCE_NUMBER && !is_address(r->other, one->target)))
		return;
	memset(fn->mask + at + one->at, 0, one->size);
	fn->compared -= one->size;
	vec_push(r->s->arena, &fn->out, ((struct outward){ at, which, one->target }));
}

/* Returns false if the code can't be decoded. */
static bool mask_function(struct rebuilt *r, struct sought *fn)
{
	struct arch_references all;

	fn->mask = arena_alloc(r->s->arena, fn->size);
	memset(fn->mask, 1, fn->size);
	fn->compared = fn->size;
	for (uint64_t at = 0; at < fn->size; at += all.length) {
		if (!arch_references(fn->code + at, fn->size - at, fn->address + at, &all))
			return false;
		for (unsigned i = 0; i < all.n; i++)
			mask_reference(r, fn, at, &all, i);
	}
	return true;
}

static void read_functions(struct rebuilt *r)
{
	uint64_t last = 0;

	vec_each(it, &r->other->o.symbols) {
		struct sought fn = { .address = it->address, .size = it->size };
		size_t left = 0;

		fn.code = object_code_at(r->other, it->address, &left);
		if (!it->size || it->size > MOST || it->address == last || !fn.code ||
		    it->size > left)
			continue;
		last = it->address;
		if (mask_function(r, &fn))
			vec_push(r->s->arena, &r->functions, fn);
	}
	vec_each(it, &r->functions)
		map_set_number(&r->by_address, it->address, it);
}

/* ---- equal code ---- */

static bool is_import(const struct program_file *o, const char *name)
{
	vec_each(it, &o->imports)
		if (strcmp(it->name, name) == 0)
			return true;
	return false;
}

static bool has_import(const struct program_file *o, uint64_t address, const char *name)
{
	vec_each(it, &o->imports)
		if (it->address == address && strcmp(it->name, name) == 0)
			return true;
	return false;
}

/* Whether what @a calls in another file by an entry of its linkage table at @from, @b calls by its
 * entry at @to. An entry whose name @b does not know proves nothing. */
static bool same_import(const struct program_file *a, uint64_t from, const struct program_file *b,
			uint64_t to)
{
	bool known = false;

	vec_each(it, &a->imports) {
		if (it->address != from)
			continue;
		if (has_import(b, to, it->name))
			return true;
		known |= is_import(b, it->name);
	}
	return !known;
}

static bool target_at(struct rebuilt *r, uint64_t place, const struct outward *out, uint64_t *ret)
{
	struct arch_references all;
	size_t left = 0;
	const unsigned char *code = object_code_at(r->f, place + out->at, &left);

	if (!code || !arch_references(code, left, place + out->at, &all) || out->which >= all.n)
		return false;
	*ret = all.v[out->which].target;
	return all.v[out->which].kind != ARCH_REFERENCE_NUMBER || is_address(r->f, *ret);
}

/* The length of the text at an address of constant data; 0: there is none. */
static size_t text_at(struct object_file *f, uint64_t address, const char **ret)
{
	size_t n = 0;
	const unsigned char *at;

	for (; n < TEXT; n++) {
		at = object_data_at(f, address + n, 1, true);
		if (!at || !*at)
			break;
		if (!isprint(*at) && !isspace(*at))
			return 0;
	}
	*ret = (const char *)object_data_at(f, address, n + 1, true);
	return *ret && n < TEXT ? n : 0;
}

/* Whether constant texts are the same in both builds. */
static bool same_text(struct rebuilt *r, uint64_t from, uint64_t to)
{
	const char *a = "", *b = "";
	size_t n = text_at(r->other, from, &a);

	return n < 2 || (text_at(r->f, to, &b) == n && memcmp(a, b, n) == 0);
}

static bool refers_alike(struct rebuilt *r, const struct sought *fn, uint64_t place)
{
	vec_each(it, &fn->out) {
		uint64_t target;

		if (!target_at(r, place, it, &target) || target - place < fn->size ||
		    is_code(r->f, target) != is_code(r->other, it->target) ||
		    (!is_code(r->f, target) && !same_text(r, it->target, target)) ||
		    !same_import(&r->other->o, it->target, &r->f->o, target) ||
		    !same_import(&r->f->o, target, &r->other->o, it->target))
			return false;
	}
	return true;
}

static bool is_padding(const unsigned char *code, uint64_t n)
{
	struct arch_flow flow;

	for (uint64_t at = 0; at < n; at += flow.length)
		if (!arch_flow(code + at, n - at, at, false, &flow) ||
		    (flow.kind != ARCH_FLOW_PADDING && flow.kind != ARCH_FLOW_STOP))
			return false;
	return true;
}

static bool has_code(struct rebuilt *r, const struct sought *fn, const struct code_start *start)
{
	size_t left = 0;
	const unsigned char *code = object_code_at(r->f, start->address, &left);

	for (uint64_t i = 0; i < fn->size; i++)
		if (fn->mask[i] && code[i] != fn->code[i])
			return false;
	return is_padding(code + fn->size, start->size - fn->size) &&
	       refers_alike(r, fn, start->address);
}

static void find_places(struct rebuilt *r, struct sought *fn)
{
	size_t i;

	search_first(i, r->starts.n, r->starts.v[i].size < fn->size);
	for (; i < r->starts.n && r->starts.v[i].size < fn->size + PADDING; i++) {
		uint64_t place = r->starts.v[i].address;
		struct sought *other;

		if (!has_code(r, fn, &r->starts.v[i]))
			continue;
		vec_push(r->s->arena, &fn->places, place);
		other = map_get_number(&r->by_place, place);
		fn->is_shared |= other != NULL;
		if (other)
			other->is_shared = true;
		map_set_number(&r->by_place, place, fn);
	}
}

/* ---- which is which ---- */

static bool has_place(const struct sought *fn, uint64_t place)
{
	vec_each(it, &fn->places)
		if (*it == place)
			return true;
	return false;
}

/* Compares the references of a function that is found with what is known of their targets. Returns
 * whether one of these is found now. */
static bool vote(struct rebuilt *r, struct sought *fn)
{
	bool found = false;

	vec_each(it, &fn->out) {
		struct sought *to = map_get_number(&r->by_address, it->target);
		uint64_t target;

		if (!to || to->at || !target_at(r, fn->at, it, &target) ||
		    !has_place(to, target))
			continue;
		if (to->voted && to->voted != target)
			to->is_contradicted = true;
		to->voted = target;
		if (++to->votes >= 2 && !to->is_contradicted) {
			to->at = target;
			to->by = fn;
			found = true;
		}
	}
	return found;
}

static void find_by_callers(struct rebuilt *r)
{
	bool again = true;

	while (again) {
		again = false;
		vec_each(it, &r->functions) {
			it->votes = 0;
			it->voted = 0;
		}
		vec_each(it, &r->functions)
			if (it->at)
				again |= vote(r, it);
	}
}

static bool give_up(struct sought *fn)
{
	bool is_new = !fn->is_contradicted || fn->at;

	fn->is_contradicted = true;
	fn->at = 0;
	return is_new;
}

/* Gives up the functions that refer to another place than that of the function that they should
 * refer to, and that function. Returns whether there was one. */
static bool contradict(struct rebuilt *r)
{
	struct map taken;
	bool found = false;

	map_init(&taken, r->s->arena);
	vec_each(it, &r->functions) {
		struct sought *same = it->at ? map_get_number(&taken, it->at) : NULL;

		if (it->at && it->by && !it->by->at)
			found |= give_up(it);
		if (same)
			found |= give_up(it) | give_up(same);
		if (it->at)
			map_set_number(&taken, it->at, it);
		for (size_t i = 0; it->at && i < it->out.n; i++) {
			struct sought *to = map_get_number(&r->by_address, it->out.v[i].target);
			uint64_t target = 0;

			if (to && to->at && target_at(r, it->at, &it->out.v[i], &target) &&
			    to->at != target)
				found |= give_up(to) | give_up(it);
		}
	}
	return found;
}

/* ---- the result ---- */

static const char *why_not(struct rebuilt *r, const struct sought *fn)
{
	struct arena *a = r->s->arena;
	const char *text;

	if (!fn->places.n)
		return "none has the same code: it was changed, inlined or left out";
	if (fn->is_contradicted)
		return "its calls and those of its callers lead to different functions";
	if (fn->places.n == 1)
		return fn->is_shared ? "other functions of the other build have the same code" :
				       "it is too short to be told apart by its code";
	text = arena_printf(a, "%zu have the same code: ", fn->places.n);
	for (size_t i = 0; i < fn->places.n && i < 8; i++)
		text = arena_printf(a, "%s%s0x%llx", text, i ? ", " : "",
				    (unsigned long long)fn->places.v[i]);
	return fn->places.n > 8 ? arena_printf(a, "%s, ...", text) : text;
}

static void add_symbols(struct rebuilt *r)
{
	vec_each(it, &r->other->o.symbols) {
		const struct sought *fn = map_get_number(&r->by_address, it->address);
		struct object_symbol one = *it;

		if (fn && fn->at) {
			one.address = fn->at;
			one.is_exported = false;
			r->f->o.has_mangled |= demangle_is_mangled(one.name);
			vec_push(r->s->arena, &r->f->o.symbols, one);
			continue;
		}
		one.address = 0;
		vec_push(r->s->arena, &r->f->o.unfound, ((struct object_unfound){ it->name, fn ?
			 why_not(r, fn) : "its code in the other build can't be decoded" }));
	}
}

const char *object_rebuilt(struct state *s, struct object_file *f, const struct program_file *other)
{
	struct rebuilt r = { .s = s, .f = f, .other = (struct object_file *)(uintptr_t)other };

	if (!arch_references_known() || f->o.is_32bit)
		return "code can be compared for x86_64 only";
	if (!other->symbols.n)
		return "the other build has no symbols";
	map_init(&r.by_address, s->arena);
	map_init(&r.by_place, s->arena);
	read_starts(&r);
	if (!r.starts.n)
		return "it has no call frame information (.eh_frame), which shows where functions "
		       "begin";
	read_functions(&r);
	vec_each(it, &r.functions)
		find_places(&r, it);
	vec_each(it, &r.functions)
		if (it->places.n == 1 && !it->is_shared && it->compared >= LEAST)
			it->at = it->places.v[0];
	find_by_callers(&r);
	while (contradict(&r))
		;
	add_symbols(&r);
	f->o.other_build = other->path;
	return NULL;
}
