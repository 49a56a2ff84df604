/* SPDX-License-Identifier: GPL-2.0 */
/* Translates probe points of bpftrace, kind:a:b. */
#include "parse/foreign.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* The parts between the colons: "kprobe", "vfs_*". */
struct foreign_row {
	const char *kind, *a, *b; /* a, b: NULL if they are missing */
};

static bool has_kind(const struct foreign_row *p, const char *words)
{
	size_t len = strlen(p->kind);

	for (const char *at = words; (at = strstr(at, p->kind)); at++)
		if (at > words && at[-1] == ' ' && at[len] == ' ')
			return true;
	return false;
}

/* kprobe:FUNCTION, kprobe:MODULE:FUNCTION */
static const char *function(struct arena *a, const struct foreign_row *p, const char *suffix)
{
	const char *name = p->b ? p->b : p->a;

	/* An instruction within the function: "NAME+N" would be a line here. */
	if (strchr(name, '+'))
		return NULL;
	if (p->b && strcmp(p->a, "vmlinux") != 0 && strcmp(p->a, "kernel") != 0)
		return arena_printf(a, "module(\"%s\").function(\"%s\")%s", p->a, name, suffix);
	return arena_printf(a, "kernel.function(\"%s\")%s", name, suffix);
}

/* The kernel's function of some system calls has another name than the call. */
static const char *syscall_name(const char *function)
{
	static const char *const newer[] = { "newstat", "newlstat", "newfstat", "newuname" };

	for (size_t i = 0; i < sizeof(newer) / sizeof(*newer); i++)
		if (strcmp(function, newer[i]) == 0)
			return function + strlen("new");
	return function;
}

/* Tracepoints of system calls are aliases here. */
static const char *event(struct arena *a, const char *system, const char *name)
{
	if (strcmp(system, "syscalls") != 0)
		return arena_printf(a, "kernel.trace(\"%s:%s\")", system, name);
	if (strncmp(name, "sys_enter_", 10) == 0)
		return arena_printf(a, "syscall.%s", syscall_name(name + 10));
	if (strncmp(name, "sys_exit_", 9) == 0)
		return arena_printf(a, "syscall.%s.return", syscall_name(name + 9));
	return "syscall.*";
}

/* tracepoint:SYSTEM:NAME */
static const char *trace(struct arena *a, const struct foreign_row *p)
{
	if (p->b)
		return event(a, p->a, p->b);
	return strcmp(p->a, "syscalls") == 0 ? "syscall.*" :
	       arena_printf(a, "kernel.trace(\"%s\")", p->a);
}

/* A pattern for all programs names their directory here. */
static const char *program(const struct foreign_row *p)
{
	return strcmp(p->a, "*") == 0 ? "/usr/bin/*" : p->a;
}

/* uprobe:PATH:FUNCTION, uprobe:PATH:cpp:FUNCTION, uprobe:PATH:ADDRESS */
static const char *user_function(struct arena *a, const struct foreign_row *p, const char *suffix)
{
	const char *of = p->b ? p->b : "*", *colon = strchr(of, ':');
	const char *name = colon && colon[1] != ':' ? colon + 1 : of;
	size_t len = strlen(name), quoted = *name == '"' && len > 1;

	if (strchr(name, '+'))
		return NULL;
	if (*name >= '0' && *name <= '9')
		return arena_printf(a, "process(\"%s\").statement(%s)", program(p), name);
	if (quoted)
		return arena_printf(a, "process(\"%s\").function(%s)%s", program(p), name, suffix);
	return arena_printf(a, "process(\"%s\").function(\"%s\")%s", program(p), name, suffix);
}

/* usdt:PATH:NAME, usdt:PATH:PROVIDER:NAME */
static const char *mark(struct arena *a, const struct foreign_row *p)
{
	const char *name = p->b ? p->b : "*", *colon = strchr(name, ':');

	if (!colon)
		return arena_printf(a, "process(\"%s\").mark(\"%s\")", program(p), name);
	return arena_printf(a, "process(\"%s\").provider(\"%.*s\").mark(\"%s\")", program(p),
			    (int)(colon - name), name, colon + 1);
}

/* profile:hz:N, profile:s:N, :ms:N, :us:N */
static const char *sample(struct arena *a, const struct foreign_row *p)
{
	long n = p->b ? strtol(p->b, NULL, 10) : 0, second;

	second = strcmp(p->a, "us") == 0 ? 1000000 : strcmp(p->a, "ms") == 0 ? 1000 :
		 strcmp(p->a, "s") == 0 ? 1 : 0;
	if (n > 0 && n <= second)
		return arena_printf(a, "timer.profile.freq.hz(%ld)", second / n);
	if (n > 0 && strcmp(p->a, "hz") == 0)
		return arena_printf(a, "timer.profile.freq.hz(%ld)", n);
	return "timer.profile";
}

