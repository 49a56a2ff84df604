/* SPDX-License-Identifier: GPL-2.0 */
/* For syscall-words.sh: makes system calls with many flags and commands; most calls fail. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <linux/futex.h>
#include <linux/keyctl.h>
#include <linux/falloc.h>
#include <linux/memfd.h>
#include <linux/random.h>
#include <sched.h>
#include <stdio.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static struct flock lock = { F_WRLCK, SEEK_END, -3, 10 };
static struct f_owner_ex owner = { F_OWNER_PGRP, 12 };

/* The meaning of the other arguments depends on the command. */
static void by_command(void)
{
	syscall(SYS_fcntl, 77, F_DUPFD, 10);
	syscall(SYS_fcntl, 77, F_DUPFD_CLOEXEC, 20);
	syscall(SYS_fcntl, 77, F_GETFD, 5);
	syscall(SYS_fcntl, 77, F_SETFD, FD_CLOEXEC);
	syscall(SYS_fcntl, 77, F_SETFD, 0);
	syscall(SYS_fcntl, 77, F_GETFL);
	syscall(SYS_fcntl, 77, F_SETFL, O_RDWR | O_NONBLOCK | O_APPEND);
	syscall(SYS_fcntl, 77, F_SETFL, 0);
	syscall(SYS_fcntl, 77, F_SETLK, &lock);
	syscall(SYS_fcntl, 77, F_SETLKW, 8);
	syscall(SYS_fcntl, 77, F_GETLK, &lock);
	syscall(SYS_fcntl, 77, F_OFD_SETLK, &lock);
	syscall(SYS_fcntl, 77, F_SETOWN, -5);
	syscall(SYS_fcntl, 77, F_GETOWN);
	syscall(SYS_fcntl, 77, F_SETSIG, SIGIO);
	syscall(SYS_fcntl, 77, F_SETSIG, 0);
	syscall(SYS_fcntl, 77, F_GETSIG);
	syscall(SYS_fcntl, 77, F_SETOWN_EX, &owner);
	syscall(SYS_fcntl, 77, F_GETOWN_EX, &owner);
	syscall(SYS_fcntl, 77, F_SETLEASE, F_RDLCK);
	syscall(SYS_fcntl, 77, F_GETLEASE);
	syscall(SYS_fcntl, 77, F_NOTIFY, DN_ACCESS | DN_MULTISHOT);
	syscall(SYS_fcntl, 77, F_NOTIFY, 0);
	syscall(SYS_fcntl, 77, F_SETPIPE_SZ, 65536);
	syscall(SYS_fcntl, 77, F_GETPIPE_SZ);
	syscall(SYS_fcntl, 77, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE);
	syscall(SYS_fcntl, 77, F_GET_SEALS);
}

static void by_option(void)
{
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGTERM);
	syscall(SYS_prctl, PR_SET_PDEATHSIG, 0);
	syscall(SYS_prctl, PR_GET_PDEATHSIG, 0);
	syscall(SYS_prctl, PR_GET_DUMPABLE);
	syscall(SYS_prctl, PR_SET_DUMPABLE, 1);
	syscall(SYS_prctl, PR_SET_DUMPABLE, 0);
	syscall(SYS_prctl, PR_GET_KEEPCAPS);
	syscall(SYS_prctl, PR_SET_KEEPCAPS, 1);
	syscall(SYS_prctl, PR_SET_NAME, "syscall-words and more");
	syscall(SYS_prctl, PR_GET_NAME, 8);
	syscall(SYS_prctl, PR_GET_SECCOMP);
	syscall(SYS_prctl, PR_SET_SECCOMP, 2, 0);
	syscall(SYS_prctl, PR_CAPBSET_READ, 7);
	syscall(SYS_prctl, PR_GET_TSC, 0);
	syscall(SYS_prctl, PR_SET_TSC, 1);
	syscall(SYS_prctl, PR_GET_SECUREBITS);
	syscall(SYS_prctl, PR_SET_TIMERSLACK, 50000);
	syscall(SYS_prctl, PR_GET_TIMERSLACK);
	syscall(SYS_prctl, PR_MCE_KILL, 1, 0, 0, 0);
	syscall(SYS_prctl, PR_MCE_KILL_GET, 0, 0, 0, 0);
	syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
	syscall(SYS_prctl, PR_GET_CHILD_SUBREAPER, 0);
	syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 2, 0, 0, 0);
	syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	syscall(SYS_prctl, PR_SET_THP_DISABLE, 0, 0, 0, 0);
	syscall(SYS_prctl, PR_GET_THP_DISABLE, 0, 0, 0, 0);
	syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, 3, 0, 0);
	syscall(SYS_prctl, PR_SET_PTRACER, -1);
	syscall(SYS_prctl, PR_SET_PTRACER, 12);
	syscall(SYS_prctl, PR_GET_TID_ADDRESS, 0);
	syscall(SYS_prctl, PR_SET_MM, 7, 0x1000, 0, 0);
	syscall(SYS_prctl, PR_GET_SPECULATION_CTRL, 0, 0, 0, 0);
	syscall(SYS_prctl, PR_SET_SPECULATION_CTRL, 1, 4, 0, 0);
	syscall(SYS_prctl, PR_SET_VMA, 0, 4096, 8192, "anon");
	syscall(SYS_prctl, PR_SET_IO_FLUSHER, 1, 0, 0, 0);
	syscall(SYS_prctl, PR_GET_IO_FLUSHER, 0, 0, 0, 0);
	syscall(SYS_prctl, PR_TASK_PERF_EVENTS_DISABLE);
}

