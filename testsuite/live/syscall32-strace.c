/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For syscall32-strace.sh: makes nearly all calls of the 32-bit interface twice, with arguments
 * that are all 0 or all -1, and others with strings, structures and flags, in the layouts of 32-bit
 * programs, by "int $0x80" and by the function of the vDSO that libraries call. Most fail. It
 * needs no library. "Nearly": not those that end, stop or deafen the process, start another one, or
 * change the machine.
 */
#include <asm/auxvec.h>
#include <asm/unistd.h>
#include <asm/signal.h>
#include <linux/fcntl.h>
#include <linux/in.h>
#include <linux/mman.h>
#include <linux/resource.h>
#include <linux/time.h>
#include <linux/time_types.h>
#include <linux/timex.h>
#include <linux/uio.h>
#include <linux/un.h>
#include <linux/utime.h>

enum { LAST = 450, BAD = 0x1000 };

/* The function that enters the kernel. */
extern void by_interrupt(void);
void (*enter)(void) = by_interrupt;

int call(int number, ...);
__asm__(".globl call, by_interrupt\n"
	"call:	push %ebx; push %esi; push %edi; push %ebp\n"
	"	mov 20(%esp), %eax; mov 24(%esp), %ebx; mov 28(%esp), %ecx; mov 32(%esp), %edx\n"
	"	mov 36(%esp), %esi; mov 40(%esp), %edi; mov 44(%esp), %ebp\n"
	"	call *enter\n"
	"	pop %ebp; pop %edi; pop %esi; pop %ebx; ret\n"
	"by_interrupt: int $0x80; ret\n");

static const short left_out[] = {
	__NR_restart_syscall, __NR_exit, __NR_fork, __NR_close, __NR_pause, __NR_sigsuspend,
	__NR_reboot, __NR_vhangup, __NR_idle, __NR_sigreturn, __NR_clone, __NR__newselect,
	__NR_acct, __NR_brk, __NR_syslog, __NR_rt_sigreturn, __NR_rt_sigsuspend, __NR_vfork,
	__NR_exit_group, __NR_kexec_load, __NR_pselect6, __NR_ppoll, __NR_seccomp, __NR_semget,
	__NR_shmget, __NR_msgget, __NR_msgrcv, __NR_pselect6_time64, __NR_ppoll_time64,
	__NR_close_range, __NR_ssetmask, __NR_alarm,
	/* None: */
	222, 223, 251, 285, 387, 388, 389, 390, 391, 392, 415,
};

