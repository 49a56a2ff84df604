/* SPDX-License-Identifier: GPL-2.0 */
/* The languages, and the tables for their interpreters. */
#include <stddef.h>

#include "common/say.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"

static const struct script_language *const languages[] = {
	&script_python,
};

enum { LANGUAGES = sizeof(languages) / sizeof(*languages), VERSION_MAX = 64 };

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

struct prt_script_table *script_table(int fd, const char *path)
{
	struct script_file *f = script_file_open(fd);
	struct prt_script_table *t = NULL;
	char version[VERSION_MAX] = "";
	uint32_t number = 1;

	if (!f)
		return NULL;
	while (number <= LANGUAGES &&
	       !languages[number - 1]->is_interpreter(f, version, sizeof(version)))
		number++;
	if (number <= LANGUAGES)
		t = table_for(f, number);
	script_file_close(f);
	if (number <= LANGUAGES && !t)
		say_warn("E_SKIPPED", "doc/script-stacks.md has the versions that are supported",
			 "stacks have the interpreter's frames in place of those of scripts in "
			 "'%s': %s %s, as it was built, is not supported", path,
			 languages[number - 1]->name, version);
	return t;
}
