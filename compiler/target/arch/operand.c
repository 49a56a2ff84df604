/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of operands: operand.h. What an operand means is the processor's. */
#include "target/arch/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void arch_operand_refuse(struct arch_operand *ret, const char *why)
{
	ret->kind = ARCH_OPERAND_REFUSED;
	ret->why = why;
}

/* Bytes of the operand at @p, which may have spaces between brackets. */
static size_t length(const char *p)
{
	size_t n = 0;

	for (bool inside = false; p[n] && (inside || p[n] != ' '); n++)
		inside = p[n] == '[' || (inside && p[n] != ']');
	return n;
}

/* The beginning of argument @n, or NULL if there are fewer. */
static const char *argument_at(const char *arguments, unsigned n)
{
	const char *p = arguments + strspn(arguments, " ");

	while (*p && --n) {
		p += length(p);
		p += strspn(p, " ");
	}
	return *p ? p : NULL;
}

bool arch_operand(struct arena *a, const char *arguments, unsigned n, bool of_32bit,
		  struct arch_operand *ret)
{
	const char *p = n ? argument_at(arguments, n) : NULL, *at;
	char *end;
	long size = 8;

	*ret = (struct arch_operand){ .size = 8, .is_signed = true };
	if (!p)
		return false;
	at = p + strcspn(p, "@ ");
	if (*at == '@' && (isdigit((unsigned char)*p) || *p == '-')) {
		size = strtol(p, &end, 10);
		p = at + 1;
		ret->is_signed = size < 0;
		ret->size = (uint8_t)(size < 0 ? -size : size);
		if (*end == 'f')
			ret->is_signed = false;
	}
	if (ret->size != 1 && ret->size != 2 && ret->size != 4 && ret->size != 8) {
		arch_operand_refuse(ret, "it has more than 8 bytes");
		return true;
	}
	arch_of(of_32bit)->operand(a, p, ret);
	return true;
}

unsigned arch_operand_count(const char *arguments)
{
	unsigned n = 0;

	while (argument_at(arguments, n + 1))
		n++;
	return n;
}