static void all(int value)
{
	for (int number = 0; number <= LAST; number++) {
		int is_left_out = 0;

		for (unsigned i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
			is_left_out |= left_out[i] == number;
		if (!is_left_out)
			call(number, value, value, value, value, value, value);
	}
}

static char text[] = "text \"quoted\"\n\t\001\377end";
static struct iovec io[2] = { { "one", 3 }, { text, 4 } };
static struct __kernel_old_timespec two[2] = { { 5, 0x3fffffff }, { 1234567890, 12345678 } };
static struct __kernel_timespec two64[2] = { { 0, 0x3ffffffe }, { 1ll << 33, 1 } };
static struct timeval pair[2] = { { 11, 22 }, { 33, 444444 } };
static struct utimbuf utimbuf = { 1, 1234567890 };
static struct flock lock = { F_WRLCK, 2, -3, 10, 0 };
static struct flock64 lock64 = { F_RDLCK, 0, 1ll << 40, 10, 0 };
static char *args[] = { "no", "such", 0 };
static unsigned old_mmap[] = { 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 };

static void files(void)
{
	call(__NR_open, "/no/such", O_RDONLY);
	call(__NR_open, "/no/such/new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	call(__NR_openat, AT_FDCWD, "/no/such", O_RDWR | O_APPEND | O_NONBLOCK | O_DIRECTORY);
	call(__NR_openat, 777, "", O_RDWR | O_TMPFILE | O_DSYNC, 0);
	call(__NR_openat, AT_FDCWD, BAD, O_RDONLY | O_SYNC | O_NOFOLLOW | O_PATH);
	call(__NR_write, 777, text, sizeof(text) - 1);
	call(__NR_write, 777, BAD, 10);
	call(__NR_pwrite64, 777, text, 4, 5, 1);
	call(__NR_pread64, 777, text, 4, -1, 0);
	call(__NR_writev, 777, io, 2);
	call(__NR_pwritev, 777, io, 2, 7, 2);
	call(__NR_pwritev2, 777, io, 1, 7, 2, 1);
	call(__NR_preadv, 777, io, 2, 7, 2);
	call(__NR_lseek, 777, -10, 2);
	call(__NR__llseek, 777, 3, 4, BAD, 1);
	call(__NR_access, "/no/such", 6);
	call(__NR_mknod, "/no/such", 020600, 0x501);
	call(__NR_chmod, "/no/such", 04711);
	call(__NR_chown, "/no/such", 1000, -1);
	call(__NR_chown32, "/no/such", 100000, -1);
	call(__NR_truncate, "/no/such", -5);
	call(__NR_truncate64, "/no/such", 1, 256);
	call(__NR_ftruncate64, 777, 0, 1);
	call(__NR_fallocate, 777, 3, 1, 2, 3, 4);
	call(__NR_readahead, 777, 1, 2, 3);
	call(__NR_sync_file_range, 777, 1, 2, 3, 4, 2);
	call(__NR_fadvise64, 777, 1, 2, 3, 4);
	call(__NR_fadvise64_64, 777, 1, 2, 3, 4, 2);
	call(__NR_utime, "/no/such", &utimbuf);
	call(__NR_utimes, "/no/such", pair);
	call(__NR_futimesat, AT_FDCWD, "/no/such", pair);
	call(__NR_utimensat, AT_FDCWD, "/no/such", two, 0);
	call(__NR_utimensat_time64, AT_FDCWD, "/no/such", two64, 0x100);
	call(__NR_stat64, "/no/such", BAD);
	call(__NR_fstatat64, AT_FDCWD, "/no/such", BAD, 0x100);
	call(__NR_statfs64, "/no/such", 84, BAD);
	call(__NR_mount, "/no/a", "/no/b", "ext4", 0x401, 0);
	call(__NR_umount2, "/no/such", 2);
	call(__NR_umount, "/no/such");
	call(__NR_fcntl64, 777, F_SETLK, &lock);
	call(__NR_fcntl64, 777, F_SETLK64, &lock64);
	call(__NR_fcntl64, 777, F_OFD_SETLK, &lock64);
	call(__NR_fcntl64, 777, F_SETFL, O_RDWR | O_NONBLOCK);
	call(__NR_fanotify_mark, 777, 1, 2, 1, AT_FDCWD, "/no/such");
	call(__NR_sendfile64, 777, 778, 0, 10);
	call(__NR_execve, "/no/such", args, 0);
	call(__NR_execveat, AT_FDCWD, "/no/such", args, 0, 0x100);
	call(__NR_mmap, old_mmap);
	call(__NR_mmap2, 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	call(__NR_mmap2, 0, 0, PROT_NONE, MAP_SHARED | MAP_FIXED, 777, 3);
	call(__NR_setxattr, "/no/such", "user.it", "value", 5, 1);
}

static struct rlimit limit = { 100, ~0ul }, large = { 4096, 3 };
static unsigned long long limit64[2] = { 100, 1ull << 33 };
static struct sigaction act = { { (__sighandler_t)0x1234 }, 1 << (SIGINT - 1) | 1 << (SIGTERM - 1),
				SA_RESTART | SA_RESTORER, (void (*)(void))0x5678 };
static struct {
	unsigned handler, flags, restorer, mask[2];
} rt_act = { 1, SA_RESTORER | SA_SIGINFO, 0x5678, { 1 << (SIGUSR1 - 1), 1 << 8 } };
static unsigned set[2] = { 1 << (SIGUSR1 - 1), 1 << 8 }, none[2];
static stack_t stack = { (void *)0x10000, 2, 4096 };
static struct __kernel_old_timespec ts = { 0, 7000 };
static struct __kernel_timespec ts64 = { 0, 7000 };
static struct {
	struct __kernel_old_timespec interval, value;
} its = { { 1, 2 }, { 3, 400000000 } };
static struct __kernel_itimerspec its64 = { { 1, 2 }, { 1ll << 33, 400000000 } };
static struct itimerval itv = { { 0, 0 }, { 100, 500 } };
static struct timeval tv = { 0, 3 };
static unsigned select_args[] = { 0, 0, 0, 0, (unsigned)-1 };
static struct sockaddr_in in = { 2, 0x901f, { 0x210200c0 }, { 0 } };
static struct sockaddr_un un = { 1, "/no/such" };
static unsigned socket_args[] = { 777, 1, 2 };

static void others(void)
{
	call(__NR_bind, 777, &in, sizeof(in));
	call(__NR_connect, 777, &un, 11);
	call(__NR_connect, 777, BAD, 16);
	call(__NR_sendto, 777, "text", 4, 0x40, &in, sizeof(in));
	call(__NR_socket, 2, 1 | O_CLOEXEC, 6);
	call(__NR_socketcall, 1, socket_args);
	call(__NR_ipc, 3, 777, 0, 0, 0);
	call(__NR_nanosleep, &ts, 0);
	call(__NR_clock_nanosleep, 1, 1, &ts, 0);
	call(__NR_clock_nanosleep_time64, 1, 1, &ts64, 0);
	call(__NR_clock_settime, 1, &ts);
	call(__NR_clock_settime64, 1, &ts64);
	call(__NR_timerfd_settime, 777, 0, &its, 0);
	call(__NR_timerfd_settime64, 777, 0, &its64, 0);
	call(__NR_timer_settime, 777, 1, &its, 0);
	call(__NR_setitimer, 77, &itv, 0);
	call(__NR__newselect, 0, 0, 0, 0, &tv);
	call(__NR_pselect6, 0, 0, 0, 0, &ts, 0);
	call(__NR_pselect6_time64, 0, 0, 0, 0, &ts64, 0);
	call(__NR_ppoll, 0, 0, &ts, 0, 8);
	call(__NR_ppoll_time64, 0, 0, &ts64, 0, 8);
	select_args[4] = (unsigned)&tv;
	call(__NR_select, select_args);
	call(__NR_prlimit64, 999999999, RLIMIT_NOFILE, limit64, 0);
	call(__NR_setrlimit, 77, &limit);
	call(__NR_setrlimit, 77, &large);
	call(__NR_sigaction, SIGUSR2, &act, 0);
	call(__NR_rt_sigaction, SIGUSR2, &rt_act, 0, 8);
	call(__NR_signal, SIGUSR2, 0x1234);
	call(__NR_signal, SIGUSR2, 1);
	call(__NR_sigprocmask, 0, set, 0);
	call(__NR_sigprocmask, 2, none, 0);
	call(__NR_rt_sigprocmask, 0, set, 0, 8);
	call(__NR_rt_sigprocmask, 2, none, 0, 8);
	call(__NR_rt_sigtimedwait, set, 0, &ts, 8);
	call(__NR_rt_sigtimedwait_time64, set, 0, &ts64, 8);
	call(__NR_sigaltstack, &stack, 0);
	call(__NR_setuid, 0x1ffff);
	call(__NR_setuid32, -1);
	call(__NR_setreuid, -1, 0xffff);
	call(__NR_waitpid, 77777, 0, 1);
	call(__NR_wait4, 77777, 0, 1, 0);
	call(__NR_kill, -7777, SIGUSR1);
	call(__NR_tgkill, 77777, 77777, SIGTERM);
	call(__NR_futex, BAD, 1, 1, 0, 0, 0);
	call(__NR_futex_time64, BAD, 1, 1, 0, 0, 0);
	call(__NR_getrusage, -1, 0);
	call(__NR_getrlimit, 7, 0);
	call(__NR_ugetrlimit, 7, 0);
	call(__NR_unshare, 0x400);
	call(__NR_shmget, 0x77, 0, 02000 | 0600);
	call(__NR_prctl, 4, 1, 0, 0, 0);
	call(__NR_umask, 022);
}

/* The value that the kernel passes to the process behind its arguments and its environment. */
static unsigned auxiliary(const unsigned *stack, unsigned type)
{
	stack += 2 + *stack;
	while (*stack++)
		;
	while (*stack && *stack != type)
		stack += 2;
	return stack[1];
}

__asm__(".globl _start\n"
	"_start: mov %esp, %eax; push %eax; call start\n");

void start(const unsigned *stack)
{
	call(__NR_close, 1000);
	files();
	others();
	enter = (void (*)(void))auxiliary(stack, AT_SYSINFO);
	files();
	others();
	enter = by_interrupt;
	all(0);
	call(__NR_close, 1001);
	all(-1);
	call(__NR_close, 1000);
	call(__NR_exit_group, 0);
}
