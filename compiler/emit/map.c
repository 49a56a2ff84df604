/* SPDX-License-Identifier: GPL-2.0 */
/* Arrays: keys, elements, "in", delete. */
#include <string.h>

#include "emit/agg.h"
#include "emit/embedded.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/map.h"
#include "emit/rehearse.h"
#include "emit/value.h"
#include "records.h"

struct emit_val *emit_map_keys(struct emit *e, struct expr **keys, size_t n, struct expr *last)
{
	struct emit_val *v = arena_alloc(e->a, (n + 1) * sizeof(*v));

	emit_expr_list(e, keys, n, last, v);
	for (size_t i = 0; i < n; i++)
		if (keys[i])
			v[i] = emit_val_lasting(e, v[i]);
	return v;
}

/* The function of the runtime that gets the element with the value of this call as its key, if the
 * call's function names one: "key: NAME". */
static const char *get_function(struct emit *e, const struct symbol *sym, const struct expr *key)
{
	const struct function *f;

	if (e->compact || sym->nkeys != 1 || !key || key->kind != EX_CALL ||
	    key->u.call.targets.n != 1)
		return NULL;
	f = key->u.call.targets.v[0];
	return emit_embedded_native(f) ? ast_note(e->a, f, "key: ") : NULL;
}

struct emit_val *emit_map_target(struct emit *e, struct expr *x, struct expr *last)
{
	struct symbol *sym = ast_base_symbol(x);
	const char *get = get_function(e, sym, x->u.index.keys.v[0]);
	struct emit_val *v;

	if (!get)
		return emit_map_keys(e, x->u.index.keys.v, x->u.index.keys.n, last);
	v = arena_alloc(e->a, sizeof(*v));
	v->type = T_STRING;
	v->hold = V_STABLE;
	v->get = get;
	return v;
}

static char *key_letters(struct emit *e, const struct symbol *sym)
{
	char *letters = arena_alloc(e->a, sym->nkeys + 1);

	for (int i = 0; i < sym->nkeys; i++)
		letters[i] = sym->key_type[i] == T_STRING ? 's' : 'l';
	letters[sym->nkeys] = '\0';
	return letters;
}

/* Writes the function that packs keys of these types. It returns their size in bytes. */
static void key_function(struct emit *e, const char *letters)
{
	buf_printf(&e->shared, "static u32 key_%s(char *key", letters);
	emit_shared_parameters(e, letters);
	buf_puts(&e->shared, ")\n{\n\tchar *k = key;\n\n");
	for (size_t i = 0; letters[i]; i++)
		buf_printf(&e->shared, "\tk = prt_key_%s(k, v%zu);\n",
			   letters[i] == 's' ? "str" : "long", i);
	buf_puts(&e->shared, "\treturn (u32)(k - key);\n}\n\n");
}

/* Most bytes that packed keys can take. */
static unsigned packed_bytes(struct emit *e, const struct symbol *sym)
{
	unsigned bytes = 0;

	for (int i = 0; i < sym->nkeys; i++)
		bytes += sym->key_type[i] == T_STRING ? 2 + e->maxstr : 8;
	return bytes;
}

/* Reserves memory in the workspace for keys of these types, some of which are strings, and writes
 * the function that packs them. */
static void packed_in_workspace(struct emit *e, const struct symbol *sym, const char *letters)
{
	unsigned bytes = packed_bytes(e, sym);

	e->fn->needs_workspace = true;
	if (e->fn->workspace_key_bytes < bytes)
		e->fn->workspace_key_bytes = bytes;
	if (emit_shared_once(e, arena_printf(e->a, "key_%s", letters)))
		key_function(e, letters);
}

static const char *key_list(struct emit *e, const struct symbol *sym, const struct emit_val *keys)
{
	const char *list = "";

	for (int i = 0; i < sym->nkeys; i++)
		list = arena_printf(e->a, "%s, %s", list, keys[i].text);
	return list;
}

/* The arguments "&MAP, KEY" of the runtime's functions of family *@suffix; packs keys if
 * necessary. */
