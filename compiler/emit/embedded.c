/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Embedded C of users is written for SystemTap's macros and with the kernel's headers, for which
 * only such a script pays. Its strings are arrays of MAXSTRINGLEN characters that end with a NUL:
 * an argument is copied to the workspace, and the length of a result is measured.
 */
#include <stdlib.h>
#include <string.h>

#include "emit/embedded.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/rehearse.h"
#include "emit/value.h"

bool emit_embedded_native(const struct function *f)
{
	return f->embedded && f->src && f->src->in_tapset > 1;
}

static bool mentions(const char *text, size_t len, const char *word)
{
	return memmem(text, len, word, strlen(word));
}

struct embedded_search {
	bool any, prints;
};

static void record_c(struct embedded_search *s, const char *text, size_t len)
{
	s->any = true;
	s->prints |= mentions(text, len, "STAP_PRINTF") || mentions(text, len, "_stp_print");
}

static bool visit_expr(struct expr **x, void *data)
{
	if ((*x)->kind == EX_EMBEDDED)
		record_c(data, (*x)->u.embedded.text, (*x)->u.embedded.len);
	return true;
}

/* The kernel formats the output of STAP_PRINTF and _stp_printf; the record is that of
 * printf("%s"). */
static void add_print(struct emit *e)
{
	struct print_statement *st = NEW(e->a, struct print_statement);

	st->id = e->p->embedded_print = (int)e->p->prints.n;
	st->format = "%s";
	st->format_len = 2;
	st->types = "s";
	st->range.src = e->s->main->src;
	vec_push(e->a, &e->p->prints, st);
}

void emit_embedded_find(struct emit *e)
{
	struct embedded_search s = { false, false };
	struct visitor v = { .expr = visit_expr, .data = &s };

	vec_each(script, &e->s->scripts)
		vec_each(it, &(*script)->embedded)
			record_c(&s, (*it)->u.embedded.text, (*it)->u.embedded.len);
	vec_each(f, &e->p->functions) {
		if ((*f)->body)
			walk_stmt(&(*f)->body, &v);
		else if (!emit_embedded_native(*f))
			record_c(&s, (*f)->embedded, (*f)->embedded_len);
	}
	vec_each(p, &e->p->probes) {
		walk_expr(&(*p)->cond, &v);
		walk_stmt(&(*p)->body, &v);
	}
	e->p->kernel_headers = s.any;
	e->p->embedded_print = -1;
	if (s.prints)
		add_print(e);
}

void emit_embedded_head(struct emit *e)
{
	static const char *const headers[] = {
		"linux/kernel", "linux/module", "linux/cred", "linux/dcache", "linux/fs",
		"linux/mm", "linux/sched", "linux/sched/signal", "linux/slab", "linux/string",
		"linux/uaccess",
	};

	if (!e->p->kernel_headers)
		return;
	/* The last one of a name counts. */
	vec_each(m, &e->s->opt.c_macros)
		buf_printf(e->out, "#undef %s\n#define %s %s\n", m->name, m->name, m->value);
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		buf_printf(e->out, "#include <%s.h>\n", headers[i]);
	/* Newer kernels lack strlcpy(), which scripts use. */
	buf_puts(e->out, "#ifndef strlcpy\n#define strlcpy strscpy\n#endif\n\n");
}

