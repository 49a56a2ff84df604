/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of all providers. Matches a probe point with their forms, reports what is wrong with a
 * point that matches none, and refuses forms that are not supported.
 */
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "ast/points.h"
#include "ast/walk.h"
#include "base/words.h"
#include "shared/buf.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/points/provider.h"
#include "state.h"

static const struct provider *const table[] = {
	&begin_end_provider,
	&timer_provider,
	&symbol_sites_kernel_provider,
	&symbol_sites_module_provider,
	&symbol_sites_kprobe_provider,
	&places_provider,
	&symbol_sites_kprobe_module_provider,
	&trace_provider,
	&data_provider,
	&perf_provider,
	&procfs_provider,
	&netfilter_provider,
	&process_provider,
	&process_data_provider,
	&refused_provider,
	&library_provider,
};

#define each_provider(p)                                                                          \
	for (const struct provider *const *p = table;                                             \
	     p < table + sizeof(table) / sizeof(table[0]); p++)
#define each_form(f, p)                                                                           \
	for (const struct form *f = (p)->forms; f < (p)->forms + (p)->nforms; f++)

/* One component of a form's text. */
struct component {
	const char *name;
	size_t len;
	char arg; /* 'S', 'N' or 0: none */
};

/* Reads the component at *@text and advances past it and the dot after it; false at the end. */
static bool next_component(const char **text, struct component *ret)
{
	if (!**text)
		return false;
	ret->name = *text;
	ret->len = strcspn(*text, ".(");
	*text += ret->len;
	ret->arg = 0;
	if (**text == '(') {
		ret->arg = (*text)[1];
		*text += 3;
	}
	if (**text == '.')
		++*text;
	return true;
}

static bool is_tail(const struct component *c)
{
	return c->len == 2 && memcmp(c->name, "**", 2) == 0;
}

static bool name_matches(const struct pp_component *part, const struct component *c)
{
	char name[64];

	if (c->len >= sizeof(name))
		return false;
	memcpy(name, c->name, c->len);
	name[c->len] = '\0';
	return fnmatch(part->name, name, 0) == 0;
}

static bool number_of(const struct expr *e, int64_t *ret)
{
	if (e && e->kind == EX_NUM) {
		*ret = e->u.num.v;
		return true;
	}
	if (e && e->kind == EX_UNARY && e->u.unary.op == OP_NEG && e->u.unary.a->kind == EX_NUM) {
		*ret = (int64_t)(0 - (uint64_t)e->u.unary.a->u.num.v);
		return true;
	}
	return false;
}

void provider_number(const struct pp_component *part, int64_t *ret)
{
	number_of(part->arg, ret);
}

const char *provider_quoted(struct arena *a, const char *text)
{
	struct buf b;

	buf_init(&b);
	buf_put_quoted(&b, text, strlen(text));

	const char *copy = arena_strdup(a, b.s);

	buf_deinit(&b);
	return copy;
}

int provider_bad_number(const struct located_request *rq, const struct pp_component *part,
			const char *what, const char *rule)
{
	if (!rq->quiet)
		diag_error(rq->s->diag, part->arg ? part->arg->range : part->range, E_PROBE_POINT,
			   "'%s' of %s must be %s", part->name, what, rule);
	return -EINVAL;
}

int provider_unknown_kernel(const struct located_request *rq, struct range at, const char *why)
{
	if (!rq->quiet) {
		diag_error(rq->s->diag, at, E_NO_BTF,
			   "neither the symbols nor the BTF of kernel %s are available",
			   kernel_release(rq->s->kernel));
		diag_hint(rq->s->diag, "%s", why);
	}
	return -ENODATA;
}

int provider_unknown_module(const struct located_request *rq, const struct expr *name,
			    const char *why)
{
	if (!rq->quiet) {
		diag_error(rq->s->diag, name->range, E_NO_MATCH, "no information is available "
			   "about a module '%s' of kernel %s", name->u.str.s,
			   kernel_release(rq->s->kernel));
		diag_hint(rq->s->diag, "%s", why);
	}
	return -ENOENT;
}

struct site *provider_add_site(const struct located_request *rq, struct located *ret)
{
	struct site *site = NEW(rq->s->arena, struct site);

	site->object = "kernel";
	site->symbol = site->pp = rq->text;
	vec_push(rq->s->arena, &ret->sites, site);
	return site;
}

static char arg_of(const struct pp_component *part)
{
	int64_t number;

	if (!part->has_arg)
		return 0;
	if (part->arg && part->arg->kind == EX_STR)
		return 'S';
	return number_of(part->arg, &number) ? 'N' : '?';
}

