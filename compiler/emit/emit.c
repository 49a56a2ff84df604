/* SPDX-License-Identifier: GPL-2.0 */
/* The order of the C file, and helpers for writing it: lines, labels, temporaries, source
 * locations. */
#include <stdio.h>
#include <string.h>

#include "emit/agg.h"
#include "emit/embedded.h"
#include "emit/emit.h"
#include "emit/function.h"
#include "emit/graph.h"
#include "emit/probe.h"
#include "emit/rehearse.h"
#include "emit/tables.h"
#include "emit/value.h"

#define COMMENT_MAX 72 /* most bytes of script text in a comment */

/* Replaced by the "#line N" of the C text itself. */
#define RESTORE_MARK "#line \001\n"
/* The name of the file in messages of gcc. */
#define C_NAME "script.c"

/* Deeper nesting is not indented, because the text would grow with the square of the depth. */
#define INDENT_MAX 16

static void indent(struct buf *b, int depth)
{
	for (int i = 0; i < depth && i < INDENT_MAX; i++)
		buf_putc(b, '\t');
}

void emit_line(struct emit *e, const char *fmt, ...)
{
	va_list ap;

	indent(&e->fn->body, e->fn->depth);
	va_start(ap, fmt);
	buf_vprintf(&e->fn->body, fmt, ap);
	va_end(ap);
	buf_putc(&e->fn->body, '\n');
}

void emit_open(struct emit *e, const char *fmt, ...)
{
	va_list ap;

	indent(&e->fn->body, e->fn->depth);
	va_start(ap, fmt);
	buf_vprintf(&e->fn->body, fmt, ap);
	va_end(ap);
	buf_puts(&e->fn->body, " {\n");
	e->fn->depth++;
}

void emit_close(struct emit *e)
{
	e->fn->depth--;
	emit_line(e, "}");
}

char *emit_cut(struct emit *e, size_t pos)
{
	struct buf *b = &e->fn->body;
	char *text = arena_strndup(e->a, b->s ? b->s + pos : "", b->len - pos);

	b->len = pos;
	if (e->fn->last_goto.end > pos)
		e->fn->last_goto.to = NULL;
	if (b->s)
		b->s[pos] = '\0';
	return text;
}

static const char *base_name(const struct source *src)
{
	const char *slash = strrchr(src->name, '/');

	return slash ? slash + 1 : src->name;
}

/* The text must not begin or end a comment. */
const char *emit_comment_text(struct emit *e, const char *s, size_t n)
{
	char *text = arena_alloc(e->a, 2 * n + 1), *to = text;

	for (const char *p = s; p < s + n; p++) {
		*to++ = *p == '\t' ? ' ' : (unsigned char)*p < ' ' || *p == 127 ? '?' : *p;
		if (p + 1 < s + n && ((p[0] == '*' && p[1] == '/') || (p[0] == '/' && p[1] == '*')))
			*to++ = ' ';
	}
	return text;
}

void emit_comment(struct emit *e, struct range r, uint32_t end)
{
	if (!r.src)
		return;
	if (end > r.src->len)
		end = r.src->len;

	const char *s = r.src->text + r.start;
	const char *stop = r.src->text + (end > r.start ? end : r.start);
	const char *nl = memchr(s, '\n', stop - s);
	bool cut = nl && nl < stop;

	if (cut)
		stop = nl;
	while (stop > s && strchr(" \t;{", stop[-1]))
		stop--;
	if (stop - s > COMMENT_MAX) {
		stop = s + COMMENT_MAX;
		cut = true;
	}

	indent(&e->fn->body, e->fn->depth);
	buf_printf(&e->fn->body, "/* %s:%u: %s%s */\n", base_name(r.src),
		   source_linecol(r.src, r.start).line, emit_comment_text(e, s, stop - s),
		   cut ? " ..." : "");
}

struct emit_label *emit_label_new(struct emit *e, const char *stem)
{
	struct emit_label *l = NEW(e->a, struct emit_label);

	l->name = arena_printf(e->a, "%s_%u", stem, e->fn->nlabels++);
	return l;
}

void emit_label_put(struct emit *e, const struct emit_label *l)
{
	if (l->used)
		buf_printf(&e->fn->body, "%s:\n", l->name);
}

