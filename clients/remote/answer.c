/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The host's side of the protocol, in shell, and the lines that it answers:
 *
 *   anything               what the login shell prints
 *   probec-remote 1
 *   release RELEASE
 *   machine MACHINE
 *   notes XX XX ...        /sys/kernel/notes, in hex
 *   ready                  and it reads the size of the bundle in a line
 *   time SECONDS.NS        when that line has come; and it reads the bundle
 *   failed REASON          and it ends
 *   start                  and it becomes the session; its input is described in shared/remote.h
 *
 * Standard input stays open until the session is to end. A user who is not root, and has no root's
 * shell by sudo, asks probec-grant for the session, if that is there: $1 is --grant then.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "target/arch/names.h"
#include "target/kernel/kernel.h"
#include "remote/private.h"
#include "shared/grant.h"
#include "shared/remote.h"

#define NS_IN_S 1000000000LL

enum { LINE_MAX_SHOWN = 200, ANSWER_BYTES_MAX = 1 << 18 };

/*
 * No quotes, exclamation marks, backslashes or newlines in the part between quotes: the login shell
 * may be of another kind. A directory is tried by running an empty file in it, because file systems
 * are often mounted noexec. What is in the directory is removed however this shell ends, and by the
 * session itself at its start, which also counts if this shell is killed. A signal that comes while
 * the trap of EXIT runs ends that trap, so the traps of signals remove it as well.
 */
static const char command[] =
	"exec sh -c '"
	"if [ \"$(id -u)\" = 0 ]; then exec sh -c \"$1\"; "
	"elif [ -S " GRANT_SOCKET " ] && [ -z \"$(sudo -n sh -c \"echo 1\" 2>/dev/null)\" ]; "
	"then exec sh -c \"$1\" sh --grant; else exec sudo -n sh -c \"$1\"; fi"
	"' sh '"
	"LC_ALL=C; export LC_ALL; umask 077; d=; "
	"end() { [ -z \"$d\" ] || rm -rf \"$d\"; }; "
	"fail() { echo \"failed $*\"; exit 1; }; "
	"trap end EXIT; trap \"end; exit 1\" HUP INT TERM PIPE; "
	"echo; echo probec-remote 1; echo release $(uname -r); echo machine $(uname -m); "
	"echo notes $(od -An -v -tx1 /sys/kernel/notes 2>/dev/null); "
	"for t in \"$TMPDIR\" /tmp /var/tmp /dev/shm \"$HOME\"; do "
	"[ -d \"$t\" ] || continue; "
	"d=$(mktemp -d \"$t/" REMOTE_DIR_PREFIX "XXXXXX\" 2>/dev/null) || continue; f=$d/run; "
	": >\"$f\" && chmod 700 \"$f\" && \"$f\" 2>/dev/null && break; "
	"rm -rf \"$d\"; d=; done; "
	"[ -n \"$d\" ] || fail no directory allows to write and run a program; "
	"echo ready; read n || exit 1; echo time $(date +%%s.%%N); "
	"e=$(head -c \"$n\" 2>&1 >\"$f\") || fail the bundle cannot be stored: $e; "
	"[ \"$(wc -c <\"$f\")\" -eq \"$n\" ] || exit 1; "
	"echo start; \"$f\" $1 \"--remote-end=%zu:%s\"'";

/* Names of hosts have none of the characters that mean something between double quotes. */
const char *answer_command(struct arena *a, size_t number, const char *name)
{
	return arena_printf(a, command, number, name);
}

/* The rest of the line after @word and a space, or NULL. */
static const char *after(const char *line, const char *word)
{
	size_t len = strlen(word);

	return strncmp(line, word, len) == 0 && line[len] == ' ' ? line + len + 1 : NULL;
}

/* A name of a kernel or a processor, which becomes part of paths here. */
static bool take_name(const char *text, char *to, size_t size)
{
	size_t len = strlen(text);

	if (!isalnum((unsigned char)*text) || len >= size)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("._+~-", text[i]))
			return false;
	memcpy(to, text, len + 1);
	return true;
}

/* The notes have no build-id if they are not hex. */
static void take_notes(struct arena *a, struct host_answer *ret, const char *hex)
{
	char *notes = arena_alloc(a, strlen(hex) / 2 + 1);
	unsigned byte;
	size_t n = 0;
	int used;

	for (; sscanf(hex, " %2x%n", &byte, &used) == 1; hex += used)
		notes[n++] = (char)byte;
	ret->build_id = kernel_build_id_of_notes(a, notes, n);
}

/* A date of busybox may know no nanoseconds. */
static void take_time(struct host_answer *ret, const char *text)
{
	long long seconds;
	unsigned long ns;
	int digits = 0;

	if (sscanf(text, "%lld.%9lu%n", &seconds, &ns, &digits) < 2 || strlen(text) < 10 ||
	    text[strlen(text) - 10] != '.') {
		ns = 0;
		ret->coarse = NS_IN_S;
		if (sscanf(text, "%lld", &seconds) != 1)
			return;
	}
	if (seconds > 0 && seconds < INT64_MAX / NS_IN_S)
		ret->clock = seconds * NS_IN_S + (long long)ns;
}

static enum answer_result wrong(struct host_answer *ret, const char *text)
{
	ret->wrong = text;
	return ANSWER_WRONG;
}

/* Words of a host are shown to users: control characters and what is not ASCII are left out. */
static const char *plain(struct arena *a, const char *text)
{
	char *copy = arena_strndup(a, text, strnlen(text, LINE_MAX_SHOWN));

	for (char *p = copy; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return copy;
}

static enum answer_result take(struct arena *a, struct host_answer *ret, const char *line)
{
	const char *rest;

	if (!ret->begun) {
		ret->begun = strcmp(line, "probec-remote 1") == 0;
		return ANSWER_MORE;
	}
	if ((rest = after(line, "release")))
		return take_name(rest, ret->release, sizeof(ret->release)) ? ANSWER_MORE :
			wrong(ret, "its uname -r is not the name of a kernel");
	if ((rest = after(line, "machine")))
		return take_name(rest, ret->machine, sizeof(ret->machine)) ? ANSWER_MORE :
			wrong(ret, "its uname -m is not the name of a processor");
	if ((rest = after(line, "notes"))) {
		take_notes(a, ret, rest);
		return ANSWER_MORE;
	}
	if ((rest = after(line, "time"))) {
		take_time(ret, rest);
		return ANSWER_MORE;
	}
	if ((rest = after(line, "failed")))
		return wrong(ret, plain(a, rest));
	if (strcmp(line, "start") == 0)
		return ANSWER_STARTED;
	if (strcmp(line, "notes") == 0)
		return ANSWER_MORE;
	if (strcmp(line, "ready") != 0)
		return wrong(ret, "its answer is not that of the command that was sent");
	if (!*ret->release)
		return wrong(ret, "its uname -r is missing");
	if (strcmp(ret->machine, ARCH_OWN_MACHINE) != 0)
		return wrong(ret, arena_printf(a, "its processor is '%s', and probec builds for "
					       ARCH_OWN_MACHINE, ret->machine));
	return ANSWER_READY;
}

enum answer_result answer_take(struct arena *a, struct host_answer *ret, const char *line,
			       size_t len)
{
	ret->bytes += len + 1;
	if (ret->bytes > ANSWER_BYTES_MAX)
		return wrong(ret, "it prints a lot, but no answer to the command that was sent");
	return take(a, ret, arena_strndup(a, line, len));
}