static const char *map_args(struct emit *e, const struct symbol *sym, struct emit_val *keys,
			    const char **suffix)
{
	const char *map = emit_name_lvalue(e, sym), *letters = key_letters(e, sym);
	unsigned bytes = packed_bytes(e, sym);

	if (sym->nkeys == 1) {
		*suffix = letters;
		return arena_printf(e->a, "&%s, %s", map, keys[0].text);
	}
	*suffix = "k";
	if (!strchr(letters, 's')) {
		if (e->fn->key_bytes < bytes)
			e->fn->key_bytes = bytes;
		for (int i = 0; i < sym->nkeys; i++)
			emit_line(e, "prt_key_long(key + %d, %s);", 8 * i,
				  keys[i].text);
		return arena_printf(e->a, "&%s, key, %u", map, bytes);
	}
	packed_in_workspace(e, sym, letters);
	return arena_printf(e->a, "&%s, f->key, key_%s(f->key%s)", map, letters,
			    key_list(e, sym, keys));
}

/* Whether it calls what is not embedded C of the library. Functions of the script can run for long,
 * and other code may change arrays while they do; embedded C of users can change them itself. */
static bool visit_change(struct expr **x, void *data)
{
	bool *found = data;

	if ((*x)->kind == EX_EMBEDDED)
		*found = true;
	if ((*x)->kind == EX_CALL)
		vec_each(f, &(*x)->u.call.targets)
			*found |= !emit_embedded_native(*f);
	return !*found;
}

bool emit_map_share(struct emit *e, struct expr **v, size_t n)
{
	bool found = e->fn->shares_found;
	struct visitor changes = { .expr = visit_change, .data = &found };

	for (size_t i = 0; i < n && !found; i++) {
		found = emit_expr_effects(v[i]);
		if (!found)
			walk_expr(&v[i], &changes);
	}
	e->fn->shares_found |= !found;
	return !found;
}

void emit_map_share_end(struct emit *e, bool begun)
{
	if (!begun)
		return;
	e->fn->shares_found = false;
	e->fn->found = NULL;
}

const char *emit_map_find(struct emit *e, const struct symbol *sym, struct emit_val *keys)
{
	const char *at = arena_printf(e->a, "%s%s", sym->cname, key_list(e, sym, keys));
	const char *suffix, *args;
	struct emit_found *f;

	for (f = e->fn->found; f; f = f->next)
		if (strcmp(f->at, at) == 0)
			return f->entry;
	args = map_args(e, sym, keys, &suffix);
	f = NEW(e->a, struct emit_found);
	*f = (struct emit_found){ at, emit_temp(e, TMP_ENTRY), e->fn->found };
	emit_line(e, "%s = prt_map_find_%s(%s);", f->entry, suffix, args);
	if (e->fn->shares_found)
		e->fn->found = f;
	return f->entry;
}

/* Making an element may move a key that refers to an array, so it is copied. */
static void hold_key(struct emit *e, const struct symbol *sym, struct emit_val *keys)
{
	if (sym->nkeys == 1 && keys[0].type == T_STRING && keys[0].hold == V_SHARED)
		keys[0] = emit_val_hold(e, keys[0]);
}

/* Whether it is an error if there is no room for a new element: the user requested it, or the
 * script catches it. */
static bool full_fails(const struct emit *e)
{
	return e->s->opt.caps.maperrors || e->fn->tries;
}

static unsigned get_srcloc(struct emit *e, struct range r)
{
	return emit_srcloc(e, r) | (full_fails(e) ? PRT_FULL_FAILS : 0);
}

static void made_element(struct emit *e)
{
	if (full_fails(e))
		e->fn->heavy = true;
	else
		e->fn->makes_elements = true;
}

const char *emit_map_get(struct emit *e, const struct symbol *sym, struct emit_val *keys,
			 struct range r)
{
	hold_key(e, sym, keys);

	const char *suffix, *entry, *args;

	if (keys[0].get) {
		entry = emit_temp(e, TMP_ENTRY);
		emit_line(e, "%s = %s(c, &%s, %u);", entry, keys[0].get, emit_name_lvalue(e, sym),
			  get_srcloc(e, r));
	} else {
		args = map_args(e, sym, keys, &suffix);
		entry = emit_temp(e, TMP_ENTRY);
		emit_line(e, "%s = prt_map_get_%s(c, %s, %u);", entry, suffix, args,
			  get_srcloc(e, r));
	}
	if (full_fails(e))
		emit_fail_if(e, arena_printf(e->a, "!%s", entry));
	made_element(e);
	return entry;
}

/* Writes the function that adds a value to the element with these keys. It returns false if there
 * is no room. `key` is the memory of packed keys if some are strings. */
