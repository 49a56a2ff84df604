/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long handlers may run.
 *
 * Time. Each hit counts down `until` of its probe and CPU, which takes two instructions and counts
 * the hits as well. The hit that takes it to 0 is timed, and represents the `every` hits that ended
 * with it. It chooses the next `every` so that timing costs a small part of what it measures, at
 * most 127, and odd, because the probed code may well run in rounds of a power of two.
 *
 * Share. Only timed hits add to the sum of the time that the hits of a CPU took:
 *
 *     took + (every - 1) * min(took, what the previous timed hit took)
 *
 * The minimum keeps one long hit from counting as 127. Since handlers run with interrupts off, a
 * single hit takes long if it is the first to touch a page of code, if a hypervisor takes the
 * processor away, or if an emulator has to translate the handler's code; none of that happened to
 * the hits that were not timed. If hits have really become long, the next one is timed as well,
 * because `every` is 1 after a long one, and from then on each counts with its own time. The cost
 * of reading the clock, the minimum of many tries, is subtracted: for a handler of a few
 * instructions it would count 127 times. Time that a hypervisor takes away falls into handlers and
 * into other code in proportion to their time, so the share is right on a distorted clock as well.
 *
 * Breaker. At the first timed hit after a second has passed, the share is compared with MAXLOAD.
 * Two such seconds in a row end the session. The time in which a machine was suspended or held up
 * counts as one second, however long it was, and so does the time of one long hit: only a second
 * one directly after it ends the session. The message names the probe with the largest sum on that
 * CPU in the last second.
 *
 * Breakpoints. A handler cannot measure what the kernel does to reach it. That is little where
 * ftrace or a jump leads there, but a breakpoint costs far more than most handlers. So each hit by
 * a breakpoint is charged with the cost of one on this machine (attach/breakpoint.c), which probes
 * of the same place share. Rejected hits are charged as well, also before the session runs, because
 * the breakpoints exist from the moment they are armed. A breakpoint in a program is charged with
 * the lowest cost on any machine, so that no session ends for more than it took; measuring it would
 * delay the start. Samples cover the rest.
 *
 * Samples. The sums above are too low where breakpoints cost more than the minimum, or where a
 * hypervisor takes the processor away; in an emulator they are a tenth of the real cost. So if they
 * show any load, or some breakpoints, attach/sample.c checks a hundred times a second whether the
 * CPU is in a hit. A second has too few samples for a decision, so the mean of PRT_FULL_SECONDS is
 * compared with MAXLOAD.
 *
 * Last limit. If that mean is PRT_FULL_PERCENT or more on every processor that is online, nothing
 * is left for the machine to respond with, and the session ends whatever its options are. One busy
 * processor among several is not such a case.
 *
 * Hits in code that runs with interrupts off, above all the kernel's handling of its clock, delay
 * the samples themselves, so that no sample finds them. The clock shows too little of them, too: if
 * the session's clock is the kernel's, half of such a hit may be before its first reading and after
 * its last one. So for the last limit, the part of a second without samples counts as time of hits
 * if hits take PRT_FULL_SHOWN percent by the clock. For MAXLOAD it does not, because a hypervisor
 * that takes the processor away delays samples as well.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/spinlock.h>

#include "attach/attach.h"
#include "budget.h"
#include "clock.h"
#include "output.h"

static u64 reading;       /* ticks of one reading of the clock */
static u64 second;        /* ticks */
static u64 worth_timing;  /* ticks: a handler that takes as long is timed each time */
static u64 breakpoint;    /* ticks that the kernel takes to handle one */
static u64 user_breakpoint; /* the same in a program */
static u64 sampling;      /* ticks from sample to sample */
static u64 forgiven;      /* the second in which errors are reported, and how many were */

enum { FORGIVEN_BITS = 8 };

void prt_budget_setup(void)
{
	bool free = prt_session.setup.flags & PRT_SETUP_NO_TIME_LIMITS;
	s64 steps = prt_script.maxaction;
	u64 took;
	int i;

	if (free)
		steps = min_t(s64, steps, PRT_STEPS_AT_ONCE);
	prt_session.hot_steps = steps;
	if (check_mul_overflow(steps, (s64)PRT_PROCESS_STEPS, &prt_session.process_steps))
		prt_session.process_steps = S64_MAX;
	second = prt_clock.khz * 1000;
	worth_timing = prt_clock.khz * PRT_TIMED_ALWAYS_US / 1000;
	user_breakpoint = prt_clock.khz * PRT_BREAKPOINT_USER_NS / 1000000;
	sampling = prt_clock.khz * PRT_SAMPLE_NS / 1000000;
	reading = U64_MAX;
	for (i = 0; i < 64; i++) {
		took = prt_clock_now();
		took = prt_clock_now() - took;
		reading = min(reading, took);
	}
}

