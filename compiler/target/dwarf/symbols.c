/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of an object's code, which translate between addresses of debug information and the
 * names and namesakes of sites. They are made from the symbol table, and those of a kernel are
 * cached (cached.h):
 *
 *   struct symbols_head
 *   struct dwarf_symbol  v[n]        in ascending order of addresses
 *   uint32_t             by_name[n]  their numbers, sorted by name; namesakes as in kallsyms
 *   char                 text[]      the names, each with its NUL, those of namesakes once
 *
 * /proc/kallsyms has the kernel's symbols by address; those of a module are in the order of its
 * symbol table, but __init code comes last, because it is freed once the module runs.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "shared/buf.h"
#include "shared/memory.h"
#include "shared/search.h"
#include "target/dwarf/cached.h"
#include "target/dwarf/private.h"
#include "target/dwarf/symtab.h"
#include "target/object/demangle.h"

struct symbols_head {
	uint64_t n;
	uint64_t text_size;
};

struct dwarf_symbols {
	struct dwarf_cached cached;
	size_t n;                /* 0: none */
	const struct dwarf_symbol *v;
	const uint32_t *by_name;
	const char *text;
	size_t text_size;
};

/* ---- making ---- */

/* A symbol while symbols are sorted by name. */
struct named {
	/* first bytes of the name, the first of them as the highest byte */
	uint64_t begins;
	const char *name;
	uint64_t listed;         /* its position in kallsyms among its namesakes */
	uint32_t at;             /* its index in v */
};

static int by_name(const void *a, const void *b)
{
	const struct named *one = a, *other = b;
	int cmp;

	if (one->begins != other->begins)
		return one->begins < other->begins ? -1 : 1;
	cmp = strcmp(one->name, other->name);
	return cmp ? cmp : one->listed < other->listed ? -1 : one->listed > other->listed;
}

static struct named *in_order_of_names(const struct dwarf_db *db, const struct dwarf_symtab *all)
{
	struct named *names = memory_zeroed(all->n + 1, sizeof(*names));

	for (uint32_t i = 0; i < all->n; i++) {
		const struct dwarf_symtab_entry *e = &all->v[i];

		names[i] = (struct named){ .name = e->name, .at = i, .listed = i };
		if (db->is_module)
			names[i].listed = (uint64_t)e->init << 32 | e->nr;
		memcpy(&names[i].begins, e->name, strnlen(e->name, sizeof(names[i].begins)));
		names[i].begins = be64toh(names[i].begins);
	}
	qsort(names, all->n, sizeof(*names), by_name);
	return names;
}

static struct dwarf_symbol kept_as(const struct dwarf_symtab_entry *e, size_t text)
{
	return (struct dwarf_symbol){
		.address = e->address,
		.size = e->size < UINT32_MAX ? (uint32_t)e->size : UINT32_MAX,
		.name = (uint32_t)text & DWARF_SYMBOL_NAME_MAX,
		.exact = e->exact, .global = e->global, .init = e->init,
	};
}

/* Returns false if something exceeds the range of its numbers. */
static bool write_all(const struct dwarf_symtab *all, const struct named *names, struct buf *ret)
{
	struct dwarf_symbol *v = memory_zeroed(all->n + 1, sizeof(*v));
	uint32_t *order = memory_zeroed(all->n + 1, sizeof(*order));
	size_t last = 0;
	struct buf text;

	buf_init(&text);
	for (size_t i = 0; i < all->n; i++) {
		if (!i || strcmp(names[i].name, names[i - 1].name) != 0) {
			last = text.len;
			buf_write(&text, names[i].name, strlen(names[i].name) + 1);
		}
		order[i] = names[i].at;
		v[names[i].at] = kept_as(&all->v[names[i].at], last);
	}

	struct symbols_head head = { all->n, text.len };
	bool ok = last <= DWARF_SYMBOL_NAME_MAX;

	if (ok) {
		buf_write(ret, &head, sizeof(head));
		buf_write(ret, v, all->n * sizeof(*v));
		buf_write(ret, order, all->n * sizeof(*order));
		buf_write(ret, text.s, text.len);
	}
	free(v);
	free(order);
	buf_deinit(&text);
	return ok;
}

static bool make(struct dwarf_db *db, struct buf *ret)
{
	struct dwarf_symtab all;

	dwarf_symtab_read(db, &all);

	struct named *names = in_order_of_names(db, &all);
	bool ok = write_all(&all, names, ret);

	free(names);
	free(all.v);
	return ok;
}

/* ---- opening ---- */

/* Returns false if the bytes are invalid. */
static bool find_parts(void *index)
{
	struct dwarf_symbols *x = index;
	const struct symbols_head *h = (const struct symbols_head *)x->cached.bytes;
	const size_t each = sizeof(*x->v) + sizeof(*x->by_name);
	size_t size = x->cached.size;

	if (size < sizeof(*h) || h->n > (size - sizeof(*h)) / each ||
	    sizeof(*h) + h->n * each + h->text_size != size)
		return false;
	x->v = (const struct dwarf_symbol *)(h + 1);
	x->by_name = (const uint32_t *)(x->v + h->n);
	x->text = (const char *)(x->by_name + h->n);
	x->text_size = h->text_size;
	if (h->n && (!x->text_size || x->text[x->text_size - 1] != '\0'))
		return false;
	x->n = h->n;
	return true;
}

