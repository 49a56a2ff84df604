/* SPDX-License-Identifier: GPL-2.0 */
/*
 * process.begin and its like: what happens to processes is seen in the kernel, in the context of
 * the process.
 *
 * Each event is a point of the kernel that a process always passes with its memory still, or
 * already, its own, so that its program can be identified:
 *
 *   begin          schedule_tail(), the first that a new task runs; finalize_exec(), when a program
 *                  has been loaded
 *   thread.begin   schedule_tail()
 *   thread.end     exit_signals(), the first that an ending task runs
 *   end            exit_itimers(), which the last thread that ends runs, before it gives the
 *                  memory back; exec runs it as well, but then the task is not ending
 *   syscall        the tracepoints sys_enter and sys_exit
 *
 * The handler begins with a test of what the hit is and whose (struct probe.owners): emit/probe.c.
 */
#include <string.h>

#include "ast/points.h"
#include "ast/walk.h"
#include "analyse/locate/points/process.h"
#include "target/object/object.h"
#include "state.h"

static const struct {
	const char *provider;    /* "function" or "trace" of the kernel */
	const char *names[2];
} points[] = {
	[PROCESS_BEGIN] = { "function", { "schedule_tail", "finalize_exec" } },
	[PROCESS_END] = { "function", { "exit_itimers" } },
	[PROCESS_THREAD_BEGIN] = { "function", { "schedule_tail" } },
	[PROCESS_THREAD_END] = { "function", { "exit_signals" } },
	[PROCESS_SYSCALL] = { "trace", { "sys_enter" } },
	[PROCESS_SYSCALL_RETURN] = { "trace", { "sys_exit" } },
};

/* kernel.PROVIDER("NAME"), as if the script had it. */
static struct probe_point *point_of(const struct located_request *rq, const char *provider,
				    const char *name)
{
	struct arena *a = rq->s->arena;
	const struct range at = rq->pp->range;
	struct probe_point *pp = points_new(a, at);
	struct expr *arg = ast_expr(a, EX_STR, at);

	arg->type = T_STRING;
	arg->u.str.s = name;
	arg->u.str.len = strlen(name);
	points_add(a, pp, at, "kernel", NULL);
	points_add(a, pp, at, provider, arg);
	if (strcmp(provider, "function") == 0)
		points_add(a, pp, at, "call", NULL);
	return pp;
}

static int add_point(const struct located_request *rq, enum process_event event, const char *name,
		     struct located *ret)
{
	struct located_list list = { 0 };
	const struct located *found;
	int err = locate_probe_point(rq->s, point_of(rq, points[event].provider, name), rq->quiet,
				     &list);

	if (err)
		return err;
	found = list.v.v[0];
	ret->kind = found->kind;
	vec_each(it, &found->sites) {
		(*it)->pp = rq->text;
		(*it)->event = event;
		vec_push(rq->s->arena, &ret->sites, *it);
	}
	return 0;
}

/* An event belongs to the processes that run the file, not to all that map it. */
static int add_owner(const struct located_request *rq, const struct user_scope *scope,
		     const char *prefix, struct located *ret)
{
	struct user_scope *owner = NEW(rq->s->arena, struct user_scope);

	(void)prefix;
	*owner = *scope;
	if (!owner->pid && !owner->is_target)
		owner->program = owner->file->path;
	vec_push(rq->s->arena, &ret->owners, owner);
	return 0;
}

int process_event_locate(const struct located_request *rq, enum process_event event,
			 struct located *ret)
{
	bool any = !rq->pp->parts.v[0].has_arg && !rq->s->opt.command && !rq->s->opt.pid;

	if (any)
		rq->s->around |= AROUND_COMMAND | AROUND_PROCESS;

	int err = any ? 0 : process_each_file(rq, add_owner, ret);

	for (size_t i = 0; i < 2 && !err && points[event].names[i]; i++)
		err = add_point(rq, event, points[event].names[i], ret);
	return err;
}
