/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stand-in for the runtime in user space, so that emitted C can run in a test. Arrays are
 * lists and sorting is by insertion; nothing is fast. The stand-in checks what the runtime relies
 * on: every path out of a handler returns its locks, iterators, workspace and recursion depth.
 *
 * Begin probes run in their order, then each timer probe twice, then end probes, with the one that
 * shows unread globals. The loader's formatter formats what they print, by the formats in the
 * script's self-description.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRT_SCRIPT_UNIT
#include "script.h"

#include "host.h"
/* The formatter and the loader's parser are compiled for user space. */
#include "format.h"
#include "module/meta.h"

extern const char prt_meta[];

#define MAXSTR prt_script.maxstringlen

#define ctx host_ctx
/* traced.c, which has a process whose memory can be read, replaces these functions. */
#define REPLACEABLE __attribute__((weak))

struct prt_ctx host_ctx;
int host_exiting;
static struct meta meta;
static char record[1 << 20];
static u32 record_id, record_len;

void bug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fflush(stdout);
	fprintf(stderr, "BUG: ");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\n");
	exit(2);
}

/* ---- errors ---- */

bool prt_error_called(struct prt_ctx *c, u32 srcloc)
{
	(void)c;
	(void)srcloc;
	return true;
}

void prt_error(struct prt_ctx *c, enum prt_err err, u32 srcloc, struct prt_str text)
{
	if (c->err)
		return;
	c->err = err;
	c->err_srcloc = srcloc;
	c->err_len = text.len;
	memcpy(c->err_text, text.s, text.len);
}

bool prt_steps_out(struct prt_ctx *c, u32 srcloc)
{
	prt_error(c, PRT_E_STEPS, srcloc, PRT_LIT(""));
	return true;
}

static const char *error_name(u32 err)
{
	static const char *const name[] = {
		[PRT_E_DIV_ZERO] = "division by zero", [PRT_E_BAD_ADDRESS] = "bad address",
		[PRT_E_ARRAY_FULL] = "array full", [PRT_E_EMPTY_AGGREGATE] = "empty aggregate",
		[PRT_E_STEPS] = "too many steps", [PRT_E_NESTING] = "calls too deep",
		[PRT_E_SCRIPT] = "", [PRT_E_BAD_VALUE] = "bad value", [PRT_E_ABORT] = "abort",
		[PRT_E_OTHER_PROGRAM] = "other program",
		[PRT_E_THREAD_LOCAL] = "no thread-local memory",
	};

	return name[err];
}

struct prt_str prt_error_text(struct prt_ctx *c, char *buf)
{
	int n = snprintf(buf, MAXSTR, "%s%s%.*s", error_name(c->err),
			 c->err_len && *error_name(c->err) ? ": " : "", (int)c->err_len,
			 c->err_text);

	return (struct prt_str){ buf, (u32)n };
}

bool prt_enter(struct prt_ctx *c, u32 srcloc)
{
	if (c->nesting >= prt_script.maxnesting) {
		prt_error(c, PRT_E_NESTING, srcloc, PRT_LIT(""));
		return false;
	}
	c->nesting++;
	return true;
}

/* ---- strings ---- */

static u32 cut(u32 len)
{
	return len < MAXSTR ? len : MAXSTR - 1;
}

s64 prt_str_cmp(struct prt_str a, struct prt_str b)
{
	int order = memcmp(a.s, b.s, a.len < b.len ? a.len : b.len);

	return order ? order : (s64)a.len - (s64)b.len;
}

void prt_str_set(struct prt_strbuf *dst, struct prt_str src)
{
	dst->len = cut(src.len);
	memmove(dst->s, src.s, dst->len);
}

struct prt_str prt_str_copy(char *buf, struct prt_str src)
{
	memmove(buf, src.s, cut(src.len));
	return (struct prt_str){ buf, cut(src.len) };
}

struct prt_str prt_str_concat(char *buf, struct prt_str a, struct prt_str b)
{
	u32 n = cut(a.len), m = cut(n + b.len) - n;

