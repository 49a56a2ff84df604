/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Source files and lines: .debug_line, version 2 to 5. libdw is not used, because a line of a
 * header may be in any of two thousand tables: their headers show which of them name the file (4 ms
 * for a kernel), and only these are run. libdw would also sort and keep all rows.
 *
 * A table has a header with directories and files, and a program that makes rows of address, file
 * and line, in ascending order of addresses within a sequence.
 */
#include <dwarf.h>
#include <fnmatch.h>
#include <string.h>

#include "target/dwarf/private.h"
#include "shared/bytes.h"

/* The header of a table, without the tables of names. */
struct table_head {
	unsigned version, address_size, offset_size;
	unsigned min_length, ops_per, default_is_stmt, range, opcode_base;
	int base;
	const unsigned char *lengths;  /* operands of the standard opcodes, from 1 */
	struct bytes dirs, program;    /* the tables of directories and files; the program */
	const unsigned char *end;      /* of the table */
};

struct row_reader {
	struct dwarf_db *db;
	struct dwarf_section line, str, line_str;
	/* only files whose last component matches this pattern are of interest; NULL: all */
	const char *last;
};

static struct row_reader open_reader(struct dwarf_db *db)
{
	return (struct row_reader){
		.db = db, .line = dwarf_db_bytes(db, ".debug_line"),
		.str = dwarf_db_bytes(db, ".debug_str"),
		.line_str = dwarf_db_bytes(db, ".debug_line_str"),
	};
}

/* Returns false if there is no table, or none that can be read. If another one may follow,
 * @ret->end is set. */
static bool read_head(const struct row_reader *r, uint64_t offset, struct table_head *ret)
{
	*ret = (struct table_head){0};
	if (offset >= r->line.size)
		return false;

	struct bytes c = { .p = r->line.start + offset, .end = r->line.start + r->line.size };
	uint64_t length = dwarf_units_length(&c, &ret->offset_size);

	if (!length)
		return false;
	ret->end = c.end = c.p + length;
	ret->version = (unsigned)bytes_fixed(&c, 2);
	if (ret->version < 2 || ret->version > 5)
		return false;
	ret->address_size = ret->version >= 5 ? (unsigned)bytes_fixed(&c, 1) : 8;
	bytes_skip(&c, ret->version >= 5); /* the size of segment selectors */

	uint64_t to_program = bytes_fixed(&c, ret->offset_size);

	if (to_program > bytes_left(&c) || ret->address_size > 8)
		return false;
	ret->program = (struct bytes){ .p = c.p + to_program, .end = c.end };
	ret->min_length = (unsigned)bytes_fixed(&c, 1);
	ret->ops_per = ret->version >= 4 ? (unsigned)bytes_fixed(&c, 1) : 1;
	ret->default_is_stmt = (unsigned)bytes_fixed(&c, 1);
	ret->base = (signed char)bytes_fixed(&c, 1);
	ret->range = (unsigned)bytes_fixed(&c, 1);
	ret->opcode_base = (unsigned)bytes_fixed(&c, 1);
	ret->lengths = c.p - 1;
	bytes_skip(&c, ret->opcode_base ? ret->opcode_base - 1 : 0);
	ret->dirs = (struct bytes){ .p = c.p, .end = ret->program.p };
	return c.p < ret->program.p && ret->range && ret->opcode_base;
}

/* ---- files ---- */

struct pattern_names { VEC(const char *) v; };

static const char *read_string(const struct row_reader *r, const struct table_head *h,
			       struct bytes *c, unsigned form)
{
	switch (form) {
	case DW_FORM_line_strp:
		return dwarf_string_at(&r->line_str, bytes_fixed(c, h->offset_size));
	case DW_FORM_strp: return dwarf_string_at(&r->str, bytes_fixed(c, h->offset_size));
	case DW_FORM_string: return bytes_string(c);
	default: return NULL;
	}
}

static uint64_t read_number(struct bytes *c, unsigned form)
{
	switch (form) {
	case DW_FORM_udata: return bytes_uleb(c);
	case DW_FORM_data1: return bytes_fixed(c, 1);
	case DW_FORM_data2: return bytes_fixed(c, 2);
	case DW_FORM_data4: return bytes_fixed(c, 4);
	case DW_FORM_data8: return bytes_fixed(c, 8);
	case DW_FORM_data16: bytes_skip(c, 16); return 0;
	case DW_FORM_block: bytes_skip(c, bytes_uleb(c)); return 0;
	default: bytes_fail(c); return 0;
	}
}