/* ---- steps ---- */

/* Without time limits, a handler runs until the end of the session is requested. A hot handler ends
 * before the kernel considers this CPU to be locked up. */
static bool may_go_on(struct prt_ctx *c)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	u32 nr = prt_probe_nr(c);
	u64 hit = prt_context_hits(&c->tally[nr]), now;

	if (READ_ONCE(prt_session.closed))
		return false;
	if (PRT_IS_PROCESS(c))
		return !READ_ONCE(prt_session.stop) || prt_session.state >= PRT_STATE_ENDING;
	now = prt_clock_now();
	if (cpu->long_hit != hit || cpu->long_probe != nr) {
		cpu->long_hit = hit;
		cpu->long_probe = nr;
		cpu->long_start = now;
	}
	return !READ_ONCE(prt_session.stop) && now - cpu->long_start < PRT_HOT_SECONDS * second;
}
NOKPROBE_SYMBOL(may_go_on);

bool prt_steps_out(struct prt_ctx *c, u32 srcloc)
{
	if (!(prt_session.setup.flags & PRT_SETUP_NO_TIME_LIMITS)) {
		prt_error(c, PRT_E_STEPS, srcloc, PRT_LIT(""));
	} else if (may_go_on(c)) {
		c->steps = PRT_IS_PROCESS(c) ? prt_session.process_steps : prt_session.hot_steps;
		return false;
	} else if (READ_ONCE(prt_session.stop)) {
		prt_error(c, PRT_E_ABORT, srcloc, PRT_LIT(""));
	} else {
		prt_error(c, PRT_E_OVERLOAD, srcloc, PRT_LIT("one hit ran for seconds"));
	}
	return true;
}
NOKPROBE_SYMBOL(prt_steps_out);

/* ---- the breaker ---- */

static u32 costliest(const struct prt_cpu *cpu)
{
	const struct prt_tally *t = cpu->ctx.tally;
	u32 nr, worst = prt_probe_nr(&cpu->ctx);

	for (nr = 0; nr < prt_script.nprobes; nr++)
		if (t[nr].second == cpu->second && t[nr].load > t[worst].load)
			worst = nr;
	return worst;
}
NOKPROBE_SYMBOL(costliest);

/* Ends the session with an error message in a group of its own, after that of the hit was
 * published. @format: for the @n values, three or four. */
static void end_session(struct prt_cpu *cpu, u32 err, struct prt_str format, const s64 *values,
			u32 n)
{
	struct prt_ctx *c = &cpu->ctx;
	s64 args[2] = { err, U32_MAX };
	struct prt_str text;

	if (READ_ONCE(prt_session.stop) || cmpxchg(&prt_session.error, 0, err))
		return;
	atomic_inc(&prt_session.errors);
	c->probe = &prt_script.probes[costliest(cpu)];
	text = prt_sprintf(c->err_text, format, n == 4 ? "llll" : "lll", values,
			   n * sizeof(*values));
	prt_out_message(c, PRT_REC_ERROR, args, 2, &text);
	prt_hit_publish(c);
	prt_session_stop();
}
NOKPROBE_SYMBOL(end_session);

/* @breakpoints: the part of @percent that they took. */
static void overload(struct prt_cpu *cpu, s64 percent, s64 breakpoints)
{
	s64 without[3] = { percent, cpu->ctx.cpu, prt_script.maxload };
	s64 with[4] = { percent, cpu->ctx.cpu, prt_script.maxload, breakpoints };

	if (breakpoints > 0)
		end_session(cpu, PRT_E_OVERLOAD,
			    PRT_LIT("%d%% of processor %d, %d%% is allowed; %d%% went to the "
				    "kernel's breakpoints"), with, 4);
	else
		end_session(cpu, PRT_E_OVERLOAD,
			    PRT_LIT("%d%% of processor %d, %d%% is allowed"), without, 3);
}
NOKPROBE_SYMBOL(overload);

static bool is_limited(void)
{
	return prt_script.maxload && !(prt_session.setup.flags & PRT_SETUP_NO_TIME_LIMITS);
}
NOKPROBE_SYMBOL(is_limited);