static void add_function(struct emit *e, const struct symbol *sym, const char *letters,
			 bool in_workspace)
{
	const char *map = emit_name_lvalue(e, sym), *values = "";

	for (int i = 0; i < sym->nkeys; i++)
		values = arena_printf(e->a, "%s, v%d", values, i);
	buf_printf(&e->shared, "static bool add_%s(struct prt_ctx *c%s", sym->cname,
		   in_workspace ? ", char *key" : "");
	emit_shared_parameters(e, letters);
	buf_puts(&e->shared, ", s64 v, u32 srcloc)\n{\n");
	if (sym->nkeys > 1 && !in_workspace)
		buf_printf(&e->shared, "\tchar key[%u];\n", packed_bytes(e, sym));
	if (sym->nkeys > 1)
		buf_printf(&e->shared,
			   "\tvoid *st = prt_map_get_k(c, &%s, key, key_%s(key%s), srcloc);\n", map,
			   letters, values);
	else
		buf_printf(&e->shared, "\tvoid *st = prt_map_get_%s(c, &%s%s, srcloc);\n", letters,
			   map, values);
	buf_printf(&e->shared, "\n\tif (!st)\n\t\treturn false;\n\tagg_add_%s(st, v);\n"
		   "\treturn true;\n}\n\n", sym->cname);
}

void emit_map_add(struct emit *e, const struct symbol *sym, struct emit_val *keys,
		  struct emit_val v, struct range r)
{
	const char *letters = key_letters(e, sym), *add;
	bool in_workspace = sym->nkeys > 1 && strchr(letters, 's');

	hold_key(e, sym, keys);
	if (in_workspace)
		packed_in_workspace(e, sym, letters);
	else if (sym->nkeys > 1 && emit_shared_once(e, arena_printf(e->a, "key_%s", letters)))
		key_function(e, letters);
	if (emit_shared_once(e, arena_printf(e->a, "add_%s", sym->cname)))
		add_function(e, sym, letters, in_workspace);
	add = arena_printf(e->a, "add_%s(c%s%s, %s, %u)", sym->cname,
			   in_workspace ? ", f->key" : "", key_list(e, sym, keys), v.text,
			   get_srcloc(e, r));
	if (full_fails(e))
		emit_fail_if(e, arena_printf(e->a, "!%s", add));
	else
		emit_line(e, "%s;", add);
	made_element(e);
}

static void map_del(struct emit *e, const struct symbol *sym, struct emit_val *keys)
{
	const char *suffix, *args = map_args(e, sym, keys, &suffix);

	emit_line(e, "prt_map_del_%s(%s);", suffix, args);
}

struct emit_val emit_map_read(struct emit *e, struct expr *x)
{
	struct symbol *sym = ast_base_symbol(x);
	struct emit_val *keys = emit_map_keys(e, x->u.index.keys.v, x->u.index.keys.n, NULL);
	const char *entry = emit_map_find(e, sym, keys);

	if (sym->type == T_STRING)
		return emit_val_compound(arena_printf(e->a, "%s ? prt_str_get(%s) : PRT_LIT(\"\")",
						      entry, entry), T_STRING, V_SHARED);
	return emit_val_compound(arena_printf(e->a, "%s ? *(s64 *)%s : 0", entry, entry),
				 sym->type, V_SHARED);
}

static bool has_star(struct expr **keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!keys[i])
			return true;
	return false;
}

/* A C condition: the element of the iterator does not have these keys (NULL stands for "*"). */
const char *emit_map_mismatch(struct emit *e, const struct symbol *sym, const char *it,
			      struct expr **keys, const struct emit_val *v)
{
	const char *cond = NULL;

	for (int i = 0; i < sym->nkeys; i++) {
		if (!keys[i])
			continue;

		const char *key = emit_val_operand(e, v[i]);
		const char *one = sym->key_type[i] == T_STRING ?
			arena_printf(e->a, "!prt_str_eq(prt_iter_key_str(%s, %d), %s)", it, i,
				     key) :
			arena_printf(e->a, "prt_iter_key_long(%s, %d) != %s", it, i, key);

		cond = cond ? arena_printf(e->a, "%s || %s", cond, one) : one;
	}
	return cond;
}

/* Evaluates keys that stay valid while the slice is searched. */
struct emit_val *emit_map_slice_keys(struct emit *e, struct expr **keys, size_t n)
{
	struct emit_val *v = emit_map_keys(e, keys, n, NULL);

	for (size_t i = 0; i < n; i++)
		if (keys[i])
			v[i] = emit_val_hold(e, v[i]);
	return v;
}

const char *emit_map_iter_start(struct emit *e, const struct symbol *sym, const char *sort,
				const char *limit, struct range r)
{
	const char *it = emit_temp(e, TMP_ITER);

	emit_line(e, "%s = prt_iter_start(c, &%s, (struct prt_sort){ %s }, %s, %u);", it,
		  emit_name_lvalue(e, sym), sort, limit, emit_srcloc(e, r));
	emit_fail_if(e, arena_printf(e->a, "!%s", it));
	return it;
}

