/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses a module's self-description. The text is cut in place: into lines, and lines into fields,
 * which are unescaped in place (an escape is never shorter than its meaning). The module
 * may come from anywhere, so nothing in it is trusted: numbers are parsed in full, and a table
 * never has more rows than the text could fill, because a line has more bytes than one.
 */
#include "module/meta.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "records.h"

#include "shared/memory.h"

enum { FIELDS_MAX = 12 };

enum meta_table {
	T_FILES, T_PROBES, T_SITES, T_PRINTS, T_SRCLOCS, T_GLOBALS, T_MODULES, T_PROGRAMS, TABLES
};

struct parser {
	struct meta *m;
	size_t len; /* of the whole text: no table can have more elements */
	uint32_t line;
	uint32_t nfiles;
	const char **files;
	uint32_t *file_of_srcloc; /* until all files are known */
	uint32_t capacity[TABLES];   /* elements allocated, by enum meta_table */
	bool ended;
	char *why;
	size_t why_size;
};

struct fields {
	char *f[FIELDS_MAX];
	size_t len[FIELDS_MAX];
	unsigned n;
};

__attribute__((format(printf, 2, 3))) static int fail(struct parser *p, const char *fmt, ...)
{
	va_list ap;
	int n = p->line ? snprintf(p->why, p->why_size, "line %u: ", p->line) : 0;

	va_start(ap, fmt);
	if ((size_t)n < p->why_size)
		vsnprintf(p->why + n, p->why_size - (size_t)n, fmt, ap);
	va_end(ap);
	return -1;
}

static bool octal(const char *p, const char *end)
{
	return end - p >= 3 && p[0] >= '0' && p[0] <= '3' && p[1] >= '0' && p[1] <= '7' &&
	       p[2] >= '0' && p[2] <= '7';
}

/* Unescapes in place. Returns the new length, or (size_t)-1 for an unknown escape. */
static size_t unescape(char *s, size_t len)
{
	char *out = s, *end = s + len;

	for (char *p = s; p < end; p++) {
		if (*p != '\\') {
			*out++ = *p;
		} else if (octal(p + 1, end)) {
			*out++ = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		} else if (p + 1 < end && strchr("tn\\", p[1]) && p[1]) {
			*out++ = p[1] == 't' ? '\t' : p[1] == 'n' ? '\n' : '\\';
			p++;
		} else {
			return (size_t)-1;
		}
	}
	*out = '\0';
	return (size_t)(out - s);
}

static int split(struct parser *p, char *line, size_t len, struct fields *ret)
{
	char *end = line + len;

	for (ret->n = 0; ret->n < FIELDS_MAX;) {
		char *tab = memchr(line, '\t', (size_t)(end - line));
		char *stop = tab ? tab : end;
		size_t n = (size_t)(stop - line);

		*stop = '\0';
		ret->f[ret->n] = line;
		ret->len[ret->n] = unescape(line, n);
		if (ret->len[ret->n++] == (size_t)-1)
			return fail(p, "a bad escape");
		if (!tab)
			break;
		line = tab + 1;
	}
	return 0;
}

static int read_number(struct parser *p, const struct fields *f, unsigned i, uint64_t max,
		       uint64_t *ret)
{
	const char *s = f->f[i];
	char *end;

	errno = 0;
	*ret = strtoull(s, &end, 0);
	if (*s < '0' || *s > '9' || *end || errno || *ret > max || strlen(s) != f->len[i])
		return fail(p, "'%.40s' is not a valid number here", s);
	return 0;
}

static int number32(struct parser *p, const struct fields *f, unsigned i, uint64_t max,
		    uint32_t *ret)
{
	uint64_t v;

	if (read_number(p, f, i, max, &v))
		return -1;
	*ret = (uint32_t)v;
	return 0;
}

static int srcloc(struct parser *p, const struct fields *f, unsigned i, uint32_t *ret)
{
	*ret = META_NO_SRCLOC;
	return strcmp(f->f[i], "-") == 0 ? 0 : number32(p, f, i, UINT32_MAX - 1, ret);
}

/* Adds the element with the number in field 1 to a table and makes room for it. Returns its
 * address, or NULL if the number is invalid. */
static void *element(struct parser *p, enum meta_table t, const struct fields *f, void *array,
		     uint32_t *n, size_t size)
{
	uint32_t i, capacity = p->capacity[t];
	char **a = array;

	if (number32(p, f, 1, p->len < UINT32_MAX / 2 ? p->len : UINT32_MAX / 2, &i))
		return NULL;
	if (i < *n) {
		fail(p, "number %u is repeated or out of order", i);
		return NULL;
	}
	if (i >= capacity) {
		uint32_t more = i + 1 > capacity * 2 ? i + 1 : capacity * 2;
		char *grown = memory_zeroed(more, size);

		if (*a)
			memcpy(grown, *a, capacity * size);
		free(*a);
		*a = grown;
		p->capacity[t] = more;
	}
	*n = i + 1;
	return *a + i * size;
}

