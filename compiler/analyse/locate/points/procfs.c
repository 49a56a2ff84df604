/* SPDX-License-Identifier: GPL-2.0 */
/* Files of the session in /proc, and proberun's standard input. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "analyse/locate/points/provider.h"
#include "state.h"

#define SIZE_MOST (1 << 20)
#define NAME_MOST 64

/* The name of a file without a name, as in SystemTap. */
#define UNNAMED "command"

enum { READS, WRITES, LINES, CHARACTERS };

#define FILE_FORMS(file)                                                                          \
	{ file ".read", NULL, READS },                                                            \
	{ file ".read.maxsize(N)", NULL, READS },                                                 \
	{ file ".umask(N).read", NULL, READS },                                                   \
	{ file ".umask(N).read.maxsize(N)", NULL, READS },                                        \
	{ file ".write", NULL, WRITES },                                                          \
	{ file ".umask(N).write", NULL, WRITES }

static const struct form forms[] = {
	FILE_FORMS("procfs"),
	FILE_FORMS("procfs(S)"),
	/* input.line and input.char, which the library gives a variable */
	{ "stdin.line", NULL, LINES },
	{ "stdin.char", NULL, CHARACTERS },
};

static int refuse_arg(const struct located_request *rq, const struct pp_component *part,
		      const char *what)
{
	if (!rq->quiet)
		diag_error(rq->s->diag, part->arg->range, E_PROBE_POINT, "%s", what);
	return -EINVAL;
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_.-+:@", c));
}

/* Proposes the name with other characters in place of those that it can't have. */
static void propose_name(struct state *s, const char *name)
{
	char *better = arena_strdup(s->arena, name + strspn(name, "./"));

	for (char *c = better; *c; c++)
		if (!in_name(*c))
			*c = '-';
	if (*better && strlen(better) < NAME_MOST)
		diag_hint(s->diag, "procfs(\"%s\") is one: all files are in the session's folder",
			  better);
}

/* A name is one file of the session's folder, and needs no quotes in a shell. */
static int check_name(const struct located_request *rq, const struct pp_component *part)
{
	const char *name = part->arg->u.str.s;
	size_t n = part->arg->u.str.len;
	bool ok = n > 0 && n < NAME_MOST && strlen(name) == n && name[0] != '.';

	for (size_t i = 0; ok && i < n; i++)
		ok = in_name(name[i]);
	if (ok)
		return 0;
	refuse_arg(rq, part, "the name of a file has letters, digits and _.-+:@, and does not "
		   "begin with a dot");
	if (!rq->quiet)
		propose_name(rq->s, name);
	return -EINVAL;
}

static int read_number(const struct located_request *rq, const struct pp_component *part,
		       struct channel *ret)
{
	bool is_size = strcmp(part->name, "maxsize") == 0;
	int64_t n = 0, most = is_size ? SIZE_MOST : 0777;

	if (!is_size && strcmp(part->name, "umask") != 0)
		return 0;
	provider_number(part, &n);
	if (n < is_size || n > most)
		return provider_bad_number(rq, part, "a file in /proc", is_size ?
					   "at least 1 and at most 1048576" :
					   "at least 0 and at most 0777");
	if (is_size)
		ret->size = (uint32_t)n;
	else
		ret->umask = (unsigned)n;
	return 0;
}

static int locate(const struct located_request *rq, struct located *ret)
{
	struct channel *channel = NEW(rq->s->arena, struct channel);
	const struct pp_component *file = &rq->pp->parts.v[0];
	int64_t what = rq->form->what;
	int err = 0;

	ret->channel = channel;
	if (what == LINES || what == CHARACTERS) {
		ret->kind = PK_INPUT;
		channel->name = what == LINES ? "line" : "char";
		channel->size = what == LINES ? 0 : 1;
		return 0;
	}
	ret->kind = what == READS ? PK_PROCFS_READ : PK_PROCFS_WRITE;
	channel->name = UNNAMED;
	channel->umask = 0077;
	if (file->has_arg) {
		err = check_name(rq, file);
		channel->name = file->arg->u.str.s;
	}
	for (size_t i = 1; i < rq->pp->parts.n && !err; i++)
		err = read_number(rq, &rq->pp->parts.v[i], channel);
	return err;
}

const struct provider procfs_provider = {
	"procfs", forms, sizeof(forms) / sizeof(forms[0]), locate,
};
