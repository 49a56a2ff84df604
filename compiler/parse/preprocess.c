/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Macros and conditionals, both on tokens.
 *
 * Reading is lazy: each request reads one token. A stack of levels has the expansions in progress;
 * the text is below it. preprocess_expand() reads through the stack and replaces macros;
 * preprocess_next() reads through that, and conditionals decide which tokens it returns. A branch
 * that is not taken is read raw, so nothing in it is expanded, defined or reported.
 *
 * The argument of a macro is a closure: a list of raw tokens and the environment in which it was
 * written, so "@x" in it means the caller's x. A macro that is reached again through environments
 * of its own body is recursive; one that is reached again in an argument is not.
 */
#include "parse/preprocess.h"

#include <string.h>

#include "grammar/script.tab.h"
#include "parse/args.h"
#include "parse/condition.h"
#include "state.h"

/* The most expansions in one text, because macros can double each other. */
#define EXPANSIONS_MAX 100000
#define REPLAYED_MAX 2000000
#define LEVELS_MAX 200

struct macro {
	const char *name;          /* with its "@" */
	struct range range;
	bool has_params;
	bool is_broken;            /* its definition was invalid: every use is 0 */
	VEC(const char *) params;  /* with their "@" */
	struct token_list body;
};

/* An expansion in progress. */
struct macro_env {
	const struct macro *macro;
	struct token_list *args;   /* one for each parameter */
	const struct macro_env *outer; /* the environment of the macro's name and its arguments */
	struct expansion at;
};

void preprocess_init(struct preprocess *pp, struct parser *p)
{
	memset(pp, 0, sizeof(*pp));
	pp->p = p;
	map_init(&pp->macros, p->arena);
	scanner_init(&pp->scanner, p->arena, p->src);
}

void preprocess_deinit(struct preprocess *pp)
{
	scanner_deinit(&pp->scanner);
}

/* Reads the next token without expansion; @env: the environment in which its "@words" are looked
 * up. */
static void raw_next(struct preprocess *pp, struct token *ret, const struct macro_env **env)
{
	while (pp->level && pp->level->pos == pp->level->tokens->v.n)
		pp->level = pp->level->outer;
	if (!pp->level) {
		*env = NULL;
		args_next(pp->p->state, &pp->scanner, ret);
		return;
	}
	*ret = pp->level->tokens->v.v[pp->level->pos++];
	*env = pp->level->env;
	if (++pp->replayed >= REPLAYED_MAX) {
		if (pp->replayed == REPLAYED_MAX)
			parser_error(pp->p, ret->range, E_LIMIT, "macros expand to more than %d "
								 "tokens",
				     REPLAYED_MAX);
		pp->p->cut_short = true;
		ret->kind = 0;
	}
	if (pp->level->is_body)
		ret->range.via = &(*env)->at;
}

static void push(struct preprocess *pp, const struct token_list *tokens,
		 const struct macro_env *env, bool is_body)
{
	struct input_level *f = NEW(pp->p->arena, struct input_level);

	*f = (struct input_level){ tokens, 0, env, is_body, pp->level };
	pp->level = f;
}

/* Makes @t the next token; it was read in @env. */
static void push_one(struct preprocess *pp, const struct token *t, const struct macro_env *env)
{
	struct token_list *list = NEW(pp->p->arena, struct token_list);

	vec_push(pp->p->arena, &list->v, *t);
	push(pp, list, env, false);
}

/* Makes 0, which fits almost everywhere, the next token in place of a macro that can't be
 * expanded. */
static void push_zero(struct preprocess *pp, struct range r)
{
	const struct token zero = { .kind = TOK_NUMBER, .range = r, .s = "0", .len = 1 };

	push_one(pp, &zero, NULL);
}

static bool is_at_word(int kind)
{
	return kind == TOK_AT || kind == TOK_AGG || kind == TOK_AT_UNKNOWN;
}

/* Reads the tokens up to the "%)" of an open "%(", and the "%)" itself. Returns false at the end of
 * the text. */