void emit_map_iter_end(struct emit *e, const char *it)
{
	emit_line(e, "prt_iter_end(c, %s);", it);
	emit_line(e, "%s = NULL;", it);
}

/* Opens an iterator that check did not count, because the script has no foreach here. */
static const char *look_through(struct emit *e, const struct symbol *sym, struct range r)
{
	const char *it = emit_temp(e, TMP_ITER);

	e->slices = true;
	emit_line(e, "%s = prt_iter_walk(c, &%s, %u);", it, emit_name_lvalue(e, sym),
		  emit_srcloc(e, r));
	emit_fail_if(e, arena_printf(e->a, "!%s", it));
	return it;
}

/* [*, k] in a: iterates until an element matches. */
static struct emit_val slice_in(struct emit *e, struct expr *x, const struct symbol *sym)
{
	struct emit_val *v = emit_map_slice_keys(e, x->u.in.keys.v, x->u.in.keys.n);
	const char *t = emit_temp(e, TMP_LONG);
	const char *it = look_through(e, sym, x->range);
	const char *mismatch = emit_map_mismatch(e, sym, it, x->u.in.keys.v, v);

	emit_line(e, "%s = 0;", t);
	emit_open(e, "while (!%s && prt_iter_next(%s))", t, it);
	emit_line(e, mismatch ? "%s = !(%s);" : "%s = 1;", t, mismatch);
	emit_close(e);
	emit_map_iter_end(e, it);
	return emit_val_text(t, T_LONG, V_STABLE);
}

struct emit_val emit_map_in(struct emit *e, struct expr *x)
{
	struct symbol *sym = ast_base_symbol(x->u.in.array);

	if (has_star(x->u.in.keys.v, x->u.in.keys.n))
		return slice_in(e, x, sym);

	struct emit_val *keys = emit_map_keys(e, x->u.in.keys.v, x->u.in.keys.n, NULL);

	return (struct emit_val){
		.text = arena_printf(e->a, "%s != NULL", emit_map_find(e, sym, keys)),
		.compound = true, .type = T_LONG, .hold = V_SHARED, .narrow = true, .is_bool = true,
	};
}

/* delete a[*, k]: an iterator finds the elements, which are deleted by their own keys. */
static void delete_slice(struct emit *e, struct expr *x, const struct symbol *sym)
{
	struct expr **keys = x->u.index.keys.v;
	struct emit_val *v = emit_map_slice_keys(e, keys, x->u.index.keys.n);
	const char *it = look_through(e, sym, x->range);
	const char *mismatch = emit_map_mismatch(e, sym, it, keys, v);
	struct emit_val own[9];

	emit_open(e, "while (prt_iter_next(%s))", it);
	if (mismatch) {
		emit_line(e, "if (%s)", mismatch);
		emit_line(e, "\tcontinue;");
	}
	for (int i = 0; i < sym->nkeys; i++) {
		bool is_str = sym->key_type[i] == T_STRING;

		own[i] = emit_val_text(arena_printf(e->a, "prt_iter_key_%s(%s, %d)",
						    is_str ? "str" : "long", it, i),
				       sym->key_type[i], V_SHARED);
	}
	map_del(e, sym, own);
	emit_close(e);
	emit_map_iter_end(e, it);
}

void emit_map_delete(struct emit *e, struct expr *x)
{
	struct symbol *sym = ast_base_symbol(x);

	if (!emit_rehearse_keeps(e->fn, sym)) {
		if (x->kind == EX_INDEX)
			vec_each(key, &x->u.index.keys)
				emit_rehearse_operand(e, *key);
		return;
	}
	if (x->kind == EX_INDEX && has_star(x->u.index.keys.v, x->u.index.keys.n)) {
		delete_slice(e, x, sym);
	} else if (x->kind == EX_INDEX) {
		map_del(e, sym, emit_map_keys(e, x->u.index.keys.v, x->u.index.keys.n, NULL));
	} else if (sym->is_array) {
		emit_line(e, "prt_map_clear(&%s);", emit_name_lvalue(e, sym));
	} else if (sym->type == T_STATS) {
		emit_agg_clear(e, sym);
	} else {
		emit_name_store(e, sym, sym->type == T_STRING ? emit_val_str(e, "", 0) :
						emit_val_num(e, 0));
	}
}