static void second_over(struct prt_cpu *cpu, u64 now, u64 elapsed)
{
	u64 percent = cpu->load * 100 / elapsed, breakpoints = cpu->breakpoints * 100 / elapsed;

	if (!is_limited() || cpu->load * 100 <= elapsed * prt_script.maxload)
		cpu->overloaded = 0;
	else if (++cpu->overloaded == PRT_OVERLOAD_SECONDS)
		overload(cpu, percent, breakpoints);
	if (percent >= PRT_SAMPLE_PERCENT || cpu->breakpoints * PRT_SAMPLE_PART >= elapsed)
		prt_sample_watch(now + PRT_SAMPLE_SECONDS * second);
	WRITE_ONCE(cpu->second_start, now);
	cpu->percent = min_t(u64, percent, 100);
	cpu->handlers = cpu->percent - min_t(u64, breakpoints, cpu->percent);
	cpu->second++;
	cpu->load = 0;
	cpu->breakpoints = 0;
}
NOKPROBE_SYMBOL(second_over);

/* ---- samples, and the last limit ---- */

static bool is_full(const struct prt_cpu *cpu, u64 now)
{
	return READ_ONCE(cpu->full) &&
	       (s64)(now - READ_ONCE(cpu->sampled_start)) <= (s64)(PRT_FULL_STALE * second);
}
NOKPROBE_SYMBOL(is_full);

/* Ends the session if all other processors are full as well as @cpu. */
static void look_for_the_rest(struct prt_cpu *cpu, u64 now, u32 percent)
{
	s64 values[3] = { PRT_FULL_SECONDS, percent, cpu->ctx.cpu };
	unsigned int nr;

	for_each_online_cpu(nr) {
		const struct prt_cpu *other = prt_cpu_nr(nr);

		if (!other || !is_full(other, now))
			return;
	}
	end_session(cpu, PRT_E_STARVED,
		    PRT_LIT("most of every processor for %d seconds, at last %d%% of processor %d"),
		    values, 3);
}
NOKPROBE_SYMBOL(look_for_the_rest);

/* The share of the last second by the clock. Rare hits are timed only every few seconds, and the
 * share that is known then is outdated. */
static u32 percent_of_clock(const struct prt_cpu *cpu, u64 now)
{
	bool stale = (s64)(now - cpu->second_start) > (s64)(PRT_FULL_STALE * second);

	return stale ? 0 : cpu->percent;
}
NOKPROBE_SYMBOL(percent_of_clock);

/* The share according to the samples or to the clock. The clock shows more if hits are reached
 * without breakpoints. */
static u32 percent_of_second(const struct prt_cpu *cpu, u64 now)
{
	return max(cpu->of_hits * 100 / cpu->samples, percent_of_clock(cpu, now));
}
NOKPROBE_SYMBOL(percent_of_second);

/* The percentage of the last @passed ticks for which there are samples. */
static u32 percent_sampled(const struct prt_cpu *cpu, u64 passed)
{
	return min_t(u64, cpu->samples * sampling * 100 / passed, 100);
}
NOKPROBE_SYMBOL(percent_sampled);

/* The share that the last limit uses: @percent, with the part of the second without samples. */
static u32 with_missing(u32 percent, u32 by_clock, u32 present)
{
	if (by_clock < PRT_FULL_SHOWN || percent >= 100)
		return percent;
	return percent + (100 - percent) * (100 - present) / 100;
}
NOKPROBE_SYMBOL(with_missing);

static u32 mean_of(const u8 *percents)
{
	u32 ret = 0, i;

	for (i = 0; i < PRT_FULL_SECONDS; i++)
		ret += percents[i];
	return ret / PRT_FULL_SECONDS;
}
NOKPROBE_SYMBOL(mean_of);

/* Judges the last second. @passed: ticks since the one before. The mean of several seconds counts,
 * because one has few samples. */
static void sampled(struct prt_cpu *cpu, u64 now, u64 passed)
{
	u32 percent = percent_of_second(cpu, now), mean;
	u32 at_last = with_missing(percent, percent_of_clock(cpu, now),
				   percent_sampled(cpu, passed));

	cpu->percents[cpu->at] = percent;
	cpu->with_missing[cpu->at] = at_last;
	cpu->at = (cpu->at + 1) % PRT_FULL_SECONDS;
	mean = mean_of(cpu->percents);
	WRITE_ONCE(cpu->full, mean_of(cpu->with_missing) >= PRT_FULL_PERCENT);
	WRITE_ONCE(cpu->sampled_start, now);
	cpu->samples = cpu->of_hits = 0;
	prt_context_begin(&cpu->ctx, prt_script.probes, NULL, NULL, 0);
	if (is_limited() && mean > prt_script.maxload)
		overload(cpu, mean, (s64)mean - cpu->handlers);
	if (cpu->full)
		look_for_the_rest(cpu, now, at_last);
	prt_context_finish(&cpu->ctx);
	barrier();
	WRITE_ONCE(cpu->ctx.busy, 0);
}
NOKPROBE_SYMBOL(sampled);

