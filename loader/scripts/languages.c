/* SPDX-License-Identifier: GPL-2.0 */
/* The languages, and the tables for their interpreters. */
#include <stddef.h>
#include <stdio.h>

#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"

static const struct script_language *const languages[] = {
	&script_python, &script_perl, &script_php,
};

enum { LANGUAGES = sizeof(languages) / sizeof(*languages), NUMBER_MAX = 32 };

const struct script_language *script_language_of(uint32_t number)
{
	return number && number <= LANGUAGES ? languages[number - 1] : NULL;
}

static struct prt_script_table *table_for(struct script_file *f, uint32_t number)
{
	struct script_program *p = script_program_start();
	struct prt_script_table *t = NULL;

	script_file_deepen(f);
	if (languages[number - 1]->compile(f, p))
		t = script_program_table(p, number);
	script_program_free(p);
	return t;
}

struct prt_script_table *script_table(int fd, char refused[SCRIPT_VERSION_MAX])
{
	struct script_file *f = script_file_open(fd);
	struct prt_script_table *t = NULL;
	char version[NUMBER_MAX] = "";
	uint32_t number = 1;

	*refused = '\0';
	if (!f)
		return NULL;
	while (number <= LANGUAGES &&
	       !languages[number - 1]->is_interpreter(f, version, sizeof(version)))
		number++;
	if (number <= LANGUAGES) {
		t = table_for(f, number);
		if (!t)
			snprintf(refused, SCRIPT_VERSION_MAX, "%s %s",
				 languages[number - 1]->name, version);
	}
	script_file_close(f);
	return t;
}
