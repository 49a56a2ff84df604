/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds separate files with the debug information and the symbols of a program. libdwfl asks for
 * one when the program lacks either. They are searched by build-id and .gnu_debuglink in the
 * directories of --debuginfo or in the usual ones, by libdwfl itself, and then on the servers of
 * DEBUGINFOD_URLS.
 *
 * libdwfl would ask these servers as well, but reports neither progress nor errors. So
 * DEBUGINFOD_URLS is hidden from it, and libdebuginfod is used here if it is installed. That
 * library caches files below ~/.cache, and also that a server lacks a file
 * (debuginfod_find_debuginfo(3)).
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/packages.h"
#include "shared/clock.h"
#include "target/object/private.h"
#include "state.h"

enum {
	QUIET = 2,    /* seconds before the first message */
	EVERY = 5,    /* ... between messages */
	PATIENCE = 20, /* ... without any progress */
};

/* The bytes of an answer, unless DEBUGINFOD_MAXSIZE says it: a server may send without end. */
#define MOST_BYTES (4L << 30)

/* One query. */
struct query {
	const char *path;      /* of the program */
	long done, most;       /* bytes */
	time_t began, moved, said;
	bool stalled, too_much;
};

/* The functions of libdebuginfod, which load() sets. They are at file scope because progress() is
 * called with nothing but the client. */
static struct {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	int (*find)(debuginfod_client *client, const unsigned char *build_id, int size,
		    char **path);
	void (*set_progress)(debuginfod_client *client,
			     int (*progress)(debuginfod_client *client, long a, long b));
	void (*set_data)(debuginfod_client *client, void *data);
	void *(*get_data)(debuginfod_client *client);
} library;

static time_t now(void)
{
	return clock_ns() / 1000000000;
}

/* Reports that @a of @b bytes were received; @b may not be known. libdebuginfod calls this about
 * once a second, and ends the query if the result is not 0. */
static int progress(debuginfod_client *client, long a, long b)
{
	struct query *q = library.get_data(client);
	time_t t = now();

	if (a != q->done) {
		q->done = a;
		q->moved = t;
	}
	q->stalled = t - q->moved >= PATIENCE;
	q->too_much = a > q->most;
	if (t - q->began >= QUIET && t - q->said >= EVERY) {
		q->said = t;
		if (b > 0)
			fprintf(stderr, "probec: fetching the debug information of %s: %ld of %ld "
					"kB\n", q->path, a / 1024, b / 1024);
		else
			fprintf(stderr, "probec: requesting the debug information of %s from a "
				"server\n", q->path);
	}
	return q->stalled || q->too_much;
}

/* Returns false if libdebuginfod is not installed. */
static bool load(void)
{
	static const struct { const char *name; void *to; } all[] = {
		{ "debuginfod_end", &library.end },
		{ "debuginfod_find_debuginfo", &library.find },
		{ "debuginfod_set_progressfn", &library.set_progress },
		{ "debuginfod_set_user_data", &library.set_data },
		{ "debuginfod_get_user_data", &library.get_data },
		{ "debuginfod_begin", &library.begin }, /* the last one: if it is set, all are */
	};
	void *file;

	if (library.begin)
		return true;
	file = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	for (size_t i = 0; file && i < sizeof(all) / sizeof(*all); i++) {
		void *symbol = dlsym(file, all[i].name);

		if (!symbol)
			return false;
		memcpy(all[i].to, &symbol, sizeof(symbol));
	}
	return file;
}

static long most_bytes(void)
{
	const char *text = getenv("DEBUGINFOD_MAXSIZE");
	long n = text ? strtol(text, NULL, 10) : 0;

	return n > 0 ? n : MOST_BYTES;
}

static void report(struct state *s, const struct query *q, int err, const char *urls)
{
	struct range nowhere = { 0 };
	const char *why = strerror(-err);

	if (q->too_much)
		why = arena_printf(s->arena, "the server sends more than %ld MB",
				   q->most / 1000000);
	else if (q->stalled)
		why = "the server does not answer";
	else if (err == -ENOENT)
		return;
	diag_warn(s->diag, nowhere, E_NO_DEBUGINFO,
		  "the debug information of %s can't be fetched: %s", q->path, why);
	diag_hint(s->diag, "DEBUGINFOD_URLS names '%s'; without it, no server is used", urls);
}

/* Returns a descriptor of the file, or a negative number. */
static int fetch(struct state *s, Dwfl_Module *m, const char *path, const char *urls, char **ret)
{
	struct query q = { .path = path, .most = most_bytes(), .began = now(), .moved = now() };
	const unsigned char *build_id;
	struct range nowhere = { 0 };
	debuginfod_client *client;
	GElf_Addr at;
	int size = dwfl_module_build_id(m, &build_id, &at), fd;

	if (size <= 0)
		return -1;
	if (!load()) {
		diag_warn(s->diag, nowhere, E_NO_DEBUGINFO, "DEBUGINFOD_URLS is set, but "
			  "libdebuginfod.so.1 is not installed");
		diag_hint(s->diag, "%s", packages_hint(s->arena, "libdebuginfod1"));
		return -1;
	}
	client = library.begin();
	if (!client)
		return -1;
	library.set_data(client, &q);
	library.set_progress(client, progress);
	fd = library.find(client, build_id, size, ret);
	library.end(client);
	if (fd < 0)
		report(s, &q, fd, urls);
	return fd;
}

int object_find_debug_file(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base,
			   const char *file, const char *link, GElf_Word crc, char **ret)
{
	struct object_file *f = *data;
	const char *named = f->s->opt.debuginfo, *urls = getenv("DEBUGINFOD_URLS");
	int fd;

	if (named && !*named)
		return -1;
	urls = urls && *urls ? arena_strdup(f->s->arena, urls) : NULL;
	unsetenv("DEBUGINFOD_URLS");
	fd = dwfl_standard_find_debuginfo(m, data, name, base, file, link, crc, ret);
	if (urls)
		setenv("DEBUGINFOD_URLS", urls, 1);
	if (fd >= 0 || named || !urls || f->asked)
		return fd;
	f->asked = true;
	return fetch(f->s, m, f->o.path, urls, ret);
}
