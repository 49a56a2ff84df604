/* SPDX-License-Identifier: GPL-2.0 */
/* Functions: bodies, embedded C, calls, and the strings in the workspace of a C function. */
#include <ctype.h>
#include <string.h>

#include "target/arch/arch.h"
#include "emit/access.h"
#include "emit/embedded.h"
#include "emit/expr.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/rehearse.h"
#include "emit/stmt.h"
#include "emit/value.h"

/* Embedded C up to this many bytes is worth inlining. */
#define INLINE_MAX 240

void emit_func_begin(struct emit *e, struct emit_fn *fn, const char *cname)
{
	memset(fn, 0, sizeof(*fn));
	buf_init(&fn->body);
	map_init(&fn->reads, e->a);
	fn->cname = cname;
	fn->depth = 1;
	fn->calls = true;
	e->fn = fn;
}

/* Calls @visit for each string variable of the function. Returns their number. */
static size_t workspace_symbols(struct emit_fn *fn, void (*visit)(struct emit *, struct symbol *),
			    struct emit *e)
{
	size_t n = 0;

	if (fn->func) {
		vec_each(it, &fn->func->params) {
			if (emit_name_in_workspace(fn, *it)) {
				n++;
				if (visit)
					visit(e, *it);
			}
		}
	}

	struct symbol **v = fn->func ? fn->func->locals.v : fn->probe->locals.v;
	size_t len = fn->func ? fn->func->locals.n : fn->probe->locals.n;

	for (size_t i = 0; i < len; i++) {
		if (emit_name_in_workspace(fn, v[i])) {
			n++;
			if (visit)
				visit(e, v[i]);
		}
	}
	return n;
}

static void workspace_member(struct emit *e, struct symbol *sym)
{
	buf_printf(e->out, "\tPRT_STRBUF(l_%s, PRT_MAXSTRINGLEN);\n", sym->cname);
}

/* Writes the struct of the workspace. Returns its size in C: 8-byte words, 4-aligned strings, plain
 * bytes. */
static unsigned workspace_struct(struct emit *e)
{
	struct emit_fn *fn = e->fn;
	size_t kept = workspace_symbols(fn, NULL, e);
	size_t match = !fn->keeps_match ? 0 :
		       (sizeof(struct prt_match) + 3) / 4 * 4 + 4 + (e->maxstr + 3) / 4 * 4;
	size_t bytes = 8 * fn->arg_words + fn->scratch + match +
		       kept * ((4 + e->maxstr + 3) / 4 * 4) +
		       fn->max[TMP_BUF] * e->maxstr + fn->workspace_key_bytes;

	if (!bytes)
		return 0;
	buf_printf(e->out, "struct workspace_%s {\n", fn->cname);
	if (fn->arg_words)
		buf_printf(e->out, "\tu64 args[%u];\n", fn->arg_words);
	if (fn->scratch)
		buf_printf(e->out, "\tu64 scratch[%u];\n", fn->scratch / 8);
	if (fn->keeps_match)
		buf_puts(e->out, "\tunion { struct prt_matched m; "
			 "char room[sizeof(struct prt_matched) + PRT_MAXSTRINGLEN]; } matched;\n");
	workspace_symbols(fn, workspace_member, e);
	for (unsigned i = 0; i < fn->max[TMP_BUF]; i++)
		buf_printf(e->out, "\tchar s%u[PRT_MAXSTRINGLEN];\n", i);
	if (fn->workspace_key_bytes)
		buf_printf(e->out, "\tchar key[%u];\n", fn->workspace_key_bytes);
	buf_puts(e->out, "} __attribute__((aligned(8)));\n\n");
	return (bytes + 7) / 8 * 8;
}

