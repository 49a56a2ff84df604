/* SPDX-License-Identifier: GPL-2.0 */
#include "shared/kernel_symbols.h"

#include <string.h>

bool kernel_symbols_is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

char kernel_symbols_type(bool *in_data, char type, const char *name, size_t len)
{
	bool begins = len == 6 && memcmp(name, "_sdata", 6) == 0;
	bool ends = len == 6 && memcmp(name, "_edata", 6) == 0;
	bool is_data = (*in_data || begins || ends) && kernel_symbols_is_text(type);

	*in_data = (*in_data || begins) && !ends;
	return is_data ? 'D' : type;
}

void kernel_symbols_correct(bool *in_data, char *lines, size_t size)
{
	char *end = lines + size, *next;

	for (char *line = lines; line < end; line = next) {
		char *nl = memchr(line, '\n', (size_t)(end - line)), *type;

		next = nl ? nl + 1 : end;
		nl = nl ? nl : end;
		type = memchr(line, ' ', (size_t)(nl - line));
		if (type && nl - type > 3)
			type[1] = kernel_symbols_type(in_data, type[1], type + 3,
						      (size_t)(nl - type - 3));
	}
}