void emit_goto(struct emit *e, struct emit_label *l)
{
	size_t start = e->fn->body.len;

	l->used++;
	emit_line(e, "goto %s;", l->name);
	if (e->fn->depth == 1) {
		e->fn->last_goto.to = l;
		e->fn->last_goto.start = start;
		e->fn->last_goto.end = e->fn->body.len;
	}
}

void emit_fail_if(struct emit *e, const char *cond)
{
	/* Each unlikely() costs gcc 0.3 million instructions, which is too much in a large
	 * script. */
	emit_line(e, e->compact ? "if (%s)" : "if (unlikely(%s))", cond);
	e->fn->depth++;
	emit_goto(e, e->fn->fail);
	e->fn->depth--;
	e->fn->can_fail = true;
}

const char *emit_temp(struct emit *e, enum emit_temp kind)
{
	static const char *const stem[TMP_KINDS] = {
		[TMP_LONG] = "t", [TMP_STR] = "v", [TMP_ENTRY] = "e", [TMP_ADDR] = "a",
		[TMP_NEXT] = "n", [TMP_ITER] = "it", [TMP_BUF] = "f->s",
	};
	unsigned n = e->fn->now[kind]++;

	if (e->fn->max[kind] < e->fn->now[kind])
		e->fn->max[kind] = e->fn->now[kind];
	if (kind == TMP_BUF)
		e->fn->needs_workspace = true;
	return arena_printf(e->a, "%s%u", stem[kind], n);
}

struct emit_marks emit_mark(const struct emit *e)
{
	struct emit_marks m;

	memcpy(m.n, e->fn->now, sizeof(m.n));
	return m;
}

void emit_release(struct emit *e, struct emit_marks m)
{
	memcpy(e->fn->now, m.n, sizeof(m.n));
}

unsigned emit_file(struct emit *e, struct source *src)
{
	for (size_t i = 0; i < e->files.n; i++)
		if (e->files.v[i] == src)
			return i;
	vec_push(e->a, &e->files, src);
	return e->files.n - 1;
}

unsigned emit_srcloc(struct emit *e, struct range r)
{
	char *key = arena_printf(e->a, "%u:%u:%u", r.src ? emit_file(e, r.src) + 1 : 0, r.start,
				 r.end);
	void *known = map_get(&e->srcloc_numbers, key);

	if (known)
		return (uintptr_t)known - 1;
	vec_push(e->a, &e->srclocs, r);
	map_set(&e->srcloc_numbers, key, (void *)(uintptr_t)e->srclocs.n);
	return e->srclocs.n - 1;
}

const char *emit_quoted(struct emit *e, const char *s, size_t n)
{
	struct buf b;

	buf_init(&b);
	buf_put_quoted(&b, s, n);

	char *text = arena_strndup(e->a, b.s, b.len);

	buf_deinit(&b);
	return text;
}

/* Appends C of the script. A mark in it becomes an escape, which means the same in a literal. */
static void put_c(struct buf *b, const char *text, size_t n)
{
	for (const char *end = text + n; text < end; text++) {
		if (*text == RESTORE_MARK[6] || *text == EMIT_NUMBER[0])
			buf_printf(b, "\\%03o", (unsigned char)*text);
		else
			buf_putc(b, *text);
	}
}

void emit_script_c(struct buf *b, struct range r, const char *text, size_t n)
{
	struct linecol at = source_linecol(r.src, r.start);

	buf_printf(b, "#line %u ", at.line);
	buf_put_quoted(b, r.src->name, strlen(r.src->name));
	/* The columns of the first line, which begins behind "%{", are those of the script. */
	buf_printf(b, "\n%*s", (int)at.col + 1, "");
	put_c(b, text, n);
	buf_puts(b, "\n" RESTORE_MARK);
}

void emit_numbered(struct buf *b, const char *text, int number)
{
	while (*text) {
		size_t n = strcspn(text, EMIT_NUMBER);

		buf_write(b, text, n);
		text += n;
		if (!*text)
			break;
		buf_printf(b, "%d", number);
		text++;
	}
}

bool emit_shared_once(struct emit *e, const char *name)
{
	if (map_get(&e->shared_names, name))
		return false;
	map_set(&e->shared_names, name, e);
	return true;
}

