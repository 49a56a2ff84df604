/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Captured targets that say which functions are inlined, so that machines without the debug
 * information of their kernels know it. The section is the last one of the file.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "check/private.h"
#include "run.h"
#include "shared/file.h"
#include "target/dwarf/dwarf.h"
#include "target/kernel/kernel.h"
#include "target/kernel/namelist.h"

static const struct range nowhere;
static const char end[] = "\nend\n";

/* @names: sorted, each once. */
static int write_target(struct state *s, const char *path, const struct buf *names)
{
	struct buf text;
	struct stat st;
	int e;

	buf_init(&text);
	e = stat(path, &st) ? -errno : file_read(path, &text);
	if (!e && (text.len < strlen(end) ||
		   memcmp(text.s + text.len - strlen(end), end, strlen(end)) != 0))
		e = -EINVAL;
	if (!e) {
		struct buf head;

		text.len -= strlen(end) - 1;
		buf_init(&head);
		buf_printf(&head, "section inlined %zu\n", names->len);

		const struct iovec parts[] = {
			{ text.s, text.len }, { head.s, head.len }, { names->s, names->len },
			{ (char *)end, strlen(end) },
		};

		e = file_replace(path, st.st_mode & 0777, parts, 4);
		buf_deinit(&head);
	}
	buf_deinit(&text);
	if (e)
		diag_error(s->diag, nowhere, E_IO, "can't change '%s': %s", path, strerror(-e));
	return e ? 1 : 0;
}

/* The names of @places that are there once the kernel has started, sorted, each once. Returns their
 * number. */
static size_t put_names(const struct dwarf_places *places, struct buf *ret)
{
	const char *last = "";
	struct buf all;
	size_t at = 0, n = 0;
	char *line;

	buf_init(&all);
	vec_each(it, &places->v)
		if (!(*it)->is_init)
			namelist_add(&all, (*it)->function, strlen((*it)->function));
	namelist_sort(&all);
	while ((line = buf_line(&all, &at))) {
		if (strcmp(line, last) != 0) {
			buf_printf(ret, "%s\n", line);
			last = line;
			n++;
		}
	}
	buf_deinit(&all);
	return n;
}

static int add(struct state *s, const char *path)
{
	const struct dwarf_spec any = { .function = "*" };
	struct dwarf_places copies = { 0 };
	struct dwarf_db *db;
	struct buf names;
	const char *why;
	int status;
	size_t n;

	if (kernel_knows_inlined(s->kernel)) {
		printf("%s: already says which functions are inlined\n", path);
		return 0;
	}
	db = dwarf_db_get(s, "kernel", &why);
	if (!db) {
		diag_error(s->diag, nowhere, E_NO_DEBUGINFO, "%s has no debug information here",
			   kernel_release(s->kernel));
		diag_hint(s->diag, "%s", why);
		return 1;
	}
	dwarf_functions(db, &any, DWARF_COPIES, &copies);
	buf_init(&names);
	n = put_names(&copies, &names);
	status = write_target(s, path, &names);
	buf_deinit(&names);
	if (!status)
		printf("%s: %zu functions are inlined at some places\n", path, n);
	return status;
}

/* Runs in a child, because what is known about a kernel is kept in the state. */
static int add_in_child(struct state *s, const char *path)
{
	int status = 1;

	if (!kernel_open(s, path, &s->kernel))
		status = add(s, path);
	dwarf_close(s);
	kernel_close(s->kernel);
	return fflush(stdout) ? 1 : status;
}

int check_add_inlined(struct state *s, const char *path)
{
	int status, who;

	fflush(stdout);
	who = run_wait(&status);
	if (who == 0)
		_exit(add_in_child(s, path));
	if (who < 0)
		diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(-who));
	return who < 0 ? 1 : status;
}