static bool read_body(struct preprocess *pp, struct token_list *ret)
{
	const struct macro_env *env;
	struct token t;
	int depth = 0;

	for (;;) {
		raw_next(pp, &t, &env);
		if (!t.kind)
			return false;
		if (t.kind == TOK_PP_CLOSE && !depth--)
			return true;
		depth += t.kind == TOK_PP_OPEN;
		vec_push(pp->p->arena, &ret->v, t);
	}
}

/* Skips the body of a definition whose head is wrong at @t. Without a body, @t is put back. */
static void skip_define(struct preprocess *pp, const struct token *t)
{
	struct token_list ignored = { 0 };
	const struct macro_env *env;
	struct token next;

	if (t->kind == TOK_PP_OPEN) {
		read_body(pp, &ignored);
		return;
	}
	raw_next(pp, &next, &env);
	if (next.kind == TOK_PP_OPEN) {
		read_body(pp, &ignored);
		return;
	}
	push_one(pp, &next, env);
}

static void add_param(struct preprocess *pp, struct macro *m, const struct token *t)
{
	char *name = arena_printf(pp->p->arena, "@%s", t->s);

	vec_each(it, &m->params)
		if (strcmp(*it, name) == 0)
			parser_error(pp->p, t->range, E_REDEFINED,
				     "the macro '%s' has two parameters '%s'", m->name, t->s);
	vec_push(pp->p->arena, &m->params, name);
}

/* Reads "(a, b)" after the name. Returns true if "%(" was read as well. */
static bool read_params(struct preprocess *pp, struct macro *m)
{
	const struct macro_env *env;
	struct token t;

	raw_next(pp, &t, &env);
	if (t.kind == '(') {
		m->has_params = true;
		raw_next(pp, &t, &env);
		while (t.kind == TOK_IDENT) {
			add_param(pp, m, &t);
			raw_next(pp, &t, &env);
			if (t.kind == ',')
				raw_next(pp, &t, &env);
			else if (t.kind != ')')
				break;
		}
		if (t.kind != ')') {
			parser_error(pp->p, t.range, E_PREPROC,
				     "expected the name of a parameter of '%s', ',' or ')'",
				     m->name);
			while (t.kind && t.kind != ')' && t.kind != TOK_PP_OPEN && t.kind != '{')
				raw_next(pp, &t, &env);
			skip_define(pp, &t);
			return false;
		}
		raw_next(pp, &t, &env);
	}
	if (t.kind == TOK_PP_OPEN)
		return true;
	parser_error(pp->p, t.range, E_PREPROC, "expected '%%(' and the body of '%s'", m->name);
	diag_hint(pp->p->diag, "a macro is written @define name(param) %%( body %%)");
	return false;
}

static bool is_operator(const char *name)
{
	static const char *const all[] = {
#define AGG_WORD(op, text) text,
#define AT_WORD(text) text,
#include "ast/words.def"
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i], name) == 0)
			return true;
	return false;
}

static void define(struct preprocess *pp, struct range at)
{
	struct macro *m = NEW(pp->p->arena, struct macro), *old;
	const struct macro_env *env;
	struct token name;

	raw_next(pp, &name, &env);
	if (name.kind != TOK_IDENT) {
		parser_error(pp->p, name.range, E_PREPROC,
			     "expected the name of a macro after @define");
		skip_define(pp, &name);
		return;
	}
	m->name = arena_printf(pp->p->arena, "@%s", name.s);
	m->range = name.range;
	if (!read_params(pp, m)) {
		m->is_broken = true;
		map_set(&pp->macros, m->name, m);
		return;
	}
	if (!read_body(pp, &m->body)) {
		parser_error(pp->p, at, E_PREPROC, "the body of '%s' is never closed by '%%)'",
			     m->name);
		return;
	}
	if (strcmp(m->name, "@define") == 0) {
		parser_error(pp->p, m->range, E_PREPROC, "'@define' itself can't be defined");
		diag_hint(pp->p->diag, "give the macro another name");
		return;
	}
	if (is_operator(m->name))
		diag_warn(pp->p->diag, m->range, E_PREPROC, "the macro hides the operator '%s'",
			  m->name);
	old = map_get(&pp->macros, m->name);
	if (old) {
		parser_error(pp->p, m->range, E_REDEFINED, "the macro '%s' is already defined",
			     m->name);
		diag_note(pp->p->diag, old->range, "here");
		return;
	}
	map_set(&pp->macros, m->name, m);
}