	if (a.s == buf || b.s == buf)
		bug("a concatenation onto itself");
	memcpy(buf, a.s, n);
	memcpy(buf + n, b.s, m);
	return (struct prt_str){ buf, n + m };
}

struct prt_str prt_substr(char *buf, struct prt_str s, s64 start, s64 len)
{
	if (start < 0 || start >= s.len || len <= 0)
		return (struct prt_str){ buf, 0 };
	s.s += start;
	s.len = len < s.len - start ? (u32)len : s.len - (u32)start;
	return prt_str_copy(buf, s);
}

struct prt_str prt_sprintf(char *buf, struct prt_str fmt, const char *types, const void *args,
			   u32 args_len)
{
	long n = prt_format(buf, MAXSTR - 1, fmt.s, fmt.len, types, args, args_len);

	if (n < 0)
		bug("arguments of sprintf do not fit '%s'", types);
	return (struct prt_str){ buf, cut((u32)n) };
}

/* ---- output ---- */

static void flush(void)
{
	const struct meta_print *p;
	long n;
	char *text;

	if (!record_len)
		return;
	if (record_id >= meta.nprints || !meta.prints[record_id].format)
		bug("print %u has no format", record_id);
	p = &meta.prints[record_id];
	n = prt_format(NULL, 0, p->format, p->format_len, p->types, record, record_len - 8);
	if (n < 0)
		bug("record of print %u does not fit '%s'", record_id, p->types);
	text = malloc((size_t)n + 1);
	prt_format(text, (size_t)n, p->format, p->format_len, p->types, record, record_len - 8);
	fwrite(text, 1, (size_t)n, stdout);
	free(text);
	record_len = 0;
}

char *prt_put_str(char *p, struct prt_str s)
{
	memset(p, 0, prt_str_room(s));
	memcpy(p, &s.len, sizeof(s.len));
	memcpy(p + sizeof(s.len), s.s, s.len);
	return p + prt_str_room(s);
}

char *prt_out_begin(struct prt_ctx *c, u32 id, u32 len)
{
	(void)c;
	flush();
	if (len % 8 || len < 8 || len > sizeof(record))
		bug("a record of %u bytes", len);
	record_id = id;
	record_len = len;
	return record;
}

void prt_breathe(struct prt_ctx *c)
{
	if (c->locked)
		bug("breathing with a lock held");
}

void prt_exit(struct prt_ctx *c)
{
	(void)c;
	host_exiting = 1;
}

void prt_warn(struct prt_ctx *c, struct prt_str text)
{
	(void)c;
	flush();
	printf("WARNING: %.*s\n", (int)text.len, text.s);
}

s64 prt_pid(struct prt_ctx *c) { (void)c; return 42; }
s64 prt_tid(struct prt_ctx *c) { (void)c; return 43; }
s64 prt_target(struct prt_ctx *c) { (void)c; return 7; }
s64 prt_time_ns(struct prt_ctx *c) { (void)c; return 1700000000123456789; }
struct prt_str prt_pp(struct prt_ctx *c)
{
	return (struct prt_str){ c->probe->pp, (u32)strlen(c->probe->pp) };
}
struct prt_str prt_execname(struct prt_ctx *c, char *buf)
{
	(void)c;
	memcpy(buf, "host", 4);
	return (struct prt_str){ buf, 4 };
}

s64 prt_strtol(struct prt_str s, s64 base)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*s", (int)s.len, s.s);
	return strtoll(text, NULL, (int)base);
}

REPLACEABLE s64 prt_read(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 srcloc)
{
	(void)size;
	(void)is_signed;
	if (addr < 4096)
		prt_error(c, PRT_E_BAD_ADDRESS, srcloc, PRT_LIT("0"));
	return 0;
}

struct prt_str prt_show(struct prt_ctx *c, char *buf, u64 addr, const struct prt_show *items, u32 n,
			enum prt_show_where where, u32 srcloc)
{
	(void)c;
	(void)items;
	(void)where;
	(void)srcloc;
	return (struct prt_str){ buf, (u32)snprintf(buf, 64, "%u items at %llu", n, addr) };
}

