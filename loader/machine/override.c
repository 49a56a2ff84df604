/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel marks functions whose callers expect them to fail at any time (ALLOW_ERROR_INJECTION)
 * and lists them by name in debugfs. If more functions have a name than the list has entries for
 * it, any of them may be the marked one.
 */
#include "machine/override.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "machine/unarmed.h"
#include "module/meta.h"
#include "shared/file.h"
#include "shared/memory.h"

enum { ERRORS_SHOWN = 10 };

#define ANY "--override-any overrides any function, which can break the kernel"

struct overridable {
	const char *name, *module; /* module "kernel": the kernel itself */
};

struct override_list {
	struct buf text;
	struct overridable *v;
	size_t n;
};

/* Parses "NAME\tTYPE" or "NAME [MODULE]\tTYPE". */
static struct overridable parse(char *line)
{
	struct overridable e = { line, "kernel" };
	char *module;

	line[strcspn(line, "\t")] = '\0';
	module = strchr(line, '[');
	line[strcspn(line, " +")] = '\0';
	if (module) {
		e.module = ++module;
		module[strcspn(module, "]")] = '\0';
	}
	return e;
}

/* Reads the list. Returns 0 or -errno. */
static int read_list(const char *path, struct override_list *ret)
{
	size_t at = 0;
	char *line;
	int err;

	*ret = (struct override_list){ 0 };
	err = file_read(path, &ret->text);
	if (err)
		return err;
	ret->v = memory_zeroed(buf_lines(&ret->text), sizeof(*ret->v));
	while ((line = buf_line(&ret->text, &at)) != NULL)
		ret->v[ret->n++] = parse(line);
	return 0;
}

static uint32_t count(const struct override_list *l, const struct meta_site *s)
{
	uint32_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += strcmp(l->v[i].name, s->symbol) == 0 && strcmp(l->v[i].module, s->object) == 0;
	return n;
}

static void refuse(const struct meta_site *s, const char *path, uint32_t listed)
{
	if (listed)
		say_error("E_OVERRIDE", ANY, "%s: not all functions named '%s' are on the "
			  "kernel's list of those that may be overridden, %s", s->pp, s->symbol,
			  path);
	else
		say_error("E_OVERRIDE", ANY, "%s: '%s' is not on the kernel's list of functions "
			  "that may be overridden, %s", s->pp, s->symbol, path);
}

static int check_sites(const struct override_list *l, const char *path, const struct meta *m,
		       uint64_t *addresses, const uint32_t *namesakes)
{
	unsigned named = 0, wild = 0;
	const char *example = "";

	for (uint32_t i = 0; i < m->nsites; i++) {
		const struct meta_site *s = &m->sites[i];
		uint32_t listed;

		if (!m->probes[s->probe].overrides)
			continue;
		listed = count(l, s);
		if (listed && listed >= namesakes[i])
			continue;
		if (s->wildcard) {
			example = wild++ ? example : s->symbol;
			addresses[i] = 0;
		} else if (named++ < ERRORS_SHOWN) {
			refuse(s, path, listed);
		}
	}
	unarmed_say_left_out("E_OVERRIDE", wild, example,
		     "not on the kernel's list of functions that may be overridden");
	return named ? -1 : 0;
}

static bool any_overrides(const struct meta *m)
{
	for (uint32_t i = 0; i < m->nprobes; i++)
		if (m->probes[i].overrides)
			return true;
	return false;
}

int override_check(const char *path, const struct meta *m, uint64_t *addresses,
		   const uint32_t *namesakes)
{
	struct override_list l;
	int err;

	if (!any_overrides(m))
		return 0;
	err = read_list(path, &l);
	if (err)
		say_error("E_OVERRIDE", ANY "; else a kernel with CONFIG_FUNCTION_ERROR_INJECTION, "
			  "and debugfs mounted, is needed",
			  "the kernel's list of functions that may be overridden can't be read: "
			  "%s: %s", path, strerror(-err));
	else
		err = check_sites(&l, path, m, addresses, namesakes);
	free(l.v);
	buf_deinit(&l.text);
	return err ? -1 : 0;
}