/* interval:s:N, :ms:N, :us:N, :hz:N */
static const char *interval(struct arena *a, const struct foreign_row *p)
{
	return p->b ? arena_printf(a, "timer.%s(%s)", p->a, p->b) :
	       strcmp(p->a, "*") == 0 ? "timer.*" : NULL;
}

static const struct counter_row {
	const char *first, *theirs, *here;
} counters[] = {
#define HARDWARE(theirs, here) { "hw", theirs, here },
#define SOFTWARE(theirs, here) { "sw", theirs, here },
#include "parse/foreign_counters.def"
};

/* hardware:EVENT:N, software:EVENT:N */
static const char *counter(struct arena *a, const struct foreign_row *p, const char *first)
{
	if (strcmp(p->a, "*") == 0)
		return arena_printf(a, "perf.%s.*", first);
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++) {
		const struct counter_row *it = &counters[i];

		if (strcmp(it->first, first) != 0 || strcmp(it->theirs, p->a) != 0)
			continue;
		return p->b && *p->b ?
		       arena_printf(a, "perf.%s.%s.sample(%s)", first, it->here, p->b) :
		       arena_printf(a, "perf.%s.%s", first, it->here);
	}
	return NULL;
}

static const char *hardware(struct arena *a, const struct foreign_row *p)
{
	return counter(a, p, "hw");
}

static const char *software(struct arena *a, const struct foreign_row *p)
{
	return counter(a, p, "sw");
}

/* watchpoint:ADDRESS:LENGTH:MODE */
static const char *watchpoint(struct arena *a, const struct foreign_row *p)
{
	const char *colon = p->b ? strchr(p->b, ':') : NULL;

	if (!colon || *p->a < '0' || *p->a > '9')
		return NULL;
	return arena_printf(a, "kernel.data(%s).length(%.*s).%s", p->a, (int)(colon - p->b), p->b,
			    strchr(colon, 'r') ? "rw" : "write");
}

static const struct kind_row {
	const char *words;
	const char *(*translate)(struct arena *a, const struct foreign_row *p);
} kinds[] = {
	{ " interval i ", interval },
	{ " profile p ", sample },
	{ " hardware h ", hardware },
	{ " software s ", software },
	{ " watchpoint w ", watchpoint },
	{ " tracepoint t rawtracepoint rt ", trace },
};

/* Whether a pattern without a name after the program stands for all of its places: "/bin/p", or "*"
 * for all programs. */
static bool is_all(const char *s)
{
	return *s == '/' || strcmp(s, "*") == 0;
}

const char *foreign_translate(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_strndup(a, text, len), *colon = strchr(copy, ':');
	struct foreign_row p = { .kind = copy };

	if (!colon)
		return has_kind(&p, " BEGIN begin ") ? "begin" :
		       has_kind(&p, " END end ") ? "end" : NULL;
	*colon = '\0';
	p.a = colon + 1;
	colon = strchr(colon + 1, ':');
	if (colon) {
		*colon = '\0';
		p.b = colon[1] ? colon + 1 : NULL;
	}
	if (!*p.kind || !*p.a)
		return NULL;
	if (has_kind(&p, " kprobe k fentry kfunc f "))
		return function(a, &p, ".call");
	if (has_kind(&p, " kretprobe kr fexit kretfunc fr "))
		return function(a, &p, ".return");
	if (has_kind(&p, " uprobe u ") && (p.b || is_all(p.a)))
		return user_function(a, &p, ".call");
	if (has_kind(&p, " uretprobe ur ") && (p.b || is_all(p.a)))
		return user_function(a, &p, ".return");
	if (has_kind(&p, " usdt U ") && (p.b || is_all(p.a)))
		return mark(a, &p);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (has_kind(&p, kinds[i].words))
			return kinds[i].translate(a, &p);
	return NULL;
}

const char *foreign_event(struct arena *a, const char *text, size_t len)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_-*?[]";
	const char *copy = arena_strndup(a, text, len);
	size_t left = strspn(copy, name), right = left && copy[left] == ':' ?
						  strspn(copy + left + 1, name) : 0;

	if (!right || copy[left + 1 + right])
		return NULL;
	return event(a, arena_strndup(a, copy, left), copy + left + 1);
}
