/* SPDX-License-Identifier: GPL-2.0 */
/* twin [TEST]... - Runs the named tests, or all of them; --list prints their names. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "twin.h"

static void run(const struct twin_test *t)
{
	twin_running = t->name;
	fprintf(stderr, "%s: TWIN_SEED=%llu\n", t->name, twin_begin());
	machine_script();
	t->run();
	CHECK(machine_allocated() == 0, "%u allocations are left", machine_allocated());
}

static bool named(const struct twin_test *t, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], t->name) == 0)
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	const struct twin_test *t;
	unsigned ran = 0;

	machine_be_cpu(TWIN_CPUS);
	for (t = twin_tests; t; t = t->next) {
		if (argc == 2 && strcmp(argv[1], "--list") == 0) {
			puts(t->name);
		} else if (named(t, argc, argv)) {
			run(t);
			ran++;
		}
	}
	return argc > 1 && !ran && strcmp(argv[1], "--list") != 0;
}
