/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line reader gives up all that it does not need before it looks at the file: other
 * descriptors, root's rights, and every system call but those by which it uses memory, reads what
 * it has open, and answers.
 * What is refused fails with EPERM, so that a library goes on without it. A call of open() traps:
 * the library may open files of the program that the loader passes to this process (split.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/arch/calls.h"
#include "lines/private.h"
#include "shared/lines.h"
#include "shared/machine.h"

enum {
	NOBODY = 65534,
	PROCESSOR_SECONDS = 60,
	FILES = 16,              /* descriptors */
	DATA_SHARE = 8,          /* one in so many of the machine's memory, if DATA is more */
	FILE_SIZE = 64 << 20,    /* bytes of a file in memory: no other can be written */
};

static const rlim_t MEMORY = 6ull << 30, DATA = 2ull << 30; /* bytes; MEMORY: with the files */

/* There are up to eight readers at a time (loader/unwind/lines.c). */
static rlim_t data_max(void)
{
	return machine_memory_part(DATA_SHARE, DATA);
}

/* Standard output and error become /dev/null; only the socket and the files remain besides. */
static int close_files(const struct line_parts *parts)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		return -1;
	if (!parts->alternate)
		close(LINES_ALTERNATE);
	if (!parts->package)
		close(LINES_PACKAGE);
	return close_range(LINES_UNUSED, ~0u, 0);
}

static int limit(int what, rlim_t most)
{
	struct rlimit old;

	if (getrlimit(what, &old) != 0)
		return -1;
	if (most > old.rlim_max)
		most = old.rlim_max;
	return setrlimit(what, &(struct rlimit){ most, most });
}

static int limit_all(void)
{
	return limit(RLIMIT_AS, MEMORY) || limit(RLIMIT_DATA, data_max()) ||
	       limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, FILE_SIZE) ||
	       limit(RLIMIT_CPU, PROCESSOR_SECONDS) || limit(RLIMIT_NOFILE, FILES) ? -1 : 0;
}

/* Only root has rights to give up. */
static int drop_rights(void)
{
	if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
			       setresuid(NOBODY, NOBODY, NOBODY) != 0))
		return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_DUMPABLE, 0) ? -1 : 0;
}

#define DATA_OF(field) offsetof(struct seccomp_data, field)
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, DATA_OF(field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define TRAP BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
/* No path is a link, so that the path of a descriptor in /proc is that of its file. */
#define NO_LINK BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL)
/* Allows the call with that number. */
#define CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ALLOW
/* Allows the call if its third argument, the protection, does not make memory executable. */
#define MAP_CALL(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), LOAD(args[2]), \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), REFUSE, ALLOW

/* The call of readlink(): arm64 has the other one alone. */
#ifdef __NR_readlink
#define READ_LINK __NR_readlink
#else
#define READ_LINK __NR_readlinkat
#endif

/* openat() has been called: its second argument is the path. */
static void on_trap(int signal, siginfo_t *info, void *context)
{
	const char *path = (const char *)arch_calls_argument(context, 1);
	int saved = errno;

	(void)signal;
	(void)info;
	arch_calls_answer(context, split_opens(path));
	errno = saved;
}

static int handle_traps(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	return sigaction(SIGSYS, &action, NULL);
}

static int filter_calls(void)
{
	struct sock_filter code[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch_calls_audit, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		CALL(__NR_read), CALL(__NR_pread64), CALL(__NR_write), CALL(__NR_lseek),
		CALL(__NR_fstat), CALL(__NR_newfstatat), CALL(__NR_fcntl), CALL(__NR_close),
		CALL(__NR_brk), CALL(__NR_munmap), CALL(__NR_mremap), CALL(__NR_madvise),
		CALL(__NR_futex), CALL(__NR_getrandom), CALL(__NR_clock_gettime),
		CALL(__NR_rt_sigreturn), CALL(__NR_exit), CALL(__NR_exit_group),
		CALL(__NR_sendto), CALL(__NR_recvmsg), CALL(__NR_memfd_create),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 1), TRAP,
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, READ_LINK, 0, 1), NO_LINK,
		MAP_CALL(__NR_mmap), LOAD(nr),
		MAP_CALL(__NR_mprotect),
		REFUSE,
	};
	struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int confine(const struct line_parts *parts)
{
	if (handle_traps() != 0 || close_files(parts) != 0 || limit_all() != 0 ||
	    drop_rights() != 0)
		return -1;
	return filter_calls();
}