static int line_file(struct parser *p, const struct fields *f)
{
	const char **e = element(p, T_FILES, f, &p->files, &p->nfiles, sizeof(*p->files));

	if (!e)
		return -1;
	*e = f->f[2];
	return 0;
}

static int line_probe(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	struct meta_probe *e = element(p, T_PROBES, f, &m->probes, &m->nprobes, sizeof(*e));

	if (!e)
		return -1;
	e->kind = f->f[2];
	e->pp = f->f[3];
	return srcloc(p, f, 4, &e->srcloc);
}

/* The probe that a line is about, which was listed before; NULL: there is none. */
static struct meta_probe *probe_of(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	uint32_t probe;

	if (number32(p, f, 1, UINT32_MAX, &probe))
		return NULL;
	if (probe < m->nprobes)
		return &m->probes[probe];
	fail(p, "there is no probe %u so far", probe);
	return NULL;
}

static int line_override(struct parser *p, const struct fields *f)
{
	struct meta_probe *probe = probe_of(p, f);

	if (probe)
		probe->overrides = true;
	return probe ? 0 : -1;
}

static int line_switch(struct parser *p, const struct fields *f)
{
	struct meta_probe *probe = probe_of(p, f);

	if (probe)
		probe->has_switch = p->m->has_switches = true;
	return probe ? 0 : -1;
}

static int line_site(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	struct meta_site *e = element(p, T_SITES, f, &m->sites, &m->nsites, sizeof(*e));
	uint32_t wildcard;

	if (!e || number32(p, f, 2, UINT32_MAX, &e->probe) ||
	    number32(p, f, 5, UINT32_MAX, &e->namesake) ||
	    read_number(p, f, 6, UINT64_MAX, &e->offset) || number32(p, f, 7, 3, &wildcard))
		return -1;
	e->object = f->f[3];
	e->symbol = f->f[4];
	e->wildcard = wildcard & 1;
	e->optional = wildcard >> 1;
	e->pp = f->f[8];
	return 0;
}

static int line_module(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	struct meta_module *e = element(p, T_MODULES, f, &m->modules, &m->nmodules, sizeof(*e));

	if (!e)
		return -1;
	/* The name becomes a part of a path. */
	if (!*f->f[2] || strlen(f->f[2]) > 64 || strchr(f->f[2], '/') || f->f[2][0] == '.')
		return fail(p, "'%.40s' is not the name of a module", f->f[2]);
	e->name = f->f[2];
	e->build_id = f->f[3];
	return 0;
}

static int line_program(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	struct meta_module *e = element(p, T_PROGRAMS, f, &m->programs, &m->nprograms, sizeof(*e));

	if (!e)
		return -1;
	if (f->f[2][0] != '/')
		return fail(p, "'%.40s' is not an absolute path", f->f[2]);
	e->name = f->f[2];
	e->build_id = f->f[3];
	return 0;
}

static int line_print(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	struct meta_print *e = element(p, T_PRINTS, f, &m->prints, &m->nprints, sizeof(*e));

	if (!e)
		return -1;
	if (m->nprints > PRT_REC_PRINT_MAX)
		return fail(p, "too many print statements");
	e->types = strcmp(f->f[2], "-") == 0 ? "" : f->f[2];
	if (e->types[strspn(e->types, "ldskH")])
		return fail(p, "unknown types '%.40s'", e->types);
	e->format = f->f[3];
	e->format_len = f->len[3];
	e->names = f->n > 5 ? f->f[5] : NULL;
	e->global = f->n > 6 && f->len[6] ? f->f[6] : NULL;
	if (f->n > 7 && !meta_set_table(e, f->f[7]))
		return fail(p, "'%.40s' is no part of a table of these types", f->f[7]);
	return srcloc(p, f, 4, &e->srcloc);
}

static int line_srcloc(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	uint32_t capacity = p->capacity[T_SRCLOCS];
	struct position *e = element(p, T_SRCLOCS, f, &m->srclocs, &m->nsrclocs, sizeof(*e));

	if (!e)
		return -1;
	if (p->capacity[T_SRCLOCS] != capacity) {
		p->file_of_srcloc = realloc(p->file_of_srcloc,
					   p->capacity[T_SRCLOCS] * sizeof(uint32_t));
		if (!p->file_of_srcloc)
			return fail(p, "out of memory");
	}
	if (number32(p, f, 2, UINT32_MAX, &p->file_of_srcloc[e - m->srclocs]) ||
	    number32(p, f, 3, UINT32_MAX, &e->line) || number32(p, f, 4, UINT32_MAX, &e->col) ||
	    number32(p, f, 5, UINT32_MAX, &e->end_col))
		return -1;
	e->text = f->f[6];
	return 0;
}

