/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sysemu N - A process that emulates the system calls of another one, as user-mode kernels do:
 * vm/user-traced. The other calls work() and getppid() N times, first traced by PTRACE_SYSEMU, then
 * by PTRACE_SYSEMU_SINGLESTEP, then left alone. Prints how many calls were emulated, how many steps
 * there were in work(), and the sum of its results.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EMULATED = 4242, NEXT = 99999 };

/* push, lea, add, mov, pop and ret: some are emulated by the fast path, some are not. */
long work(long n);
extern const char work_end[];
__asm__(".globl work, work_end\n\t.type work, @function\n"
	"work:\tpush %rbx\n"
	"\tlea 3(%rdi,%rdi,2), %rbx\n"
	".globl work_middle\n\t.type work_middle, @function\n"
	"work_middle:\tadd %rdi, %rbx\n"
	"\tmov %rbx, %rax\n"
	"\tpop %rbx\n"
	"\tret\n"
	"work_end:\n\t.size work, work_middle - work\n\t.size work_middle, . - work_middle\n");

struct shared { long sum, wrong; };

static struct shared *shared;
static long emulated, in_work;

static void part(long n, long parent)
{
	for (long i = 0; i < n; i++) {
		shared->sum += work(i);
		shared->wrong += syscall(SYS_getppid) != parent;
	}
	syscall(NEXT);
}

/* Until the process asks for the next part. */
static void trace(pid_t pid, enum __ptrace_request how)
{
	struct user_regs_struct regs;
	int status;

	for (;;) {
		if (ptrace(how, pid, 0, 0) || waitpid(pid, &status, 0) < 0 || !WIFSTOPPED(status))
			exit(1);
		ptrace(PTRACE_GETREGS, pid, 0, &regs);
		in_work += regs.rip >= (uintptr_t)work && regs.rip < (uintptr_t)work_end;
		if ((long)regs.orig_rax < 0)
			continue;
		if (regs.orig_rax == NEXT)
			return;
		emulated += regs.orig_rax == SYS_getppid;
		regs.rax = EMULATED;
		ptrace(PTRACE_SETREGS, pid, 0, &regs);
	}
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10;
	int status = 0;
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	pid = fork();
	if (!pid) {
		pid_t parent = getppid();

		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		part(n, EMULATED);
		part(n, EMULATED);
		part(n, parent);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	trace(pid, PTRACE_SYSEMU);
	trace(pid, PTRACE_SYSEMU_SINGLESTEP);
	ptrace(PTRACE_DETACH, pid, 0, 0);
	waitpid(pid, &status, 0);
	printf("emulated %ld, steps in work %ld, sum %ld, wrong %ld, status %d\n", emulated,
	       in_work, shared->sum, shared->wrong, status);
	return 0;
}
