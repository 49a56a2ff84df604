/* SPDX-License-Identifier: GPL-2.0 */
/* Messages about the events of a session. */
#include "show/report.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "device/device.h"
#include "machine/unarmed.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "show/args.h"

enum { SHOWN = 10 };

#define FTRACE_SWITCH "/proc/sys/kernel/ftrace_enabled"
#define KPROBE_SWITCH "/sys/kernel/debug/kprobes/enabled"

static const struct {
	const char *id, *text, *hint;
} errors[] = {
	[PRT_E_DIV_ZERO] = { "E_DIV_ZERO", "division by zero", NULL },
	[PRT_E_BAD_ADDRESS] = { "E_BAD_ADDRESS", "bad address", NULL },
	[PRT_E_ARRAY_FULL] = { "E_ARRAY_FULL", "array is full",
			       "global a[N] or -D MAXMAPENTRIES=N makes it larger" },
	[PRT_E_EMPTY_AGGREGATE] = { "E_EMPTY_AGGREGATE", "empty aggregate", "test @count() first" },
	[PRT_E_STEPS] = { "E_STEPS", "too many steps in one hit", "-D MAXACTION=N allows more" },
	[PRT_E_NESTING] = { "E_NESTING", "calls nested too deeply", "-D MAXNESTING=N allows more" },
	[PRT_E_SCRIPT] = { "E_SCRIPT", "", NULL },
	[PRT_E_BAD_VALUE] = { "E_BAD_VALUE", "bad value", NULL },
	[PRT_E_OVERLOAD] = { "E_OVERLOAD", "the probes took too much of a processor",
			     "probe functions that are called less often, do less in this probe, "
			     "or raise the limit: -D MAXLOAD=PERCENT; --suppress-time-limits "
			     "removes it" },
	[PRT_E_STARVED] = { "E_OVERLOAD", "the probes took nearly all of the machine",
			    "probe fewer places, or code that runs less often; a line costs many "
			    "times what the entry of a function does. No option lifts this limit" },
	[PRT_E_STACK] = { "E_NESTING", "calls nested too deeply for the kernel's stack",
			  "a loop needs no stack" },
	[PRT_E_OTHER_PROGRAM] = { "E_OTHER_PROGRAM",
				  "the process does not run the variable's program",
				  "a condition on pid() or execname() selects processes" },
	[PRT_E_THREAD_LOCAL] = { "E_THREAD_LOCAL", "no thread-local memory",
				 "try { } catch { } skips such hits" },
};

static bool is_overload(int64_t code)
{
	return code == PRT_E_OVERLOAD || code == PRT_E_STARVED;
}

/* Uses the source location of the error itself; an overload has only that of its probe. */
static const struct position *srcloc_of(const struct meta *m, uint64_t srcloc, uint32_t probe)
{
	const struct position *p = srcloc < m->nsrclocs ? &m->srclocs[srcloc] : NULL;

	if (p && p->file)
		return p;
	return probe < m->nprobes ? report_srcloc(m, probe) : NULL;
}

const struct position *report_srcloc(const struct meta *m, uint32_t probe)
{
	uint32_t srcloc = m->probes[probe].srcloc;

	return srcloc == META_NO_SRCLOC ? NULL : &m->srclocs[srcloc];
}

bool report_error(const struct meta *m, uint32_t probe, const void *args, size_t len,
		  const uint64_t *called, unsigned ncalled)
{
	struct args a = { "lls", args, (const char *)args + len };
	const struct position *calls[REPORT_CALLED_MAX];
	struct arg code, srcloc, s;
	struct buf t = { 0 };

	for (unsigned i = 0; i < ncalled; i++)
		calls[i] = srcloc_of(m, called[i], UINT32_MAX);

	if (args_next(&a, &code) || args_next(&a, &srcloc) || args_next(&a, &s)) {
		say_error("E_INTERNAL", NULL, "a damaged error record");
		return false;
	}
	if (code.number == PRT_E_ABORT)
		return false;
	if (code.number <= 0 || (size_t)code.number >= sizeof(errors) / sizeof(errors[0]))
		code.number = PRT_E_BAD_VALUE;
	buf_puts(&t, errors[code.number].text);
	if (s.len && t.len)
		buf_puts(&t, ": ");
	buf_write(&t, s.s, s.len);
	say_message(&(struct say_message){
		.kind = "error",
		.id = errors[code.number].id,
		.text = t.s,
		.len = t.len,
		.hint = errors[code.number].hint,
		.srcloc = srcloc_of(m, (uint64_t)srcloc.number,
				  is_overload(code.number) ? probe : UINT32_MAX),
		.probe = probe < m->nprobes ? m->probes[probe].pp : NULL,
		.called = calls,
		.ncalled = ncalled,
	});
	buf_deinit(&t);
	return true;
}

