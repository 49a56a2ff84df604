/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dumped FRAMES <INFO - Converts the text of `llvm-dwarfdump --debug-info` (INFO) and of `readelf
 * --debug-dump=frames-interp` (FRAMES) into lines of functions, inlined copies and parameters,
 * whose format located.c describes. It uses nothing of the compiler but the registers and the
 * memory of the made-up machine. (The frames come from readelf because llvm-dwarfdump 14 does not
 * restore the frame address where a function continues behind a return.)
 *
 * "?OPERATION" stands for a value that is not computed here because it needs types or a jump.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dumped_frames.h"

#define RUN_KEPT(n) (RUN_REGISTER(n) + 0x5500000000000000ull)
#define RUN_BYTE(address) ((uint8_t)((address) * 7 + 1))

enum { DEPTH = 256, STACK = 64, LAST_INTEGER = 16 };

/* ---- expressions ---- */

struct machine {
	uint64_t stack[STACK];
	unsigned n;
	uint64_t pc;
	bool entry, is_value, absent;
	const char *base;   /* the function's DW_AT_frame_base; "": not known */
	unsigned long kept; /* number of the register that a probe at the entry saves; 0: none */
	char unknown[64];
	char *out;     /* pieces so far */
	bool pieces;
};

static void push(struct machine *m, uint64_t v)
{
	if (m->n < STACK)
		m->stack[m->n++] = v;
}

static uint64_t pop(struct machine *m)
{
	return m->n ? m->stack[--m->n] : 0;
}

static uint64_t load(uint64_t address, uint64_t size)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < size && i < 8; i++)
		v |= (uint64_t)RUN_BYTE(address + i) << (8 * i);
	return v;
}

static void put(struct machine *m)
{
	if (!m->n)
		m->out += sprintf(m->out, "-");
	else
		m->out += sprintf(m->out, "%c%llx", m->is_value ? 'v' : 'a',
				  (unsigned long long)m->stack[m->n - 1]);
	m->n = 0;
	m->is_value = false;
}

static bool arithmetic(struct machine *m, const char *op)
{
	static const char *const names[] = {
		"plus", "minus", "mul", "and", "or", "xor", "shl", "shr", "shra", "div", "mod",
		"eq", "ne", "lt", "le", "gt", "ge",
	};
	size_t i = 0;

	while (i < sizeof(names) / sizeof(*names) && strcmp(op, names[i]) != 0)
		i++;
	if (i == sizeof(names) / sizeof(*names))
		return false;

	uint64_t b = pop(m), a = pop(m), v = 0;
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	switch (i) {
	case 0: v = a + b; break;
	case 1: v = a - b; break;
	case 2: v = a * b; break;
	case 3: v = a & b; break;
	case 4: v = a | b; break;
	case 5: v = a ^ b; break;
	case 6: v = b < 64 ? a << b : 0; break;
	case 7: v = b < 64 ? a >> b : 0; break;
	case 8: v = (uint64_t)(sa >> (b < 64 ? b : 63)); break;
	case 9: v = b == 0 ? 0 : b == UINT64_MAX ? 0 - a : (uint64_t)(sa / sb); break;
	case 10: v = b ? a % b : 0; break;
	case 11: v = a == b; break;
	case 12: v = a != b; break;
	case 13: v = sa < sb; break;
	case 14: v = sa <= sb; break;
	case 15: v = sa > sb; break;
	case 16: v = sa >= sb; break;
	}
	push(m, v);
	return true;
}

