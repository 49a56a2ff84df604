/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Entries and returns of functions that are known by name. kernel.function and
 * module("NAME").function have $variables from BTF; kprobe.function and
 * kprobe.module("NAME").function have none, and are for anything that has a symbol, also in modules
 * that are not known here.
 *
 * Names come from the symbols of the kernel or a module, or from BTF where the symbols are not
 * known; prototypes come from BTF, on request. A name that stands for several functions makes a
 * site for each.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "target/arch/names.h"
#include "target/btf/btf.h"
#include "target/kernel/kernel.h"
#include "target/kernel/module.h"
#include "target/kernel/names.h"
#include "analyse/locate/points/parts.h"
#include "analyse/locate/points/place_sites.h"
#include "analyse/locate/points/symbol_sites.h"
#include "analyse/locate/values/prototype.h"
#include "state.h"

/* Sites of kprobe families have no prototype; their functions may be unknown to ftrace. */
enum symbol_sites_family {
	SYMBOL_SITES_KERNEL,        /* kernel.function */
	SYMBOL_SITES_MODULE,        /* module(NAME).function */
	SYMBOL_SITES_KPROBE,        /* kprobe.function */
	SYMBOL_SITES_KPROBE_MODULE, /* kprobe.module(NAME).function */
};

struct symbol_search {
	const struct located_request *rq;
	struct state *s;
	struct kernel *k;
	struct kernel_module *module; /* in which to look; NULL: the kernel itself */
	struct btf_db *btf;      /* if names are searched among its functions */
	const char *prefix, *suffix;
	const struct expr *arg;  /* with the name */
	const char *name;        /* its text, a name or a pattern */
	struct range range;      /* of the name */
	bool prototypes;
	bool by_symbols;         /* search symbols; otherwise functions of BTF */
	unsigned left_out;       /* number of functions that match a pattern but can't be probed */
	struct located *ret;
};

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

/* Whether the name says more than a symbol table knows: a file, lines. */
static bool is_spec(const char *name)
{
	return strpbrk(name, "@:+");
}

/* The symbols to search; NULL: functions of BTF are searched. */
static const struct namelist *symbols_of(const struct symbol_search *f)
{
	if (f->module)
		return kernel_module_symbols(f->module);
	return f->by_symbols ? kernel_names(f->k, KERNEL_SYMBOLS) : NULL;
}

/* The number of functions with exactly that symbol. */
static int count_symbols(const struct symbol_search *f, const char *symbol)
{
	const struct namelist *l = symbols_of(f);
	const struct btf_func *funcs;

	return l ? (int)namelist_count(l, symbol) : (int)btf_db_funcs(f->btf, symbol, &funcs);
}

/* The symbols that ThinLTO made of functions with that name. */
static size_t promoted(const struct symbol_search *f, const char *name, const char *const **ret)
{
	const struct namelist *l = symbols_of(f);

	return l ? namelist_promoted(l, f->s->arena, name, ret) : 0;
}

/* The number of functions with that name, whatever ThinLTO has appended. */
static int count_functions(const struct symbol_search *f, const char *name)
{
	const char *const *symbols;

	return count_symbols(f, name) + (int)promoted(f, name, &symbols);
}

static size_t match_symbols(const struct symbol_search *f, const char *const **ret)
{
	const struct namelist *l = symbols_of(f);

	return l ? namelist_match(l, f->s->arena, f->name, ret) :
		   btf_db_func_names(f->btf, f->s->arena, f->name, ret);
}

/* Why the kernel refuses a probe there, or NULL. The kernel's lists have only its own functions;
 * for a module's, the kernel says so when they are armed. */
static const char *forbids(const struct symbol_search *f, const char *name)
{
	if (f->module)
		return NULL;
	if (f->prototypes || kernel_symbols_blacklisted(f->k, name))
		return kernel_forbids(f->k, name);
	return NULL;
}

