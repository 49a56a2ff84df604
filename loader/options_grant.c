/* SPDX-License-Identifier: GPL-2.0 */
/* The options that a session of --grant can have: they concern its own output only. */
#include "options.h"

#include "common/say.h"
#include "records.h"

int options_check_grant(const struct options *o)
{
	static const char rights[] = "it needs the rights of root",
			  file[] = "redirect the output: > FILE";
	const struct metrics_options *m = &o->metrics;
	const struct { bool given; const char *option, *why; } all[] = {
		{ o->command, "-c",
		  "probec-grant starts no commands; -x takes a process of yours" },
		{ o->cgroup, "--cgroup", rights },
		{ o->output, "-o", file },
		{ o->background, o->monitor ? "--monitor" : "-F",
		  "the session ends with its connection; use nohup or tmux" },
		{ o->ring_mb, "-s", "the rule limits the memory of the session" },
		{ o->setup_flags & PRT_SETUP_NO_TIME_LIMITS, "--suppress-time-limits", rights },
		{ o->setup_flags & PRT_SETUP_FORGIVE_ERRORS, "--suppress-handler-errors", rights },
		{ o->setup_flags & PRT_SETUP_NO_FAST_USER, "--no-fast-user", rights },
		{ o->override_any, "--override-any", rights },
		{ o->stack_lines, "--stack-lines", rights },
		{ o->percentiles.n, "--percentiles", "the request has no place for it" },
		{ m->address, "--metrics", rights },
		{ m->file, "--metrics-file", rights },
		{ m->token_file, "--metrics-token", rights },
		{ m->tls_file, "--metrics-tls", rights },
		{ m->otlp, "--otlp", rights },
		{ o->verbose, "-v", "it shows what only root may know of the kernel" },
		{ o->remote_end, "--remote-end", "it is for probec --remote" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!all[i].given)
			continue;
		say_error("E_OPTION", "leave it out, or run this as root without --grant",
			  "%s with --grant: %s", all[i].option, all[i].why);
		return -1;
	}
	return 0;
}