static bool on_stack(struct machine *m, const char *op, uint64_t n)
{
	uint64_t a, b, c;

	if (strcmp(op, "dup") == 0) {
		push(m, m->n ? m->stack[m->n - 1] : 0);
	} else if (strcmp(op, "drop") == 0) {
		pop(m);
	} else if (strcmp(op, "over") == 0) {
		push(m, m->n > 1 ? m->stack[m->n - 2] : 0);
	} else if (strcmp(op, "pick") == 0) {
		push(m, n < m->n ? m->stack[m->n - 1 - n] : 0);
	} else if (strcmp(op, "swap") == 0) {
		b = pop(m), a = pop(m);
		push(m, b), push(m, a);
	} else if (strcmp(op, "rot") == 0) {
		c = pop(m), b = pop(m), a = pop(m);
		push(m, c), push(m, a), push(m, b);
	} else if (strcmp(op, "neg") == 0) {
		push(m, 0 - pop(m));
	} else if (strcmp(op, "abs") == 0) {
		a = pop(m);
		push(m, (int64_t)a < 0 ? 0 - a : a);
	} else if (strcmp(op, "not") == 0) {
		push(m, ~pop(m));
	} else if (strcmp(op, "deref") == 0) {
		push(m, load(pop(m), 8));
	} else if (strcmp(op, "deref_size") == 0) {
		push(m, load(pop(m), n));
	} else {
		return false;
	}
	return true;
}

static bool constant(struct machine *m, const char *op, const char *arg)
{
	uint64_t frame;

	if (strncmp(op, "lit", 3) == 0) {
		push(m, strtoull(op + 3, NULL, 10));
	} else if (strncmp(op, "const", 5) == 0 && strncmp(op, "const_", 6) != 0) {
		push(m, strchr(op, 's') && op[strlen(op) - 1] == 's' ?
		     (uint64_t)strtoll(arg, NULL, 0) : strtoull(arg, NULL, 0));
	} else if (strcmp(op, "addr") == 0) {
		push(m, strtoull(arg, NULL, 0));
	} else if (strcmp(op, "plus_uconst") == 0) {
		push(m, pop(m) + strtoull(arg, NULL, 0));
	} else if (strcmp(op, "call_frame_cfa") == 0 || strcmp(op, "fbreg") == 0) {
		if (strncmp(m->base, "DW_OP_reg", 9) == 0 && op[0] == 'f')
			frame = RUN_REGISTER(strtoul(m->base + 9, NULL, 10));
		else if (!frame_at(m->pc, &frame))
			return false;
		push(m, frame + (uint64_t)(op[0] == 'f' ? strtoll(arg, NULL, 0) : 0));
	} else {
		return false;
	}
	return true;
}

/* Pushes a register, or describes the address in one. */
static bool is_register(struct machine *m, const char *op, const char *arg)
{
	bool based = strncmp(op, "breg", 4) == 0;
	char *end;

	if ((!based && strncmp(op, "reg", 3) != 0) || !isdigit((unsigned char)op[based + 3]))
		return false;

	unsigned long nr = strtoul(op + based + 3, &end, 10);
	uint64_t v = RUN_REGISTER(nr);
	const char *sign = based ? strpbrk(arg, "+-") : NULL;

	if (based && nr > LAST_INTEGER)
		return false;
	push(m, v + (uint64_t)(sign ? strtoll(sign, NULL, 0) : 0));
	m->is_value |= !based;
	return !*end;
}

/* Pushes the value that an argument register had at the function's entry. Elsewhere than at the
 * entry this is known for one such register only. */
static void entry_value(struct machine *m, unsigned long nr)
{
	uint64_t frame;
	bool argument = nr == 5 || nr == 4 || nr == 1 || nr == 2 || nr == 8 || nr == 9;

	if (m->entry) {
		push(m, RUN_REGISTER(nr));
		return;
	}
	m->absent |= !argument || (m->kept && m->kept != nr) || !frame_at(m->pc, &frame);
	m->kept = nr;
	push(m, RUN_KEPT(nr));
}

static bool special(struct machine *m, const char *op, const char *arg)
{
	if (strcmp(op, "stack_value") == 0) {
		m->is_value = true;
	} else if (strncmp(op, "entry_value(", 12) == 0) {
		if (strncmp(op + 12, "DW_OP_reg", 9) != 0)
			return false;
		entry_value(m, strtoul(op + 21, NULL, 10));
	} else if (strcmp(op, "piece") == 0) {
		put(m);
		m->out += sprintf(m->out, ":%llu", strtoull(arg, NULL, 0) * 8);
		m->pieces = true;
	} else {
		return strcmp(op, "nop") == 0;
	}
	return true;
}

