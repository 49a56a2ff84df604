/* SPDX-License-Identifier: GPL-2.0 */
/* For syscall-structs.sh: passes structures to system calls, and prints each call as its argstr
 * shows it. Most calls fail. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Output is written behind the last call. */
static char said[1 << 16];
static size_t length;

#define SAY(...) (length += snprintf(said + length, sizeof(said) - length, __VA_ARGS__))
#define BAD 0x7fff00001000l

struct attributes {
	unsigned int size, policy;
	unsigned long long flags;
	int nice;
	unsigned int priority;
	unsigned long long runtime, deadline, period;
};

struct kernel_sigaction {
	unsigned long handler, flags, restorer, mask;
};

/* Some calls write the time that is left. */
static struct timespec *short_time(void)
{
	static struct timespec ts;

	ts = (struct timespec){ 0, 7000 };
	return &ts;
}

static void times_of_all_kinds(void)
{
	struct timespec two[2] = { { 5, UTIME_NOW }, { 1234567890, 12345678 } };
	struct timespec omit[2] = { { 0, UTIME_OMIT }, { 9, 1 } };
	struct timeval tv = { 0, 3 }, pair[2] = { { 11, 22 }, { 33, 444444 } };
	struct timezone tz = { 60, 1 };
	struct itimerspec its = { { 1, 2 }, { 3, 400000000 } };
	struct itimerval itv = { { 0, 0 }, { 100, 500 } };
	struct utimbuf times = { 0, 86400 };

	syscall(SYS_nanosleep, short_time(), NULL);
	SAY("nanosleep({tv_sec=0, tv_nsec=7000}, NULL)\n");
	syscall(SYS_nanosleep, NULL, &tv);
	SAY("nanosleep(NULL, %p)\n", (void *)&tv);
	syscall(SYS_nanosleep, BAD, NULL);
	SAY("nanosleep(%#lx, NULL)\n", BAD);
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, short_time(), NULL);
	SAY("clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, {tv_sec=0, tv_nsec=7000}, NULL)\n");
	syscall(SYS_clock_settime, CLOCK_MONOTONIC, short_time());
	SAY("clock_settime(CLOCK_MONOTONIC, {tv_sec=0, tv_nsec=7000})\n");
	tv.tv_usec = 2000000;
	syscall(SYS_settimeofday, &tv, &tz);
	SAY("settimeofday({tv_sec=0, tv_usec=2000000}, {tz_minuteswest=60, tz_dsttime=1})\n");
	tv.tv_usec = 3;
	syscall(SYS_setitimer, 77, &itv, NULL);
	SAY("setitimer(0x4d, {it_interval={tv_sec=0, tv_usec=0}, it_value={tv_sec=100, "
	    "tv_usec=500}}, NULL)\n");
	syscall(SYS_timerfd_settime, 777, 0, &its, NULL);
	SAY("timerfd_settime(777, 0, {it_interval={tv_sec=1, tv_nsec=2}, "
	    "it_value={tv_sec=3, tv_nsec=400000000}}, NULL)\n");
	syscall(SYS_select, 0, NULL, NULL, NULL, &tv);
	SAY("select(0, NULL, NULL, NULL, {tv_sec=0, tv_usec=3})\n");
	syscall(SYS_pselect6, 0, NULL, NULL, NULL, short_time(), NULL);
	SAY("pselect6(0, NULL, NULL, NULL, {tv_sec=0, tv_nsec=7000}, NULL)\n");
	syscall(SYS_ppoll, NULL, 0, short_time(), NULL, 8);
	SAY("ppoll(NULL, 0, {tv_sec=0, tv_nsec=7000}, NULL, 8)\n");
	syscall(SYS_utimensat, AT_FDCWD, "/no/such", two, 0);
	SAY("utimensat(AT_FDCWD, \"/no/such\", [UTIME_NOW, {tv_sec=1234567890, "
	    "tv_nsec=12345678}], 0)\n");
	syscall(SYS_utimensat, AT_FDCWD, "/no/such", omit, AT_SYMLINK_NOFOLLOW);
	SAY("utimensat(AT_FDCWD, \"/no/such\", [UTIME_OMIT, {tv_sec=9, tv_nsec=1}], "
	    "AT_SYMLINK_NOFOLLOW)\n");
	syscall(SYS_futimesat, AT_FDCWD, "/no/such", pair);
	SAY("futimesat(AT_FDCWD, \"/no/such\", [{tv_sec=11, tv_usec=22}, {tv_sec=33, "
	    "tv_usec=444444}])\n");
	syscall(SYS_utimes, "/no/such", NULL);
	SAY("utimes(\"/no/such\", NULL)\n");
	syscall(SYS_utime, "/no/such", &times);
	SAY("utime(\"/no/such\", {actime=0, modtime=86400})\n");
	syscall(SYS_semtimedop, 777, NULL, 1, short_time());
	SAY("semtimedop(777, NULL, 1, {tv_sec=0, tv_nsec=7000})\n");
	syscall(SYS_recvmmsg, 777, NULL, 1, 0, short_time());
	SAY("recvmmsg(777, NULL, 1, 0, {tv_sec=0, tv_nsec=7000})\n");
}

