/* SPDX-License-Identifier: GPL-2.0 */
/* Operands in AT&T syntax: operand.h. */
#include "target/arch/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- registers ---- */

enum { ARCH_SIMD_REGISTERS = 16 };

struct name {
	const char *text;  /* after the % */
	const char *reg;   /* in struct pt_regs */
	uint8_t shift;
};

static const struct name legacy[] = {
	{ "rax", "ax", 0 }, { "eax", "ax", 0 }, { "ax", "ax", 0 }, { "al", "ax", 0 },
	{ "ah", "ax", 8 },
	{ "rbx", "bx", 0 }, { "ebx", "bx", 0 }, { "bx", "bx", 0 }, { "bl", "bx", 0 },
	{ "bh", "bx", 8 },
	{ "rcx", "cx", 0 }, { "ecx", "cx", 0 }, { "cx", "cx", 0 }, { "cl", "cx", 0 },
	{ "ch", "cx", 8 },
	{ "rdx", "dx", 0 }, { "edx", "dx", 0 }, { "dx", "dx", 0 }, { "dl", "dx", 0 },
	{ "dh", "dx", 8 },
	{ "rsi", "si", 0 }, { "esi", "si", 0 }, { "si", "si", 0 }, { "sil", "si", 0 },
	{ "rdi", "di", 0 }, { "edi", "di", 0 }, { "di", "di", 0 }, { "dil", "di", 0 },
	{ "rbp", "bp", 0 }, { "ebp", "bp", 0 }, { "bp", "bp", 0 }, { "bpl", "bp", 0 },
	{ "rsp", "sp", 0 }, { "esp", "sp", 0 }, { "sp", "sp", 0 }, { "spl", "sp", 0 },
};

/* r8 to r15, with d, w, b for their low 4, 2, 1 bytes. */
static const char *numbered(const char *text, size_t len)
{
	static const char *const names[] = {
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	};

	if (len > 1 && strchr("dwb", text[len - 1]))
		len--;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == len && memcmp(names[i], text, len) == 0)
			return names[i];
	return NULL;
}

/* Reads the register at *@p, after its %. Returns false if struct pt_regs does not have it. */
static bool take_register(const char **p, const char **reg, uint8_t *shift)
{
	size_t len = 0;

	while (isalnum((unsigned char)(*p)[len]))
		len++;
	*shift = 0;
	*reg = numbered(*p, len);
	for (size_t i = 0; !*reg && i < sizeof(legacy) / sizeof(*legacy); i++) {
		if (strlen(legacy[i].text) == len && memcmp(legacy[i].text, *p, len) == 0) {
			*reg = legacy[i].reg;
			*shift = legacy[i].shift;
		}
	}
	*p += len;
	return *reg;
}

/* "xmm0" to "xmm15", and the wider registers that these are the low bytes of; false: none. */
static bool take_simd(const char **p, int64_t *n)
{
	char *end;

	if (!strchr("xyz", **p) || strncmp(*p + 1, "mm", 2) != 0 ||
	    !isdigit((unsigned char)(*p)[3]))
		return false;
	*n = strtol(*p + 3, &end, 10);
	*p = end;
	return *n < ARCH_SIMD_REGISTERS;
}

/* ---- one operand ---- */

static bool is_symbol_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Reads "12", "-0x8+name", "name-4": the sum of numbers and at most one name, which is "name@tpoff"
 * in the thread's memory. */
static bool take_displacement(struct arena *a, const char **p, struct arch_operand *ret)
{
	while (**p && **p != '(' && **p != ' ') {
		bool minus = **p == '-';

		if (**p == '+' || **p == '-')
			++*p;
		if (isdigit((unsigned char)**p)) {
			char *end;
			int64_t n = (int64_t)strtoull(*p, &end, 0);

			ret->value += minus ? -n : n;
			*p = end;
			continue;
		}

		size_t len = 0;

		while (is_symbol_char((*p)[len]))
			len++;
		if (!len || minus || ret->symbol)
			return false;
		ret->symbol = arena_strndup(a, *p, len);
		*p += len;
		if (ret->of_thread && strncmp(*p, "@tpoff", 6) == 0) {
			ret->is_distance = true;
			*p += 6;
		}
		/* "name@GOTPCREL" and similar operands are not addresses of the name. */
		if (**p == '@')
			return false;
	}
	return !ret->of_thread || !ret->symbol || ret->is_distance;
}

/* Reads "(%base,%index,scale)", or "(%rip)" with a symbol. */
static bool take_registers(const char **p, struct arch_operand *ret)
{
	uint8_t shift;

	++*p;
	if (!ret->of_thread && strncmp(*p, "%rip)", 5) == 0) {
		*p += 5;
		return ret->symbol;
	}
	if (**p == '%' && (++*p, !take_register(p, &ret->base, &shift)))
		return false;
	if (**p == ',') {
		++*p;
		if (*(*p)++ != '%' || !take_register(p, &ret->index, &shift))
			return false;
		ret->scale = 1;
		if (**p == ',')
			ret->scale = (unsigned)strtoul(*p + 1, (char **)p, 10);
	}
	if (*(*p)++ != ')')
		return false;
	return (!ret->symbol || ret->is_distance) && (ret->base || ret->index);
}

void arch_operand_x86_64(struct arena *a, const char *p, struct arch_operand *ret)
{
	if (!*p || *p == ' ') {
		arch_operand_refuse(ret, "it is empty");
		return;
	}
	if (*p == '$') {
		char *end;

		ret->kind = ARCH_OPERAND_CONSTANT;
		ret->value = (int64_t)strtoull(p + 1, &end, 0);
		if (p[1] == '-')
			ret->value = strtoll(p + 1, &end, 0);
		if (end == p + 1 || (*end && *end != ' '))
			arch_operand_refuse(ret, "its constant is an address that only the linker "
						 "knows");
		return;
	}
	if (strncmp(p, "%fs:", 4) == 0) {
		ret->of_thread = true;
		p += 4;
	} else if (*p == '%') {
		p++;
		ret->kind = ARCH_OPERAND_REGISTER;
		if (take_simd(&p, &ret->value))
			ret->kind = ARCH_OPERAND_SIMD;
		else if (!take_register(&p, &ret->reg, &ret->shift))
			arch_operand_refuse(ret, "its register is not known");
		return;
	}
	ret->kind = ARCH_OPERAND_MEMORY;
	if (!take_displacement(a, &p, ret) || (*p == '(' && !take_registers(&p, ret)) ||
	    (*p && *p != ' '))
		arch_operand_refuse(ret, "its address has an unknown form");
}