void prt_budget_sample(u64 now, bool of_hit)
{
	struct prt_cpu *cpu = prt_cpu_of(this_cpu_read(prt_contexts));
	s64 passed = now - cpu->sampled_start;

	if (READ_ONCE(cpu->ctx.busy))
		return;
	/* The first sample after a pause. */
	if (passed > (s64)(PRT_FULL_STALE * second)) {
		memset(cpu->percents, 0, sizeof(cpu->percents));
		memset(cpu->with_missing, 0, sizeof(cpu->with_missing));
		cpu->samples = cpu->of_hits = 0;
		WRITE_ONCE(cpu->sampled_start, now);
		passed = 0;
	}
	cpu->samples++;
	cpu->of_hits += of_hit;
	if (passed >= (s64)second)
		sampled(cpu, now, passed);
}
NOKPROBE_SYMBOL(prt_budget_sample);

/* ---- time ---- */

void prt_budget_took(struct prt_tally *tally, u64 ticks)
{
	struct prt_probe_counts *c = &tally->counts;

	c->timed++;
	c->ticks += ticks;
	c->estimate += ticks;
	if (ticks > c->slowest)
		c->slowest = ticks;
}
NOKPROBE_SYMBOL(prt_budget_took);

/* @ticks in handlers, @breakpoints on the way to them. */
static void charge(struct prt_cpu *cpu, struct prt_tally *tally, u64 ticks, u64 breakpoints)
{
	if (tally->second != cpu->second) {
		tally->second = cpu->second;
		tally->load = 0;
	}
	tally->load += ticks + breakpoints;
	cpu->load += ticks + breakpoints;
	cpu->breakpoints += breakpoints;
}
NOKPROBE_SYMBOL(charge);

void prt_budget_entered(struct prt_cpu *cpu, struct prt_tally *tally, u64 ticks)
{
	ticks -= min(ticks, reading);
	tally->counts.estimate += tally->every * ticks;
	charge(cpu, tally, tally->every * ticks, 0);
}
NOKPROBE_SYMBOL(prt_budget_entered);

static u32 next_every(const struct prt_tally *tally, u64 took)
{
	if (tally->counts.timed < PRT_TIMED_FIRST || took >= worth_timing)
		return 1;
	if (took * PRT_TIMED_EVERY <= worth_timing)
		return PRT_TIMED_EVERY;
	return worth_timing / took;
}
NOKPROBE_SYMBOL(next_every);

/* Adds the hits that were counted down to counts.hits; readers of the sum wait meanwhile. An NMI
 * counts nothing here, because the context is busy. Each store is a release: a reader that sees it
 * sees that `turn` is odd, or later. So does one that sees a later hit's store to `until`, which
 * follows the one here. */
static void next_turn(struct prt_tally *tally, u32 every)
{
	WRITE_ONCE(tally->turn, tally->turn + 1);
	smp_store_release(&tally->counts.hits, tally->counts.hits + tally->every);
	smp_store_release(&tally->every, every);
	smp_store_release(&tally->until, every);
	smp_store_release(&tally->turn, tally->turn + 1);
}
NOKPROBE_SYMBOL(next_turn);

/* ---- breakpoints ---- */

void prt_budget_breakpoints_cost(u64 ticks)
{
	breakpoint = max(ticks, prt_clock.khz * PRT_BREAKPOINT_NS / 1000000);
}

/* Protects `by_breakpoint` of the session thread's tallies, from which new processors take it. */
static DEFINE_SPINLOCK(by_breakpoint_lock);

static void set_by_breakpoint(struct prt_tally *tally, u32 user_sharers)
{
	WRITE_ONCE(tally->user_sharers, max(tally->user_sharers, user_sharers));
	WRITE_ONCE(tally->by_breakpoint, true);
}

void prt_budget_by_breakpoint(u32 nr, u32 user_sharers)
{
	struct prt_cpu *cpu;
	unsigned int i;

	spin_lock(&by_breakpoint_lock);
	set_by_breakpoint(&prt_thread_cpu.ctx.tally[nr], user_sharers);
	prt_for_each_cpu(i, cpu)
		set_by_breakpoint(&cpu->ctx.tally[nr], user_sharers);
	spin_unlock(&by_breakpoint_lock);
}

