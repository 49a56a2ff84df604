/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a session's sites in the kernel. */
#include "show/sites.h"

#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "machine/kprobes.h"
#include "module/meta.h"
#include "shared/memory.h"
#include "show/json.h"

enum { SHOWN = 100 };
enum { FIRST_STEP = 50000000, LAST_STEP = 1000000000 }; /* ns */

void sites_init(struct sites *s, const struct meta *m, const uint64_t *addresses, int wanted)
{
	*s = (struct sites){ .m = m, .addresses = addresses, .step = FIRST_STEP };
	if (wanted && addresses && m->nsites)
		s->marks = memory_zeroed(m->nsites, sizeof(*s->marks));
}

void sites_deinit(struct sites *s)
{
	free(s->marks);
	*s = (struct sites){ 0 };
}

void sites_look(struct sites *s)
{
	if (s->marks)
		kprobes_marks(KPROBES_LIST, s->m, s->addresses, s->marks);
}

void sites_watch(struct sites *s, int64_t now)
{
	if (!s->marks || now < s->next)
		return;
	sites_look(s);
	s->next = now + s->step;
	s->step = s->step * 2 < LAST_STEP ? s->step * 2 : LAST_STEP;
}

const char *sites_word(unsigned mechanism)
{
	static const char *const names[] = {
		[PRT_MECH_NONE] = "nothing",
		[PRT_MECH_FTRACE] = "ftrace",
		[PRT_MECH_KPROBE] = "kprobe",
		[PRT_MECH_KRETPROBE] = "kretprobe",
		[PRT_MECH_TRACEPOINT] = "tracepoint",
		[PRT_MECH_HRTIMER] = "hrtimer",
		[PRT_MECH_PERF] = "perf",
		[PRT_MECH_WATCHPOINT] = "watchpoint",
		[PRT_MECH_DIRECT] = "direct call",
		[PRT_MECH_UPROBE] = "uprobe",
		[PRT_MECH_URETPROBE] = "uretprobe",
		[PRT_MECH_NETFILTER] = "netfilter",
	};

	return mechanism < sizeof(names) / sizeof(names[0]) && names[mechanism] ?
	       names[mechanism] : "other";
}

const char *sites_slow_word(unsigned why)
{
	static const char *const names[] = {
		[PRT_SLOW_FIRST] = "the first hit in each process, and uncertain ones",
		[PRT_SLOW_ASKED] = "--no-fast-user",
		[PRT_SLOW_KERNEL] = "the kernel lacks something for the fast path",
		[PRT_SLOW_CODE] = "the instruction there is not emulated",
		[PRT_SLOW_HANDLER] = "the probe needs the kernel's path",
		[PRT_SLOW_OTHERS] = "others probe the same place",
		[PRT_SLOW_TRACED] = "the process is traced",
		[PRT_SLOW_MEMORY] = "memory was not resident",
		[PRT_SLOW_BUSY] = "other sessions or a live patch have what the fast path needs",
	};

	return why < sizeof(names) / sizeof(names[0]) ? names[why] : "other";
}

unsigned sites_marks(const struct sites *s, uint32_t i, const struct prt_site_status *status)
{
	unsigned marks = s->marks ? s->marks[i] : 0;

	/* A kprobe of another owner at that address is not ours. */
	if (status[i].state == PRT_SITE_GATED || status[i].state == PRT_SITE_SWITCHED)
		marks = 0;
	else if (status[i].mechanism != PRT_MECH_KPROBE &&
		 status[i].mechanism != PRT_MECH_KRETPROBE)
		marks = status[i].mechanism == PRT_MECH_FTRACE ? KPROBES_FTRACE : 0;
	if (status[i].state == PRT_SITE_GONE)
		marks |= KPROBES_GONE;
	return marks;
}

static const char *state_of(const struct prt_site_status *st)
{
	switch (st->state) {
	case PRT_SITE_ARMED: return "armed";
	case PRT_SITE_FAILED: return "failed";
	case PRT_SITE_ABSENT: return "absent";
	case PRT_SITE_GONE: return "gone";
	case PRT_SITE_GATED: return "off by its condition";
	case PRT_SITE_SWITCHED: return "switched off by the user";
	default: return "off";
	}
}

void sites_steps(const struct sites *s, const struct prt_site_status *status)
{
	uint32_t n = s->marks ? s->m->nsites : 0;

	for (uint32_t i = 0; i < n && i < SHOWN; i++) {
		const struct meta_site *site = &s->m->sites[i];
		struct buf marks = { 0 };

		kprobes_words(sites_marks(s, i, status), &marks);
		say_step("site %s %s+0x%llx: %s, by %s %s", site->object, site->symbol,
			 (unsigned long long)site->offset, state_of(&status[i]),
			 sites_word(status[i].mechanism), marks.s ? marks.s : "");
		if (status[i].fast || status[i].slow)
			say_step("%llu hits by the fast path, %llu by the kernel's: %s",
				 (unsigned long long)status[i].fast,
				 (unsigned long long)status[i].slow,
				 sites_slow_word(status[i].slow_why));
		buf_deinit(&marks);
	}
	if (n > SHOWN)
		say_step("and %u more sites", n - SHOWN);
}

void sites_array(struct buf *t, const struct sites *s, const struct prt_site_status *status)
{
	json_open(t, "sites", '[');
	for (uint32_t i = 0; s->marks && i < s->m->nsites; i++) {
		const struct meta_site *site = &s->m->sites[i];
		unsigned marks = sites_marks(s, i, status);

		json_open(t, NULL, '{');
		json_unsigned(t, "probe", site->probe);
		json_text(t, "object", site->object);
		json_text(t, "symbol", site->symbol);
		json_unsigned(t, "offset", site->offset);
		json_text(t, "state", state_of(&status[i]));
		json_text(t, "by", sites_word(status[i].mechanism));
		if (status[i].fast || status[i].slow) {
			json_unsigned(t, "fast", status[i].fast);
			json_unsigned(t, "slow", status[i].slow);
			json_text(t, "slow_why", sites_slow_word(status[i].slow_why));
		}
		json_open(t, "kernel", '[');
		for (unsigned bit = 0; bit < KPROBES_MARKS; bit++)
			if (marks >> bit & 1)
				json_text(t, NULL, kprobes_word(bit));
		json_close(t, ']');
		json_close(t, '}');
	}
	json_close(t, ']');
}