/* Parses "DW_OP_breg1 RDX+0", without its comma. */
static void carry_out(struct machine *m, char *text)
{
	char *op = text + 6, *arg = op + strcspn(op, " ");

	if (strncmp(op, "entry_value(", 12) == 0)
		arg = op + strlen(op);
	if (*arg)
		*arg++ = '\0';
	if (strncmp(text, "DW_OP_", 6) != 0 ||
	    (!is_register(m, op, arg) && !constant(m, op, arg) &&
	     !on_stack(m, op, strtoull(arg, NULL, 0)) && !arithmetic(m, op) &&
	     !special(m, op, arg)))
		snprintf(m->unknown, sizeof(m->unknown), "?%.50s", op);
}

static void value_of(char *expression, uint64_t pc, bool entry, const char *base, char *ret)
{
	struct machine m = { .pc = pc, .entry = entry, .base = base, .out = ret };
	unsigned inside = 0;
	char *from = expression;

	*ret = '\0';
	for (char *p = expression;; p++) {
		inside += (*p == '(') - (*p == ')');
		if (*p && (*p != ',' || inside))
			continue;

		bool last = !*p;

		*p = '\0';
		if (*from && !m.unknown[0])
			carry_out(&m, from);
		if (last)
			break;
		from = p + 1 + strspn(p + 1, " ");
	}
	if (!m.pieces)
		put(&m);
	if (m.unknown[0])
		strcpy(ret, m.unknown);
	else if (m.absent)
		strcpy(ret, "-");
}

/* ---- entries ---- */

struct position { unsigned long line, column; };

struct entry {
	enum { OTHER, FUNCTION, COPY, PARAMETER } what;
	char name[256];
	uint64_t offset, origin;     /* in .debug_info */
	uint64_t specified;          /* the declaration that a definition names; 0: none */
	struct position declared, called;
	size_t nested;               /* its number in the list of these, from 1; 0: it is none */
	uint64_t low, entry, range;  /* 0: not known */
	char base[32];               /* the frame base of the function around it */
	char value[TEXT];            /* the parameter's value at the function's entry; "": none */
	enum { NOTHING, RANGES, LOCATIONS } list; /* the list whose lines follow */
};
static struct entry stack[DEPTH];

static uint64_t entered(const struct entry *e)
{
	return e->what == COPY && e->entry ? e->entry : e->low ? e->low : e->range;
}

/* ---- copies of a function directly within itself ---- */

/* The declarations of functions, and such copies; they are compared when all have been read. */
struct declared { uint64_t offset, specified; struct position at; };
struct within {
	uint64_t pc, origin;
	struct position called;
	char name[256];
	char *values;            /* the lines of its parameters; NULL: none */
};
static struct declared *declarations;
static struct within *nested;
static size_t ndeclarations, nnested;

static void *grown(void *v, size_t n, size_t size)
{
	void *ret = n & (n - 1) ? v : realloc(v, (n ? 2 * n : 1) * size);

	if (!ret)
		exit(1);
	return ret;
}

static void add_declaration(const struct entry *e)
{
	declarations = grown(declarations, ndeclarations, sizeof(*declarations));
	declarations[ndeclarations++] = (struct declared){ e->offset, e->specified,
							  e->declared };
}

/* Whether the function or copy around the entry at @depth is of the same function. */
static bool is_within_itself(unsigned i)
{
	unsigned depth = i;

	while (i && stack[--i].what != FUNCTION && stack[i].what != COPY)
		;
	return depth && stack[depth].what == COPY && stack[depth].origin &&
	       stack[i].origin == stack[depth].origin;
}

static void add_within(struct entry *e)
{
	nested = grown(nested, nnested, sizeof(*nested));
	nested[nnested] = (struct within){ entered(e), e->origin, e->called, "", NULL };
	memcpy(nested[nnested].name, e->name, sizeof(e->name));
	e->nested = ++nnested;
}