struct prt_str prt_read_kernel_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc)
{
	prt_read(c, addr, 1, false, srcloc);
	return (struct prt_str){ buf, 0 };
}

/* ---- locks ---- */

bool prt_lock(struct prt_ctx *c, const u16 *locks, u32 n)
{
	if (c->locked)
		bug("locked twice");
	for (u32 i = 0; i < n; i++)
		if (locks[i] >= prt_script.nlocks || (i && locks[i] <= locks[i - 1]))
			bug("locks out of order");
	c->locked = (u8)n;
	return true;
}

void prt_unlock(struct prt_ctx *c, const u16 *locks, u32 n)
{
	(void)locks;
	if (c->locked != n)
		bug("unlocked %u of %u", n, c->locked);
	c->locked = 0;
}

/* ---- a session ---- */

static void globals(void)
{
	for (u32 i = 0; i < prt_script.nglobals; i++) {
		const struct prt_global *g = &prt_script.globals[i];
		void *at = g->percpu ? ctx.bank + g->offset : g->where;

		if (g->kind == PRT_G_MAP) {
			((struct prt_map_ref *)at)->m = host_map(g);
		} else if (g->kind == PRT_G_STAT) {
			prt_stat_clear(at, &g->stat);
		} else if (g->kind == PRT_G_LONG) {
			*(s64 *)at = g->init;
		} else if (g->kind == PRT_G_STRING) {
			prt_str_set(at, g->init_str);
		}
	}
}

void host_run(const struct prt_probe *p)
{
	char *workspace = ctx.workspace;

	memset(workspace, 0xaa, prt_script.workspace_size);
	ctx.err = PRT_OK;
	ctx.steps = prt_script.maxaction;
	ctx.probe = p;
	p->handler(&ctx);
	flush();
	if (ctx.locked || host_iters_open || ctx.workspace != workspace || ctx.nesting)
		bug("%s left locks %u, iterators %d, workspace %d, nesting %u", p->pp, ctx.locked,
		    host_iters_open, (int)(ctx.workspace - workspace), ctx.nesting);
	if (ctx.err && ctx.err != PRT_E_ABORT) {
		const struct position *at = &meta.srclocs[ctx.err_srcloc];
		char text[4096];
		struct prt_str s = prt_error_text(&ctx, text);

		printf("ERROR %u:%u-%u: %.*s\n", at->line, at->col, at->end_col - 1, (int)s.len,
		       s.s);
		host_exiting = 1;
	}
	if (ctx.err == PRT_E_ABORT)
		host_exiting = 1;
}

/* The probe that runs after @last, NULL: the first one. They run by their numbers, and then as they
 * are written. */
static const struct prt_probe *next_probe(u16 kind, const struct prt_probe *last)
{
	const struct prt_probe *next = NULL;

	for (u32 i = 0; i < prt_script.nprobes; i++) {
		const struct prt_probe *p = &prt_script.probes[i];

		if (p->kind != kind || (last && (p->order < last->order ||
						 (p->order == last->order && p <= last))))
			continue;
		if (!next || p->order < next->order)
			next = p;
	}
	return next;
}

void host_run_all(u16 kind)
{
	const struct prt_probe *p = NULL;

	while ((p = next_probe(kind, p)))
		if (kind == PRT_END || !host_exiting)
			host_run(p);
}

void host_begin(void)
{
	char why[256];

	if (meta_parse(prt_meta, strlen(prt_meta), &meta, why, sizeof(why)))
		bug("the description: %s", why);
	ctx.level = PRT_LEVEL_PROCESS;
	ctx.bank = calloc(1, prt_script.bank_size + 8);
	ctx.workspace = malloc(prt_script.workspace_size + 8);
	ctx.workspace_end = ctx.workspace + prt_script.workspace_size;
	ctx.err_text = malloc(MAXSTR);
	globals();
}

REPLACEABLE int main(void)
{
	host_begin();
	host_run_all(PRT_BEGIN);
	host_run_all(PRT_TIMER);
	host_run_all(PRT_TIMER);
	host_run_all(PRT_END);
	return 0;
}