void report_warning(const void *args, size_t len, bool debug)
{
	struct args a = { "s", args, (const char *)args + len };
	struct arg s;

	if (args_next(&a, &s)) {
		say_error("E_INTERNAL", NULL, "a damaged message record");
		return;
	}
	say_message(&(struct say_message){ .kind = "warning", .text = s.s, .len = s.len,
					   .bare = debug });
}

static bool is_off(const char *path)
{
	char text[8];

	return file_read_line(path, text, sizeof(text)) == 0 && strcmp(text, "0") == 0;
}

/* Reports probes that are registered but will never fire, which the kernel does not treat as an
 * error. */
static int report_switches(const struct prt_site_status *status, uint32_t n)
{
	uint32_t kprobes = 0;
	int off = 0;

	for (uint32_t i = 0; i < n; i++) {
		kprobes += (status[i].state == PRT_SITE_ARMED ||
			    status[i].error == -ESHUTDOWN) &&
			   (status[i].mechanism == PRT_MECH_KPROBE ||
			    status[i].mechanism == PRT_MECH_KRETPROBE);
		off |= status[i].error == -ESHUTDOWN;
	}
	if (!kprobes)
		return 0;
	if (off || is_off(KPROBE_SWITCH)) {
		say_error("E_ARM", "echo 1 > " KPROBE_SWITCH,
			  "kprobes are switched off: %u of %u sites would see nothing", kprobes, n);
		return -1;
	}
	if (is_off(FTRACE_SWITCH))
		say_warn("E_ARM", "sysctl kernel.ftrace_enabled=1",
			 "kernel.ftrace_enabled is 0: probes where a function begins see nothing");
	return 0;
}

/* The same for a site that is not a function. */
static const char *event_hint(const struct meta_site *s, int err)
{
	if (err == -ENOMEM)
		return "free some memory";
	if (s->is_data && err == -ENOSPC)
		return "a processor has four watchpoints, which all users share; watch fewer "
		       "variables";
	if (s->is_data && (err == -EINVAL || err == -EOPNOTSUPP))
		return "the processor can't watch this address: it must be one of the kernel's "
		       "data, and a multiple of the length";
	if (err == -ESRCH)
		return "there is no such program here: give the full path of its file";
	if (!s->is_data && (err == -ENOENT || err == -EOPNOTSUPP || err == -ENODEV))
		return "this machine has no such counter, as most virtual machines have none of "
		       "the processor's; perf list shows what is available";
	if (!s->is_data && err == -EINVAL)
		return "the counter does not support this: see perf list, and "
		       "kernel.perf_event_max_sample_rate";
	return NULL;
}

/* The same for a hook of netfilter. */
static const char *hook_hint(int err)
{
	switch (err) {
	case -EOPNOTSUPP: return "this kernel is built without netfilter, or without its hooks for "
				 "this protocol family";
	case -E2BIG: return "the kernel allows 1024 hooks at one place, and all are taken";
	case -ENOMEM: return "free some memory";
	default: return NULL;
	}
}

/* The same for a site in a program. */
static const char *user_hint(int err)
{
	switch (err) {
	case -ESRCH: return "the file is missing here, or not as its path says";
	case -EINVAL:
	case -EOPNOTSUPP:
	case -524: /* ENOTSUPP, which the kernel returns and no user-space header defines */
	case -EILSEQ: return "the kernel can't put a uprobe on that instruction";
	case -EIO: return "its file system has no page cache that could hold a breakpoint";
	case -ENOMEM: return "free some memory, or probe fewer functions";
	default: return NULL;
	}
}

