/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For syscall-strace.sh: makes nearly all system calls twice, with arguments that are all 0 or all
 * -1, and some with strings, structures and flags. Most fail. "Nearly": not those that end or stop
 * the process, start another one, or change the machine.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LAST 461
#define BAD 0x7fff00001000l

static const int left_out[] = {
	SYS_rt_sigreturn, SYS_clone, SYS_fork, SYS_vfork, SYS_exit, SYS_exit_group, SYS_pause,
	SYS_vhangup, SYS_restart_syscall, SYS_select, SYS_pselect6, SYS_ppoll, SYS_seccomp,
	SYS_reboot, SYS_close, SYS_brk, SYS_rt_sigsuspend, SYS_kexec_load, SYS_acct, SYS_syslog,
	SYS_close_range, SYS_msgget, SYS_semget, SYS_shmget, SYS_msgrcv, 335,
};

static bool is_left_out(long call)
{
	if (call > SYS_rseq && call < SYS_pidfd_send_signal)
		return true;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(*left_out); i++)
		if (left_out[i] == call)
			return true;
	return false;
}

static void all(long value)
{
	for (long call = 0; call <= LAST; call++)
		if (!is_left_out(call))
			syscall(call, value, value, value, value, value, value);
}

static void files(void)
{
	static char text[] = "text \"quoted\"\n\t\001\377end";
	struct iovec io[2] = { { "one", 3 }, { text, 4 } };
	struct timespec two[2] = { { 5, UTIME_NOW }, { 1234567890, 12345678 } };
	struct timespec omit[2] = { { 0, UTIME_OMIT }, { 9, 1 } };
	struct timeval pair[2] = { { 11, 22 }, { 33, 444444 } };

	syscall(SYS_open, "/no/such", O_RDONLY);
	syscall(SYS_open, "/no/such/new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	syscall(SYS_openat, AT_FDCWD, "/no/such", O_RDWR | O_APPEND | O_NONBLOCK | O_DIRECTORY);
	syscall(SYS_openat, 777, "", O_RDWR | O_TMPFILE | O_DSYNC, 0);
	syscall(SYS_openat, AT_FDCWD, BAD, O_RDONLY | O_SYNC | O_NOFOLLOW | O_PATH);
	syscall(SYS_write, 777, text, sizeof(text) - 1);
	syscall(SYS_write, 777, BAD, 10);
	syscall(SYS_write, 777, text, 0);
	syscall(SYS_pwrite64, 777, text, 4, 5);
	syscall(SYS_writev, 777, io, 2);
	syscall(SYS_read, 777, text, 10);
	syscall(SYS_lseek, 777, -10l, SEEK_END);
	syscall(SYS_access, "/no/such", R_OK | W_OK);
	syscall(SYS_faccessat, AT_FDCWD, "/no", F_OK);
	syscall(SYS_faccessat2, AT_FDCWD, "/no", X_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
	syscall(SYS_mkdir, "/no/such", 0755);
	syscall(SYS_mkdirat, AT_FDCWD, "/no/such", 01777);
	syscall(SYS_mknod, "/no/such", S_IFCHR | 0600, 0x501);
	syscall(SYS_mknodat, AT_FDCWD, "/no/such", S_IFIFO | 0644, 0);
	syscall(SYS_chmod, "/no/such", 04711);
	syscall(SYS_umask, 022);
	syscall(SYS_chown, "/no/such", 1000, -1);
	syscall(SYS_renameat2, AT_FDCWD, "/no/a", 777, "b", RENAME_NOREPLACE);
	syscall(SYS_unlinkat, AT_FDCWD, "/no/such", AT_REMOVEDIR);
	syscall(SYS_linkat, AT_FDCWD, "/no/a", AT_FDCWD, "/no/b", AT_SYMLINK_FOLLOW);
	syscall(SYS_utimensat, AT_FDCWD, "/no/such", two, 0);
	syscall(SYS_utimensat, AT_FDCWD, "/no/such", omit, AT_SYMLINK_NOFOLLOW);
	syscall(SYS_utimensat, AT_FDCWD, "/no/such", BAD, 0);
	syscall(SYS_futimesat, AT_FDCWD, "/no/such", pair);
	syscall(SYS_utimes, "/no/such", NULL);
	syscall(SYS_mount, "/no/a", "/no/b", "ext4", 0x401, NULL);
	syscall(SYS_umount2, "/no/such", 2);
	syscall(SYS_truncate, "/no/such", 1l << 40);
	syscall(SYS_statfs, "/no/such", BAD);
	syscall(SYS_statx, AT_FDCWD, "/no/such", AT_SYMLINK_NOFOLLOW, 0x7ff, BAD);
	syscall(SYS_getxattr, "/no/such", "user.it", NULL, 0);
	syscall(SYS_setxattr, "/no/such", "user.it", "value", 5, 1);
	syscall(SYS_flock, 777, 6);
	syscall(SYS_fallocate, 777, 3, 1, 2);
	syscall(SYS_splice, 777, NULL, 778, NULL, 10, 5);
	syscall(SYS_memfd_create, "name", 3);
}

static void others(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(8080) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/no/such" };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 12, .nl_groups = 0x30 };
	struct rlimit limit = { 100, RLIM_INFINITY };
	struct kernel_sigaction {
		unsigned long handler, flags, restorer, mask;
	} act = { 0x1234, 0x04000000 | SA_RESTART | SA_SIGINFO, 0x5678,
		  1ul << (SIGINT - 1) | 1ul << (SIGTERM - 1) };
	unsigned long set = 1ul << (SIGUSR1 - 1) | 1ul << 40, none = 0;
	stack_t stack = { (void *)0x10000, SS_DISABLE, 4096 };
	struct timespec ts = { 0, 7000 };
	struct itimerspec its = { { 1, 2 }, { 3, 400000000 } };
	struct itimerval itv = { { 0, 0 }, { 100, 500 } };
	struct timeval tv = { 0, 3 };

	inet_pton(AF_INET, "192.0.2.33", &in.sin_addr);
	inet_pton(AF_INET6, "2001:db8::7", &in6.sin6_addr);
	syscall(SYS_bind, 777, &in, sizeof(in));
	syscall(SYS_connect, 777, &in6, sizeof(in6));
	syscall(SYS_connect, 777, &un, offsetof(struct sockaddr_un, sun_path) + 9);
	memcpy(un.sun_path, "\0abstract", 9);
	syscall(SYS_connect, 777, &un, offsetof(struct sockaddr_un, sun_path) + 9);
	syscall(SYS_bind, 777, &nl, sizeof(nl));
	syscall(SYS_connect, 777, BAD, 16);
	syscall(SYS_sendto, 777, "text", 4, MSG_DONTWAIT, &in, sizeof(in));
	syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	syscall(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	syscall(SYS_shutdown, 777, SHUT_RDWR);
	syscall(SYS_nanosleep, &ts, NULL);
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	syscall(SYS_clock_settime, CLOCK_MONOTONIC, &ts);
	syscall(SYS_timerfd_settime, 777, 0, &its, NULL);
	syscall(SYS_setitimer, 77, &itv, NULL);
	syscall(SYS_select, 0, NULL, NULL, NULL, &tv);
	syscall(SYS_pselect6, 0, NULL, NULL, NULL, &ts, NULL);
	syscall(SYS_ppoll, NULL, 0, &ts, NULL, 8);
	syscall(SYS_prlimit64, 999999999, RLIMIT_NOFILE, &limit, NULL);
	syscall(SYS_setrlimit, 77, &limit);
	syscall(SYS_rt_sigaction, SIGUSR2, &act, NULL, 8);
	act.handler = 1;
	syscall(SYS_rt_sigaction, SIGUSR2, &act, NULL, 8);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 8);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
	syscall(SYS_rt_sigtimedwait, &set, NULL, &ts, 8);
	syscall(SYS_sigaltstack, &stack, NULL);
	syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	syscall(SYS_mmap, NULL, 0, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, 77, 8192);
	syscall(SYS_madvise, NULL, 0, MADV_DONTNEED);
	syscall(SYS_kill, -7777, SIGUSR1);
	syscall(SYS_tgkill, 77777, 77777, SIGTERM);
	syscall(SYS_shmget, 0x77, 0, 02000 | 0600);
	syscall(SYS_unshare, CLONE_FILES);
	syscall(SYS_getrusage, RUSAGE_CHILDREN, NULL);
	syscall(SYS_wait4, 77777, NULL, 1, NULL);
}

int main(void)
{
	close(1000);
	files();
	others();
	all(0);
	close(1001);
	all(-1);
	close(1000);
	_exit(0);
}