/* Writes the functions that the macros call. */
static void helpers(struct emit *e)
{
	buf_puts(e->out,
		 "#define CONTEXT c\n"
		 "static __maybe_unused __printf(3, 4)\n"
		 "void stap_error(struct prt_ctx *c, u32 srcloc, const char *fmt, ...)\n{\n"
		 "\tchar text[128];\n\tva_list ap;\n\tint n;\n\n"
		 "\tva_start(ap, fmt);\n"
		 "\tn = vscnprintf(text, sizeof(text), fmt, ap);\n\tva_end(ap);\n"
		 "\tprt_error(c, PRT_E_SCRIPT, srcloc, (struct prt_str){ text, n });\n}\n\n"
		 "static __maybe_unused struct prt_str stap_str(const char *s)\n{\n"
		 "\treturn (struct prt_str){ s, strnlen(s, MAXSTRINGLEN - 1) };\n}\n\n"
		 "static __maybe_unused void stap_set(struct prt_strbuf *to, const char *s)\n{\n"
		 "\tprt_str_set(to, stap_str(s));\n}\n\n"
		 "static __maybe_unused char *stap_text(struct prt_strbuf *b)\n{\n"
		 "\tb->s[b->len] = 0;\n\treturn b->s;\n}\n\n");
}

void emit_embedded_top(struct emit *e)
{
	const char *version = e->s->opt.compatible ? e->s->opt.compatible : LANGUAGE_VERSION;

	if (!e->p->kernel_headers)
		return;
	buf_printf(e->out, "#define STAP_COMPAT_VERSION STAP_VERSION(%ld, %ld)\n",
		   strtol(version, NULL, 10),
		   strchr(version, '.') ? strtol(strchr(version, '.') + 1, NULL, 10) : 0);
	buf_printf(e->out, "#define STP_SKIP_BADVARS %d\n", e->s->opt.skip_badvars);
	if (e->p->embedded_print >= 0)
		buf_printf(e->out, "#define PRT_EMBEDDED_PRINT %d\n", e->p->embedded_print);
	buf_puts(e->out, "#include \"embedded.h\"\n\n");
	vec_each(script, &e->s->scripts)
		vec_each(it, &(*script)->embedded)
			emit_script_c(e->out, (*it)->range, (*it)->u.embedded.text,
				      (*it)->u.embedded.len);
	helpers(e);
}

/* Copies string arguments to C strings. */
static unsigned copy_arguments(struct emit *e, const struct function *f)
{
	unsigned room = (unsigned)(e->maxstr + 7) / 8 * 8, n = 0;

	vec_each(it, &f->params) {
		if ((*it)->type != T_STRING)
			continue;
		buf_printf(e->out, "\ta_%s = prt_workspace(c, %u, srcloc);\n"
			   "\tif (!a_%s)\n\t\tgoto out;\n"
			   "\tmemcpy(a_%s, p_%s.s, p_%s.len);\n\ta_%s[p_%s.len] = 0;\n",
			   (*it)->cname, room, (*it)->cname, (*it)->cname, (*it)->cname,
			   (*it)->cname, (*it)->cname, (*it)->cname);
		n++;
	}
	return n * room;
}

/* Whether it uses the structure of SystemTap before 1.8. */
static bool uses_this(const struct function *f)
{
	return ast_mentions(f, "THIS->");
}

static void declare_this(struct emit *e, const struct function *f)
{
	buf_puts(e->out, "\tstruct {");
	vec_each(it, &f->params)
		buf_printf(e->out, " %s%s;", (*it)->type == T_STRING ? "char *" : "s64 ",
			   (*it)->name);
	buf_printf(e->out, " %s__retvalue; } this_ = { 0 }, *THIS __maybe_unused = &this_;\n",
		   f->ret == T_STRING ? "char *" : "s64 ");
}

static void fill_this(struct emit *e, const struct function *f)
{
	vec_each(it, &f->params)
		buf_printf(e->out, "\tthis_.%s = %c_%s;\n", (*it)->name,
			   (*it)->type == T_STRING ? 'a' : 'p', (*it)->cname);
	if (f->ret == T_STRING)
		buf_puts(e->out, "\tthis_.__retvalue = buf;\n");
}