/* How much of a probe point agrees with a form. */
struct match {
	bool full;
	size_t parts;       /* number of components that agree, with their arguments */
	bool arg_differs;   /* the next one agrees in its name alone */
	struct component next; /* the form's next component; len 0: the form ends */
};

static struct match match_form(const struct form *form, const struct probe_point *pp)
{
	struct match m = {0};
	const char *text = form->text;

	for (;;) {
		m.next = (struct component){0};
		if (!next_component(&text, &m.next)) {
			m.full = m.parts == pp->parts.n;
			return m;
		}
		if (is_tail(&m.next)) {
			m.full = true;
			return m;
		}
		if (m.parts == pp->parts.n || !name_matches(&pp->parts.v[m.parts], &m.next))
			return m;
		if (arg_of(&pp->parts.v[m.parts]) != m.next.arg) {
			m.arg_differs = true;
			return m;
		}
		m.parts++;
	}
}

/* Whether the number of a component is an address; others are counts, priorities or identifiers. */
static bool takes_address(const char *component)
{
	static const char *const names[] = { "statement", "function", "data" };

	return words_has(names, sizeof(names) / sizeof(*names), component);
}

/* The text of the probe point with its own arguments and the names of the form, where the point may
 * have patterns. @form NULL: as the script has it. */
static const char *normalise(struct arena *a, const struct form *form, const struct probe_point *pp)
{
	struct buf b;
	struct component c;
	const char *text = form ? form->text : "";

	buf_init(&b);
	for (size_t i = 0; i < pp->parts.n; i++) {
		const struct pp_component *part = &pp->parts.v[i];
		int64_t number;
		bool named = next_component(&text, &c) && !is_tail(&c);

		buf_puts(&b, i ? "." : "");
		if (named)
			buf_write(&b, c.name, c.len);
		else
			buf_puts(&b, part->name);
		if (!part->has_arg)
			continue;
		buf_putc(&b, '(');
		if (part->arg && part->arg->kind == EX_STR)
			buf_put_quoted(&b, part->arg->u.str.s, part->arg->u.str.len);
		else if (number_of(part->arg, &number) && number < 0 && takes_address(part->name))
			buf_printf(&b, "%#llx", (unsigned long long)number);
		else if (number_of(part->arg, &number))
			buf_printf(&b, "%lld", (long long)number);
		buf_putc(&b, ')');
	}

	const char *copy = arena_strdup(a, b.s ? b.s : "");

	buf_deinit(&b);
	return copy;
}

/* ---- errors of a probe point that matches no form ---- */

/* The most components that agree with any form, and what these forms have next. */
struct furthest {
	size_t parts;
	bool arg_differs;
	/* the type of the argument that the first of these forms has there */
	char wanted;
	struct name_list next_names;  /* each once, with refused forms, for "did you mean" */
	struct name_list supported;   /* those of supported forms */
};

static void add_text(struct arena *a, struct name_list *names, const char *name)
{
	if (!words_has(names->v.v, names->v.n, name))
		vec_push(a, &names->v, name);
}

static void add_name(struct arena *a, struct name_list *names, const struct component *c)
{
	if (c->len > 0 && !is_tail(c))
		add_text(a, names, arena_strndup(a, c->name, c->len));
}

static struct furthest find_furthest(struct state *s, const struct probe_point *pp)
{
	struct furthest far = {0};

	each_provider(p) {
		each_form(form, *p) {
			struct match m = match_form(form, pp);

			if (m.parts < far.parts || (m.parts == far.parts && far.arg_differs &&
						    !m.arg_differs))
				continue;
			if (m.parts > far.parts || m.arg_differs != far.arg_differs)
				far = (struct furthest){ .parts = m.parts,
							 .arg_differs = m.arg_differs };
			if (!far.wanted)
				far.wanted = m.next.arg;
			add_name(s->arena, &far.next_names, &m.next);
			if (!form->refused)
				add_name(s->arena, &far.supported, &m.next);
		}
	}
	return far;
}

static const char *join(struct arena *a, const struct name_list *names)
{
	return words_join(a, names->v.v, names->v.n);
}

static void report_argument(struct state *s, const struct pp_component *part, char wanted)
{
	switch (wanted) {
	case 'S':
		diag_error(s->diag, part->range, E_PROBE_POINT, "'%s' needs a string: %s(\"...\")",
			   part->name, part->name);
		break;
	case 'N':
		diag_error(s->diag, part->range, E_PROBE_POINT, "'%s' needs a number: %s(10)",
			   part->name, part->name);
		break;
	default:
		diag_error(s->diag, part->range, E_PROBE_POINT, "'%s' takes no argument",
			   part->name);
	}
}