/* "dir/name", or the name alone if the file is in the directory of compilation. */
static const char *join(const struct row_reader *r, struct arena *a,
			const struct pattern_names *dirs, uint64_t dir, const char *name)
{
	if (name && r->last) {
		const char *slash = strrchr(name, '/');

		if (fnmatch(r->last, slash ? slash + 1 : name, 0) != 0)
			return NULL;
	}
	if (!name || *name == '/' || dir == 0 || dir >= dirs->v.n || !dirs->v.v[dir] ||
	    !*dirs->v.v[dir])
		return name;

	/* A unit has hundreds of them, and printf() would take ten times as long. */
	size_t before = strlen(dirs->v.v[dir]), len = strlen(name);
	char *path = arena_alloc(a, before + 1 + len + 1);

	memcpy(path, dirs->v.v[dir], before);
	path[before] = '/';
	memcpy(path + before + 1, name, len);
	return path;
}

/* Reads one table of version 5: a list of formats, then the entries. @dirs NULL: it is the table of
 * directories. */
static void read_entries(const struct row_reader *r, struct arena *a, const struct table_head *h,
			 struct bytes *c, const struct pattern_names *dirs,
			 struct pattern_names *ret)
{
	struct { unsigned content, form; } formats[16];
	unsigned n = (unsigned)bytes_fixed(c, 1);

	if (n > 16)
		c->p = c->end;
	for (unsigned i = 0; i < n && c->p < c->end; i++) {
		formats[i].content = (unsigned)bytes_uleb(c);
		formats[i].form = (unsigned)bytes_uleb(c);
	}
	for (uint64_t left = bytes_uleb(c); left && n && c->p < c->end; left--) {
		const char *name = NULL;
		uint64_t dir = 0;

		for (unsigned i = 0; i < n; i++) {
			unsigned form = formats[i].form;

			if (form == DW_FORM_line_strp || form == DW_FORM_strp ||
			    form == DW_FORM_string) {
				const char *s = read_string(r, h, c, form);

				name = formats[i].content == DW_LNCT_path ? s : name;
			} else {
				uint64_t v = read_number(c, form);

				dir = formats[i].content == DW_LNCT_directory_index ? v : dir;
			}
		}
		vec_push(a, &ret->v, dirs ? join(r, a, dirs, dir, name) : name);
	}
}

static void read_old_files(const struct row_reader *r, struct arena *a, struct bytes *c,
			   struct pattern_names *ret)
{
	struct pattern_names dirs = {{0}};

	vec_push(a, &dirs.v, NULL);
	while (c->p < c->end && *c->p)
		vec_push(a, &dirs.v, bytes_string(c));
	bytes_skip(c, 1);
	vec_push(a, &ret->v, NULL);
	while (c->p < c->end && *c->p) {
		const char *name = bytes_string(c);
		uint64_t dir = bytes_uleb(c);

		bytes_uleb(c);
		bytes_uleb(c);
		vec_push(a, &ret->v, join(r, a, &dirs, dir, name));
	}
}

static void read_files(const struct row_reader *r, struct arena *a, const struct table_head *h,
		       struct pattern_names *ret)
{
	struct bytes c = h->dirs;
	struct pattern_names dirs = {{0}};

	if (h->version < 5) {
		read_old_files(r, a, &c, ret);
		return;
	}
	read_entries(r, a, h, &c, NULL, &dirs);
	read_entries(r, a, h, &c, &dirs, ret);

	/* Paths are shown relative to the directory of compilation. */
	const char *top = dirs.v.n ? dirs.v.v[0] : NULL;
	size_t len = top ? strlen(top) : 0;

	vec_each(name, &ret->v) {
		if (*name && len && strncmp(*name, top, len) == 0 && (*name)[len] == '/')
			*name += len + 1;
	}
}

/* ---- rows ---- */

struct line_state {
	uint64_t address;
	uint64_t file;
	uint32_t line, column;
	bool is_stmt;
};

struct machine {
	const struct table_head *h;
	struct line_state now;
	void (*visit)(void *data, const struct dwarf_row *row);
	void *data;
};

static void put_row(struct machine *m, bool ends)
{
	struct dwarf_row row = { m->now.address, (uint32_t)m->now.file, m->now.line,
				 m->now.column, m->now.is_stmt, ends };

	m->visit(m->data, &row);
}