static void by_operation(void)
{
	syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -1, 0);
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 8);
	syscall(SYS_keyctl, KEYCTL_UPDATE, 12, "payload", 7);
	syscall(SYS_keyctl, KEYCTL_REVOKE, 12);
	syscall(SYS_keyctl, KEYCTL_CHOWN, 12, -1, 5);
	syscall(SYS_keyctl, KEYCTL_SETPERM, 12, 0x3f010000);
	syscall(SYS_keyctl, KEYCTL_DESCRIBE, -3, 0, 0);
	syscall(SYS_keyctl, KEYCTL_CLEAR, -9);
	syscall(SYS_keyctl, KEYCTL_LINK, 12, -2);
	syscall(SYS_keyctl, KEYCTL_UNLINK, 12, -4);
	syscall(SYS_keyctl, KEYCTL_SEARCH, -5, "user", "text", 0);
	syscall(SYS_keyctl, KEYCTL_READ, 12, 0, 0);
	syscall(SYS_keyctl, KEYCTL_NEGATE, 12, 5, -2);
	syscall(SYS_keyctl, KEYCTL_SET_REQKEY_KEYRING, 1);
	syscall(SYS_keyctl, KEYCTL_SET_REQKEY_KEYRING, -1);
	syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, 12, 100);
	syscall(SYS_keyctl, KEYCTL_ASSUME_AUTHORITY, 12);
	syscall(SYS_keyctl, KEYCTL_GET_SECURITY, 12, 0, 0);
	syscall(SYS_keyctl, KEYCTL_SESSION_TO_PARENT);
	syscall(SYS_keyctl, KEYCTL_REJECT, 12, 5, 128, -2);
	syscall(SYS_keyctl, KEYCTL_INVALIDATE, 12);
	syscall(SYS_keyctl, KEYCTL_GET_PERSISTENT, -1, -2);
	syscall(SYS_pkey_alloc, 0, 1);
	syscall(SYS_pkey_alloc, 0, 3);
	syscall(SYS_pkey_alloc, 0, 0);
	syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 4);
	syscall(SYS_ioprio_set, 1, 0, 0);
	syscall(SYS_ioprio_set, 1, 0, 3 << 13 | 9);
	syscall(SYS_ioprio_get, 1, 0);
	syscall(SYS_quotactl, 0x80000700, "/dev/no", 3, 8);
	syscall(SYS_quotactl, 0x80000201, "/dev/no", 3, "/fil");
	syscall(SYS_quotactl, 0x80000100, 0, 3, 0);
	syscall(SYS_quotactl, 0x80000301, "/dev/no", 3, 8);
	syscall(SYS_quotactl_fd, 77, 0x80000700, 3, 8);
}

