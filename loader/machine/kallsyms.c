/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the addresses of a module's sites. The wanted names go into a hash table; each line of the
 * file is then looked up once, and (object, name) pairs are counted to number namesakes. The file
 * has some 200,000 lines and is read in pieces, so that reading can end at the first line of a
 * module if no site is in one. If the kernel's symbols are cached, the wanted lines are searched
 * for in the cached file instead and handled in the same way.
 */
#include "machine/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/say.h"
#include "common/signals.h"
#include "machine/unarmed.h"
#include "machine/symbol_file.h"
#include "module/meta.h"
#include "shared/kernel_symbols.h"
#include "shared/memory.h"

enum { CHUNK = 1 << 18, ERRORS_SHOWN = 10 };

/* All sites with the same object and symbol. */
struct wanted {
	const char *symbol, *object; /* "" for vmlinux */
	size_t symbol_len;
	uint32_t met;   /* symbols of that name so far */
	uint32_t first; /* site, index + 1; 0: an empty row */
};

struct table {
	struct wanted *rows;
	size_t mask;
	uint32_t *next; /* next site of the same name, by site, + 1 */
	bool modules;    /* a site is in a module */
	bool variables;  /* a global holds an address */
};

static uint32_t hash(const char *s, size_t len)
{
	uint32_t h = 2166136261u;

	while (len--)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

/* Returns the row of a name, or the empty row where it belongs. */
static struct wanted *row_of(const struct table *t, const char *symbol, size_t len,
			   const char *object, size_t object_len)
{
	for (size_t i = hash(symbol, len);; i++) {
		struct wanted *w = &t->rows[i & t->mask];

		if (!w->first ||
		    (w->symbol_len == len && memcmp(w->symbol, symbol, len) == 0 &&
		     strlen(w->object) == object_len && memcmp(w->object, object, object_len) == 0))
			return w;
	}
}

static const char *object_of(const struct meta_site *s)
{
	return meta_of_kernel(s) ? "" : s->object;
}

static void table_init(struct table *t, const struct meta *m)
{
	size_t size = 16;

	while (size < (size_t)m->nsites * 2)
		size *= 2;
	*t = (struct table){ .rows = memory_zeroed(size, sizeof(*t->rows)),
			     .mask = size - 1,
			     .next = memory_zeroed(m->nsites, sizeof(*t->next)) };
	for (uint32_t i = 0; i < m->nsites; i++) {
		const struct meta_site *s = &m->sites[i];
		const char *object = object_of(s);
		struct wanted *w = row_of(t, s->symbol, strlen(s->symbol), object, strlen(object));

		if (s->is_found || s->is_data)
			continue;
		w->symbol = s->symbol;
		w->symbol_len = strlen(s->symbol);
		w->object = object;
		t->next[i] = w->first;
		w->first = i + 1;
		t->modules |= *object != '\0';
	}
}

static bool has_variables(const struct meta *m)
{
	for (uint32_t i = 0; i < m->nsites; i++)
		if (m->sites[i].is_data && *m->sites[i].symbol)
			return true;
	for (uint32_t i = 0; i < m->nglobals; i++)
		if (m->globals[i].symbol)
			return true;
	return false;
}

static bool has_symbols(const struct meta *m)
{
	for (uint32_t i = 0; i < m->nsites; i++)
		if (!m->sites[i].is_found && !m->sites[i].is_data)
			return true;
	return false;
}

static bool has_module_variables(const struct meta *m)
{
	for (uint32_t i = 0; i < m->nglobals; i++)
		if (m->globals[i].symbol && strchr(m->globals[i].symbol, ':'))
			return true;
	return false;
}

bool kallsyms_wanted(const struct meta *m)
{
	return has_symbols(m) || has_variables(m);
}

/* Splits "SYMBOL" of the kernel, or "MODULE:SYMBOL". */
static void one_variable(const struct meta *m, struct kallsyms *k, const char *name, size_t len,
			 const char *object, size_t object_len, uint64_t address)
{
	for (uint32_t i = 0; i < m->nglobals; i++) {
		const char *symbol = m->globals[i].symbol;

		if (symbol && object_len) {
			if (strncmp(symbol, object, object_len) != 0 || symbol[object_len] != ':')
				continue;
			symbol += object_len + 1;
		}
		if (!symbol || strlen(symbol) != len || memcmp(symbol, name, len) != 0)
			continue;
		k->variables[i] = address;
		k->namesakes[i]++;
	}
	for (uint32_t i = 0; i < m->nsites; i++) {
		const struct meta_site *s = &m->sites[i];

		if (!s->is_data || strlen(s->symbol) != len || memcmp(s->symbol, name, len) != 0)
			continue;
		k->addresses[i] = address + s->offset;
		k->data[i]++;
	}
}

static uint64_t hex(const char *p, const char *end)
{
	uint64_t v = 0;

	for (; p < end; p++) {
		unsigned c = (unsigned char)*p;
		unsigned digit = c - '0' < 10 ? c - '0' : (c | 32) - 'a' + 10;

		if (digit > 15)
			break;
		v = v << 4 | digit;
	}
	return v;
}

/* Parses "ADDRESS TYPE NAME[\t[MODULE]]". Returns false if no later line matters. */
static bool one_line(const struct table *t, const struct meta *m, struct kallsyms *k,
		    const char *line, const char *end)
{
	const char *type = memchr(line, ' ', (size_t)(end - line)), *name, *tab, *object = "";
	size_t object_len = 0;
	uint64_t address;
	struct wanted *w;

	if (!type || end - type < 4 || type[2] != ' ')
		return true;
	name = type + 3;
	tab = memchr(name, '\t', (size_t)(end - name));
	if (tab) {
		if (!t->modules)
			return false;
		object = tab + 1 + (tab + 1 < end && tab[1] == '[');
		object_len = (size_t)(end - object);
		if (object_len && object[object_len - 1] == ']')
			object_len--;
	}
	k->symbols++;
	if (t->variables)
		one_variable(m, k, name, (size_t)((tab ? tab : end) - name), object, object_len,
			     hex(line, type));
	if (!kernel_symbols_is_text(type[1]))
		return true;
	address = hex(line, type);
	if (address)
		k->hidden = false;
	name = type + 3;
	end = tab ? tab : end;
	if (end - name == 15 && memcmp(name, "register_kprobe", 15) == 0)
		k->has_kprobes = true;
	w = row_of(t, name, (size_t)(end - name), object, object_len);
	if (!w->first)
		return true;
	for (uint32_t i = w->first; i; i = t->next[i - 1])
		if (m->sites[i - 1].namesake == w->met && address)
			k->addresses[i - 1] = address + m->sites[i - 1].offset;
	w->met++;
	return true;
}

/* @seen: receives the lines, unless it is NULL. */
static int scan(int fd, const struct table *t, const struct meta *m, struct kallsyms *k,
		struct buf *seen)
{
	char *buf = memory_zeroed(CHUNK, 1);
	size_t have = 0;
	int more = 1, err = 0;
	bool in_data = false;

	while (more) {
		ssize_t n = read(fd, buf + have, CHUNK - have);
		char *line = buf, *nl;

		if (signals_count()) {
			err = -EINTR;
			break;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err = n < 0 ? -errno : 0;
			break;
		}
		have += (size_t)n;
		while (more && (nl = memchr(line, '\n', have - (size_t)(line - buf))) != NULL) {
			kernel_symbols_correct(&in_data, line, (size_t)(nl - line));
			more = one_line(t, m, k, line, nl);
			if (seen && more)
				buf_write(seen, line, (size_t)(nl + 1 - line));
			line = nl + 1;
		}
		have -= (size_t)(line - buf);
		memmove(buf, line, have);
		if (have == CHUNK) {
			err = -EINVAL;
			break;
		}
	}
	free(buf);
	return err;
}

/* ---- cached symbols ---- */

/* Returns whether the kernel shows us its addresses now: if not, we must not use cached ones
 * either. Addresses of per-CPU data, which come first, are small, and the first of them is 0. */
static int are_shown(const char *path)
{
	char page[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC), shown = 0;
	ssize_t n = fd < 0 ? 0 : read(fd, page, sizeof(page));
	const char *line = page, *end = page + (n > 0 ? n : 0), *nl;

	for (; !shown && (nl = memchr(line, '\n', (size_t)(end - line))); line = nl + 1)
		shown = hex(line, nl) != 0;
	if (fd >= 0)
		close(fd);
	return shown;
}

struct taker { const struct table *t; const struct meta *m; struct kallsyms *k; };

static void take_line(void *data, const char *line, const char *end)
{
	const struct taker *to = data;

	one_line(to->t, to->m, to->k, line, end);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Each name is looked up once, and its lines are counted. */
static void look_up(const struct symbol_file *kept, const struct table *t, const struct meta *m,
		    struct kallsyms *k)
{
	const char **names = memory_zeroed((size_t)m->nsites + m->nglobals + 1, sizeof(*names));
	struct taker to = { t, m, k };
	size_t n = 0;

	names[n++] = "register_kprobe";
	for (uint32_t i = 0; i < m->nsites; i++)
		if (!m->sites[i].is_found)
			names[n++] = m->sites[i].symbol;
	for (uint32_t i = 0; i < m->nglobals; i++)
		if (m->globals[i].symbol)
			names[n++] = m->globals[i].symbol;
	qsort(names, n, sizeof(*names), compare_names);
	for (size_t i = 0; i < n; i++)
		if (!i || strcmp(names[i - 1], names[i]) != 0)
			symbol_file_each(kept, names[i], take_line, &to);
	free(names);
	k->hidden = false;
}

static int resolve_file(const char *path, const char *kept, const struct table *t,
			const struct meta *m, struct kallsyms *k)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	struct buf lines = { 0 };

	if (fd < 0)
		return -errno;
	err = scan(fd, t, m, k, kept ? &lines : NULL);
	close(fd);
	if (kept && !err && !k->hidden)
		symbol_file_write(kept, &lines);
	buf_deinit(&lines);
	return err;
}

/* ---- interface ---- */

void kallsyms_init(const struct meta *m, struct kallsyms *ret)
{
	*ret = (struct kallsyms){
		.hidden = true,
		.addresses = memory_zeroed(m->nsites, sizeof(*ret->addresses)),
		.variables = memory_zeroed(m->nglobals, sizeof(*ret->variables)),
		.namesakes = memory_zeroed(m->nglobals, sizeof(*ret->namesakes)),
		.data = memory_zeroed(m->nsites, sizeof(*ret->data)),
	};
	for (uint32_t i = 0; i < m->nsites; i++)
		if (m->sites[i].is_data && !*m->sites[i].symbol)
			ret->addresses[i] = m->sites[i].offset;
}

int kallsyms_resolve(const char *path, const char *kept, const struct meta *m,
		     struct kallsyms *ret)
{
	struct symbol_file of_boot;
	struct table t;
	int err = 0;

	kallsyms_init(m, ret);
	table_init(&t, m);
	/* A site without a symbol is an address that the script gave. */
	for (uint32_t i = 0; i < m->nsites; i++)
		if (!*m->sites[i].symbol)
			ret->addresses[i] = m->sites[i].offset;
	t.variables = has_variables(m);
	t.modules |= has_module_variables(m);
	/* If symbols of modules are wanted, the whole file is read, including the kernel's
	 * symbols. */
	if (t.modules)
		kept = NULL;
	if (kept && are_shown(path) && symbol_file_open(kept, &of_boot)) {
		look_up(&of_boot, &t, m, ret);
		symbol_file_close(&of_boot);
	} else {
		err = resolve_file(path, kept, &t, m, ret);
	}
	free(t.rows);
	free(t.next);
	return err;
}

void kallsyms_deinit(struct kallsyms *k)
{
	free(k->addresses);
	free(k->variables);
	free(k->namesakes);
	free(k->data);
	*k = (struct kallsyms){ 0 };
}

int kallsyms_report(const struct kallsyms *k, const struct meta *m)
{
	unsigned named = 0, wild = 0;
	const char *example = "";

	if (has_symbols(m) && k->hidden) {
		say_error("E_SYMBOL", "sysctl kernel.kptr_restrict=1 shows them to root",
			  "the kernel hides the addresses of its symbols "
			  "(kernel.kptr_restrict, or no CAP_SYSLOG)");
		return -1;
	}
	for (uint32_t i = 0; i < m->nsites; i++) {
		const struct meta_site *s = &m->sites[i];

		/* Modules may be loaded later: modules.h. */
		if (k->addresses[i] || *object_of(s) || s->is_found || s->is_data)
			continue;
		if (s->wildcard) {
			example = wild++ ? example : s->symbol;
			continue;
		}
		if (named++ < ERRORS_SHOWN)
			say_error("E_SYMBOL", "build the script again on this machine",
				  "%s: '%s' is not among the symbols of the running kernel", s->pp,
				  s->symbol);
	}
	unarmed_say_left_out("E_SYMBOL", wild, example, "not in the running kernel");
	return named ? -1 : 0;
}

/* There are @n symbols with the name of the variable that the script names by @what("@symbol"). */
static int report_variable(const struct kallsyms *k, const char *what, const char *symbol,
			   uint32_t n)
{
	if (n == 1 && !k->hidden)
		return 0;
	if (k->hidden)
		say_error("E_SYMBOL", "sysctl kernel.kptr_restrict=1 shows them to root",
			  "%s(\"%s\"): the kernel hides the addresses of its symbols "
			  "(kernel.kptr_restrict, or no CAP_SYSLOG)", what, symbol);
	else if (n)
		say_error("E_SYMBOL", NULL, "%s(\"%s\"): the kernel has %u symbols of that "
			  "name, so the variable is ambiguous", what, symbol, n);
	else if (strchr(symbol, ':'))
		say_error("E_SYMBOL", "load it first",
			  "'%s': the module is not loaded, or has no such symbol", symbol);
	else
		say_error("E_SYMBOL", "check the name in /proc/kallsyms",
			  "%s(\"%s\"): the running kernel has no such symbol", what, symbol);
	return -1;
}

int kallsyms_report_variables(const struct kallsyms *k, const struct meta *m)
{
	int err = 0;

	for (uint32_t i = 0; i < m->nglobals; i++)
		if (m->globals[i].symbol)
			err |= report_variable(k, "@var", m->globals[i].symbol, k->namesakes[i]);
	for (uint32_t i = 0; i < m->nsites; i++)
		if (m->sites[i].is_data && *m->sites[i].symbol &&
		    !(m->sites[i].optional && !k->data[i]))
			err |= report_variable(k, "kernel.data", m->sites[i].symbol, k->data[i]);
	return err;
}