static void add_value(struct within *of, const char *line)
{
	size_t before = of->values ? strlen(of->values) : 0;

	of->values = realloc(of->values, before + strlen(line) + 1);
	if (!of->values)
		exit(1);
	strcpy(of->values + before, line);
}

static int by_offset(const void *x, const void *y)
{
	const struct declared *a = x, *b = y;

	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Where a function is declared: what its entry leaves out is in the one that it specifies. */
static struct position declaration(uint64_t offset)
{
	struct position ret = { 0, 0 };

	while (offset) {
		const struct declared wanted = { .offset = offset }, *of =
			bsearch(&wanted, declarations, ndeclarations, sizeof(wanted), by_offset);

		if (of && !ret.line)
			ret.line = of->at.line;
		if (of && !ret.column)
			ret.column = of->at.column;
		offset = of ? of->specified : 0;
	}
	return ret;
}

/* Prints copies that are recursive calls as such, and others, whose call is at the place of the
 * declaration, as "r": rests of functions that the compiler split. */
static void tell_within(void)
{
	for (size_t i = 0; i < nnested; i++) {
		const struct position at = declaration(nested[i].origin);
		bool rest = at.line == nested[i].called.line &&
			    at.column == nested[i].called.column;

		printf("%" PRIx64 " %c %s\n", nested[i].pc, rest ? 'r' : 'c', nested[i].name);
		if (!rest && nested[i].values)
			fputs(nested[i].values, stdout);
		free(nested[i].values);
	}
	free(declarations);
	free(nested);
}

/* Prints an entry. All its attributes stand before the next entry. */
static void tell(unsigned depth)
{
	struct entry *e = &stack[depth], *of = depth ? &stack[depth - 1] : e;

	if (e->what == FUNCTION)
		add_declaration(e);
	if (is_within_itself(depth) && entered(e) && *e->name)
		add_within(e);
	else if ((e->what == FUNCTION || e->what == COPY) && entered(e) && *e->name)
		printf("%llx %c %s\n", (unsigned long long)entered(e), e->what == COPY ? 'c' : 'e',
		       e->name);
	if (e->what == PARAMETER && (of->what == FUNCTION || of->what == COPY) && entered(of) &&
	    *of->name && *e->name) {
		static char line[TEXT + 1024];

		snprintf(line, sizeof(line), "%llx %c %s $%s %s\n",
			 (unsigned long long)entered(of), of->what == COPY ? 'c' : 'e', of->name,
			 e->name, *e->value ? e->value : "-");
		if (of->nested)
			add_value(&nested[of->nested - 1], line);
		else
			fputs(line, stdout);
	}
	e->list = NOTHING;
}

static void begin(unsigned depth, const char *tag)
{
	struct entry *e = &stack[depth];

	e->what = strncmp(tag, "DW_TAG_subprogram", 17) == 0 ? FUNCTION :
		  strncmp(tag, "DW_TAG_inlined_subroutine", 25) == 0 ? COPY :
		  strncmp(tag, "DW_TAG_formal_parameter", 23) == 0 ? PARAMETER : OTHER;
	e->name[0] = e->value[0] = '\0';
	strcpy(e->base, depth && e->what != FUNCTION ? stack[depth - 1].base : "");
	e->low = e->entry = e->range = e->origin = e->specified = e->nested = 0;
	e->declared = e->called = (struct position){ 0, 0 };
}

static void cut(char *s)
{
	size_t n = strlen(s);

	while (n && (s[n - 1] == '\n' || s[n - 1] == ')'))
		s[--n] = '\0';
	/* An operation with parentheses of its own has lost one of them. */
	if (strstr(s, "entry_value(") && !strchr(s, ')'))
		strcpy(s + n, ")");
}

static bool position(struct entry *e, const char *name, const char *value)
{
	const struct { const char *name; unsigned long *to; } known[] = {
		{ "DW_AT_decl_line", &e->declared.line },
		{ "DW_AT_decl_column", &e->declared.column },
		{ "DW_AT_call_line", &e->called.line },
		{ "DW_AT_call_column", &e->called.column },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strncmp(name, known[i].name, strlen(known[i].name)) != 0)
			continue;
		*known[i].to = strtoul(value, NULL, 0);
		return true;
	}
	return false;
}

