/* SPDX-License-Identifier: GPL-2.0 */
/*
 * traced TOLD PROGRAM ARGS... - Runs a script's probes of PROGRAM in user space: the script's
 * emitted C is linked with this file and the runtime (session.h). PROGRAM is executed by ptrace(2),
 * with its output in the file TOLD. Only probes of functions, their returns and statements in the
 * program file itself are hit, on processor 0.
 *
 * As in the kernel, a return is where the function's entry values are found again: at one of the
 * instructions at which the function returns, by the stack pointer, or at the return address if
 * these are not known.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "context.h"

#include "testsuite/emit/session.h"
#include "testsuite/twin/machine.h"

enum { MOST_PLACES = 20000, MOST_CALLS = 4096, INT3 = 0xcc };

/* An address with a breakpoint. Those of sites stand in the order of the script's sites. */
struct place {
	u64 address;
	const struct prt_site *site;
	enum { AT_ENTRY, AT_EXIT, AT_CALLER } where;
	u8 replaced;
};

/* A call that has not returned. */
struct call {
	const struct prt_site *site;
	u64 sp;                  /* at the function's entry */
	u64 *saved;              /* the entry values */
};

static struct place places[MOST_PLACES];
static unsigned nplaces;
static struct call calls[MOST_CALLS];
static unsigned ncalls;
static pid_t process, thread;    /* the traced process, and its thread that was hit */
static struct user_regs_struct regs;

/* ---- memory of the process ---- */

static bool fetch(void *to, u64 address, size_t n)
{
	struct iovec here = { to, n }, there = { (void *)address, n };

	return process_vm_readv(process, &here, 1, &there, 1, 0) == (ssize_t)n;
}

static void put_byte(u64 address, u8 byte)
{
	u64 word = address & ~7ull;
	long v = ptrace(PTRACE_PEEKTEXT, thread, word, NULL);

	memcpy((char *)&v + (address - word), &byte, 1);
	if (ptrace(PTRACE_POKETEXT, thread, word, v))
		bug("no breakpoint at %#llx", address);
}

u64 prt_user_simd(u32 n)
{
	struct user_fpregs_struct f;
	u64 v;

	if (ptrace(PTRACE_GETFPREGS, thread, NULL, &f))
		return 0;
	memcpy(&v, &f.xmm_space[4 * n], sizeof(v));
	return v;
}

/* ---- places ---- */

static struct place *add_place(u64 address, const struct prt_site *site, int where)
{
	struct place *p = &places[nplaces];
	struct place *there = NULL;

	for (unsigned i = 0; i < nplaces && !there; i++)
		if (places[i].address == address)
			there = &places[i];
	if (there && where == AT_CALLER)
		return there;
	if (nplaces++ == MOST_PLACES)
		bug("too many places");
	*p = (struct place){ .address = address, .site = site, .where = where };
	if (there)
		p->replaced = there->replaced;
	else if (!fetch(&p->replaced, address, 1))
		bug("no code at %#llx", address);
	put_byte(address, INT3);
	return p;
}

static const struct place *place_at(u64 address)
{
	for (unsigned i = 0; i < nplaces; i++)
		if (places[i].address == address)
			return &places[i];
	return NULL;
}

/* The address of @offset in the file, whose code is mapped. */
static u64 address_of(const char *path, u64 offset)
{
	char name[64], line[4500], mapped[4097];
	unsigned long long from, to, at;
	u64 found = 0;

	snprintf(name, sizeof(name), "/proc/%d/maps", process);

	FILE *f = fopen(name, "re");

	while (f && !found && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%llx r-x%*c %llx %*s %*s %4096s", &from, &to, &at,
			   mapped) == 4 &&
		    strcmp(mapped, path) == 0 && offset >= at && offset - at < to - from)
			found = from + offset - at;
	}
	if (f)
		fclose(f);
	if (!found)
		bug("%s: no code is mapped from offset %#llx", path, offset);
	return found;
}

static void add_site(const struct prt_site *site)
{
	const char *path = prt_script.files[site->file - 1].path;

	add_place(address_of(path, site->offset), site, AT_ENTRY);
	for (u32 i = 0; i < site->nexits; i++)
		add_place(address_of(path, site->exits[i]), site, AT_EXIT);
}

/* ---- hits ---- */

static void hit(const struct prt_site *site, u64 *saved)
{
	prt_context_hit(site->probe, site, &regs, saved, (s64)regs.rax);
	session_show();
}

/* Runs the functions of a return probe that belong to the entry. false: the call does not count. */
static bool is_wanted(const struct prt_site *site, u64 *saved)
{
	const struct prt_probe *p = &prt_script.probes[site->probe];
	struct prt_ctx *c = &prt_cpu_nr(0)->ctx;
	bool ret;

	prt_context_begin(c, p, site, &regs, prt_session.hot_steps);
	c->saved = saved;
	c->level = PRT_LEVEL_CALL;
	ret = (!p->cond || p->cond(c)) && (!p->entry || p->entry(c));
	c->level = PRT_LEVEL_HOT;
	prt_hit_left(c);
	c->busy = 0;
	return ret;
}

