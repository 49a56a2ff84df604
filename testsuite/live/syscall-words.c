/* SPDX-License-Identifier: GPL-2.0 */
/* For syscall-words.sh: makes system calls with many flags and commands; most calls fail. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <linux/futex.h>
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
	return 0;
}