static void attribute(unsigned depth, char *line)
{
	struct entry *e = &stack[depth], *of = depth ? &stack[depth - 1] : e;
	char *name = line + strspn(line, " "), *value = strchr(name, '\t'), *quote;

	if (!value || e->what == OTHER)
		return;
	value += 2;
	e->list = NOTHING;
	if (strncmp(name, "DW_AT_name", 10) == 0 ||
	    strncmp(name, "DW_AT_abstract_origin", 21) == 0 ||
	    strncmp(name, "DW_AT_specification", 19) == 0) {
		quote = strchr(value, '"');
		if (quote && !*e->name)
			sscanf(quote + 1, "%255[^\"]", e->name);
		for (char *blank = e->name; (blank = strchr(blank, ' ')); )
			*blank = '_';
		if (strncmp(name, "DW_AT_abstract_origin", 21) == 0)
			e->origin = strtoull(value, NULL, 16);
		if (strncmp(name, "DW_AT_specification", 19) == 0)
			e->specified = strtoull(value, NULL, 16);
	} else if (position(e, name, value)) {
		return;
	} else if (strncmp(name, "DW_AT_low_pc", 12) == 0) {
		e->low = strtoull(value, NULL, 16);
	} else if (strncmp(name, "DW_AT_entry_pc", 14) == 0) {
		e->entry = strtoull(value, NULL, 16);
	} else if (strncmp(name, "DW_AT_frame_base", 16) == 0) {
		snprintf(e->base, sizeof(e->base), "%.31s", value);
	} else if (strncmp(name, "DW_AT_ranges", 12) == 0) {
		e->list = RANGES;
	} else if (strncmp(name, "DW_AT_const_value", 17) == 0 && e->what == PARAMETER) {
		snprintf(e->value, TEXT, *value == '<' ? "?const_value" : "v%llx",
			 *value == '-' ? (unsigned long long)strtoll(value, NULL, 0) :
					 strtoull(value, NULL, 0));
	} else if (strncmp(name, "DW_AT_location", 14) == 0 && e->what == PARAMETER) {
		if (strncmp(value, "0x", 2) == 0 || strncmp(value, "indexed ", 8) == 0) {
			e->list = LOCATIONS;
			return;
		}
		cut(value);
		value_of(value, entered(of), of->what == FUNCTION, e->base, e->value);
	}
}

/* Parses "[FROM, TO)" or "[FROM, TO): EXPRESSION". */
static void range(unsigned depth, char *line)
{
	struct entry *e = &stack[depth], *of = depth ? &stack[depth - 1] : e;
	unsigned long long from, to;

	if (!e->list || sscanf(line, " [0x%llx, 0x%llx)", &from, &to) != 2 || from >= to)
		return;
	if (e->list == RANGES) {
		e->range = e->range ? e->range : from;
		return;
	}

	char *expression = strstr(line, "): ");

	if (!expression || *e->value || entered(of) < from || entered(of) >= to)
		return;
	cut(expression + 3);
	value_of(expression + 3, entered(of), of->what == FUNCTION, e->base, e->value);
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0;
	unsigned depth = 0;

	if (argc != 2)
		return 2;
	read_frames(argv[1]);
	while (getline(&line, &room, stdin) > 0) {
		if (line[0] == '0' && line[1] == 'x' && line[10] == ':') {
			char *tag = line + 11 + strspn(line + 11, " ");

			tell(depth);
			depth = (unsigned)(tag - line - 12) / 2 % DEPTH;
			begin(depth, tag);
			stack[depth].offset = strtoull(line, NULL, 16);
		} else if (line[0] == ' ') {
			const char *p = line + strspn(line, " ");

			if (*p == '[')
				range(depth, line);
			else if (*p == 'D')
				attribute(depth, line);
		}
	}
	tell(depth);
	tell_within();
	free(line);
	free(frames);
	return 0;
}