/* Whether the thread executes code of 32 bits. */
static bool is_32bit(void)
{
	enum { USER32_CS = 0x23 };

	return regs.cs == USER32_CS;
}

static void remove_call(unsigned i)
{
	free(calls[i].saved);
	memmove(&calls[i], &calls[i + 1], (--ncalls - i) * sizeof(*calls));
}

/* The entry of a function with a return probe. */
static void enter(const struct prt_site *site)
{
	const struct prt_probe *p = &prt_script.probes[site->probe];
	u64 back = 0;

	/* A call at the same place of the stack was left by an exception or longjmp(). */
	for (unsigned i = ncalls; i-- > 0;)
		if (calls[i].site == site && calls[i].sp == regs.rsp)
			remove_call(i);

	struct call *call = &calls[ncalls];

	*call = (struct call){ site, regs.rsp, calloc(1, p->data_size + 8) };
	if (!is_wanted(site, call->saved)) {
		free(call->saved);
		return;
	}
	if (++ncalls == MOST_CALLS)
		bug("too many calls");
	if (!site->nexits && fetch(&back, regs.rsp, is_32bit() ? 4 : 8))
		add_place(back, NULL, AT_CALLER);
}

/* The returns of the calls that were entered with the stack pointer @sp, of @site unless NULL. */
static void leave(const struct prt_site *site, u64 sp)
{
	for (unsigned i = ncalls; i-- > 0;) {
		if (calls[i].sp != sp || (site ? calls[i].site != site :
						calls[i].site->nexits != 0))
			continue;
		hit(calls[i].site, calls[i].saved);
		remove_call(i);
	}
}

static void hit_places(u64 address)
{
	const unsigned n = nplaces;

	for (unsigned i = 0; i < n; i++) {
		const struct place *p = &places[i];

		if (p->address != address)
			continue;
		if (p->where == AT_EXIT)
			leave(p->site, regs.rsp);
		else if (p->where == AT_CALLER)
			leave(NULL, regs.rsp - (is_32bit() ? 4 : 8));
		else if (prt_script.probes[p->site->probe].kind == PRT_USER_RETURN)
			enter(p->site);
		else
			hit(p->site, NULL);
	}
}

/* ---- the process ---- */

static void start(const char *told, char **argv)
{
	int status;

	process = thread = fork();
	if (process == 0) {
		int fd = open(told, O_WRONLY | O_CREAT | O_TRUNC, 0644);

		if (fd < 0 || dup2(fd, 1) < 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			execv(argv[0], argv);
		_exit(127);
	}
	if (process < 0 || waitpid(process, &status, 0) != process || !WIFSTOPPED(status))
		bug("%s: not started", argv[0]);
	ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE);
}

/* Executes the instruction that a breakpoint replaced. Returns a signal that came meanwhile. Other
 * threads do not stop: a hit of theirs at the same place now is lost. */
static int step_over(const struct place *p)
{
	int status, sig = 0;

	put_byte(p->address, p->replaced);
	do {
		ptrace(PTRACE_SINGLESTEP, thread, NULL, NULL);
		if (waitpid(thread, &status, __WALL) != thread || !WIFSTOPPED(status))
			return 0;
		if (WSTOPSIG(status) != SIGTRAP)
			sig = WSTOPSIG(status);
	} while (WSTOPSIG(status) != SIGTRAP);
	put_byte(p->address, INT3);
	return sig;
}

/* Returns the signal with which the thread continues. */
static int stopped(int status)
{
	const struct place *p;

	if (WSTOPSIG(status) == SIGSTOP || status >> 16)
		return 0; /* a new thread, or the event in the thread that made it */
	if (WSTOPSIG(status) != SIGTRAP || ptrace(PTRACE_GETREGS, thread, NULL, &regs) ||
	    !(p = place_at(regs.rip - 1)))
		return WSTOPSIG(status);
	regs.rip--;
	ptrace(PTRACE_SETREGS, thread, NULL, &regs);
	hit_places(regs.rip);
	return step_over(place_at(regs.rip));
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 3)
		bug("usage: TOLD PROGRAM ARGS...");
	start(argv[1], argv + 2);
	machine_be_cpu(0);
	machine_fetch = fetch;
	session_open();
	machine_run();
	for (u32 i = 0; i < prt_script.nsites; i++)
		add_site(&prt_script.sites[i]);
	ptrace(PTRACE_CONT, process, NULL, NULL);
	while ((thread = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			ptrace(PTRACE_CONT, thread, NULL, (long)stopped(status));
		else if (thread == process)
			break;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		bug("the program ended with status %#x", (unsigned)status);
	session_close();
	return 0;
}
