/* SPDX-License-Identifier: GPL-2.0 */
/*
 * named [--map] FILE - prints the name of each address of standard input, in hexadecimal, one a
 * line, for host/symbols-beside and host/jit-names:
 *   ADDRESS START NAME      or      ADDRESS -
 * --map: FILE is a /tmp/perf-PID.map.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unwind/symbols.h"

int main(int argc, char **argv)
{
	bool is_map = argc == 3 && strcmp(argv[1], "--map") == 0;
	int fd = argc == 2 || is_map ? open(argv[argc - 1], O_RDONLY | O_CLOEXEC) : -1;
	struct symbols *s = fd < 0 ? NULL :
			    is_map ? symbols_read_perf_map(fd) : symbols_read(fd, argv[1]);
	struct symbol found;
	char line[64];

	if (!s)
		return 1;
	close(fd);
	while (fgets(line, sizeof(line), stdin)) {
		unsigned long long address = strtoull(line, NULL, 16);

		if (symbols_find(s, address, &found))
			printf("%llx %llx %s\n", address, (unsigned long long)found.start,
			       found.name);
		else
			printf("%llx -\n", address);
	}
	symbols_free(s);
	return 0;
}