/* Adds the @n functions with that symbol. */
static void add_sites(struct symbol_search *f, const char *symbol, int n)
{
	struct arena *a = f->s->arena;
	const char *name = namelist_unpromoted(a, symbol);
	struct prototype *prototype = f->prototypes ?
		prototype_of(f->s, f->module, name, (unsigned)count_functions(f, name)) : NULL;
	const char *pp = arena_printf(a, "%s(%s)%s", f->prefix, provider_quoted(a, name),
				      f->suffix);

	for (int i = 0; i < n; i++) {
		struct site *site = NEW(a, struct site);

		site->object = f->module ? f->module->name : "kernel";
		site->build_id = f->module ? f->module->build_id : NULL;
		site->symbol = symbol;
		site->function = name == symbol ? NULL : name;
		site->namesake = i;
		site->pp = pp;
		site->prototype = prototype;
		vec_push(a, &f->ret->sites, site);
	}
}

/* Adds the functions with that name. */
static void add_functions(struct symbol_search *f)
{
	const char *const *symbols;
	size_t n = promoted(f, f->name, &symbols);

	add_sites(f, arena_strdup(f->s->arena, f->name), count_symbols(f, f->name));
	for (size_t i = 0; i < n; i++)
		add_sites(f, symbols[i], count_symbols(f, symbols[i]));
}

/* Adds a hint if the function has only inlined copies; returns whether it does. */
static bool hint_copies(const struct symbol_search *f)
{
	if (!f->prototypes || !place_sites_copied(f->rq, f->module, f->arg))
		return false;
	diag_hint(f->s->diag, f->rq->form->what >= SYMBOL_SITES_RETURN ?
		  "it is inlined everywhere, and inlined copies have no return" :
		  "it is inlined everywhere: .inline has its copies");
	return true;
}

static int no_match_in_module(const struct symbol_search *f)
{
	struct diag *d = f->s->diag;

	if (f->rq->quiet)
		return -ENOENT;
	diag_error(d, f->range, E_NO_MATCH, "the module '%s' has no function '%s'",
		   f->module->name, f->name);
	if (hint_copies(f))
		return -ENOENT;

	const char *nearest = kernel_module_nearest(f->s, f->module, f->name);

	if (nearest)
		diag_hint(d, "did you mean '%s'?", nearest);
	else if (kernel_symbol_count(f->k, f->name))
		diag_hint(d, "the kernel itself has: kernel.function(\"%s\")", f->name);
	else
		diag_hint(d, "it may be inlined everywhere%s", f->module->file ? "" :
			  ", or __init code, which is gone once a module is loaded");
	return -ENOENT;
}

/* A name like "sys_open", which system calls had before Linux 4.17. */
static bool is_system_call(const struct symbol_search *f)
{
	const char *call = strncmp(f->name, "sys_", 4) == 0 ||
			   strncmp(f->name, "SyS_", 4) == 0 ? f->name + 4 : NULL;

	return call && kernel_symbol_count(f->k, arena_printf(f->s->arena, "%s%s",
							     arch_names->system_call, call));
}

static int no_match(const struct symbol_search *f)
{
	struct diag *d = f->s->diag;

	if (f->rq->quiet)
		return -ENOENT;
	diag_error(d, f->range, E_NO_MATCH, "kernel %s has no function '%s'", kernel_release(f->k),
		   f->name);
	if (!f->by_symbols || hint_copies(f))
		return -ENOENT;

	const char *clone = kernel_symbols_clone(f->s, f->k, f->name);
	const char *module = clone ? NULL : kernel_modules_owner(f->k, f->name);
	const char *nearest = kernel_symbols_nearest(f->s, f->k, f->name);

	if (strchr(f->name, '{'))
		diag_hint(d, "write alternatives outside the quotes: {function(\"A\"), "
			     "function(\"B\")}");
	else if (is_system_call(f))
		diag_hint(d, "syscall.%s probes that system call", strchr(f->name, '_') + 1);
	else if (clone)
		diag_hint(d, "the compiler turned it into the clone '%s', which can be probed, "
			     "without $variables", clone);
	else if (module)
		diag_hint(d, "it belongs to a module: module(\"%s\").function(\"%s\")", module,
			  f->name);
	else if (nearest)
		diag_hint(d, "did you mean '%s'?", nearest);
	else
		diag_hint(d, "it may be inlined everywhere, or belong to a module");
	return -ENOENT;
}