void emit_shared_parameters(struct emit *e, const char *letters)
{
	for (size_t i = 0; letters[i]; i++)
		buf_printf(&e->shared, ", %s v%zu",
			   letters[i] == 's' ? "struct prt_str" : "s64", i);
}

/* Copies the finished text, and gives each #line that returns to it the number of the next line. */
static void resolve_line_marks(struct buf *to, const struct buf *from)
{
	const char *s = from->s, *end = from->s + from->len;
	unsigned line = 1;

	while (s < end) {
		const char *nl = memchr(s, '\n', end - s);
		size_t n = nl ? (size_t)(nl - s) + 1 : (size_t)(end - s);

		if (n == sizeof(RESTORE_MARK) - 1 && memcmp(s, RESTORE_MARK, n) == 0)
			buf_printf(to, "#line %u \"" C_NAME "\"\n", line + 1);
		else
			buf_write(to, s, n);
		s += n;
		line++;
	}
}

/* From this number of handlers on, compiling them takes longer than faster handlers save. */
#define COMPACT_FROM 8

static size_t hot_handlers(const struct emit *e)
{
	size_t n = 0;

	vec_each(it, &e->p->probes)
		n += site_kind_is_hot((*it)->kind);
	return n;
}

static void file_head(struct emit *e)
{
	const struct caps *caps = &e->s->opt.caps;

	if (e->s->main)
		buf_printf(e->out, "/* %s, as probec compiled it. */\n",
			   base_name(e->s->main->src));
	emit_embedded_head(e);
	buf_printf(e->out,
		   "%s"
		   "#define PRT_MAXSTRINGLEN %lld\n"
		   "#define PRT_MAXMAPENTRIES %lld\n"
		   "#define PRT_MAXACTION %lld\n"
		   "#define PRT_MAXNESTING %lld\n"
		   "#define PRT_MAXERRORS %lld\n"
		   "#define PRT_MAXLOAD %lld\n"
		   "#include \"script.h\"\n\n",
		   e->p->kernel_headers ? "" : "#define PRT_SCRIPT_UNIT\n",
		   (long long)caps->maxstringlen, (long long)caps->maxmapentries,
		   (long long)caps->maxaction, (long long)caps->maxnesting,
		   (long long)caps->maxerrors, (long long)caps->maxload);
	buf_puts(e->out,
		 "/* All functions of a kind look alike; a script may compare what it likes. */\n"
		 "#pragma GCC diagnostic ignored \"-Wunused-parameter\"\n"
		 "#pragma GCC diagnostic ignored \"-Wtautological-compare\"\n"
		 "#pragma GCC diagnostic ignored \"-Wbool-compare\"\n"
		 "#pragma GCC diagnostic ignored \"-Wbool-operation\"\n"
		 "#pragma GCC diagnostic ignored \"-Wint-in-bool-context\"\n\n");
}

int emit_program(struct state *s, struct buf *b)
{
	struct buf text, rest;
	struct emit e = {
		.s = s, .p = s->program, .a = s->arena, .out = &text,
		.maxstr = s->opt.caps.maxstringlen,
	};

	buf_init(&text);
	buf_init(&rest);
	buf_init(&e.shared);
	map_init(&e.shared_names, e.a);
	map_init(&e.funcs, e.a);
	map_init(&e.srcloc_numbers, e.a);
	e.compact = hot_handlers(&e) > COMPACT_FROM;
	emit_embedded_find(&e);
	emit_func_collect(&e);
	emit_tables_find(&e);
	vec_each(it, &e.p->probes)
		e.rehearses |= emit_rehearse_wanted(&e, *it);
	file_head(&e);
	emit_embedded_top(&e);
	emit_name_globals(&e);
	emit_agg_helpers(&e);
	emit_regex_tables(&e);
	/* Only after the handlers are written, the functions that they share are known. */
	e.out = &rest;
	emit_func_all(&e);
	emit_switch_table(&e);
	emit_probe_all(&e);
	buf_write(&text, e.shared.s, e.shared.len);
	buf_write(&text, rest.s, rest.len);
	e.out = &text;
	emit_receivers(&e);
	emit_tables(&e);
	emit_meta(&e);
	resolve_line_marks(b, &text);
	buf_deinit(&e.shared);
	buf_deinit(&rest);
	buf_deinit(&text);
	return diag_errors(s->diag) ? -1 : 0;
}