int main(void)
{
	syscall(SYS_open, "/no/such", O_RDONLY);
	syscall(SYS_open, "/no/such/new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
	syscall(SYS_openat, AT_FDCWD, "/no/such", O_RDWR | O_APPEND | O_NONBLOCK | O_DIRECTORY);
	syscall(SYS_openat, 77, "no", O_RDONLY | O_SYNC | O_NOFOLLOW | O_PATH);
	syscall(SYS_openat, AT_FDCWD, "/no", O_RDWR | O_TMPFILE | O_DSYNC, 0600);
	syscall(SYS_access, "/no/such", R_OK | W_OK);
	syscall(SYS_access, "/no/such", F_OK);
	syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	syscall(SYS_mmap, NULL, 0, PROT_NONE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, 77, 8192);
	syscall(SYS_mprotect, NULL, 0, PROT_READ | PROT_EXEC);
	syscall(SYS_madvise, NULL, 0, MADV_DONTNEED);
	syscall(SYS_msync, NULL, 0, MS_SYNC | MS_INVALIDATE);
	syscall(SYS_mremap, NULL, 4096, 8192, MREMAP_MAYMOVE, NULL);
	syscall(SYS_lseek, 77, 10, SEEK_END);
	syscall(SYS_flock, 77, LOCK_EX | LOCK_NB);
	syscall(SYS_fcntl, 77, F_GETFD);
	syscall(SYS_fallocate, 77, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 1, 2);
	syscall(SYS_fadvise64, 77, 0, 0, POSIX_FADV_SEQUENTIAL);
	syscall(SYS_splice, 77, NULL, 78, NULL, 10, SPLICE_F_MOVE | SPLICE_F_MORE);
	syscall(SYS_renameat2, AT_FDCWD, "/no/a", AT_FDCWD, "/no/b", RENAME_NOREPLACE);
	syscall(SYS_unlinkat, AT_FDCWD, "/no/such", AT_REMOVEDIR);
	syscall(SYS_linkat, AT_FDCWD, "/no/a", AT_FDCWD, "/no/b", AT_SYMLINK_FOLLOW);
	syscall(SYS_umount2, "/no/such", MNT_DETACH | UMOUNT_NOFOLLOW);
	syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
	syscall(SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	syscall(SYS_shutdown, 77, SHUT_RDWR);
	syscall(SYS_accept4, 77, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	syscall(SYS_setsockopt, 77, SOL_SOCKET, SO_REUSEADDR, NULL, 0);
	syscall(SYS_setsockopt, 77, SOL_TCP, TCP_NODELAY, NULL, 0);
	syscall(SYS_ioctl, 77, TIOCGWINSZ, NULL);
	syscall(SYS_ioctl, 77, FIONREAD, NULL);
	syscall(SYS_ioctl, 77, _IOW(0xef, 0x12, long), NULL);
	syscall(SYS_kill, 0, 0);
	syscall(SYS_kill, -7777, SIGUSR1);
	syscall(SYS_tgkill, 77777, 77777, SIGTERM);
	syscall(SYS_epoll_create1, EPOLL_CLOEXEC);
	syscall(SYS_epoll_ctl, 77, EPOLL_CTL_DEL, 78, NULL);
	syscall(SYS_eventfd2, 3, EFD_CLOEXEC | EFD_NONBLOCK);
	syscall(SYS_timerfd_create, CLOCK_MONOTONIC, TFD_NONBLOCK);
	syscall(SYS_inotify_init1, IN_NONBLOCK);
	syscall(SYS_inotify_add_watch, 77, "/no/such", IN_CREATE | IN_DELETE | IN_ONLYDIR);
	syscall(SYS_dup3, 77, 78, O_CLOEXEC);
	syscall(SYS_pipe2, NULL, O_CLOEXEC | O_DIRECT);
	syscall(SYS_futex, NULL, FUTEX_WAKE, 1, NULL, NULL, 0);
	syscall(SYS_wait4, 77777, NULL, WNOHANG | __WALL, NULL);
	syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, NULL, NULL, 8);
	syscall(SYS_clock_gettime, CLOCK_BOOTTIME, NULL);
	syscall(SYS_getrusage, RUSAGE_CHILDREN, NULL);
	syscall(SYS_getrlimit, RLIMIT_NOFILE, NULL);
	syscall(SYS_unshare, CLONE_FILES);
	syscall(SYS_shmget, 0x77, 0, IPC_EXCL | 0600);
	syscall(SYS_setns, 77, CLONE_NEWNET);
	syscall(SYS_memfd_create, "name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	syscall(SYS_getrandom, NULL, 0, GRND_NONBLOCK);
	syscall(SYS_sched_get_priority_max, SCHED_FIFO);
	by_command();
	by_option();
	by_operation();
	return 0;
}
