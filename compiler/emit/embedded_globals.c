/* SPDX-License-Identifier: GPL-2.0 */
/*
 * STAP_GLOBAL_GET_x() and STAP_GLOBAL_SET_x() of embedded C: access to the script's globals. For an
 * array, each is a function that makes the key of its arguments.
 */
#include "emit/embedded.h"
#include "emit/value.h"

static const char *c_type(enum type t)
{
	return t == T_STRING ? "const char *" : "s64 ";
}

static const char *key_text(struct emit *e, const struct symbol *sym, int i)
{
	return arena_printf(e->a, sym->key_type[i] == T_STRING ? "stap_str(k%d)" : "k%d", i);
}

/* Packs the keys if there are several. Returns the arguments of the runtime's functions of family
 * *@suffix. */
static const char *make_key(struct emit *e, const struct symbol *sym, const char **suffix)
{
	if (sym->nkeys == 1) {
		*suffix = sym->key_type[0] == T_STRING ? "s" : "l";
		return key_text(e, sym, 0);
	}
	for (int i = 0; i < sym->nkeys; i++)
		buf_printf(e->out, "\tk = prt_key_%s(k, %s);\n",
			   sym->key_type[i] == T_STRING ? "str" : "long", key_text(e, sym, i));
	*suffix = "k";
	return "key, (u32)(k - key)";
}

static unsigned key_bytes(const struct emit *e, const struct symbol *sym)
{
	unsigned bytes = 0;

	for (int i = 0; i < sym->nkeys; i++)
		bytes += sym->key_type[i] == T_STRING ? 2 + (unsigned)e->maxstr : 8;
	return sym->nkeys > 1 ? (bytes + 7) / 8 * 8 : 0;
}

static void head(struct emit *e, const struct function *f, const struct symbol *sym, bool set)
{
	buf_printf(e->out, "static __maybe_unused %sstap_%s_%s_%s(struct prt_ctx *c, u32 srcloc",
		   set ? "void " : c_type(sym->type), set ? "set" : "get", f->cname, sym->cname);
	for (int i = 0; i < sym->nkeys; i++)
		buf_printf(e->out, ", %sk%d", c_type(sym->key_type[i]), i);
	if (set)
		buf_printf(e->out, ", %sv", c_type(sym->type));
	buf_puts(e->out, ")\n{\n");
	if (sym->nkeys > 1)
		buf_printf(e->out, "\tchar *key = prt_workspace(c, %u, srcloc), *k = key;\n",
			   key_bytes(e, sym));
	buf_puts(e->out, "\tvoid *at;\n\n");
	if (sym->nkeys > 1)
		buf_printf(e->out, "\tif (!key)\n\t\treturn%s;\n",
			   set ? "" : sym->type == T_STRING ? " \"\"" : " 0");
}

static void element_function(struct emit *e, const struct function *f, const struct symbol *sym,
			     bool set)
{
	const char *map = emit_name_lvalue(e, sym), *suffix, *key;
	bool is_text = sym->type == T_STRING;

	head(e, f, sym, set);
	key = make_key(e, sym, &suffix);
	buf_printf(e->out, set ? "\tat = prt_map_get_%s(c, &%s, %s, srcloc);\n" :
				 "\tat = prt_map_find_%s(&%s, %s);\n", suffix, map, key);
	if (sym->nkeys > 1)
		buf_puts(e->out, "\tc->workspace = key;\n");
	if (set)
		buf_printf(e->out, "\tif (at)\n\t\t%s;\n}\n\n",
			   is_text ? "stap_set(at, v)" : "*(s64 *)at = v");
	else
		buf_printf(e->out, "\treturn at ? %s;\n}\n\n",
			   is_text ? "stap_text(at) : \"\"" : "*(s64 *)at : 0");
}

static void scalar_macros(struct emit *e, const struct symbol *sym)
{
	const char *name = sym->name, *at = emit_name_lvalue(e, sym);

	if (sym->type == T_STRING)
		buf_printf(e->out, "#define STAP_GLOBAL_GET_%s() stap_text(&%s)\n"
			   "#define STAP_GLOBAL_SET_%s(...) stap_set(&%s, (__VA_ARGS__))\n",
			   name, at, name, at);
	else
		buf_printf(e->out, "#define STAP_GLOBAL_GET_%s() (%s)\n"
			   "#define STAP_GLOBAL_SET_%s(...) (%s = (s64)(__VA_ARGS__))\n",
			   name, at, name, at);
}

unsigned emit_embedded_globals(struct emit *e, const struct function *f)
{
	unsigned room = 0;

	vec_each(it, &f->globals) {
		const struct symbol *sym = it->sym;

		if (!sym->is_array) {
			scalar_macros(e, sym);
			continue;
		}
		element_function(e, f, sym, false);
		element_function(e, f, sym, true);
		buf_printf(e->out, "#define STAP_GLOBAL_GET_%s(...) stap_get_%s_%s(c, srcloc, "
			   "__VA_ARGS__)\n"
			   "#define STAP_GLOBAL_SET_%s(...) stap_set_%s_%s(c, srcloc, "
			   "__VA_ARGS__)\n", sym->name, f->cname, sym->cname, sym->name, f->cname,
			   sym->cname);
		if (key_bytes(e, sym) > room)
			room = key_bytes(e, sym);
	}
	return room;
}

void emit_embedded_forget_globals(struct emit *e, const struct function *f)
{
	vec_each(it, &f->globals)
		buf_printf(e->out, "#undef STAP_GLOBAL_GET_%s\n#undef STAP_GLOBAL_SET_%s\n",
			   it->sym->name, it->sym->name);
}
