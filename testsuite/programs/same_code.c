/* SPDX-License-Identifier: GPL-2.0 */
/* same_code PID - whether the code of a process, as it is in its memory, is that of its files.
 * Prints the first difference; the status is 1 then. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char memory[1 << 16], wanted[1 << 16];

static void give_up(const char *what)
{
	perror(what);
	exit(2);
}

static void compare(int mem, const char *path, unsigned long low, unsigned long high,
		    unsigned long offset)
{
	int file = open(path, O_RDONLY);

	if (file < 0)
		give_up(path);
	while (low < high) {
		size_t most = high - low < sizeof(memory) ? high - low : sizeof(memory);
		ssize_t n = pread(file, wanted, most, (off_t)offset);

		if (n < 0 || pread(mem, memory, most, (off_t)low) < n)
			give_up(path);
		for (ssize_t i = 0; i < n; i++) {
			if (memory[i] == wanted[i])
				continue;
			printf("%s: %#lx is %#x\n", path, offset + (unsigned long)i, memory[i]);
			exit(1);
		}
		low += most;
		offset += most;
	}
	close(file);
}

int main(int argc, char **argv)
{
	char name[64], line[4352], path[4097], rights[5];
	unsigned long low, high, offset;
	FILE *maps;
	int mem;

	if (argc != 2)
		return 2;
	snprintf(name, sizeof(name), "/proc/%s/maps", argv[1]);
	maps = fopen(name, "r");
	snprintf(name, sizeof(name), "/proc/%s/mem", argv[1]);
	mem = open(name, O_RDONLY);
	if (!maps || mem < 0)
		give_up(name);
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4096s", &low, &high, rights, &offset,
			   path) == 5 && strchr(rights, 'x') && *path == '/')
			compare(mem, path, low, high, offset);
	return 0;
}