static void declare_temps(struct emit *e)
{
	static const struct { const char *head, *each, *init; } form[TMP_KINDS] = {
		[TMP_LONG] = { "s64", "t", "" }, [TMP_STR] = { "struct prt_str", "v", "" },
		[TMP_ENTRY] = { "void", "*e", "" }, [TMP_ADDR] = { "u64", "a", "" },
		[TMP_NEXT] = { "bool", "n", "" },
		[TMP_ITER] = { "struct prt_iter", "it", " = NULL" },
		[TMP_BUF] = { NULL, NULL, NULL },
	};

	for (int k = 0; k < TMP_KINDS; k++) {
		if (!form[k].head || !e->fn->max[k])
			continue;

		/* Temporaries that may live across a loop. */
		bool deep = e->fn->deep_loops && (k == TMP_LONG || k == TMP_ITER);

		buf_printf(e->out, "\t%s%s ", deep && k == TMP_LONG ? "volatile " : "",
			   form[k].head);
		for (unsigned i = 0; i < e->fn->max[k]; i++)
			buf_printf(e->out, "%s%s%s%u%s", i ? ", " : "", k == TMP_ITER ? "*" : "",
				   deep && k == TMP_ITER ? "volatile it" : form[k].each, i,
				   form[k].init);
		buf_puts(e->out, ";\n");
	}
}

static void declare_locals(struct emit *e)
{
	struct emit_fn *fn = e->fn;
	struct symbol **v = fn->func ? fn->func->locals.v : fn->probe->locals.v;
	size_t n = fn->func ? fn->func->locals.n : fn->probe->locals.n;

	for (size_t i = 0; i < n; i++)
		if (ast_is_word(v[i]->type))
			buf_printf(e->out, "\t%ss64 l_%s%s = 0;\n",
				   fn->deep_loops ? "volatile " : "", v[i]->cname,
				   map_get(&fn->reads, v[i]->cname) ? "" :
				   " __attribute__((unused))");
}

static void init_string(struct emit *e, struct symbol *sym)
{
	if (sym->kind == SYM_PARAM)
		buf_printf(e->out, "\tprt_str_set(&f->l_%s.b, p_%s);\n", sym->cname, sym->cname);
	else
		buf_printf(e->out, "\tf->l_%s.b.len = 0;\n", sym->cname);
}

/* Emits the recursion guard and the reservation of the workspace; on failure neither is held. */
static void enter(struct emit *e, unsigned workspace, bool recursive, unsigned srcloc,
		  const char *result)
{
	const char *ret = result ? " r" : "";

	if (recursive)
		buf_printf(e->out, "\tif (unlikely(!prt_enter(c, %u)))\n\t\treturn%s;\n", srcloc,
			   ret);
	if (!workspace)
		return;
	if (e->fn->probe) {
		/* The first function of a hit always has room (workspace_size in the table). */
		buf_printf(e->out, "\tf = (struct workspace_%s *)c->workspace;\n%s",
			   e->fn->cname,
			   e->fn->calls ? "\tc->workspace = (char *)(f + 1);\n" : "");
	} else {
		buf_printf(e->out, "\tf = prt_workspace(c, sizeof(*f), %u);\n"
			   "\tif (unlikely(!f))%s%s\t\treturn%s;\n%s", srcloc,
			   recursive ? " {\n\t\tprt_leave(c);" : "", "\n", ret,
			   recursive ? "\t}\n" : "");
	}
	workspace_symbols(e->fn, init_string, e);
	if (e->fn->keeps_match)
		buf_puts(e->out, "\tc->matched = &f->matched.m;\n\tc->matched->m.ngroups = 0;\n");
}

/* Removes a jump to the label that follows it. */
static void drop_last_goto(struct emit_fn *fn, struct emit_label *out)
{
	struct buf *b = &fn->body;

	if (fn->last_goto.to != out || fn->last_goto.end != b->len)
		return;
	b->len = fn->last_goto.start;
	out->used--;
}