static void addresses(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(8080) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(443) };
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/no/such" };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK, .nl_pid = 12, .nl_groups = 0x30 };

	inet_pton(AF_INET, "192.0.2.33", &in.sin_addr);
	inet_pton(AF_INET6, "2001:db8::7", &in6.sin6_addr);
	syscall(SYS_bind, 777, &in, sizeof(in));
	SAY("bind(777, {sa_family=AF_INET, sin_port=htons(8080), "
	    "sin_addr=inet_addr(\"192.0.2.33\")}, 16)\n");
	syscall(SYS_connect, 777, &in6, sizeof(in6));
	SAY("connect(777, {sa_family=AF_INET6, sin6_port=htons(443), "
	    "sin6_flowinfo=htonl(0), inet_pton(AF_INET6, \"2001:db8::7\", &sin6_addr), "
	    "sin6_scope_id=0}, 28)\n");
	syscall(SYS_connect, 777, &un, offsetof(struct sockaddr_un, sun_path) + 9);
	SAY("connect(777, {sa_family=AF_UNIX, sun_path=\"/no/such\"}, 11)\n");
	memcpy(un.sun_path, "\0abstract", 9);
	syscall(SYS_connect, 777, &un, offsetof(struct sockaddr_un, sun_path) + 9);
	SAY("connect(777, {sa_family=AF_UNIX, sun_path=@\"abstract\"}, 11)\n");
	syscall(SYS_bind, 777, &nl, sizeof(nl));
	SAY("bind(777, {sa_family=AF_NETLINK, nl_pid=12, nl_groups=0x000030}, 12)\n");
	nl.nl_family = 99;
	syscall(SYS_bind, 777, &nl, sizeof(nl));
	SAY("bind(777, {sa_family=0x63, "
	    "sa_data=\"\\000\\000\\f\\000\\000\\0000\\000\\000\\000\"}, 12)\n");
	syscall(SYS_connect, 777, NULL, 16);
	SAY("connect(777, NULL, 16)\n");
	syscall(SYS_connect, 777, BAD, 16);
	SAY("connect(777, %#lx, 16)\n", BAD);
	syscall(SYS_sendto, 777, "text", 4, MSG_DONTWAIT, &in, sizeof(in));
	SAY("sendto(777, \"text\", 4, MSG_DONTWAIT, {sa_family=AF_INET, "
	    "sin_port=htons(8080), sin_addr=inet_addr(\"192.0.2.33\")}, 16)\n");
}