static const struct dwarf_cached_kind kind = {
	"dwarf-symbols", "probec-symbols 2", NULL, make, find_parts,
};

static const struct dwarf_symbols *symbols_of(struct dwarf_db *db)
{
	if (!db->symbols) {
		db->symbols = NEW(db->arena, struct dwarf_symbols);
		dwarf_cached_open(db, &kind, dwarf_symtab_size(db), db->symbols);
	}
	return db->symbols;
}

void dwarf_symbols_close(struct dwarf_db *db)
{
	if (db->symbols)
		dwarf_cached_close(&db->symbols->cached);
	db->symbols = NULL;
}

/* ---- by name ---- */

static const char *text_of(const struct dwarf_symbols *x, const struct dwarf_symbol *symbol)
{
	return symbol->name < x->text_size ? x->text + symbol->name : "";
}

/* The symbol at an index of by_name. */
static const struct dwarf_symbol *named_at(const struct dwarf_symbols *x, size_t i)
{
	return &x->v[x->by_name[i] < x->n ? x->by_name[i] : 0];
}

/* The index in by_name of the first name that is not before @name. */
static size_t first_from(const struct dwarf_symbols *x, const char *name)
{
	size_t i;

	search_first(i, x->n, strcmp(text_of(x, named_at(x, i)), name) < 0);
	return i;
}

/* ---- interface ---- */

const struct dwarf_symbol *dwarf_symbols_at(struct dwarf_db *db, uint64_t pc)
{
	const struct dwarf_symbols *x = symbols_of(db);
	const struct dwarf_symbol *all = x->v, *label = NULL;
	size_t low;

	search_first(low, x->n, all[low].address <= pc);
	/* A label may be within a function; the padding before one belongs to none. */
	for (size_t i = low; i-- > 0 && i + 64 > low;) {
		if (all[i].exact && (!all[i].size || pc < all[i].address + all[i].size))
			return &all[i];
		label = label || all[i].exact ? label : &all[i];
	}
	return label;
}

const char *dwarf_symbols_name(struct dwarf_db *db, const struct dwarf_symbol *symbol)
{
	return text_of(symbols_of(db), symbol);
}

const struct dwarf_symbol *dwarf_symbols_named(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last)
{
	const struct dwarf_symbols *x = symbols_of(db);
	size_t i = first_from(x, name);

	while (last && i < x->n && named_at(x, i++) != last)
		;
	return i < x->n && strcmp(text_of(x, named_at(x, i)), name) == 0 ? named_at(x, i) : NULL;
}

const struct dwarf_symbol *dwarf_symbols_clone(struct dwarf_db *db, const char *name,
					       const struct dwarf_symbol *last)
{
	const struct dwarf_symbols *x = symbols_of(db);
	const char *begins = arena_printf(db->arena, "%s.", name);
	const struct dwarf_symbol *next = NULL;
	size_t len = strlen(begins);

	for (size_t i = first_from(x, begins); i < x->n; i++) {
		const struct dwarf_symbol *one = named_at(x, i);

		if (strncmp(text_of(x, one), begins, len) != 0)
			break;
		if (one->exact && !strstr(text_of(x, one) + len - 1, ".cold") &&
		    (!last || one > last) && (!next || one < next))
			next = one;
	}
	return next;
}

bool dwarf_symbols_mangled(struct dwarf_db *db)
{
	static const char *const beginnings[] = { "_R", "_Z" };
	const struct dwarf_symbols *x = symbols_of(db);

	for (size_t i = 0; db->is_program && i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		size_t at = first_from(x, beginnings[i]);

		if (at < x->n && demangle_is_mangled(text_of(x, named_at(x, at))))
			return true;
	}
	return false;
}

bool dwarf_symbols_shown(struct dwarf_db *db, const struct demangle_pattern *pattern)
{
	const struct dwarf_symbols *x = symbols_of(db);

	for (size_t i = 0; i < x->n && pattern->may_be_exact && !pattern->plain; i++)
		if (x->v[i].exact && demangle_is_same(pattern, text_of(x, &x->v[i])))
			return true;
	return false;
}

void dwarf_symbols_each(struct dwarf_db *db, const struct demangle_pattern *pattern,
			void (*visit)(void *data, const struct dwarf_symbol *symbol), void *data)
{
	const struct dwarf_symbols *x = symbols_of(db);

	for (size_t i = 0; i < x->n; i++) {
		if (x->v[i].exact && demangle_matches(pattern, text_of(x, &x->v[i])))
			visit(data, &x->v[i]);
	}
}

int dwarf_symbols_namesake(struct dwarf_db *db, const struct dwarf_symbol *symbol)
{
	const char *name = dwarf_symbols_name(db, symbol);
	const struct dwarf_symbol *other = NULL;
	int n = 0;

	/* Two symbols of one name may have one address in the kernel. */
	while ((other = dwarf_symbols_named(db, name, other)) && other != symbol)
		n += db->is_module || other->address < symbol->address;
	return n;
}
