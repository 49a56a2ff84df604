/* SPDX-License-Identifier: GPL-2.0 */
/* Translates probe points of bpftrace, kind:a:b. */
#include "parse/foreign.h"

#include <stddef.h>
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

	if (p->b && strcmp(p->a, "vmlinux") != 0 && strcmp(p->a, "kernel") != 0)
		return arena_printf(a, "module(\"%s\").function(\"%s\")%s", p->a, name, suffix);
	return arena_printf(a, "kernel.function(\"%s\")%s", name, suffix);
}

/* tracepoint:SYSTEM:NAME; those of system calls are aliases here. */
static const char *trace(struct arena *a, const struct foreign_row *p)
{
	if (!p->b)
		return arena_printf(a, "kernel.trace(\"%s\")", p->a);
	if (strcmp(p->a, "syscalls") == 0 && strncmp(p->b, "sys_enter_", 10) == 0)
		return arena_printf(a, "syscall.%s", p->b + 10);
	if (strcmp(p->a, "syscalls") == 0 && strncmp(p->b, "sys_exit_", 9) == 0)
		return arena_printf(a, "syscall.%s.return", p->b + 9);
	return arena_printf(a, "kernel.trace(\"%s:%s\")", p->a, p->b);
}

/* uprobe:PATH:FUNCTION */
static const char *user_function(struct arena *a, const struct foreign_row *p, const char *suffix)
{
	return arena_printf(a, "process(\"%s\").function(\"%s\")%s", p->a, p->b, suffix);
}

/* usdt:PATH:NAME, usdt:PATH:PROVIDER:NAME */
static const char *mark(struct arena *a, const struct foreign_row *p)
{
	const char *colon = strchr(p->b, ':');

	if (!colon)
		return arena_printf(a, "process(\"%s\").mark(\"%s\")", p->a, p->b);
	return arena_printf(a, "process(\"%s\").provider(\"%.*s\").mark(\"%s\")", p->a,
			    (int)(colon - p->b), p->b, colon + 1);
}

const char *foreign_translate(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_strndup(a, text, len), *colon = strchr(copy, ':');
	struct foreign_row p = { .kind = copy };

	if (!colon)
		return has_kind(&p, " BEGIN ") ? "begin" : has_kind(&p, " END ") ? "end" : NULL;
	*colon = '\0';
	p.a = colon + 1;
	colon = strchr(colon + 1, ':');
	if (colon) {
		*colon = '\0';
		p.b = colon + 1;
	}
	if (!*p.kind || !*p.a || (p.b && !*p.b))
		return NULL;
	if (has_kind(&p, " kprobe k fentry kfunc f "))
		return function(a, &p, "");
	if (has_kind(&p, " kretprobe kr fexit kretfunc fr "))
		return function(a, &p, ".return");
	if (has_kind(&p, " tracepoint t rawtracepoint rt "))
		return trace(a, &p);
	if (has_kind(&p, " uprobe u ") && p.b)
		return user_function(a, &p, "");
	if (has_kind(&p, " uretprobe ur ") && p.b)
		return user_function(a, &p, ".return");
	if (has_kind(&p, " usdt U ") && p.b)
		return mark(a, &p);
	if (has_kind(&p, " interval i ") && p.b)
		return arena_printf(a, "timer.%s(%s)", p.a, p.b);
	if (has_kind(&p, " profile p ") && p.b && strcmp(p.a, "hz") == 0)
		return arena_printf(a, "timer.profile.freq.hz(%s)", p.b);
	return has_kind(&p, " profile p ") ? "timer.profile" : NULL;
}
