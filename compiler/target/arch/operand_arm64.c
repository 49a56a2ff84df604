/* SPDX-License-Identifier: GPL-2.0 */
/* Operands in the assembler syntax of arm64: operand.h. "x0", "w1", "[sp, 12]", "[x2]", "5". */
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

/* Reads "[sp, 12]", "[x2]", "[x2,x3]"; the last one has no scale. */
static bool take_memory(const char *p, struct arch_operand *ret)
{
	char *end;

	p++;
	ret->base = take_register(&p);
	if (!ret->base)
		return false;
	if (*p == ',') {
		p += 1 + strspn(p + 1, " #");
		if (isdigit((unsigned char)*p) || *p == '-') {
			ret->value = strtoll(p, &end, 0);
			p = end;
		} else {
			ret->index = *p == 'x' ? take_register(&p) : NULL;
			ret->scale = 1;
			if (!ret->index)
				return false;
		}
	}
	return *p == ']' && ends(p + 1);
}

void arch_operand_arm64(struct arena *a, const char *p, struct arch_operand *ret)
{
	char *end;

	(void)a;
	if (ends(p)) {
		arch_operand_refuse(ret, "it is empty");
	} else if (*p == '[') {
		ret->kind = ARCH_OPERAND_MEMORY;
		if (!take_memory(p, ret))
			arch_operand_refuse(ret, "its address has an unknown form");
	} else if (isdigit((unsigned char)*p) || *p == '-' || *p == '#') {
		ret->kind = ARCH_OPERAND_CONSTANT;
		p += *p == '#';
		ret->value = *p == '-' ? strtoll(p, &end, 0) : (int64_t)strtoull(p, &end, 0);
		if (!ends(end))
			arch_operand_refuse(ret, "its constant is an address that only the linker "
						 "knows");
	} else if ((*p == 'd' || *p == 's' || *p == 'v' || *p == 'q') &&
		   isdigit((unsigned char)p[1])) {
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