/*
 * Reads the arguments of a macro, from "(" to ")". Commas in brackets of any kind do not separate
 * arguments. The tokens stay raw and are looked up in the environment of the macro's name.
 */
static bool read_args(struct preprocess *pp, struct macro_env *env, struct range at)
{
	struct arena *a = pp->p->arena;
	const struct macro *m = env->macro;
	struct token_list extra = { 0 };
	const struct macro_env *ignored;
	size_t n = 0;
	int depth = 0;
	bool any = false;
	struct token t;

	raw_next(pp, &t, &ignored);
	if (t.kind != '(') {
		parser_error(pp->p, at, E_PREPROC,
			     "the macro '%s' needs %zu argument%s in parentheses", m->name,
			     m->params.n, m->params.n == 1 ? "" : "s");
		diag_note(pp->p->diag, m->range, "defined here");
		push_one(pp, &t, ignored);
		return false;
	}
	for (;;) {
		raw_next(pp, &t, &ignored);
		if (!t.kind) {
			parser_error(pp->p, at, E_PREPROC,
				     "the arguments of '%s' are never closed by ')'", m->name);
			pp->p->cut_short = true;
			return false;
		}
		if (t.kind == ')' && !depth)
			break;
		if (t.kind == ',' && !depth) {
			n++;
			continue;
		}
		any = true;
		depth += t.kind == '(' || t.kind == '[' || t.kind == '{' || t.kind == TOK_PP_OPEN;
		depth -= t.kind == ')' || t.kind == ']' || t.kind == '}' || t.kind == TOK_PP_CLOSE;
		if (pp->level && pp->level->is_body)
			t.range.via = &pp->level->env->at;
		vec_push(a, &(n < m->params.n ? &env->args[n] : &extra)->v, t);
	}
	if (t.range.src == env->at.src && t.range.end > env->at.end)
		env->at.end = t.range.end;
	n += any || n;
	if (n == m->params.n || (!n && m->params.n == 1))
		return true;
	parser_error(pp->p, at, E_PREPROC, "the macro '%s' takes %zu argument%s, not %zu", m->name,
		     m->params.n, m->params.n == 1 ? "" : "s", n);
	diag_note(pp->p->diag, m->range, "defined here");
	return false;
}

/* Skips the arguments of a use that was refused. */
static void skip_args(struct preprocess *pp)
{
	const struct macro_env *env;
	struct token t;
	int depth;

	raw_next(pp, &t, &env);
	if (t.kind != '(') {
		push_one(pp, &t, env);
		return;
	}
	for (depth = 1; t.kind && depth;) {
		raw_next(pp, &t, &env);
		depth += (t.kind == '(') - (t.kind == ')');
	}
}

/* Replaces a macro's name by its body. */
static void expand(struct preprocess *pp, const struct macro *m, const struct token *name,
		   const struct macro_env *outer)
{
	struct macro_env *env = NEW(pp->p->arena, struct macro_env);
	unsigned levels = 0;

	if (m->is_broken) {
		skip_args(pp);
		push_zero(pp, name->range);
		return;
	}
	for (const struct macro_env *e = outer; e; e = e->outer) {
		if (e->macro != m)
			continue;
		parser_error(pp->p, name->range, E_PREPROC, "the macro '%s' uses itself", m->name);
		if (m->has_params)
			skip_args(pp);
		push_zero(pp, name->range);
		return;
	}
	for (const struct expansion *x = name->range.via; x; x = x->outer)
		levels++;
	if (levels >= LEVELS_MAX) {
		parser_error(pp->p, name->range, E_LIMIT, "macros are nested more than %d levels "
							  "deep",
			     LEVELS_MAX);
		push_zero(pp, name->range);
		return;
	}
	if (++pp->expansions >= EXPANSIONS_MAX) {
		if (pp->expansions == EXPANSIONS_MAX)
			parser_error(pp->p, name->range, E_LIMIT, "more than %d uses of macros",
				     EXPANSIONS_MAX);
		return;
	}
	env->macro = m;
	env->outer = outer;
	env->args = arena_alloc(pp->p->arena, (m->params.n + 1) * sizeof(*env->args));
	env->at = (struct expansion){ "macro", m->name, name->range.src, name->range.start,
				      name->range.end, name->range.via, false };
	if (m->has_params && !read_args(pp, env, name->range))
		push_zero(pp, name->range);
	else
		push(pp, &m->body, env, true);
}