unsigned emit_func_finish(struct emit *e, const char *head, const char *result,
			  struct emit_label *out)
{
	struct emit_fn *fn = e->fn;
	bool recursive = fn->func && fn->func->recursive;
	struct range at = fn->func ? fn->func->name_range : fn->probe->range;
	unsigned workspace = workspace_struct(e);
	unsigned srcloc = workspace || recursive ? emit_srcloc(e, at) : 0;
	/* A label needs a statement after it. */
	bool changes = fn->probe && fn->probe->changes_gates && !result &&
		       !fn->rehearses;
	bool ends = recursive || result || changes || (workspace && (fn->func || fn->calls));
	size_t declared;

	drop_last_goto(fn, out);
	buf_printf(e->out, "%s\n{\n", head);
	declared = e->out->len;
	if (workspace)
		buf_printf(e->out, "\tstruct workspace_%s *f;\n", fn->cname);
	if (result)
		buf_printf(e->out, "\t%s;\n", result);
	declare_locals(e);
	declare_temps(e);
	if (fn->key_bytes)
		buf_printf(e->out, "\tchar key[%u];\n", fn->key_bytes);
	if (fn->uses_keyp)
		buf_puts(e->out, "\tchar *k;\n");
	if (fn->uses_out)
		buf_puts(e->out, "\tchar *o;\n");
	if (e->out->len > declared)
		buf_putc(e->out, '\n');
	enter(e, workspace, recursive, srcloc, result);
	if (fn->body.len)
		buf_write(e->out, fn->body.s, fn->body.len);
	if (out->used) {
		buf_printf(e->out, "%s:\n", out->name);
		for (unsigned i = fn->max[TMP_ITER]; i-- > 0;)
			buf_printf(e->out, "\tprt_iter_end(c, it%u);\n", i);
		ends |= fn->max[TMP_ITER] > 0;
	}
	if (workspace && (fn->func || fn->calls))
		buf_puts(e->out, "\tc->workspace = (char *)f;\n");
	if (recursive)
		buf_puts(e->out, "\tprt_leave(c);\n");
	if (changes)
		buf_puts(e->out, "\tprt_gates_changed();\n");
	buf_puts(e->out, result ? "\treturn r;\n" : out->used && !ends ? "\treturn;\n" : "");
	buf_puts(e->out, "}\n\n");
	buf_deinit(&fn->body);
	e->fn = NULL;
	return workspace;
}

static bool has_value(const struct function *f)
{
	return ast_is_word(f->ret) || f->ret == T_STRING;
}

static const char *prefix(bool rehearses)
{
	return rehearses ? "rehearse_fn" : "fn";
}

static const char *prototype(struct emit *e, const struct emit_finfo *fi, bool rehearses)
{
	const struct function *f = fi->func;
	bool native = emit_embedded_native(f), small = native && f->embedded_len <= INLINE_MAX;
	const char *type = f->ret == T_STRING ? "struct prt_str" :
			   has_value(f) ? "s64" : "void";
	const char *text = arena_printf(e->a, "static %s%s %s_%s(struct prt_ctx *c",
					small ? "inline " : "", type, prefix(rehearses), f->cname);

	if (!f->body)
		text = arena_printf(e->a, "%s, u32 srcloc", text);
	if (fi->has_next)
		text = arena_printf(e->a, "%s, bool *next", text);
	if (f->ret == T_STRING)
		text = arena_printf(e->a, "%s, char *%s", text, f->body ? "ret" : "buf");
	vec_each(it, &f->params)
		text = arena_printf(e->a, "%s, %s p_%s", text, (*it)->type == T_STRING ?
				    "struct prt_str" : "s64", (*it)->cname);
	return arena_printf(e->a, "%s)", text);
}

