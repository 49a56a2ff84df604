/* SPDX-License-Identifier: GPL-2.0 */
/* The hosts of --remote: destinations of ssh, and node sets of ClusterShell. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/packages.h"
#include "base/subprocess.h"
#include "options/private.h"

/* Reports a destination of SystemTap that is reached in another way than by ssh. */
static bool is_other_scheme(struct state *s, const char *host)
{
	static const char *const schemes[][2] = {
		{ "libvirt:", "ssh reaches a virtual machine like any host; --vm runs the script "
			      "in a throwaway one" },
		{ "unix:", "ssh reaches the machine; --vm runs the script in a throwaway one" },
		{ "stapsh:", "leave --remote out: the script runs on this machine" },
		{ "direct:", "leave --remote out: the script runs on this machine" },
	};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (strncmp(host, schemes[i][0], strlen(schemes[i][0])) != 0)
			continue;
		diag_error(s->diag, s->opt.at, E_NOT_SUPPORTED,
			   "--remote=%s is not supported: hosts are reached by ssh", host);
		diag_hint(s->diag, "%s", schemes[i][1]);
		return true;
	}
	return false;
}

/* Destinations as ssh takes them: HOST, USER@HOST, ssh://USER@HOST:PORT. They stand in front of
 * lines, in JSON and in CSV, and are words of a command line. */
static bool is_host(struct state *s, const char *name)
{
	static const char allowed[] = "._-:@/%+~=[]";

	for (const char *c = name; *c; c++) {
		if (*name != '-' && (isalnum((unsigned char)*c) || strchr(allowed, *c)))
			continue;
		wrong(s, "--remote: '%s' is not the name of a host", name);
		diag_hint(s->diag, "Host in ssh_config(5) gives others a name of letters, digits, "
			  "dots and hyphens");
		return false;
	}
	return true;
}

/* @list is changed; @known has the hosts so far. */
static void add_hosts(struct state *s, struct map *known, char *list, const char *separator)
{
	char *save = NULL;

	for (char *p = strtok_r(list, separator, &save); p; p = strtok_r(NULL, separator, &save)) {
		if (!is_host(s, p) || is_other_scheme(s, p))
			return;
		if (map_get(known, p))
			wrong(s, "--remote: the host '%s' is given twice", p);
		map_set(known, p, p);
		vec_push(s->arena, &s->opt.remotes, p);
	}
}

/* Whether @list has what only node sets have: a group (@web), a range in brackets, or an operator.
 * Brackets with a colon are those of an address of IPv6. What has other characters is neither a
 * node set nor a list of hosts. */
static bool is_node_set(const char *list)
{
	static const char operators[] = "!&^", allowed[] = "._-:@/%+~=[],!&^*?";

	for (const char *c = list; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(allowed, *c))
			return false;
	for (const char *c = list; *c; c++) {
		if (*c == '@' && (c == list || c[-1] == ','))
			return true;
		if (strchr(operators, *c))
			return c != list;
		if (*c == '[' && c[1 + strcspn(c + 1, "]:")] != ':')
			return true;
	}
	return false;
}

/* "nodeset: Parse error: ..." without its first word; the last line that is not empty. */
static const char *reason_of(struct buf *said)
{
	char *last = NULL, *line, *colon;
	size_t at = 0;

	while ((line = buf_line(said, &at)))
		last = *line ? line : last;
	colon = last ? strstr(last, ": ") : NULL;
	return colon ? colon + 2 : last;
}

static void add_node_set(struct state *s, struct map *known, const char *set)
{
	const char *const words[] = { "nodeset", "-e", "-S", "\\n", "--", set, NULL };
	size_t before = s->opt.remotes.n;
	const char *reason;
	struct buf out, err;
	int status;

	if (!subprocess_find(s->arena, words[0])) {
		wrong(s, "--remote: '%s' is a node set, and nodeset of ClusterShell is not "
		      "installed", set);
		diag_hint(s->diag, "%s", packages_hint(s->arena, "clustershell"));
		return;
	}
	buf_init(&out);
	buf_init(&err);
	status = subprocess_run(words, NULL, &out, &err);
	reason = reason_of(&err);
	if (status) {
		wrong(s, "--remote: '%s' is not a node set: %s", set,
		      reason ? reason : "nodeset failed");
		diag_hint(s->diag, "nodeset(1) describes them: web[1-40], @group, "
			  "web[1-40]!web7");
	} else {
		if (out.len)
			add_hosts(s, known, arena_strdup(s->arena, out.s), "\n");
		if (before == s->opt.remotes.n && !diag_errors(s->diag)) {
			wrong(s, "--remote: no host is in '%s'", set);
			diag_hint(s->diag, "nodeset -LL lists the groups");
		}
	}
	buf_deinit(&out);
	buf_deinit(&err);
}

void options_take_remotes(struct state *s, const char *arg)
{
	struct map known;

	if (!*arg || *arg == ',' || strstr(arg, ",,") || arg[strlen(arg) - 1] == ',')
		wrong(s, "--remote needs HOST,HOST..., not '%s'", arg);
	map_init(&known, s->arena);
	vec_each(r, &s->opt.remotes)
		map_set(&known, *r, (void *)*r);
	if (is_node_set(arg))
		add_node_set(s, &known, arg);
	else
		add_hosts(s, &known, arena_strdup(s->arena, arg), ",");
}

void options_check_ssh(struct state *s)
{
	const char *ssh = s->opt.ssh ? s->opt.ssh : getenv("PROBEC_SSH"), *word, *base;
	size_t len;

	s->opt.ssh = ssh && *ssh ? ssh : "ssh";
	word = s->opt.ssh + strspn(s->opt.ssh, " \t");
	len = strcspn(word, " \t");
	base = memrchr(word, '/', len);
	base = base ? base + 1 : word;
	if (!len)
		wrong(s, "--ssh needs a command");
	if (!strstr(s->opt.ssh, "{}") || len != (size_t)(base - word) + strlen("ssh") ||
	    strncmp(base, "ssh", strlen("ssh")) != 0)
		return;
	wrong(s, "--ssh: with {}, the host gets three words, which ssh would join into one line");
	diag_hint(s->diag, "without {}, the host and a line for its shell follow the options of "
		  "ssh");
}