/* Adds clones and inlined copies, if there is debug information. */
static void add_more(struct symbol_search *f, bool has_symbol)
{
	if (f->prototypes)
		place_sites_more(f->rq, f->module, f->arg, has_symbol, f->ret);
}

static int locate_name(struct symbol_search *f)
{
	if (!count_functions(f, f->name)) {
		add_more(f, false);
		if (f->ret->sites.n)
			return 0;
		return f->module ? no_match_in_module(f) : no_match(f);
	}

	const char *why = forbids(f, f->name);

	/* A function that ftrace does not know may have inlined copies, which kprobes can probe. */
	if (why && !kernel_symbols_blacklisted(f->k, f->name)) {
		add_more(f, false);
		if (f->ret->sites.n)
			return 0;
	}
	if (why && !f->rq->quiet) {
		diag_error(f->s->diag, f->range, E_NOT_PROBEABLE, "'%s' can't be probed: %s",
			   f->name, why);
		if (f->prototypes && !kernel_symbols_blacklisted(f->k, f->name))
			diag_hint(f->s->diag, "kprobe.function(\"%s\") does not use that list",
				  f->name);
	}
	if (why)
		return -ENOENT;
	add_functions(f);
	add_more(f, true);
	return 0;
}

/* A point with "NAME@FILE" or "NAME:LINES". */
static int locate_spec(struct symbol_search *f)
{
	if (f->prototypes)
		return place_sites_spec(f->rq, f->module, f->arg, f->ret);
	if (!f->rq->quiet) {
		diag_error(f->s->diag, f->range, E_PROBE_POINT, "'%s': kprobe.function() takes "
			   "only symbols", f->name);
		diag_hint(f->s->diag, "kernel.function() takes files and lines");
	}
	return -EINVAL;
}

/* Symbols of code that are not functions, or only a part of one. */
static bool is_no_function(const char *name)
{
	return strstr(name, ".cold") || strncmp(name, "__pfx_", 6) == 0 ||
	       strncmp(name, "__cfi_", 6) == 0 || strncmp(name, "__SCT__", 7) == 0;
}

/* Every module has these two, usually as second names of functions. */
static bool is_second_name(const struct symbol_search *f, const char *name)
{
	return f->module && (strcmp(name, "init_module") == 0 ||
			     strcmp(name, "cleanup_module") == 0);
}

static void add_match(struct symbol_search *f, const char *symbol)
{
	if (is_no_function(symbol) || is_second_name(f, symbol) ||
	    (f->prototypes && !f->module && kernel_symbols_is_second(f->k, symbol, f->name)))
		return;
	if (forbids(f, symbol))
		f->left_out++;
	else
		add_sites(f, symbol, count_symbols(f, symbol));
}

static void add_matches(struct symbol_search *f)
{
	const char *const *symbols;
	size_t n = match_symbols(f, &symbols);

	for (size_t i = 0; i < n; i++)
		add_match(f, symbols[i]);
	n = promoted(f, f->name, &symbols);
	for (size_t i = 0; i < n; i++) {
		if (fnmatch(f->name, symbols[i], 0) != 0)
			add_match(f, symbols[i]);
	}
	add_more(f, true);
	if (f->prototypes)
		parts_leave_out(f->s, f->name, f->ret, 0);
}

/* Ends a search with a pattern in the name of a function or module. */
static int end_of_pattern(struct symbol_search *f, const char *where)
{
	if (f->ret->sites.n) {
		if (f->left_out && f->s->opt.verbose)
			fprintf(stderr, "probec: %s: %u functions that can't be probed are left "
				"out\n", f->rq->text, f->left_out);
		return 0;
	}
	if (f->rq->quiet)
		return -ENOENT;
	diag_error(f->s->diag, f->range, E_NO_MATCH, "no function of %s matches '%s'", where,
		   f->name);
	if (f->left_out)
		diag_hint(f->s->diag, "%u match that the kernel excludes from probing",
			  f->left_out);
	return -ENOENT;
}

