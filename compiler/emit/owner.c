/* SPDX-License-Identifier: GPL-2.0 */
/* process.begin and its like: tests whether a hit is the event that is probed, in a process that is
 * meant. */
#include "emit/function.h"
#include "emit/probe.h"
#include "emit/tables.h"

void emit_owner_test(struct emit *e, const struct probe *p)
{
	static const char *const events[] = {
		[PROCESS_BEGIN] = "BEGIN", [PROCESS_END] = "END",
		[PROCESS_THREAD_BEGIN] = "THREAD_BEGIN", [PROCESS_THREAD_END] = "THREAD_END",
		[PROCESS_SYSCALL] = "SYSCALL", [PROCESS_SYSCALL_RETURN] = "SYSCALL_RETURN",
	};
	const char *text = "";

	if (!p->sites.n || !p->sites.v[0]->event)
		return;
	vec_each(it, &p->owners)
		text = arena_printf(e->a, "%s%sprt_process_owner(%u)", text, *text ? " || " : "",
				    emit_files_row(e, *it));
	emit_line(e, "if (!prt_process_event(PRT_PROCESS_%s))", events[p->sites.v[0]->event]);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
	if (!*text)
		return;
	emit_line(e, "if (!(%s))", text);
	e->fn->depth++;
	emit_goto(e, e->fn->leave);
	e->fn->depth--;
}
