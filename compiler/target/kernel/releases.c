/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernels that -r can name. A version ("6.1") means one of several releases
 * ("6.1.0-56-cloud-amd64"), by the rule of lab/common.sh for --vm. If that rule does not decide,
 * the installed ones are listed.
 */
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/packages.h"
#include "base/words.h"
#include "target/arch/names.h"
#include "target/kernel/private.h"
#include "state.h"

struct releases { VEC(const char *) v; };

#define A_RELEASE "6.1.0-56-cloud" MACHINE
#define HEADERS "/usr/src/linux-headers-"
#define IMAGES "/boot/vmlinuz-"
#define MACHINE "-" ARCH_OWN_DEBIAN

/* ---- listing them ---- */

static void add(struct state *s, struct releases *list, const char *name, size_t len)
{
	const char *copy = arena_strndup(s->arena, name, len);

	if (!words_has(list->v.v, list->v.n, copy))
		vec_push(s->arena, &list->v, copy);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The name of the directory that has the last component of a path. */
static const char *directory_above(const char *path)
{
	const char *end = strrchr(path, '/');
	const char *slash = memrchr(path, '/', (size_t)(end - path));

	return slash ? slash + 1 : path;
}

/* Finds captured targets, build trees and images, but not parts of one ("6.1.0-56-common"). */
static void find_releases(struct state *s, struct releases *ret)
{
	glob_t found = {0};

	glob("/lib/modules/*/build", 0, NULL, &found);
	glob(HEADERS "*/include/generated/utsrelease.h", GLOB_APPEND, NULL, &found);
	glob(IMAGES "*", GLOB_APPEND, NULL, &found);
	if (s->cache_dir) {
		glob(arena_printf(s->arena, "%s/targets/*", s->cache_dir), GLOB_APPEND, NULL,
		     &found);
		glob(arena_printf(s->arena, "%s/lab/*/build", s->cache_dir), GLOB_APPEND, NULL,
		     &found);
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i], *name = strrchr(path, '/') + 1;

		if (strncmp(path, HEADERS, strlen(HEADERS)) == 0)
			name = path + strlen(HEADERS);
		else if (strncmp(path, IMAGES, strlen(IMAGES)) == 0)
			name = path + strlen(IMAGES);
		else if (strcmp(name, "build") == 0)
			name = directory_above(path);
		add(s, ret, name, strcspn(name, "/"));
	}
	globfree(&found);
	if (ret->v.n)
		qsort(ret->v.v, ret->v.n, sizeof(*ret->v.v), compare);
}

/* Whether @version is that of @release: 6.1 is that of 6.1.0-1-amd64, but not of 6.12.0-1-amd64. */
static bool is_of(const char *release, const char *version)
{
	size_t len = strlen(version);

	return len > 0 && strncmp(release, version, len) == 0 && !isdigit(release[len]);
}

static void find_of(struct state *s, const struct releases *all, const char *version,
		    struct releases *ret)
{
	vec_each(it, &all->v) {
		if (is_of(*it, version))
			vec_push(s->arena, &ret->v, *it);
	}
}

const char *kernel_releases_newest(struct state *s, const char *version)
{
	static const char *const flavours[] = { "-cloud", "-rt" };
	struct releases all = {0}, near = {0};
	const char *flavour = flavours[0], *found = NULL;
	size_t len = strlen(version);

	if (words_end(version, MACHINE))
		len -= strlen(MACHINE);
	version = arena_strndup(s->arena, version, len);
	for (size_t i = 0; i < sizeof(flavours) / sizeof(flavours[0]); i++) {
		if (words_end(version, flavours[i])) {
			flavour = flavours[i];
			version = arena_strndup(s->arena, version, len - strlen(flavour));
			break;
		}
	}
	find_releases(s, &all);
	find_of(s, &all, version, &near);
	flavour = arena_printf(s->arena, "%s" MACHINE, flavour);
	vec_each(it, &near.v) {
		if (words_end(*it, flavour) && (!found || strverscmp(*it, found) > 0))
			found = *it;
	}
	return found || near.v.n != 1 ? found : near.v.v[0];
}

/* ---- reporting them ---- */

/* Whether @release has the part that distinguishes builds of a version, as `uname -r` prints it. */
static bool is_whole(const char *release)
{
	unsigned a, b, c;
	int end = 0;

	return sscanf(release, "%u.%u.%u%n", &a, &b, &c, &end) == 3 && release[end];
}

void kernel_releases_report(struct state *s, const char *release)
{
	struct releases all = {0}, near = {0};

	find_releases(s, &all);
	find_of(s, &all, release, &near);
	diag_error(s->diag, (struct range){0}, E_NO_HEADERS,
		   "no information is available about a kernel '%s'", release);
	if (near.v.n) {
		diag_hint(s->diag, "available for that version: %s; -r takes the full name",
			  words_join(s->arena, near.v.v, near.v.n));
		return;
	}
	if (is_whole(release))
		diag_hint(s->diag, "%s, or %s",
			  packages_hint(s->arena, arena_printf(s->arena, "linux-headers-%s",
							       release)),
			  KERNEL_HOW_TO_DESCRIBE);
	else
		diag_hint(s->diag, "-r takes what `uname -r` says there, as " A_RELEASE
			  ", whose headers are linux-headers-" A_RELEASE "; or %s",
			  KERNEL_HOW_TO_DESCRIBE);
	if (all.v.n)
		diag_hint(s->diag, "known here: %s", words_join(s->arena, all.v.v, all.v.n));
}