/* The script's text up to the body, as a comment above the function. */
static void head_comment(struct emit *e, const struct function *f)
{
	struct range r = f->range;
	uint32_t end = f->body ? f->body->range.start : f->embedded_range.start;

	if (!r.src)
		return;

	struct emit_fn scratch;

	emit_func_begin(e, &scratch, "");
	scratch.depth = 0;
	if (end >= r.start + 2 && memcmp(r.src->text + end - 2, "%{", 2) == 0)
		end -= 2;
	emit_comment(e, r, end);
	buf_write(e->out, scratch.body.s, scratch.body.len);
	buf_deinit(&scratch.body);
	e->fn = NULL;
}

static void embedded_body(struct emit *e, struct emit_finfo *fi)
{
	struct function *f = fi->func;

	if (!emit_embedded_native(f)) {
		emit_embedded_function(e, fi, prototype(e, fi, false));
		return;
	}

	bool retvalue = ast_mentions(f, "STAP_RETVALUE");
	const char *empty = f->ret == T_STRING ? "PRT_LIT(\"\")" : "0";

	vec_each(it, &f->params)
		buf_printf(e->out, "#define STAP_ARG_%s p_%s\n", (*it)->name, (*it)->cname);
	buf_printf(e->out, "#define STAP_RETURN(...) return %s\n", has_value(f) ?
		   "(__VA_ARGS__)" : "__VA_ARGS__");
	if (retvalue)
		buf_puts(e->out, "#define STAP_RETVALUE retvalue\n");
	if (fi->has_next)
		buf_printf(e->out, "#define STAP_NEXT do { *next = true; return%s%s; } while (0)\n",
			   has_value(f) ? " " : "",
			   has_value(f) ? empty : "");
	buf_printf(e->out, "%s\n{\n", prototype(e, fi, false));
	if (retvalue)
		buf_printf(e->out, "\t%s retvalue = %s;\n",
			   f->ret == T_STRING ? "struct prt_str" : "s64", empty);
	emit_script_c(e->out, f->embedded_range, f->embedded, f->embedded_len);
	if (has_value(f))
		buf_printf(e->out, "\treturn %s;\n", retvalue ? "retvalue" : empty);
	buf_puts(e->out, "}\n");
	vec_each(it, &f->params)
		buf_printf(e->out, "#undef STAP_ARG_%s\n", (*it)->name);
	buf_puts(e->out, "#undef STAP_RETURN\n");
	if (retvalue)
		buf_puts(e->out, "#undef STAP_RETVALUE\n");
	if (fi->has_next)
		buf_puts(e->out, "#undef STAP_NEXT\n");
	buf_putc(e->out, '\n');
}

static void script_body(struct emit *e, struct emit_finfo *fi, bool rehearses)
{
	struct function *f = fi->func;
	struct emit_fn fn;
	struct emit_label out = { .name = "out" };

	emit_func_begin(e, &fn, arena_printf(e->a, "%s_%s", prefix(rehearses), f->cname));
	fn.func = f;
	fn.rehearses = rehearses;
	fn.fail = fn.leave = &out;
	if (f->recursive)
		emit_line(e, "PRT_STEPS(c, %u, %u, out);", fi->steps,
			  emit_srcloc(e, f->name_range));
	out.used += f->recursive;
	emit_stmt(e, f->body);

	bool can_fail = fn.can_fail || f->recursive;
	bool light = !fn.heavy && !fn.makes_elements && emit_entry_plain(f);
	unsigned workspace;

	workspace = emit_func_finish(e, prototype(e, fi, rehearses), f->ret == T_STRING ?
					  "struct prt_str r = PRT_LIT(\"\")" :
					  has_value(f) ? "s64 r = 0" : NULL, &out);
	if (fi->workspace_size < workspace)
		fi->workspace_size = workspace;
	if (rehearses)
		return;
	fi->can_fail = can_fail || fi->workspace_size;
	fi->light = light && !fi->can_fail;
}

