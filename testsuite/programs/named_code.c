/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that is made at run time and named in /tmp/perf-PID.map: it calls getppid() five times a
 * second until the process is killed. Arguments: the name, and what else the file is like.
 *
 * sparse: 256 MB, of which nothing but the line of the name was written
 * dense:  two million lines
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	/* push %rbp; mov %rsp,%rbp; mov $110,%eax; syscall; pop %rbp; ret */
	static const char code[] = "\x55\x48\x89\xe5\xb8\x6e\0\0\0\x0f\x05\x5d\xc3";
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const char *kind = argc > 2 ? argv[2] : "";
	char path[64];
	FILE *f;

	if (argc < 2 || at == MAP_FAILED)
		return 1;
	memcpy(at, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	if (!f || mprotect(at, 4096, PROT_READ | PROT_EXEC))
		return 1;
	fprintf(f, "%lx %x %s\n", (unsigned long)at, 4096, argv[1]);
	for (unsigned long i = 1; strcmp(kind, "dense") == 0 && i <= 2000000; i++)
		fprintf(f, "%lx 1 a\n", 2 * i);
	if (strcmp(kind, "sparse") == 0 && (fflush(f) || ftruncate(fileno(f), 256 << 20)))
		return 1;
	fclose(f);
	for (;;) {
		((void (*)(void))at)();
		usleep(200000);
	}
}