static void others(void)
{
	struct rlimit limit = { 100, RLIM_INFINITY };
	struct kernel_sigaction act = { 0x1234, SA_RESTART | SA_SIGINFO, 0x5678,
					1ul << (SIGINT - 1) | 1ul << (SIGTERM - 1) };
	unsigned long set = 1ul << (SIGUSR1 - 1), none = 0;
	stack_t stack = { (void *)0x10000, SS_DISABLE, 4096 };
	struct attributes attr = { sizeof(attr), 1, 0, 0, 500, 1, 2, 3 };
	struct timex tx = { .modes = ADJ_TICK, .tick = 1, .freq = 5, .constant = 6 };

	syscall(SYS_prlimit64, 999999999, RLIMIT_NOFILE, &limit, NULL);
	SAY("prlimit64(999999999, RLIMIT_NOFILE, {rlim_cur=100, rlim_max=RLIM64_INFINITY}, "
	    "NULL)\n");
	syscall(SYS_setrlimit, 77, &limit);
	SAY("setrlimit(0x4d, {rlim_cur=100, rlim_max=RLIM64_INFINITY})\n");
	syscall(SYS_rt_sigaction, SIGUSR2, &act, NULL, 3);
	SAY("rt_sigaction(SIGUSR2, {sa_handler=0x1234, sa_mask=[INT TERM], "
	    "sa_flags=SA_SIGINFO|SA_RESTART}, "
	    "NULL, 3)\n");
	act.handler = 1;
	syscall(SYS_rt_sigaction, SIGUSR2, &act, NULL, 3);
	SAY("rt_sigaction(SIGUSR2, {sa_handler=SIG_IGN, sa_mask=[INT TERM], "
	    "sa_flags=SA_SIGINFO|SA_RESTART}, NULL, 3)\n");
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, NULL, 3);
	SAY("rt_sigprocmask(SIG_BLOCK, [USR1], NULL, 3)\n");
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 3);
	SAY("rt_sigprocmask(SIG_SETMASK, [], NULL, 3)\n");
	syscall(SYS_rt_sigtimedwait, &set, NULL, short_time(), 3);
	SAY("rt_sigtimedwait([USR1], NULL, {tv_sec=0, tv_nsec=7000}, 3)\n");
	syscall(SYS_sigaltstack, &stack, NULL);
	SAY("sigaltstack({ss_sp=0x10000, ss_flags=SS_DISABLE, ss_size=4096}, NULL)\n");
	syscall(SYS_sched_setattr, -1, &attr, 0);
	SAY("sched_setattr(-1, {size=48, sched_policy=1, sched_flags=0, sched_nice=0, "
	    "sched_priority=500, sched_runtime=1, sched_deadline=2, sched_period=3}, 0)\n");
	syscall(SYS_adjtimex, &tx);
	SAY("adjtimex({ADJ_TICK, constant=6, esterror=0, freq=5, maxerror=0, offset=0, "
	    "precision=0, status=0, tick=1, tolerance=0})\n");
}

static void newer_calls(void)
{
	syscall(430, "no-such-fs", 1);
	SAY("fsopen(\"no-such-fs\", FSOPEN_CLOEXEC)\n");
	syscall(433, AT_FDCWD, "/no", 2 | 8);
	SAY("fspick(AT_FDCWD, \"/no\", FSPICK_SYMLINK_NOFOLLOW|FSPICK_EMPTY_PATH)\n");
	syscall(431, 777, 1, "key", NULL, 3);
	SAY("fsconfig(777, FSCONFIG_SET_STRING, \"key\", NULL, 3)\n");
	syscall(431, 777, 6, NULL, NULL, 0);
	SAY("fsconfig(777, FSCONFIG_CMD_CREATE, NULL, NULL, 0)\n");
	syscall(432, 777, 1, 1 | 8);
	SAY("fsmount(777, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY|MOUNT_ATTR_NOEXEC)\n");
	syscall(429, 777, "a", 778, "b", 1 | 0x40);
	SAY("move_mount(777, \"a\", 778, \"b\", "
	    "MOVE_MOUNT_F_SYMLINKS|MOVE_MOUNT_T_EMPTY_PATH)\n");
	syscall(428, AT_FDCWD, "/no", 1 | 0x8000);
	SAY("open_tree(AT_FDCWD, \"/no\", OPEN_TREE_CLONE|AT_RECURSIVE)\n");
	syscall(442, AT_FDCWD, "/no", 0x1000, NULL, 5);
	SAY("mount_setattr(AT_FDCWD, \"/no\", AT_EMPTY_PATH, NULL, 5)\n");
	syscall(448, 777, 1);
	SAY("process_mrelease(777, 0x1)\n");
	syscall(441, 777, NULL, 1, short_time(), NULL, 8);
	SAY("epoll_pwait2(777, NULL, 1, {tv_sec=0, tv_nsec=7000}, NULL, 8)\n");
	syscall(449, NULL, 0, 0, short_time(), CLOCK_MONOTONIC);
	SAY("futex_waitv(NULL, 0, 0, {tv_sec=0, tv_nsec=7000}, CLOCK_MONOTONIC)\n");
	syscall(444, NULL, 7, 2);
	SAY("landlock_create_ruleset(NULL, 7, 0x2)\n");
	syscall(445, 777, 1, NULL, 0);
	SAY("landlock_add_rule(777, LANDLOCK_RULE_PATH_BENEATH, NULL, 0)\n");
	syscall(446, 777, 3);
	SAY("landlock_restrict_self(777, 0x3)\n");
}

int main(void)
{
	close(1000);
	times_of_all_kinds();
	addresses();
	others();
	newer_calls();
	close(1000);
	return fwrite(said, 1, length, stdout) != length;
}