/* The same for a watchpoint in a program. */
static const char *watch_hint(int err)
{
	switch (err) {
	case -ENOSPC: return "a processor has four watchpoints for each thread, which debuggers "
			     "and perf use as well; watch fewer variables";
	case -EINVAL: return "the processor can't watch this address: it must be a multiple of the "
			     "length";
	default: return user_hint(err);
	}
}

static bool is_user(const struct meta_site *s)
{
	return strcmp(s->kind, "user") == 0 || strcmp(s->kind, "user_return") == 0;
}

/* Explains why the kernel refused a site, and the next step. */
static void say_not_armed(const struct meta_site *s, int err, const char **example)
{
	const char *hint = NULL;

	if (strcmp(s->kind, "clock") == 0 || strcmp(s->kind, "perf") == 0 || s->is_data)
		hint = event_hint(s, err);
	else if (is_user(s))
		hint = user_hint(err);
	else if (strcmp(s->kind, "user_watch") == 0)
		hint = watch_hint(err);
	else if (strcmp(s->kind, "netfilter") == 0)
		hint = hook_hint(err);
	else if (err == -EINVAL || err == -EOPNOTSUPP)
		hint = "the kernel forbids a probe there (see /sys/kernel/debug/kprobes/blacklist)";
	else if (err == -EFAULT)
		hint = "setting a kprobe there would make the kernel read beyond the end of the "
		       "module's code; entry and return of a function that ftrace can trace are "
		       "safe";
	else if (err == -ESTALE)
		hint = "its module is not the build that the script was compiled for";
	else if (err == -ENOENT && s->is_found)
		hint = "the kernel has no such tracepoint: build the script again on this machine";
	else if (err == -ENOENT)
		hint = "its module has no such function";
	else if (err == -EILSEQ)
		hint = "no instruction begins there: the kernel's code is not what the script was "
		       "compiled for";
	else if (err == -ENOMEM)
		hint = "free some memory, or probe fewer functions";
	else if (err == -EBUSY && is_off(FTRACE_SWITCH))
		hint = "kernel.ftrace_enabled is 0: sysctl kernel.ftrace_enabled=1";
	else if (err == -EBUSY || err == -EEXIST)
		hint = "another tracer holds it";
	if (!hint)
		hint = unarmed_hint(err);
	if (s->wildcard)
		*example = *example ? *example : s->symbol;
	else if (!*s->symbol || strcmp(s->symbol, s->pp) == 0)
		say_error("E_ARM", hint, "%s could not be armed: %s", s->pp, unarmed_reason(err));
	else
		say_error("E_ARM", hint, "%s: '%s' could not be armed: %s", s->pp, s->symbol,
			  unarmed_reason(err));
}

int report_arming(struct device *d, const struct meta *m, const struct prt_status *st)
{
	struct prt_site_status *status;
	unsigned named = 0, wild = 0;
	const char *example = NULL;
	int example_err = 0, off;

	say_step("armed %u of %u sites", st->armed, m->nsites);
	if (!m->nsites)
		return 0;
	status = memory_zeroed(m->nsites, sizeof(*status));
	if (device_site_status(d, status, m->nsites)) {
		free(status);
		return -1;
	}
	for (uint32_t i = 0; i < m->nsites; i++) {
		if (status[i].state != PRT_SITE_FAILED || status[i].error == -ESHUTDOWN)
			continue;
		wild += (unsigned)m->sites[i].wildcard;
		named += !m->sites[i].wildcard;
		if (m->sites[i].wildcard && !example)
			example_err = (int)status[i].error;
		if (m->sites[i].wildcard || named <= SHOWN)
			say_not_armed(&m->sites[i], (int)status[i].error, &example);
	}
	off = report_switches(status, m->nsites);
	free(status);
	if (wild)
		say_warn("E_ARM", NULL,
			 "%u probe point%s of wildcards, or with ?, could not be armed and %s "
			 "left out ('%s': %s)", wild, plural_s(wild), plural_are(wild), example,
			 unarmed_reason(example_err));
	if (!named && !st->armed && !st->absent && (wild || st->state == PRT_STATE_RUNNING))
		say_error("E_ARM",
			  "probe something else: the warning above has the kernel's reason",
			  m->nsites == 1 ? "the only probe point could not be armed" :
			  "none of the %u probe points could be armed", m->nsites);
	return named || !(st->armed + st->absent) || off ? -1 : 0;
}