/* A pattern for the kernel itself that only functions of modules match. */
static void hint_owners(const struct symbol_search *f)
{
	const char *const *names;
	size_t n = kernel_modules_owners(f->s, f->k, f->name, &names);

	if (n)
		diag_hint(f->s->diag, "module(\"%s\").function(\"%s\") has such functions",
			  names[0], f->name);
}

static int locate_in_kernel(struct symbol_search *f)
{
	int err;

	if (!is_pattern(f->name))
		return locate_name(f);
	f->ret->from_wildcard = true;
	add_matches(f);
	err = end_of_pattern(f, arena_printf(f->s->arena, "kernel %s", kernel_release(f->k)));
	if (err && !f->rq->quiet && !f->left_out)
		hint_owners(f);
	return err;
}

/* ---- modules ---- */

static void enter_module(struct symbol_search *f, struct kernel_module *m, const char *family)
{
	f->module = m;
	f->by_symbols = true;
	f->prefix = arena_printf(f->s->arena, "%s(%s).function", family,
				 provider_quoted(f->s->arena, m->name));
}

/* A module that is not known here: whether it has the function is seen when it is loaded; nothing
 * is known about parameters. */
static int locate_unseen(struct symbol_search *f, const struct expr *module, const char *family,
			 const char *why)
{
	struct arena *a = f->s->arena;

	if (!f->prototypes && !is_pattern(f->name) && !strchr(module->u.str.s, '/')) {
		struct kernel_module *m = NEW(a, struct kernel_module);

		m->name = kernel_module_name(f->s, module->u.str.s);
		enter_module(f, m, family);
		add_sites(f, arena_strdup(a, f->name), 1);
		return 0;
	}

	int err = provider_unknown_module(f->rq, module, why);

	if (!f->rq->quiet && f->prototypes && !is_pattern(f->name) &&
	    !kernel_module_builtin(f->s, f->k, module->u.str.s))
		diag_hint(f->s->diag, "kprobe.module(\"%s\").function(\"%s\") waits for it, "
			  "without $variables", module->u.str.s, f->name);
	return err;
}

static int locate_in_modules(struct symbol_search *f, const struct expr *module, const char *family)
{
	const char *const *names, *name = module->u.str.s, *why;
	bool pattern = is_pattern(name);
	struct kernel_module *m;
	size_t n = 1;

	if (pattern)
		n = kernel_modules_match(f->s, f->k, name, &names);
	else
		names = &name;
	f->ret->from_wildcard = pattern || is_pattern(f->name);
	for (size_t i = 0; i < n; i++) {
		m = kernel_module_find(f->s, f->k, names[i], &why);
		if (!m && !pattern)
			return locate_unseen(f, module, family, why);
		if (!m)
			continue;
		enter_module(f, m, family);
		if (is_spec(f->name)) {
			int err = locate_spec(f);

			if (!pattern)
				return err;
			continue;
		}
		if (is_pattern(f->name))
			add_matches(f);
		else if (!pattern)
			return locate_name(f);
		else
			add_functions(f);
	}

	int err = end_of_pattern(f, arena_printf(f->s->arena, "the %s '%s'", pattern ?
						 "modules that match" : "module", name));

	if (err && pattern && !f->rq->quiet)
		diag_hint(f->s->diag, "a pattern matches only loaded modules, %zu here; load the "
				      "one you mean, or give its name", n);
	return err;
}

/* ---- interface ---- */

int symbol_sites_maxactive(const struct located_request *rq, struct located *ret)
{
	const struct pp_component *last = &rq->pp->parts.v[rq->pp->parts.n - 1];

	provider_number(last, &ret->maxactive);
	if (ret->maxactive >= 0 && ret->maxactive <= UINT16_MAX)
		return 0;
	if (!rq->quiet)
		diag_error(rq->s->diag, last->arg ? last->arg->range : last->range, E_PROBE_POINT,
			   "maxactive must be between 0 and %d", UINT16_MAX);
	return -EINVAL;
}

