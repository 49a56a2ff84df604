/* SPDX-License-Identifier: GPL-2.0 */
/* Refuses constructs that the grammar accepts but this build does not support, by name and with an
 * alternative. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ast/walk.h"
#include "base/words.h"
#include "analyse/resolve/handler.h"
#include "analyse/resolve/values.h"

struct refuse {
	struct resolver *r;
	enum code code;
};

/* The words that parse as @word(...), and the alternative to each. */
static const struct at_word {
	const char *name, *hint;
} at_words[] = {
	{ "@entry", "take it in the return probe, and pass it on" },
	{ "@probewrite", "it refers to the handler: in a probe or alias, @probewrite(NAME)" },
};

static void refuse(struct refuse *f, struct range at, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void refuse(struct refuse *f, struct range at, const char *hint, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_error(f->r->s->diag, at, E_NOT_SUPPORTED, "%s",
		   arena_vprintf(f->r->s->arena, fmt, ap));
	va_end(ap);
	if (hint)
		diag_hint(f->r->s->diag, "%s", hint);
}

static void refuse_at(struct refuse *f, const struct expr *e)
{
	const char *name = e->u.at.name;

	if (strcmp(name, "@defined") == 0) {
		if (e->u.at.args.n != 1)
			diag_error(f->r->s->diag, e->range, E_ARITY,
				   "@defined takes one argument, not %zu", e->u.at.args.n);
		else if (f->code != CODE_PROBE && f->code != CODE_COPY &&
			 (f->code != CODE_FUNCTION || e->u.at.args.v[0]->kind != EX_DEREF))
			refuse(f, e->range, "use it in the probe, and pass the result on",
			       "'@defined' is not supported outside of probes");
		return;
	}
	if (casts_is(e)) {
		refuse(f, e->range, "test it in the handler: if (...) next",
		       "'%s' in the condition of a probe point is not supported", name);
		return;
	}
	for (size_t i = 0; i < sizeof(at_words) / sizeof(at_words[0]); i++) {
		if (strcmp(name, at_words[i].name) == 0) {
			refuse(f, e->range, at_words[i].hint, "'%s' is not supported", name);
			return;
		}
	}
	abort(); /* all others were replaced, or are not words of the preprocessor */
}

static void refuse_context(struct refuse *f, const struct expr *e)
{
	const char *name = e->u.context.name;

	if (f->code == CODE_CONDITION ||
		 (f->code == CODE_RETURN_CONDITION && (strncmp(name, "$return", 7) == 0 ||
						       strncmp(name, "$$", 2) == 0)))
		refuse(f, e->range, "test it in the handler: if (...) next",
		       "'%s' in the condition of a probe point is not supported", name);
}

/* ---- embedded C ---- */

/* Functions of SystemTap's runtime that runtime/abi/embedded.h provides. */
static const char *const stp_names[] = {
	"_stp_printf", "_stp_print", "_stp_print_char", "_stp_print_flush", "_stp_warn",
	"_stp_dbug", "_stp_error", "_stp_exit", "_stp_snprintf", "_stp_vsnprintf",
	"_stp_gettimeofday_ns", "_stp_target",
};

/* The end of the comment or string literal that begins at @p, or @p. */
static const char *skip_text(const char *p, const char *end)
{
	bool comment = end - p > 1 && p[0] == '/' && (p[1] == '*' || p[1] == '/');
	const char *close = *p == '"' ? "\"" : comment && p[1] == '*' ? "*/" : "\n";
	size_t len = strlen(close);

	if (*p != '"' && !comment)
		return p;
	for (p += comment ? 2 : 1; (size_t)(end - p) >= len; p++) {
		if (memcmp(p, close, len) == 0)
			return p + len;
		p += *p == '\\' && !comment && p + 1 < end;
	}
	return end;
}

/* The next identifier that begins with "_stp_", or NULL. */
static const char *next_stp_name(const char *p, const char *end, size_t *len)
{
	while (p < end) {
		const char *after = skip_text(p, end), *start = p;

		if (after != p) {
			p = after;
			continue;
		}
		while (p < end && words_is_part(*p))
			p++;
		*len = (size_t)(p - start);
		if (*len > strlen("_stp_") && memcmp(start, "_stp_", strlen("_stp_")) == 0)
			return start;
		p += p == start;
	}
	return NULL;
}

static void refuse_stp_names(struct refuse *f, struct range at, const char *text, size_t size)
{
	const size_t known = sizeof(stp_names) / sizeof(stp_names[0]);
	struct arena *a = f->r->s->arena;
	VEC(const char *) refused = { 0 };
	size_t len;

	for (const char *p = text; (p = next_stp_name(p, text + size, &len)); p += len) {
		const char *name = arena_strndup(a, p, len);
		const char *quoted = arena_printf(a, "'%s'", name);

		if (!words_has(stp_names, known, name) && !words_has(refused.v, refused.n, quoted))
			vec_push(a, &refused, quoted);
	}
	if (!refused.n)
		return;
	refuse(f, at, NULL, "%s in embedded C is not supported",
	       words_join(a, refused.v, refused.n));
	diag_hint(f->r->s->diag, "available from SystemTap's runtime: %s; the kernel's own "
		  "functions can be called", words_join(a, stp_names, known));
}

/* Embedded C of a user needs -g, and may call only the available functions of SystemTap's
 * runtime. */
static void check_embedded(struct refuse *f, struct range at, const char *text, size_t len)
{
	const struct source *src = resolve_file(at);

	if (!src->in_tapset && !f->r->s->opt.guru) {
		if (f->r->said_guru)
			return;
		f->r->said_guru = true;
		diag_error(f->r->s->diag, at, E_GURU, "embedded C needs guru mode");
		diag_hint(f->r->s->diag, "give -g; an error in it is an error in the kernel");
		return;
	}
	refuse_stp_names(f, at, text, len);
}

/* @const("C expression") is %{ C expression %}. */
static void constant(struct refuse *f, struct expr *e)
{
	struct expr *text = e->u.at.args.n == 1 ? e->u.at.args.v[0] : NULL;

	if (!text || text->kind != EX_STR) {
		diag_error(f->r->s->diag, e->range, E_ARITY,
			   "@const takes one literal string, an expression in C");
		return;
	}
	check_embedded(f, e->range, text->u.str.s, text->u.str.len);
	e->kind = EX_EMBEDDED;
	e->u.embedded.text = text->u.str.s;
	e->u.embedded.len = text->u.str.len;
}

static bool on_expr(struct expr **pe, void *data)
{
	struct refuse *f = data;
	struct expr *e = *pe;

	switch (e->kind) {
	case EX_AT:
		if (casts_is(e) && f->code < CODE_CONDITION)
			break;
		if (strcmp(e->u.at.name, "@perf") == 0) {
			counters_read(f->r, e);
			break;
		}
		if (strcmp(e->u.at.name, "@const") != 0) {
			refuse_at(f, e);
			return false;
		}
		constant(f, e);
		break;
	case EX_CONTEXT:
		refuse_context(f, e);
		break;
	case EX_DEREF:
		if (f->code >= CODE_CONDITION)
			refuse(f, e->range, "test it in the handler: if (...) next",
			       "'->' in the condition of a probe point is not supported");
		break;
	case EX_ASSIGN:
	case EX_INCDEC:
		writes_register(f->r, pe);
		break;
	case EX_EMBEDDED:
		check_embedded(f, e->range, e->u.embedded.text, e->u.embedded.len);
		break;
	default:
		break;
	}
	return true;
}

static bool is_slice(const struct expr *index)
{
	vec_each(key, &index->u.index.keys)
		if (!*key)
			return true;
	return false;
}

static bool on_stmt(struct stmt **ps, void *data)
{
	struct refuse *f = data;
	struct stmt *s = *ps;

	if (s->kind == ST_FOREACH && s->u.foreach.array->kind == EX_INDEX &&
	    !is_slice(s->u.foreach.array)) {
		diag_warn(f->r->s->diag, s->u.foreach.array->range, E_NOT_ARRAY,
			  "this loop has one element at most: it names all keys");
		diag_hint(f->r->s->diag, "'*' stands for any key: a[*, k]");
	}
	return true;
}

void refuse_stmt(struct resolver *r, struct stmt **st, enum code code)
{
	struct refuse f = { r, code };
	struct visitor v = { .expr = on_expr, .stmt = on_stmt, .data = &f };

	walk_stmt(st, &v);
}

void refuse_expr(struct resolver *r, struct expr **e, enum code code)
{
	struct refuse f = { r, code };
	struct visitor v = { .expr = on_expr, .stmt = on_stmt, .data = &f };

	walk_expr(e, &v);
}

void refuse_embedded(struct resolver *r, struct script *sc)
{
	struct refuse f = { r, CODE_FUNCTION };

	if (sc->src->in_tapset > 1)
		return;
	vec_each(e, &sc->embedded)
		check_embedded(&f, (*e)->range, (*e)->u.embedded.text, (*e)->u.embedded.len);
	vec_each(fn, &sc->functions)
		if ((*fn)->embedded)
			check_embedded(&f, (*fn)->embedded_range, (*fn)->embedded,
				       (*fn)->embedded_len);
}