void emit_func_all(struct emit *e)
{
	if (!e->finfos.n)
		return;
	vec_each(it, &e->finfos)
		buf_printf(e->out, "%s;\n", prototype(e, *it, false));
	vec_each(it, &e->finfos)
		if (e->rehearses && emit_rehearse_function(*it))
			buf_printf(e->out, "%s;\n", prototype(e, *it, true));
	buf_puts(e->out, "\n#define CONTEXT c\n#define PRT_SRCLOC srcloc\n#define PRT_BUF buf\n\n");
	vec_each(it, &e->finfos) {
		if ((*it)->func->body)
			continue;
		head_comment(e, (*it)->func);
		embedded_body(e, *it);
	}
	buf_printf(e->out, "%s#undef PRT_SRCLOC\n#undef PRT_BUF\n\n",
		   e->p->kernel_headers ? "" : "#undef CONTEXT\n");
	vec_each(it, &e->finfos) {
		if (!(*it)->func->body)
			continue;
		head_comment(e, (*it)->func);
		script_body(e, *it, false);
		if (e->rehearses && emit_rehearse_function(*it))
			script_body(e, *it, true);
	}
}

/* ---- calls ---- */

struct emitted_call {
	struct expr *x;
	struct emit_val *args;
	const char *into; /* "t0 = " or "" */
	const char *next; /* flag, or NULL */
	const char *buf;  /* buffer of a string result */
};

/* Whether the function writes its string result to a buffer of the caller. */
static bool fills_buffer(const struct function *f)
{
	return !emit_embedded_native(f) || ast_mentions(f, "PRT_BUF");
}

/* Calls overload @i. If it may end with `next`, the other overloads are in an `if`. */
static void call_overload(struct emit *e, const struct emitted_call *call, size_t i)
{
	struct expr *x = call->x;

	if (i == x->u.call.targets.n) {
		emit_line(e, "prt_error(c, PRT_E_SCRIPT, %u, "
			  "PRT_LIT(\"no overload of '%s' took the call\"));",
			  emit_srcloc(e, x->range), x->u.call.name);
		emit_fail_if(e, "c->err");
		return;
	}

	struct function *f = x->u.call.targets.v[i];
	struct emit_finfo *fi = emit_func_info(e, f);
	bool rehearses = e->fn->rehearses && emit_rehearse_function(fi);
	const char *text = arena_printf(e->a, "%s%s_%s(c", call->into, prefix(rehearses), f->cname);

	if (!f->body)
		text = arena_printf(e->a, "%s, %u", text, !emit_embedded_native(f) ||
				    ast_mentions(f, "PRT_SRCLOC") ? emit_srcloc(e, x->range) : 0);
	if (fi->has_next) {
		emit_line(e, "%s = false;", call->next);
		text = arena_printf(e->a, "%s, &%s", text, call->next);
	}
	if (f->ret == T_STRING)
		text = arena_printf(e->a, "%s, %s", text, fills_buffer(f) ? call->buf : "NULL");
	for (size_t k = 0; k < x->u.call.args.n; k++)
		text = arena_printf(e->a, "%s, %s", text, call->args[k].text);
	emit_line(e, "%s);", text);
	/* The message of an error shows the calls of the script's functions that it has left. */
	if (fi->can_fail)
		emit_fail_if(e, !f->body || rehearses ? "c->err" :
			     arena_printf(e->a, "c->err && prt_error_called(c, %u)",
					  emit_srcloc(e, x->range)));
	e->fn->uses_context |= !fi->light || f->body;
	e->fn->heavy |= !fi->light;
	if (!fi->has_next)
		return;
	emit_open(e, "if (%s)", call->next);
	call_overload(e, call, i + 1);
	emit_close(e);
}

static struct emit_val *call_arguments(struct emit *e, struct expr *x, enum emit_hold *longest)
{
	struct emit_val *args = arena_alloc(e->a, (x->u.call.args.n + 1) * sizeof(*args));
	bool impure = false, again = x->u.call.targets.n > 1, looks = true;