static int line_global(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	struct meta_global *e = element(p, T_GLOBALS, f, &m->globals, &m->nglobals, sizeof(*e));

	if (!e)
		return -1;
	e->name = f->f[2];
	e->is_string = strcmp(f->f[3], "string") == 0;
	e->symbol = f->n > 4 ? f->f[4] : NULL;
	if (!e->is_string && strcmp(f->f[3], "long") != 0)
		return fail(p, "unknown type '%.40s'", f->f[3]);
	return 0;
}

static int line_probec(struct parser *p, const struct fields *f)
{
	uint32_t abi;

	if (number32(p, f, 1, UINT32_MAX, &abi))
		return -1;
	if (abi != PRT_ABI_VERSION) {
		p->line = 0;
		return fail(p,
			    "it was made by probec %.40s with version %u of the module format; "
			    "this proberun knows %u",
			    f->f[2], abi, PRT_ABI_VERSION);
	}
	p->m->compiler = f->f[2];
	return 0;
}

static int line_kernel(struct parser *p, const struct fields *f)
{
	p->m->release = f->f[1];
	p->m->build_id = f->f[2];
	return 0;
}

static int line_script(struct parser *p, const struct fields *f)
{
	p->m->script = f->f[1];
	return 0;
}

/* Lines that are no more than a word and a 1. */
static const struct {
	const char *kind;
	size_t at; /* of a bool in struct meta */
} flags[] = {
	{ "cgroup", offsetof(struct meta, limits_cgroup) },
	{ "guru", offsetof(struct meta, guru) },
	{ "tool", offsetof(struct meta, is_tool) },
	{ "target", offsetof(struct meta, uses_target) },
	{ "target_only", offsetof(struct meta, target_only) },
	{ "stacks", offsetof(struct meta, has_stacks) },
	{ "user_stacks", offsetof(struct meta, has_user_stacks) },
	{ "user_names", offsetof(struct meta, has_user_names) },
	{ "lines", offsetof(struct meta, has_lines) },
	{ "marks", offsetof(struct meta, has_marks) },
};

static int read_flag(struct parser *p, const struct fields *f, size_t at)
{
	uint32_t v;

	if (f->n < 2)
		return fail(p, "'%s' has too few fields", f->f[0]);
	if (number32(p, f, 1, 1, &v))
		return -1;
	*(bool *)((char *)p->m + at) = v;
	return 0;
}

static int line_snapshot(struct parser *p, const struct fields *f)
{
	return number32(p, f, 1, UINT32_MAX, &p->m->snapshot_first) ||
	       number32(p, f, 2, UINT32_MAX, &p->m->snapshot_n) ||
	       number32(p, f, 3, UINT32_MAX, &p->m->snapshot_begin) ||
	       number32(p, f, 4, UINT32_MAX, &p->m->snapshot_end) ? -1 : 0;
}

static int line_metric(struct parser *p, const struct fields *f)
{
	struct meta *m = p->m;
	uint32_t capacity = m->nmetrics;
	struct meta_metric *e;

	if (!(capacity & (capacity - 1))) {
		e = memory_zeroed(capacity ? 2 * capacity : 1, sizeof(*e));
		if (capacity)
			memcpy(e, m->metrics, capacity * sizeof(*e));
		free(m->metrics);
		m->metrics = e;
	}
	e = &m->metrics[m->nmetrics++];
	*e = (struct meta_metric){ 0, f->f[2], f->f[3], f->f[4], f->f[5], f->f[6] };
	return number32(p, f, 1, UINT32_MAX, &e->print);
}

static int line_end(struct parser *p, const struct fields *f)
{
	(void)f;
	p->ended = true;
	return 0;
}

static const struct {
	const char *kind;
	unsigned fields; /* minimum number, including the kind */
	int (*parse)(struct parser *p, const struct fields *f);
} kinds[] = {
	{ "probec", 3, line_probec }, { "kernel", 3, line_kernel }, { "script", 2, line_script },
	{ "file", 3, line_file },     { "probe", 5, line_probe },   { "site", 9, line_site },
	{ "print", 5, line_print },   { "place", 7, line_srcloc },   { "global", 4, line_global },
	{ "module", 4, line_module }, { "program", 4, line_program },
	{ "snapshot", 5, line_snapshot }, { "metric", 7, line_metric },
	{ "override", 2, line_override }, { "switch", 2, line_switch },
	{ "end", 1, line_end },
};