static const char *const suffixes[] = {
	"", [SYMBOL_SITES_CALL] = ".call", [SYMBOL_SITES_RETURN] = ".return",
	[SYMBOL_SITES_MAXACTIVE] = ".return",
};

static int locate(const struct located_request *rq, enum symbol_sites_family family,
		  struct located *ret)
{
	/* The names of the function and of its module. */
	size_t nth = family == SYMBOL_SITES_KPROBE_MODULE ? 2 : 1;
	const struct expr *arg = rq->pp->parts.v[nth].arg;
	const struct expr *module = rq->pp->parts.v[nth - 1].arg;
	bool prototypes = family == SYMBOL_SITES_KERNEL || family == SYMBOL_SITES_MODULE;
	struct state *s = rq->s;
	const char *btf_why = NULL;
	struct symbol_search f = {
		.rq = rq, .s = s, .k = s->kernel, .name = arg->u.str.s, .range = arg->range,
		.prefix = prototypes ? "kernel.function" : "kprobe.function",
		.suffix = suffixes[rq->form->what], .prototypes = prototypes, .ret = ret,
	};

	ret->kind = rq->form->what >= SYMBOL_SITES_RETURN ? PK_RETURN : PK_ENTRY;

	int err = 0;

	if (rq->form->what == SYMBOL_SITES_MAXACTIVE)
		err = symbol_sites_maxactive(rq, ret);
	if (err)
		return err;
	f.arg = arg;
	if (family == SYMBOL_SITES_MODULE || family == SYMBOL_SITES_KPROBE_MODULE)
		return locate_in_modules(&f, module, prototypes ? "module" : "kprobe.module");
	if (is_spec(f.name))
		return locate_spec(&f);
	f.by_symbols = kernel_symbols_known(s->kernel);
	if (!f.by_symbols)
		f.btf = kernel_btf(s->kernel, &btf_why);
	if (!f.by_symbols && !f.btf)
		return provider_unknown_kernel(rq, f.range, btf_why);
	return locate_in_kernel(&f);
}

/* ---- the providers ---- */

#define FUNCTION_FORMS(of)                                                                     \
	{ of ".function(S)", NULL, 0 },                                                        \
	{ of ".function(S).call", NULL, SYMBOL_SITES_CALL },                                   \
	{ of ".function(S).return", NULL, SYMBOL_SITES_RETURN },                               \
	{ of ".function(S).return.maxactive(N)", NULL, SYMBOL_SITES_MAXACTIVE }

#define PROVIDER(id, name, table, which)                                                       \
	static int locate_##table(const struct located_request *rq, struct located *ret)       \
	{                                                                                      \
		return locate(rq, which, ret);                                                 \
	}                                                                                      \
	const struct provider id = {                                                           \
		name, table, sizeof(table) / sizeof(table[0]), locate_##table,                 \
	}

static const struct form of_kernel[] = {
	FUNCTION_FORMS("kernel"),
	{ "kernel.mark(S).**", "the kernel no longer has markers; see kernel.trace", 0 },
	{ "kernel.lsm(S)", "the hooks are lsm.NAME, such as lsm.file_open", 0 },
};
PROVIDER(symbol_sites_kernel_provider, "kernel_function", of_kernel, SYMBOL_SITES_KERNEL);

static const struct form of_kprobe[] = { FUNCTION_FORMS("kprobe") };
PROVIDER(symbol_sites_kprobe_provider, "kprobe_function", of_kprobe, SYMBOL_SITES_KPROBE);

static const struct form of_module[] = { FUNCTION_FORMS("module(S)") };
PROVIDER(symbol_sites_module_provider, "module_function", of_module, SYMBOL_SITES_MODULE);

static const struct form of_kprobe_module[] = { FUNCTION_FORMS("kprobe.module(S)") };
PROVIDER(symbol_sites_kprobe_module_provider, "kprobe_module", of_kprobe_module,
	 SYMBOL_SITES_KPROBE_MODULE);
