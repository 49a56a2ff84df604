/* SPDX-License-Identifier: GPL-2.0 */
/*
 * described STORE PID... - does for each process in turn what the loader does when it first meets
 * it: reads its mappings, and of files that none of those before it has mapped the unwind table,
 * from the directory STORE or to it, the symbols, and the interpreter. Prints for each:
 *   PID MAPPINGS FILES INTERPRETERS MS        files that are new; of processor time
 * Used by bench/describe.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "scripts/scripts.h"
#include "unwind/mappings.h"
#include "unwind/symbols.h"

static double processor_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Returns whether it has an interpreter. The symbols stay, as in a session. */
static bool read_file(struct mapped_file *f)
{
	char refused[SCRIPT_VERSION_MAX];
	struct prt_script_table *script = f->device ? script_table(f->fd, refused) : NULL;
	bool ret = script;

	f->number = 1;
	symbols_read(f->fd, f->path);
	if (f->device)
		script_keys(f->fd);
	free(script);
	free(f->table);
	f->table = NULL;
	return ret;
}

static bool describe(struct mapped_files *files, pid_t pid)
{
	double begin = processor_ms();
	unsigned nfiles = 0, scripts = 0;
	struct mappings m;

	if (mappings_read(files, pid, mappings_open(pid), &m) != 0)
		return false;
	for (size_t i = 0; i < m.n; i++) {
		struct mapped_file *f = m.v[i].file;

		if (!f || f->number)
			continue;
		nfiles++;
		scripts += read_file(f);
	}
	printf("%d %zu %u %u %.2f\n", (int)pid, m.n, nfiles, scripts, processor_ms() - begin);
	mappings_deinit(&m);
	return true;
}

int main(int argc, char **argv)
{
	struct mapped_files files = { 0 };

	if (argc < 3)
		return 2;
	files.store = argv[1];
	for (int i = 2; i < argc; i++)
		if (!describe(&files, (pid_t)atoi(argv[i])))
			return 1;
	return 0;
}