static void advance(struct machine *m, uint64_t operations)
{
	m->now.address += operations * m->h->min_length;
}

static void restart(struct machine *m)
{
	m->now = (struct line_state){ .file = 1, .line = 1, .is_stmt = m->h->default_is_stmt };
}

static void extended(struct machine *m, struct bytes *c)
{
	uint64_t len = bytes_uleb(c);

	if (len == 0 || len > bytes_left(c))
		return;

	struct bytes own = { .p = c->p, .end = c->p + len };

	bytes_skip(c, len);
	switch (bytes_fixed(&own, 1)) {
	case DW_LNE_end_sequence:
		put_row(m, true);
		restart(m);
		break;
	case DW_LNE_set_address:
		m->now.address = bytes_fixed(&own, len - 1 < 8 ? len - 1 : 8);
		break;
	}
}

static void standard(struct machine *m, struct bytes *c, unsigned op)
{
	switch (op) {
	case DW_LNS_copy: put_row(m, false); break;
	case DW_LNS_advance_pc: advance(m, bytes_uleb(c)); break;
	case DW_LNS_advance_line: m->now.line += (uint32_t)bytes_sleb(c); break;
	case DW_LNS_set_file: m->now.file = bytes_uleb(c); break;
	case DW_LNS_set_column: m->now.column = (uint32_t)bytes_uleb(c); break;
	case DW_LNS_negate_stmt: m->now.is_stmt = !m->now.is_stmt; break;
	case DW_LNS_const_add_pc: advance(m, (255 - m->h->opcode_base) / m->h->range); break;
	case DW_LNS_fixed_advance_pc: m->now.address += bytes_fixed(c, 2); break;
	default:
		for (unsigned n = m->h->lengths[op]; n; n--)
			bytes_uleb(c);
	}
}

static void run(const struct table_head *h, void (*visit)(void *data, const struct dwarf_row *row),
		void *data)
{
	struct machine m = { .h = h, .visit = visit, .data = data };
	struct bytes c = h->program;

	restart(&m);
	while (c.p < c.end) {
		unsigned op = *c.p++;

		if (op >= h->opcode_base) {
			op -= h->opcode_base;
			advance(&m, op / h->range);
			m.now.line += (uint32_t)(h->base + (int)(op % h->range));
			put_row(&m, false);
		} else if (op == 0) {
			extended(&m, &c);
		} else {
			standard(&m, &c, op);
		}
	}
}

/* ---- interface ---- */

bool dwarf_lines_file_matches(const char *pattern, const char *file)
{
	while (file && *file) {
		if (fnmatch(pattern, file, 0) == 0)
			return true;

		const char *slash = strchr(file, '/');

		file = slash ? slash + 1 : NULL;
	}
	return false;
}

void dwarf_lines_files(struct dwarf_db *db, uint64_t offset, struct dwarf_files *ret)
{
	struct row_reader r = open_reader(db);
	struct table_head h;
	struct pattern_names names = {{0}};

	if (read_head(&r, offset, &h))
		read_files(&r, db->arena, &h, &names);
	*ret = (struct dwarf_files){ names.v.v, names.v.n };
}

void dwarf_lines_rows(struct dwarf_db *db, uint64_t offset,
		      void (*visit)(void *data, const struct dwarf_row *row), void *data)
{
	struct row_reader r = open_reader(db);
	struct table_head h;

	if (read_head(&r, offset, &h))
		run(&h, visit, data);
}

void dwarf_lines_tables(struct dwarf_db *db, const char *pattern,
			void (*visit)(void *data, uint64_t offset, const struct dwarf_files *files),
			void *data)
{
	struct row_reader r = open_reader(db);
	const char *slash = strrchr(pattern, '/');
	struct arena *scratch = arena_create();
	uint64_t offset = 0;
	struct table_head h;

	r.last = slash ? slash + 1 : pattern;
	for (;;) {
		bool ok = read_head(&r, offset, &h);

		if (!h.end)
			break;
		if (ok) {
			struct pattern_names names = {{0}};

			read_files(&r, scratch, &h, &names);

			struct dwarf_files files = { names.v.v, names.v.n };

			visit(data, offset, &files);
		}
		offset = (uint64_t)(h.end - r.line.start);
	}
	arena_destroy(scratch);
}
