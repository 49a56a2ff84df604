/* SPDX-License-Identifier: GPL-2.0 */
/* lined [--module] FILE - for each address on standard input, in hexadecimal, prints what the
 * loader finds there in the debug information of FILE: "FUNCTION<tab>SOURCE<tab>LINE" for each
 * frame, innermost first, and an empty line. --module: FILE is relocatable (shared/lines.h). */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unwind/lines.h"

int main(int argc, char **argv)
{
	const struct line_frame *frames;
	struct lines *l;
	uint64_t address;
	bool is_module = argc == 3 && strcmp(argv[1], "--module") == 0;
	int fd = argc == 2 || is_module ? open(argv[argc - 1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0 || !(l = lines_read(fd, is_module ? NULL : argv[1])))
		return 1;
	close(fd);
	while (scanf("%" SCNx64, &address) == 1) {
		size_t n = lines_find(l, address, &frames);

		for (size_t i = 0; i < n; i++)
			printf("%s\t%s\t%" PRIu32 "\n", frames[i].function, frames[i].file,
			       frames[i].line);
		puts("");
		fflush(stdout);
	}
	lines_free(l);
	return 0;
}