	vec_each(f, &x->u.call.targets) {
		impure |= (*f)->body && !(*f)->pure;
		looks &= emit_embedded_native(*f) && (*f)->pure;
	}
	emit_expr_list(e, x->u.call.args.v, x->u.call.args.n, NULL, args);
	for (size_t i = 0; i < x->u.call.args.n; i++) {
		if (looks)
			args[i] = emit_val_named(e, args[i]);
		/* The function may change the global to which a string argument refers. */
		if (again || (impure && args[i].type == T_STRING && args[i].hold == V_SHARED))
			args[i] = emit_val_hold(e, args[i]);
		if (args[i].type == T_STRING && args[i].hold > *longest)
			*longest = args[i].hold;
	}
	return args;
}

static struct emit_val left_out(struct emit *e, const struct emitted_call *call)
{
	for (size_t i = 0; i < call->x->u.call.args.n; i++)
		emit_rehearse_drop(e, call->args[i]);
	return emit_rehearse_nothing(e, call->x->u.call.targets.v[0]->ret);
}

/* The field of struct pt_regs that a call of register() means, if the handler is in a program,
 * where all registers are available. NULL if it is another call, or if the runtime has to look it
 * up. */
static const char *named_register(const struct emit *e, const struct expr *x)
{
	const struct function *f = x->u.call.targets.v[0];
	const struct expr *arg = x->u.call.args.n == 1 ? x->u.call.args.v[0] : NULL;
	const char *name;

	if (!e->fn->probe || !probe_is_user(e->fn->probe) || !emit_embedded_native(f) ||
	    !ast_mentions(f, "prt_named_register") || !arg || arg->kind != EX_STR)
		return NULL;
	for (uint64_t i = 0; (name = arch_register(i, false)); i++) {
		bool prefix = !isdigit((unsigned char)name[1]);

		if (arg->u.str.len == strlen(name) + prefix && (!prefix || *arg->u.str.s == 'r') &&
		    memcmp(arg->u.str.s + prefix, name, strlen(name)) == 0)
			return name;
	}
	return NULL;
}

static struct emit_val read_register(struct emit *e, const char *name)
{
	const char *t = emit_temp(e, TMP_LONG);

	emit_line(e, "%s = (s64)PRT_REG(c, %s);", t, emit_register(e, name));
	e->fn->uses_context = true;
	return emit_val_text(t, T_LONG, V_STABLE);
}

struct emit_val emit_func_call(struct emit *e, struct expr *x, bool want)
{
	enum emit_hold hold = V_STABLE;
	struct emitted_call call = { .x = x, .into = "" };
	struct function *first = x->u.call.targets.v[0];
	enum type ret = first->ret;
	const char *t = NULL;
	bool by_script = true, buffered = false;

	if (named_register(e, x))
		return read_register(e, named_register(e, x));
	call.args = call_arguments(e, x, &hold);
	vec_each(f, &x->u.call.targets)
		if (emit_rehearse_left(e->fn, emit_func_info(e, *f)))
			return left_out(e, &call);
	vec_each(f, &x->u.call.targets) {
		by_script &= !emit_embedded_native(*f);
		buffered |= (*f)->ret == T_STRING && fills_buffer(*f);
		if (emit_func_info(e, *f)->has_next && !call.next)
			call.next = emit_temp(e, TMP_NEXT);
	}
	if (buffered)
		call.buf = x == e->fn->returned ? "ret" : emit_temp(e, TMP_BUF);
	if (want && has_value(first)) {
		t = emit_temp(e, ret == T_STRING ? TMP_STR : TMP_LONG);
		call.into = arena_printf(e->a, "%s = ", t);
	}
	call_overload(e, &call, 0);
	if (!t)
		return emit_val_num(e, 0);
	/* Embedded C may return one of its arguments; script functions return a copy. */
	return emit_val_text(t, ret, ret == T_STRING && !by_script ? hold : V_STABLE);
}