static void macros(struct emit *e, const struct function *f)
{
	const char *result = uses_this(f) ? "this_.__retvalue" : "retvalue";

	vec_each(it, &f->params)
		buf_printf(e->out, "#define STAP_ARG_%s %c_%s\n", (*it)->name,
			   (*it)->type == T_STRING ? 'a' : 'p', (*it)->cname);
	if (f->ret == T_STRING)
		buf_puts(e->out, "#define STAP_RETVALUE buf\n#define STAP_RETURN(...) "
			 "do { strscpy(buf, (__VA_ARGS__), MAXSTRINGLEN); goto out; } while (0)\n");
	else if (ast_is_word(f->ret))
		buf_printf(e->out, "#define STAP_RETVALUE %s\n#define STAP_RETURN(...) "
			   "do { %s = (s64)(__VA_ARGS__); goto out; } while (0)\n", result, result);
	else
		buf_puts(e->out, "#define STAP_RETURN(...) goto out\n");
	buf_puts(e->out, "#define STAP_ERROR(...) "
		 "do { stap_error(c, srcloc, __VA_ARGS__); goto out; } while (0)\n"
		 "#define STAP_NEXT do { *next = true; goto out; } while (0)\n");
}

void emit_embedded_function(struct emit *e, struct emit_finfo *fi, const char *prototype)
{
	struct function *f = fi->func;

	unsigned keys = emit_embedded_globals(e, f);

	macros(e, f);
	buf_printf(e->out, "%s\n{\n\tchar *workspace = c->workspace;\n", prototype);
	if (uses_this(f))
		declare_this(e, f);
	else if (ast_is_word(f->ret))
		buf_puts(e->out, "\ts64 retvalue = 0;\n");
	vec_each(it, &f->params)
		if ((*it)->type == T_STRING)
			buf_printf(e->out, "\tchar *a_%s;\n", (*it)->cname);
	if (f->ret == T_STRING)
		buf_puts(e->out, "\n\tbuf[0] = 0;\n");
	fi->workspace_size = copy_arguments(e, f) + keys;
	if (uses_this(f))
		fill_this(e, f);
	buf_puts(e->out, "\t{\n");
	emit_script_c(e->out, f->embedded_range, f->embedded, f->embedded_len);
	buf_puts(e->out, "\t}\nout: __maybe_unused;\n\tc->workspace = workspace;\n");
	if (f->ret == T_STRING)
		buf_puts(e->out, "\treturn (struct prt_str){ buf, strnlen(buf, MAXSTRINGLEN - 1) };"
			 "\n");
	else if (ast_is_word(f->ret))
		buf_printf(e->out, "\treturn %s;\n",
			   uses_this(f) ? "this_.__retvalue" : "retvalue");
	buf_puts(e->out, "}\n");
	vec_each(it, &f->params)
		buf_printf(e->out, "#undef STAP_ARG_%s\n", (*it)->name);
	emit_embedded_forget_globals(e, f);
	buf_puts(e->out, "#undef STAP_RETURN\n#undef STAP_RETVALUE\n#undef STAP_ERROR\n"
		 "#undef STAP_NEXT\n\n");
}

struct emit_val emit_embedded_value(struct emit *e, struct expr *x)
{
	bool string = x->type == T_STRING;

	if (e->fn->rehearses)
		return emit_rehearse_nothing(e, x->type);

	const char *t = emit_temp(e, string ? TMP_STR : TMP_LONG), *to = NULL;

	if (string) {
		to = emit_temp(e, TMP_BUF);
		emit_line(e, "strscpy(%s, (", to);
	} else {
		emit_line(e, "%s = (s64)(", t);
	}
	emit_script_c(&e->fn->body, x->range, x->u.embedded.text, x->u.embedded.len);
	if (string) {
		emit_line(e, "), MAXSTRINGLEN);");
		emit_line(e, "%s = (struct prt_str){ %s, strnlen(%s, MAXSTRINGLEN - 1) };", t, to,
			  to);
	} else {
		emit_line(e, ");");
	}
	emit_fail_if(e, "c->err");
	return emit_val_text(t, string ? T_STRING : T_LONG, V_STABLE);
}
