/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unwound FILE... - prints the rows of each file's unwind table as `readelf
 * --debug-dump=frames-interp` has them, for host/unwind-beside:
 *   ADDRESS CFA rbx rbp r12 r13 r14 r15 ra
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unwind/table.h"

static const char *const names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
				     "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };

static void format_rule(const struct prt_unwind_rule *r, char *to, size_t size)
{
	FILE *f = fmemopen(to, size, "w");

	if (r->cfa == PRT_UNWIND_REG)
		fprintf(f, "%s%+d", names[r->reg], r->offset);
	else
		fputs(r->cfa == PRT_UNWIND_UNKNOWN ? "unknown" :
		      r->cfa == PRT_UNWIND_END ? "end" : "exp", f);
	for (unsigned i = 0; i < PRT_UNWIND_COLUMNS && r->cfa > PRT_UNWIND_END; i++) {
		unsigned bit = 1u << i;

		if (i == PRT_UNWIND_RA && r->ra_reg)
			fprintf(f, " r%d", r->ra_reg - 1);
		else if (r->cfa == PRT_UNWIND_SIGNAL || r->by_base & bit)
			fputs(" exp", f);
		else if (r->stored & bit)
			fprintf(f, " c%+d", r->at[i]);
		else
			fputs(r->gone & bit ? " gone" : " u", f);
	}
	fclose(f);
}

static int print_table(const char *path)
{
	const char *why = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct prt_unwind_table *t = NULL;
	struct image image;
	char text[256], last[256] = "";
	uint32_t page = 0;

	if (fd >= 0) {
		if (image_open(fd, &image, &why) == 0)
			t = table_compile(&image, NULL, &why);
		image_close(&image);
		close(fd);
	}
	if (!t) {
		fprintf(stderr, "%s: %s\n", path, why ? why : "can't be opened");
		return 1;
	}
	for (uint32_t i = 0; i < t->nrows; i++) {
		const struct prt_unwind_rule *rule =
			&prt_unwind_rules(t)[prt_unwind_rules_of(t)[i]];
		uint64_t address;

		while (i >= prt_unwind_pages(t)[page + 1])
			page++;
		address = t->start + page * (uint64_t)PRT_UNWIND_PAGE + prt_unwind_low(t)[i];
		format_rule(rule, text, sizeof(text));
		if (prt_unwind_find(t, address) != (rule->cfa ? rule : NULL))
			printf("%016llx is not found\n", (unsigned long long)address);
		/* Different expressions are one text. */
		if (strcmp(text, last) != 0)
			printf("%016llx %s\n", (unsigned long long)address, text);
		strcpy(last, text);
	}
	free(t);
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= print_table(argv[i]);
	return status;
}
