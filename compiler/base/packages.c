// SPDX-License-Identifier: GPL-2.0
#include "base/packages.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/subprocess.h"
#include "shared/buf.h"
#include "shared/file.h"

#define BLANK " \t"

static const char table[] =
#include "lab/packages.tab.inc"
;

static const struct {
	const char *install;
	const char *program; /* which shows that the system is of that kind */
} systems[] = {
	[PACKAGES_UNKNOWN] = { "install by this machine's own means:", "" },
	[PACKAGES_APT] = { "sudo apt-get install", "apt-get" },
	[PACKAGES_DNF] = { "sudo dnf install", "dnf" },
	[PACKAGES_PACMAN] = { "sudo pacman -S", "pacman" },
	[PACKAGES_ZYPPER] = { "sudo zypper install", "zypper" },
	[PACKAGES_NIX] = { "nix-shell -p", "nix-shell" },
};

enum { SYSTEMS = sizeof(systems) / sizeof(systems[0]) };

/* ---- the distribution ---- */

/* The first line of the table that is not a comment has a column of names for each system, in the
 * order of enum package_system. */
static enum package_system by_id(const char *id, size_t len)
{
	const char *p = table;
	int system = PACKAGES_APT;

	while (*p == '#')
		p += strcspn(p, "\n") + 1;
	while (len && *p && *p != '\n') {
		size_t n = strcspn(p, "," BLANK "\n");

		if (n == len && strncmp(p, id, len) == 0)
			return system;
		p += n;
		system += *p != ',';
		p += *p == ',' ? 1 : strspn(p, BLANK);
	}
	return PACKAGES_UNKNOWN;
}

/* The first known name among those that the line "KEY=NAME NAME" of @os_release has; the value may
 * be in quotation marks. */
static enum package_system by_key(const char *os_release, const char *key)
{
	size_t len = strlen(key);
	enum package_system found = PACKAGES_UNKNOWN;

	for (const char *line = os_release; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, len) != 0 || line[len] != '=')
			continue;
		for (const char *p = line + len + 1; *p && *p != '\n' && !found;) {
			size_t n = strcspn(p, " \"'\n");

			found = by_id(p, n);
			p += n + (p[n] && p[n] != '\n');
		}
	}
	return found;
}

enum package_system packages_system(const char *os_release)
{
	enum package_system own = by_key(os_release, "ID");

	return own ? own : by_key(os_release, "ID_LIKE");
}

static enum package_system system_here(struct arena *a)
{
	enum package_system found = PACKAGES_UNKNOWN;
	struct buf text;

	buf_init(&text);
	if (!file_read("/etc/os-release", &text) && text.s)
		found = packages_system(text.s);
	buf_deinit(&text);
	for (int i = PACKAGES_APT; i < SYSTEMS && !found; i++) {
		if (subprocess_find(a, systems[i].program))
			found = i;
	}
	return found;
}

/* ---- the table ---- */

/* Copies the words up to the end of a line, which are the columns of the table. */
static const char *column_of(struct arena *a, const char *line, int column)
{
	for (; column > 1; column--) {
		line += strcspn(line, BLANK);
		line += strspn(line, BLANK);
	}
	return arena_strndup(a, line, strcspn(line, BLANK "\n"));
}

/* The names of the package @name in a system, separated by commas; NULL if the table has none. */
static const char *lookup(struct arena *a, enum package_system system, const char *name)
{
	size_t len = strlen(name);

	for (const char *line = table; *line; line += strcspn(line, "\n") + 1) {
		if (*line != '#' && strncmp(line, name, len) == 0 && strchr(BLANK, line[len]))
			return column_of(a, line, system);
	}
	return NULL;
}

/* Puts @with where @text has @word. */
static const char *fill(struct arena *a, const char *text, const char *word, const char *with)
{
	const char *at = strstr(text, word);

	return at ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, with, at + strlen(word)) :
		    text;
}

/* The last word of @release with its dash, if it consists of letters: "-lts"; else "". */
static const char *flavour_of(const char *release)
{
	const char *last = strrchr(release, '-');

	if (!last || !last[1])
		return "";
	for (const char *p = last + 1; *p; p++) {
		if (!islower((unsigned char)*p))
			return "";
	}
	return last;
}

/* Divides linux-headers-6.1.0-1-amd64 into the name of the table's row and the release. */
static const char *row_of(struct arena *a, const char *name, const char **release)
{
	static const char *const prefixes[] = { "linux-headers-", "linux-image-" };
	static const char *const compilers[] = { "gcc", "clang", "lld" };
	static const char suffix[] = "-dbg";

	*release = "";
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = strlen(prefixes[i]), n = strlen(name), end = sizeof(suffix) - 1;
		bool dbg = n > end && strcmp(name + n - end, suffix) == 0;

		if (strncmp(name, prefixes[i], len) != 0 || !isdigit((unsigned char)name[len]))
			continue;
		*release = arena_strndup(a, name + len, n - len - (dbg ? end : 0));
		return arena_printf(a, "%sRELEASE%s", prefixes[i], dbg ? suffix : "");
	}
	/* Only Debian has a package for each version of these. */
	for (size_t i = 0; i < sizeof(compilers) / sizeof(compilers[0]); i++) {
		size_t len = strlen(compilers[i]);

		if (strncmp(name, compilers[i], len) == 0 && name[len] == '-' &&
		    isdigit((unsigned char)name[len + 1]))
			return compilers[i];
	}
	return name;
}

static const char *local_names(struct arena *a, enum package_system system, const char *name)
{
	const char *release, *row = row_of(a, name, &release), *found;

	if (system <= PACKAGES_APT)
		return name;
	found = lookup(a, system, row);
	if (!found)
		return name;
	found = fill(a, found, "RELEASE", release);
	return fill(a, found, "-FLAVOUR", flavour_of(release));
}

/* Appends the names of a list that @said does not have yet. */
static void add_names(struct arena *a, struct buf *said, const char *list)
{
	for (size_t n; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");

		const char *word = arena_strndup(a, list, n);
		const char *whole = arena_printf(a, " %s ", word);

		if (strcmp(word, "-") != 0 && !strstr(arena_printf(a, "%s ", said->s), whole))
			buf_printf(said, " %s", word);
	}
}

/* ---- interface ---- */

const char *packages_hint_on(struct arena *a, enum package_system system, const char *names)
{
	struct buf said;
	const char *ret;

	buf_init(&said);
	buf_puts(&said, systems[system].install);

	size_t begin = said.len;

	for (size_t n; *names; names += n + (names[n] == ' ')) {
		n = strcspn(names, " ");
		add_names(a, &said, local_names(a, system, arena_strndup(a, names, n)));
	}
	ret = said.len > begin ? arena_strdup(a, said.s) : "";
	buf_deinit(&said);
	return ret;
}

const char *packages_hint(struct arena *a, const char *names)
{
	return packages_hint_on(a, system_here(a), names);
}
