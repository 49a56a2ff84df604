/* SPDX-License-Identifier: GPL-2.0 */
/*
 * linetables - compares the lines of instructions of Python's code with those that the interpreter
 * itself gives. Standard input has a line for each code object:
 *   VERSION FIRST TABLE LINE...
 * VERSION is 309, 310, ...; FIRST the first line; TABLE the bytes of its table in hexadecimal, or
 * "-"; then the line of each instruction, 0 if it has none. Prints those that differ, and
 *   COUNT tables COUNT lines COUNT differ
 * Status 0: none differs. Used by host/script-lines; programs/linetables.py writes its input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scripts/language.h"
#include "shared/memory.h"

enum { SHOWN = 5 };

static size_t read_hex(const char *s, unsigned char *to)
{
	size_t n = 0;
	unsigned byte;

	for (; sscanf(s + 2 * n, "%2x", &byte) == 1; n++)
		to[n] = (unsigned char)byte;
	return n;
}

/* The position that the kernel half finds for an instruction of 2 bytes. */
static uint32_t position_of(const struct script_object *o, uint32_t number)
{
	return o->flags == 310 ? number : 2 * number;
}

int main(void)
{
	unsigned long tables = 0, lines = 0, differ = 0;
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, stdin) > 0) {
		struct script_object o = { 0 };
		unsigned char *table = memory_zeroed(1, strlen(line) + 1);
		char *at = strtok(line, " \n");
		uint32_t i = 0;

		o.flags = at ? strtoul(at, NULL, 10) : 0;
		at = strtok(NULL, " \n");
		o.first = at ? strtoul(at, NULL, 10) : 0;
		at = strtok(NULL, " \n");
		o.lines = table;
		o.lines_len = at ? read_hex(at, table) : 0;
		for (; (at = strtok(NULL, " \n")); i++) {
			uint32_t ours = script_python.line(&o, position_of(&o, i));

			lines++;
			if (ours != strtoul(at, NULL, 10) && differ++ < SHOWN)
				printf("table %lu, instruction %u: %u, not %s\n", tables, i, ours,
				       at);
		}
		tables++;
		free(table);
	}
	free(line);
	printf("%lu tables %lu lines %lu differ\n", tables, lines, differ);
	return !tables || differ;
}