static int parse_line(struct parser *p, char *line, size_t len)
{
	struct fields f;

	if (split(p, line, len, &f))
		return -1;
	if (p->line == 1 && strcmp(f.f[0], "probec") != 0)
		return fail(p, "it does not begin with 'probec'");
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(f.f[0], flags[i].kind) == 0)
			return read_flag(p, &f, flags[i].at);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(f.f[0], kinds[i].kind) != 0)
			continue;
		if (f.n < kinds[i].fields)
			return fail(p, "'%s' has too few fields", kinds[i].kind);
		return kinds[i].parse(p, &f);
	}
	return 0;
}

static int check_srcloc(struct parser *p, uint32_t *n)
{
	if (*n == META_NO_SRCLOC || (*n < p->m->nsrclocs && p->m->srclocs[*n].file))
		return 0;
	return fail(p, "there is no source location %u", *n);
}

/* Sets how the address of a site is found. A kind that only a newer compiler knows counts as code;
 * the runtime refuses it. */
static enum prt_site_is site_is(const char *kind)
{
	static const struct { const char *word; enum prt_site_is site; } known[] = {
#define KIND(NAME, word, type, site, runs, values, mechanism) { word, PRT_SITE_##site },
		PRT_KINDS(KIND)
#undef KIND
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(kind, known[i].word) == 0)
			return known[i].site;
	return PRT_SITE_CODE;
}

/* Checks the numbers by which lines refer to other lines, once all lines have been read. */
static int check_tables(struct parser *p)
{
	struct meta *m = p->m;
	enum prt_site_is is;

	p->line = 0;
	if (!p->ended)
		return fail(p, "its end is missing");
	if (!m->release)
		return fail(p, "it does not say which kernel it was made for");
	for (uint32_t i = 0; i < m->nsrclocs; i++) {
		if (!m->srclocs[i].text)
			continue;
		if (p->file_of_srcloc[i] >= p->nfiles || !p->files[p->file_of_srcloc[i]])
			return fail(p, "file %u is not there", p->file_of_srcloc[i]);
		m->srclocs[i].file = p->files[p->file_of_srcloc[i]];
	}
	for (uint32_t i = 0; i < m->nprobes; i++) {
		if (!m->probes[i].pp)
			return fail(p, "probe %u is not there", i);
		if (check_srcloc(p, &m->probes[i].srcloc))
			return -1;
	}
	for (uint32_t i = 0; i < m->nsites; i++) {
		if (!m->sites[i].symbol || m->sites[i].probe >= m->nprobes)
			return fail(p, "site %u or its probe is not there", i);
		m->sites[i].kind = m->probes[m->sites[i].probe].kind;
		is = site_is(m->sites[i].kind);
		m->sites[i].is_found = is == PRT_SITE_SELF || is == PRT_SITE_EVENT;
		m->sites[i].is_data = is == PRT_SITE_DATA;
	}
	for (uint32_t i = 0; i < m->nprints; i++)
		if (m->prints[i].format && check_srcloc(p, &m->prints[i].srcloc))
			return -1;
	for (uint32_t i = 0; i < m->nglobals; i++)
		if (!m->globals[i].name)
			return fail(p, "global %u is not there", i);
	for (uint32_t i = 0; i < m->nmodules; i++)
		if (!m->modules[i].name)
			return fail(p, "module %u is not there", i);
	for (uint32_t i = 0; i < m->nprograms; i++)
		if (!m->programs[i].name)
			return fail(p, "program %u is not there", i);
	return 0;
}

int meta_parse(const char *text, size_t len, struct meta *ret, char *why, size_t why_size)
{
	struct parser p = { .m = ret, .len = len, .why = why, .why_size = why_size };
	const char *wrong;
	int err = 0;

	*ret = (struct meta){ .script = "<script>", .compiler = "" };
	ret->memory = memory_zeroed(len + 1, 1);
	memcpy(ret->memory, text, len);
	why[0] = '\0';

	char *line = ret->memory, *end = ret->memory + len;

	while (!err && !p.ended && line < end) {
		char *nl = memchr(line, '\n', (size_t)(end - line));

		p.line++;
		if (!nl)
			err = fail(&p, "the line does not end");
		else
			err = parse_line(&p, line, (size_t)(nl - line));
		line = nl ? nl + 1 : end;
	}
	if (!err)
		err = check_tables(&p);
	if (!err && (wrong = meta_check_metrics(ret)))
		err = fail(&p, "%s", wrong);
	free(p.files);
	free(p.file_of_srcloc);
	if (err)
		meta_deinit(ret);
	return err;
}

bool meta_of_kernel(const struct meta_site *s)
{
	return strcmp(s->object, "kernel") == 0 || strcmp(s->object, "vmlinux") == 0;
}

void meta_deinit(struct meta *m)
{
	free(m->probes);
	free(m->sites);
	free(m->prints);
	free(m->srclocs);
	free(m->globals);
	free(m->modules);
	free(m->programs);
	free(m->metrics);
	free(m->memory);
	*m = (struct meta){ 0 };
}