void prt_budget_adopt(struct prt_cpu *cpu)
{
	u32 nr;

	spin_lock(&by_breakpoint_lock);
	for (nr = 0; nr < prt_script.nprobes; nr++) {
		const struct prt_tally *tally = &prt_thread_cpu.ctx.tally[nr];

		if (tally->by_breakpoint)
			set_by_breakpoint(&cpu->ctx.tally[nr], tally->user_sharers);
	}
	spin_unlock(&by_breakpoint_lock);
}

/* The cost of the breakpoint that led to the hit that is handled. Nothing else leads to a place in
 * a program. @site is NULL if the handler does not read it. */
static u64 breakpoint_of(const struct prt_tally *tally, const struct prt_site *site)
{
	if (!READ_ONCE(tally->by_breakpoint))
		return 0;
	if (site && site->file)
		return user_breakpoint / prt_attach_probes_at(site);
	if (READ_ONCE(tally->user_sharers))
		return user_breakpoint / READ_ONCE(tally->user_sharers);
	return prt_arch_in_breakpoint() ? breakpoint / prt_attach_probes_at(site) : 0;
}
NOKPROBE_SYMBOL(breakpoint_of);

/* One more of probe @nr, of which no timed hit will know. */
static void breakpoint_alone(struct prt_ctx *c, u32 nr, u64 ticks)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	u64 now;

	charge(cpu, &c->tally[nr], 0, ticks);
	if (READ_ONCE(c->busy) || READ_ONCE(prt_session.stop))
		return;
	now = prt_clock_now();
	if (now - cpu->second_start < second)
		return;
	prt_context_begin(c, &prt_script.probes[nr], NULL, NULL, 0);
	second_over(cpu, now, now - cpu->second_start);
	prt_context_finish(c);
	barrier();
	WRITE_ONCE(c->busy, 0);
}
NOKPROBE_SYMBOL(breakpoint_alone);

void prt_budget_alone(u32 nr, enum prt_breakpoint kind)
{
	struct prt_ctx *c = this_cpu_read(prt_contexts);
	u64 n = c->tally[nr].alone[kind];

	c->tally[nr].alone[kind] = 0;
	breakpoint_alone(c, nr, n * (kind == PRT_BREAKPOINT_USER ? user_breakpoint : breakpoint));
}
NOKPROBE_SYMBOL(prt_budget_alone);

void prt_budget_refused(struct prt_ctx *c, u32 nr, const struct prt_site *site)
{
	u64 ticks = breakpoint_of(&c->tally[nr], site);

	if (ticks)
		breakpoint_alone(c, nr, ticks);
}
NOKPROBE_SYMBOL(prt_budget_refused);

void prt_budget_timed(struct prt_ctx *c, u64 start)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	struct prt_tally *tally = &c->tally[prt_probe_nr(c)];
	u64 breakpoints = tally->every * breakpoint_of(tally, c->site);
	u64 now = prt_clock_now(), took = now - start, others;

	/* prt_hit_off() has taken the hit back. */
	if (tally->until)
		return;
	took -= min(took, reading);
	others = (tally->every - 1) * min(took, tally->last);

	prt_budget_took(tally, took);
	tally->counts.estimate += others;
	tally->last = took;
	next_turn(tally, next_every(tally, took));
	charge(cpu, tally, took + others, breakpoints);
	if (now - cpu->second_start >= second)
		second_over(cpu, now, now - cpu->second_start);
}
NOKPROBE_SYMBOL(prt_budget_timed);

/* Replaces the run of a handler in a hit that is timed. */
noinline void prt_hit_timed(struct prt_ctx *c)
{
	u64 start = prt_clock_now();

	c->probe->handler(c);
	if (c->left)
		prt_hit_publish(c);
	prt_budget_timed(c, start);
	prt_context_finish(c);
}
NOKPROBE_SYMBOL(prt_hit_timed);

/* ---- errors that are forgiven ---- */

/* The second and the reports in it are one word, so that any number of CPUs share them. */
bool prt_budget_report(void)
{
	u64 now = prt_clock_now() / second << FORGIVEN_BITS, old = READ_ONCE(forgiven);

	BUILD_BUG_ON(PRT_FORGIVEN_A_SECOND >= 1 << FORGIVEN_BITS);
	/* A CPU that was held up after it read the clock must not bring an earlier second back. */
	if (old >> FORGIVEN_BITS < now >> FORGIVEN_BITS)
		old = cmpxchg(&forgiven, old, now);
	old = READ_ONCE(forgiven);
	if ((old & ((1 << FORGIVEN_BITS) - 1)) >= PRT_FORGIVEN_A_SECOND)
		return false;
	return cmpxchg(&forgiven, old, old + 1) == old;
}
NOKPROBE_SYMBOL(prt_budget_report);
