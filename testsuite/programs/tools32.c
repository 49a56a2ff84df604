/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program of 32 bits without a library, whose calls live/tools-32bit looks for. The numbers are
 * those of the 32-bit interface, which <sys/syscall.h> of a 64-bit system does not have.
 */
enum {
	EXIT = 1, OPEN = 5, CLOSE = 6, EXECVE = 11, SETUID = 23, MOUNT = 21, UMOUNT = 22, KILL = 37,
	SYNC = 36, SETREUID = 70, STATFS = 99, FSYNC = 118, FDATASYNC = 148, STAT64 = 195,
	LSTAT64 = 196, SETREUID32 = 203, SETRESUID32 = 208, SETGID32 = 214, TGKILL = 270,
	FSTATAT64 = 300, STATX = 383, UMOUNT2 = 52, GETPID = 20, PIDFD_OPEN = 434,
	PIDFD_SEND_SIGNAL = 424,
};

static long call6(long number, long a, long b, long c, long d, long e)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
	return ret;
}

static long call(long number, long a, long b, long c)
{
	return call6(number, a, b, c, 0, 0);
}

static char room[1024];

static void signals(void)
{
	long self = call(GETPID, 0, 0, 0);

	call(KILL, self, 0, 0);
	call(TGKILL, self, self, 0);
	call6(PIDFD_SEND_SIGNAL, call(PIDFD_OPEN, self, 0, 0), 0, 0, 0, 0);
}

static void attributes(void)
{
	call(STAT64, (long)"/etc/passwd", (long)room, 0);
	call(LSTAT64, (long)"/no/such", (long)room, 0);
	call6(FSTATAT64, -100, (long)"/etc/group", (long)room, 0, 0);
	call6(STATX, -100, (long)"/etc/hosts", 0, 0, (long)room);
	call(STATFS, (long)"/proc", (long)room, 0);
}

static void users(void)
{
	call(SETUID, 0, 0, 0);
	call(SETREUID, -1, 0, 0);
	call(SETREUID32, -1, 0, 0);
	call(SETRESUID32, 0, -1, 0);
	call(SETGID32, 0, 0, 0);
}

static void mounts(void)
{
	int i;

	for (i = 0; i < 2; i++)
		call6(MOUNT, (long)"none", (long)"on32", (long)"tmpfs", 0, 0);
	call(UMOUNT, (long)"on32", 0, 0);
	call(UMOUNT2, (long)"on32", 2, 0);
}

/* Two of the descriptors stay open. */
static void files(void)
{
	int fd = 0, i;

	for (i = 0; i < 20; i++) {
		fd = call(OPEN, (long)"file32", 0102, 0600);
		if (i < 18)
			call(CLOSE, fd, 0, 0);
	}
	call(FSYNC, fd, 0, 0);
	call(FDATASYNC, fd, 0, 0);
	call(SYNC, 0, 0, 0);
}

void _start(void)
{
	const char *words[] = { "/no/such", "a", "b c", 0 };

	signals();
	attributes();
	users();
	mounts();
	files();
	call(EXECVE, (long)"/no/such", (long)words, 0);
	call(EXIT, 0, 0, 0);
}
