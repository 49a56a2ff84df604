/* SPDX-License-Identifier: GPL-2.0 */
/* needed PROGRAM... - prints for each program the files that it will have mapped, in one line, for
 * host/needed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unwind/needed.h"

struct seen {
	char paths[512][256];
	size_t n;
};

static bool visit(void *arg, int fd, const char *path)
{
	struct seen *s = arg;

	close(fd);
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->paths[i], path) == 0)
			return false;
	if (s->n == 512)
		return false;
	snprintf(s->paths[s->n++], sizeof(s->paths[0]), "%s", path);
	printf("%s ", path);
	return true;
}

int main(int argc, char **argv)
{
	static struct seen s;

	for (int i = 1; i < argc; i++) {
		s.n = 0;
		needed_each(argv[i], visit, &s);
		puts("");
	}
	return 0;
}