static int report_unknown(struct state *s, const struct probe_point *pp)
{
	struct furthest far = find_furthest(s, pp);
	const char *all = join(s->arena, &far.supported);

	if (far.parts == pp->parts.n) {
		diag_error(s->diag, pp->range, E_PROBE_POINT, "the probe point is not complete");
		diag_hint(s->diag, "what may follow: %s", all);
		return -EINVAL;
	}

	const struct pp_component *part = &pp->parts.v[far.parts];

	if (far.arg_differs) {
		report_argument(s, part, far.wanted);
		if (points_is_any(part))
			diag_hint(s->diag, "possible forms: %s", all);
		return -EINVAL;
	}
	if (far.parts == 0)
		diag_error(s->diag, part->range, E_PROBE_POINT, "unknown probe point '%s'",
			   part->name);
	else
		diag_error(s->diag, part->range, E_PROBE_POINT, "'%s' cannot follow '%s'",
			   part->name, pp->parts.v[far.parts - 1].name);

	const char *nearest = diag_nearest(part->name, far.next_names.v.v, far.next_names.v.n);

	if (nearest)
		diag_hint(s->diag, "did you mean '%s'?", nearest);
	else if (far.supported.v.n)
		diag_hint(s->diag, "known here: %s", all);
	else
		diag_hint(s->diag, "nothing may follow it");
	return -EINVAL;
}

/* ---- errors of a probe point that matches forms without sites ---- */

struct matched {
	const struct provider *provider;
	const struct form *form;
};

/* There are several only if a component is a pattern. */
struct matched_forms { VEC(struct matched) supported, refused; };

/* Components with two names. A pattern that matches both names means one form. */
static const char *const second_names[][2] = {
	{ "trace(", "tracepoint(" }, { "timer.s(", "timer.sec(" }, { "timer.ms(", "timer.msec(" },
	{ "timer.us(", "timer.usec(" }, { "timer.ns(", "timer.nsec(" },
};

/* Whether @form is a form that was found already, by the second name of a component. */
static bool is_other_name(struct arena *a, const struct form *form, const struct form *other)
{
	for (size_t i = 0; i < sizeof(second_names) / sizeof(second_names[0]); i++) {
		const char *first = second_names[i][0], *second = second_names[i][1];
		const char *at = strstr(form->text, second);

		if (at && strcmp(other->text, arena_printf(a, "%.*s%s%s", (int)(at - form->text),
							   form->text, first,
							   at + strlen(second))) == 0)
			return true;
	}
	return false;
}

static bool has_by_other_name(struct state *s, const struct matched_forms *found,
			      const struct form *form)
{
	vec_each(m, &found->supported) {
		if (is_other_name(s->arena, form, m->form) ||
		    is_other_name(s->arena, m->form, form))
			return true;
	}
	return false;
}

static struct matched_forms find_forms(struct state *s, const struct probe_point *pp)
{
	struct matched_forms found = { .supported = {0} };

	each_provider(p) {
		each_form(form, *p) {
			struct matched m = { *p, form };

			if (!match_form(form, pp).full || has_by_other_name(s, &found, form))
				continue;
			if (form->refused)
				vec_push(s->arena, &found.refused, m);
			else
				vec_push(s->arena, &found.supported, m);
		}
	}
	return found;
}

/* The probe point with the names of the form, where the script has patterns: providers look for
 * components by their names. */
static const struct probe_point *with_names(struct arena *a, const struct form *form,
					    const struct probe_point *pp)
{
	size_t size = pp->parts.n * sizeof(*pp->parts.v);
	struct probe_point *ret = arena_alloc(a, sizeof(*ret));
	const char *text = form->text;
	struct component c;

	*ret = *pp;
	ret->parts.v = memcpy(arena_alloc(a, size), pp->parts.v, size);
	vec_each(part, &ret->parts) {
		if (!next_component(&text, &c) || is_tail(&c))
			break;
		part->name = arena_strndup(a, c.name, c.len);
	}
	return ret;
}

static int locate_as(struct state *s, const struct matched *m, const struct probe_point *pp,
		     bool quiet, struct located *ret)
{
	struct located_request rq = {
		.s = s, .pp = with_names(s->arena, m->form, pp), .form = m->form, .quiet = quiet,
		.text = normalise(s->arena, m->form, pp),
	};

	ret->pp = rq.text;
	return m->provider->locate(&rq, ret);
}

/* The reason why a form has no sites for a point. */
struct answer {
	const struct matched *from;
	const char *why, *hint;
};
struct answers { VEC(struct answer) v; };