/* Returns true if @word was a parameter or a macro, so that another token has to be read. */
static bool replace(struct preprocess *pp, const struct token *word, const struct macro_env *env)
{
	const struct macro *m;

	for (size_t i = 0; env && i < env->macro->params.n; i++) {
		if (strcmp(env->macro->params.v[i], word->s) != 0)
			continue;
		push(pp, &env->args[i], env->outer, false);
		return true;
	}
	m = map_get(&pp->macros, word->s);
	if (!m && word->kind == TOK_AT_UNKNOWN)
		m = library_macro(pp->p->state, word->s);
	if (m)
		expand(pp, m, word, env);
	return m != NULL;
}

void preprocess_expand(struct preprocess *pp, struct token *ret)
{
	const struct macro_env *env;

	for (;;) {
		raw_next(pp, ret, &env);
		if (ret->kind == TOK_DEFINE)
			define(pp, ret->range);
		else if (!is_at_word(ret->kind) || !replace(pp, ret, env))
			return;
	}
}

static void refuse_second_else(struct preprocess *pp, struct range at)
{
	parser_error(pp->p, at, E_PREPROC, "a second '%%:' in one conditional");
}

static void refuse_second_then(struct preprocess *pp, struct range at)
{
	parser_error(pp->p, at, E_PREPROC, "a second '%%?' in one conditional");
	diag_hint(pp->p->diag, "the other branch begins with '%%:'");
}

/* Skips a branch that is not taken: the second one if @is_else. Returns true if it ended with the
 * "%:" of a branch that is. */
static bool skip_branch(struct preprocess *pp, struct range open, bool is_else)
{
	const struct macro_env *env;
	struct token t;
	int depth = 0;

	for (;;) {
		raw_next(pp, &t, &env);
		if (!t.kind) {
			parser_error(pp->p, open, E_PREPROC,
				     "this conditional is never closed by '%%)'");
			return false;
		}
		if (t.kind == TOK_PP_ELSE && !depth && !is_else)
			return true;
		if (t.kind == TOK_PP_ELSE && !depth)
			refuse_second_else(pp, t.range);
		if (t.kind == TOK_PP_THEN && !depth)
			refuse_second_then(pp, t.range);
		if (t.kind == TOK_PP_CLOSE && !depth--)
			return false;
		depth += t.kind == TOK_PP_OPEN;
	}
}

void preprocess_next(struct preprocess *pp, struct token *ret)
{
	struct arena *a = pp->p->arena;
	struct conditional branch;

	for (;;) {
		preprocess_expand(pp, ret);
		switch (ret->kind) {
		case TOK_PP_OPEN:
			branch = (struct conditional){ .at = ret->range };
			branch.is_else = !condition_read(pp, branch.at);
			if (!branch.is_else || skip_branch(pp, branch.at, false))
				vec_push(a, &pp->open, branch);
			break;
		case TOK_PP_ELSE:
			if (!pp->open.n) {
				parser_error(pp->p, ret->range, E_PREPROC,
					     "'%%:' outside of '%%( %%)'");
				break;
			}
			if (pp->open.v[pp->open.n - 1].is_else)
				refuse_second_else(pp, ret->range);
			skip_branch(pp, pp->open.v[--pp->open.n].at, true);
			break;
		case TOK_PP_CLOSE:
			if (pp->open.n)
				pp->open.n--;
			else
				parser_error(pp->p, ret->range, E_PREPROC, "'%%)' without '%%('");
			break;
		case TOK_PP_THEN:
			if (pp->open.n)
				refuse_second_then(pp, ret->range);
			else
				parser_error(pp->p, ret->range, E_PREPROC,
					     "'%%?' without '%%(' and a condition");
			break;
		case 0:
			while (pp->open.n)
				parser_error(pp->p, pp->open.v[--pp->open.n].at, E_PREPROC,
					     "this conditional is never closed by '%%)'");
			return;
		default:
			return;
		}
	}
}
