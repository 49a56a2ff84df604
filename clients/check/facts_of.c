/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One script on one kernel. The passes keep what they find out about a kernel, so each has a
 * process of its own, which prints the facts to one file and its messages to another.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "check/private.h"
#include "driver.h"
#include "options/options.h"
#include "run.h"
#include "shared/file.h"

static const struct range nowhere;

/* A script with arguments is one word of the command line: "flow.kp vfs_read". */
static void add_words(struct state *s, struct check_request *words, const char *script)
{
	char *save = NULL, *text = arena_strdup(s->arena, script);

	if (access(script, F_OK) == 0) {
		vec_push(s->arena, &words->options, script);
		return;
	}
	for (char *p = strtok_r(text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		vec_push(s->arena, &words->options, p);
}

static int to_file(const char *path, int fd)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		return -1;
	return close(file);
}

/* Runs in the child. Returns its exit status. */
static int in_child(struct state *s, const struct check_request *r, const char *script,
		    const struct check_kernel *k, const char *facts, const char *said)
{
	struct state child = *s;
	struct check_request words = { 0 };
	char *dir;

	if (to_file(facts, STDOUT_FILENO) || to_file(said, STDERR_FILENO))
		return 1;
	vec_push(s->arena, &words.options, "probec");
	vec_push(s->arena, &words.options, "-wr");
	vec_push(s->arena, &words.options, k->target);
	vec_each(it, &r->options)
		vec_push(s->arena, &words.options, *it);
	vec_push(s->arena, &words.options, "--check");
	add_words(s, &words, script);
	vec_push(s->arena, &words.options, NULL);
	child.opt = (struct options){ 0 };
	/* The numbers of processes come again in a long run. */
	child.tmp_dir = dir = arena_printf(s->arena, "%s/XXXXXX", s->tmp_dir);
	if (!mkdtemp(dir)) {
		dprintf(STDERR_FILENO, "probec: error: can't make a directory in '%s': %s\n",
			s->tmp_dir, strerror(errno));
		return 1;
	}
	if (options_parse(&child, (int)words.options.n - 1, (char **)words.options.v) !=
	    OPTIONS_RUN)
		return 1;
	child.opt.facts = true;
	return driver_run(&child);
}

static bool read_text(struct state *s, const char *path, struct buf *ret)
{
	int e;

	buf_init(ret);
	e = file_read(path, ret);
	if (e)
		diag_error(s->diag, nowhere, E_IO, "can't read '%s': %s", path, strerror(-e));
	return !e;
}

/* The first line with an error, without the name of the program. */
static const char *first_error(struct state *s, const char *messages)
{
	const char *line = strstr(messages, "error: "), *end;

	if (!line)
		return NULL;
	while (line > messages && line[-1] != '\n')
		line--;
	if (strncmp(line, "probec: error: ", strlen("probec: error: ")) == 0)
		line += strlen("probec: error: ");
	end = strchrnul(line, '\n');
	return arena_strndup(s->arena, line, (size_t)(end - line));
}

static void take_facts(struct state *s, struct buf *text, struct check_kernel *k,
		       struct check_result *ret)
{
	char *line;
	size_t at = 0;

	map_init(&ret->facts, s->arena);
	while ((line = buf_line(text, &at))) {
		char *how = strrchr(line, '\t'), *what;

		if (!how)
			continue;
		*how++ = '\0';
		if (strncmp(line, "kernel\t", strlen("kernel\t")) != 0) {
			map_set(&ret->facts, arena_strdup(s->arena, line),
				arena_strdup(s->arena, how));
			continue;
		}
		what = strrchr(line, '\t');
		k->release = arena_strdup(s->arena, what ? what + 1 : "?");
		k->knows_copies = strcmp(how, "known") == 0;
	}
}

int check_script_on(struct state *s, const struct check_request *r, const char *script,
		    struct check_kernel *k, struct check_result *ret)
{
	const char *facts = arena_printf(s->arena, "%s/facts", s->tmp_dir);
	const char *said = arena_printf(s->arena, "%s/said", s->tmp_dir);
	struct buf text;
	int status, who;

	fflush(stdout);
	who = run_wait(&status);
	if (who == 0)
		_exit(in_child(s, r, script, k, facts, said));
	if (who < 0) {
		diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(-who));
		return -1;
	}
	if (!read_text(s, said, &text))
		return -1;
	ret->messages = arena_strndup(s->arena, text.s ? text.s : "", text.len);
	buf_deinit(&text);
	ret->error = NULL;
	if (status) {
		ret->error = first_error(s, ret->messages);
		if (!ret->error)
			ret->error = arena_printf(s->arena, "probec ended with status %d", status);
	}
	if (!read_text(s, facts, &text))
		return -1;
	take_facts(s, &text, k, ret);
	buf_deinit(&text);
	/* Any other signal is a crash, which is the script's error. */
	return status == 128 + SIGINT || status == 128 + SIGTERM || status == 128 + SIGHUP ?
		status - 128 : 0;
}
