/* SPDX-License-Identifier: GPL-2.0 */
/* Operands in the assembler syntax of arm64: operand.h. "x0", "w1", "[sp, 12]", "[x2]", "5",
 * "[x0, x1, lsl 3]", "[x0, w1, sxtw 2]", "[x0, :lo12:name]". Numbers may have a # before them. */
#include "target/arch/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether the operand ends at @p. */
static bool ends(const char *p)
{
	return !*p || *p == ' ';
}

/* Reads "x7", "w7" or "sp" at *@p. Returns its name in struct pt_regs; NULL: it is another. */
static const char *take_register(const char **p)
{
	char *end;
	unsigned long n;

	if (strncmp(*p, "sp", 2) == 0 && !isalnum((unsigned char)(*p)[2])) {
		*p += 2;
		return ARCH_STACK_POINTER;
	}
	if ((**p != 'x' && **p != 'w') || !isdigit((unsigned char)(*p)[1]))
		return NULL;
	n = strtoul(*p + 1, &end, 10);
	*p = end;
	return n <= 30 ? arch_register(n, false) : NULL;
}

static void skip(const char **p, const char *what)
{
	*p += strspn(*p, what);
}

/* Reads the end of an index: ", lsl 3", ", sxtw 2", ", uxtw". A register of 32 bits is extended. */
static bool take_extension(const char **p, struct arch_operand *ret)
{
	static const struct { const char *word; int extends; } words[] = {
		{ "lsl", 0 }, { "sxtw", -4 }, { "uxtw", 4 }, { "sxtx", 0 },
	};

	skip(p, ", ");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i].word);
		char *end;
		unsigned long shift;

		if (strncmp(*p, words[i].word, n) != 0 || isalnum((unsigned char)(*p)[n]))
			continue;
		*p += n;
		skip(p, " #");
		shift = strtoul(*p, &end, 10);
		*p = end;
		ret->scale = 1u << (shift & 7);
		ret->index_extends = words[i].extends;
		return shift <= 4;
	}
	return false;
}

/* Reads "x1", "x1, lsl 3", "w1, sxtw". */
static bool take_index(const char **p, struct arch_operand *ret)
{
	bool is_half = **p == 'w';

	ret->index = **p == 'x' || is_half ? take_register(p) : NULL;
	ret->scale = 1;
	if (!ret->index || (**p == ',' && !take_extension(p, ret)))
		return false;
	return is_half == (ret->index_extends != 0);
}

/* Reads ":lo12:name+8". The base has the page of that variable, so the address is its own. */
static bool take_symbol(struct arena *a, const char **p, struct arch_operand *ret)
{
	static const char low[] = ":lo12:";
	char *end;
	size_t n;

	if (strncmp(*p, low, strlen(low)) != 0)
		return false;
	*p += strlen(low);
	n = strcspn(*p, "+-] ");
	if (!n)
		return false;
	ret->symbol = arena_strndup(a, *p, n);
	*p += n;
	ret->value = strtoll(*p, &end, 0);
	*p = end;
	ret->base = NULL;
	return true;
}

static bool take_memory(struct arena *a, const char *p, struct arch_operand *ret)
{
	char *end;

	p++;
	skip(&p, " ");
	ret->base = *p == 'w' ? NULL : take_register(&p);
	if (!ret->base)
		return false;
	if (*p == ',') {
		p++;
		skip(&p, " #");
		if (isdigit((unsigned char)*p) || *p == '-') {
			ret->value = strtoll(p, &end, 0);
			p = end;
		} else if (!(*p == ':' ? take_symbol(a, &p, ret) : take_index(&p, ret))) {
			return false;
		}
	}
	return *p == ']' && ends(p + 1);
}

void arch_operand_arm64(struct arena *a, const char *p, struct arch_operand *ret)
{
	char *end;

	if (ends(p)) {
		arch_operand_refuse(ret, "it is empty");
	} else if (*p == '[') {
		ret->kind = ARCH_OPERAND_MEMORY;
		if (!take_memory(a, p, ret))
			arch_operand_refuse(ret, "its address has an unknown form");
	} else if (isdigit((unsigned char)*p) || *p == '-' || *p == '#') {
		ret->kind = ARCH_OPERAND_CONSTANT;
		p += *p == '#';
		ret->value = *p == '-' ? strtoll(p, &end, 0) : (int64_t)strtoull(p, &end, 0);
		if (!ends(end))
			arch_operand_refuse(ret, "its constant is an address that only the linker "
						 "knows");
	} else if (strncmp(p + 1, "zr", 2) == 0 && (*p == 'x' || *p == 'w') && ends(p + 3)) {
		ret->kind = ARCH_OPERAND_CONSTANT;
	} else if (strchr("bhsdqv", *p) && isdigit((unsigned char)p[1])) {
		ret->kind = ARCH_OPERAND_SIMD;
		ret->value = strtol(p + 1, &end, 10);
		if (!ends(end) || ret->value > 31)
			arch_operand_refuse(ret, "its register is not known");
	} else {
		ret->kind = ARCH_OPERAND_REGISTER;
		ret->reg = take_register(&p);
		if (!ret->reg || !ends(p))
			arch_operand_refuse(ret, "its register is not known");
	}
}