/* A reason that several forms have is reported once. */
static void collect_answer(struct state *s, const struct matched *m, const struct probe_point *pp,
			   struct answers *ret)
{
	struct located none = {0};
	struct answer answer = { .from = m };

	diag_hold(s->diag);
	locate_as(s, m, pp, false, &none);
	answer.why = diag_held_text(s->diag);
	answer.hint = diag_held_hint(s->diag);
	diag_release(s->diag);
	vec_each(it, &ret->v) {
		if (!answer.why || strcmp(it->why, answer.why) == 0)
			return;
	}
	if (answer.why)
		vec_push(s->arena, &ret->v, answer);
}

/* Forms match the pattern, but none has a site: reports the reason of each. */
static int report_asked(struct state *s, const struct probe_point *pp,
			const struct matched_forms *found)
{
	struct located none = {0};
	struct answers answers = {{0}};

	vec_each(m, &found->supported)
		collect_answer(s, m, pp, &answers);
	if (answers.v.n == 1)
		return locate_as(s, answers.v.v[0].from, pp, false, &none);
	diag_error(s->diag, pp->range, E_NO_MATCH, "no probe point matches '%s'",
		   normalise(s->arena, NULL, pp));
	vec_each(it, &answers.v)
		diag_hint(s->diag, "%s: %s%s%s", normalise(s->arena, it->from->form, pp), it->why,
			  it->hint ? "; " : "", it->hint ? it->hint : "");
	return -ENOENT;
}

enum { REFUSED_SHOWN = 5 };

static int refuse(struct state *s, const struct probe_point *pp,
		  const struct matched_forms *found)
{
	struct name_list points = {0};

	vec_each(m, &found->refused) {
		add_text(s->arena, &points, points.v.n < REFUSED_SHOWN ?
			 normalise(s->arena, m->form, pp) : "...");
	}
	if (points.v.n == 1)
		diag_error(s->diag, pp->range, E_NOT_SUPPORTED, "'%s' is not supported: %s",
			   points.v.v[0], found->refused.v[0].form->refused);
	else
		diag_error(s->diag, pp->range, E_NOT_SUPPORTED, "no probe point of '%s' is "
			   "supported: %s", normalise(s->arena, NULL, pp), join(s->arena, &points));
	return -ENOTSUP;
}

/* ---- interface ---- */

int locate_probe_point(struct state *s, const struct probe_point *pp, bool quiet,
		       struct located_list *ret)
{
	struct matched_forms found = find_forms(s, pp);
	bool pattern = points_is_pattern(pp);
	int err = found.refused.n && !found.supported.n ? -ENOTSUP : -EINVAL;
	size_t before = ret->v.n;

	vec_each(m, &found.supported) {
		struct located *one = NEW(s->arena, struct located);
		int result = locate_as(s, m, pp, quiet || pattern, one);

		for (struct located *it = one; result == 0 && it; it = it->also)
			vec_push(s->arena, &ret->v, it);
		if (result != 0 && err == -EINVAL)
			err = result;
		if (!pattern)
			return result;
	}
	if (ret->v.n > before)
		return 0;
	if (quiet)
		return err;
	if (found.supported.n)
		return report_asked(s, pp, &found);
	return found.refused.n ? refuse(s, pp, &found) : report_unknown(s, pp);
}

bool locate_is_form(const struct probe_point *pp)
{
	each_provider(p) {
		each_form(form, *p) {
			if (*p != &library_provider && match_form(form, pp).full)
				return true;
		}
	}
	return false;
}

bool locate_is_builtin(const struct probe_point *pp)
{
	if (pp->parts.n == 0)
		return false;

	const char *name = pp->parts.v[0].name;

	each_provider(p) {
		if (*p == &library_provider)
			continue;
		each_form(form, *p) {
			struct component c;
			const char *text = form->text;

			if (next_component(&text, &c) && strlen(name) == c.len &&
			    memcmp(name, c.name, c.len) == 0)
				return true;
		}
	}
	return false;
}

void locate_forms(struct state *s, struct form_list *ret)
{
	static const struct range nowhere;
	struct component c;

	each_provider(p) {
		each_form(form, *p) {
			const char *text = form->text;
			struct probe_point *pp;

			if (form->refused)
				continue;
			pp = points_new(s->arena, nowhere);
			while (next_component(&text, &c) && !is_tail(&c))
				points_add(s->arena, pp, nowhere,
					   arena_strndup(s->arena, c.name, c.len),
					   !c.arg ? NULL :
					   ast_expr(s->arena, c.arg == 'S' ? EX_STR : EX_NUM,
						    nowhere));
			vec_push(s->arena, &ret->v, pp);
		}
	}
}
