/* SPDX-License-Identifier: GPL-2.0 */
/* Files that the loader may read. live/silent-files has those that it must not ask for. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "unwind/mounts.h"

static char folder[] = "/tmp/mounts.XXXXXX";

static char *in_folder(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int make_folder(void **state)
{
	int fd;

	(void)state;
	if (!mkdtemp(folder) || chmod(folder, 0755) != 0)
		return -1;
	fd = open(in_folder("file"), O_WRONLY | O_CREAT, 0644);
	if (fd < 0 || write(fd, "bytes", 5) != 5 || close(fd) != 0)
		return -1;
	return mkdir(in_folder("sub"), 0755) | symlink("../file", in_folder("sub/up")) |
	       symlink(folder, in_folder("sub/whole")) | symlink("loop", in_folder("loop")) |
	       mkfifo(in_folder("fifo"), 0644);
}

static int remove_folder(void **state)
{
	static const char *const names[] = { "sub/up", "sub/whole", "loop", "fifo", "file" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(in_folder(names[i]));
	rmdir(in_folder("sub"));
	return rmdir(folder);
}

static int open_path(const char *path)
{
	struct mounts m = { 0 };
	int fd = mounts_open(&m, mounts_find(&m, path));

	mounts_deinit(&m);
	return fd;
}

static void reads(const char *path)
{
	char bytes[8];
	int fd = open_path(path);

	if (fd < 0)
		fail_msg("%s is not opened", path);
	assert_int_equal(read(fd, bytes, sizeof(bytes)), 5);
	close(fd);
}

TEST(finds_paths_as_the_kernel_does)
{
	char twice[PATH_MAX];

	reads(in_folder("file"));
	reads(in_folder("sub/up"));
	reads(in_folder("sub/../sub/./up"));
	reads(in_folder("sub/whole/sub//whole/file"));
	snprintf(twice, sizeof(twice), "//%.*s/file", (int)sizeof(folder), folder);
	reads(twice);
}

TEST(refuses_what_is_no_file)
{
	assert_int_equal(open_path(in_folder("nosuch")), -1);
	assert_int_equal(open_path(in_folder("sub")), -1);
	assert_int_equal(open_path(in_folder("loop")), -1);
	assert_int_equal(open_path(in_folder("fifo")), -1);
	assert_int_equal(open_path(in_folder("file/file")), -1);
	assert_int_equal(open_path("file"), -1);
	assert_int_equal(open_path("/dev/null"), -1);
	assert_int_equal(open_path(""), -1);
}

TEST(allows_files_of_a_process)
{
	struct mounts m = { .pid = getpid() };
	char path[64];
	int memory = memfd_create("memory", MFD_CLOEXEC), fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	fd = open(path, O_PATH | O_CLOEXEC);
	assert_true(mounts_allow(&m, fd));
	close(fd);
	fd = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	assert_true(mounts_allow(&m, fd));
	close(fd);
	close(memory);
	mounts_deinit(&m);
}

/* The tables of mounts then lack that of the root, and of all that is on it. */
static int read_after_chroot(void)
{
	int fd;

	if (unshare(CLONE_NEWNS) != 0 || mkdir(in_folder("proc"), 0755) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("/proc", in_folder("proc"), NULL, MS_BIND, NULL) != 0 ||
	    chroot(folder) != 0 || chdir("/") != 0)
		return 77;
	fd = open_path("/sub/../file");
	return fd < 0;
}

TEST(finds_files_after_chroot)
{
	int status;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	pid = fork();
	if (pid == 0)
		_exit(read_after_chroot());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	rmdir(in_folder("proc"));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return done;
}

/* In a user namespace of one's own, root is nobody at first. */
static bool is_root_there(int namespaces)
{
	return !(namespaces & CLONE_NEWUSER) ||
	       (write_text("/proc/self/setgroups", "deny") &&
		write_text("/proc/self/uid_map", "0 0 1") &&
		write_text("/proc/self/gid_map", "0 0 1"));
}

/* Tells by @ready that there is a file in memory that only its namespace has, and waits. */
static void mount_own(int namespaces, int ready)
{
	if (unshare(namespaces) != 0 || !is_root_there(namespaces) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", in_folder("sub"), "tmpfs", 0, NULL) != 0 ||
	    open(in_folder("sub/own"), O_WRONLY | O_CREAT, 0644) < 0)
		_exit(77);
	if (write(ready, "", 1) == 1)
		pause();
	_exit(1);
}

/* Whether the file may be read; -1: there can be none. */
static int allows_own(int namespaces)
{
	int ready[2], fd, ret = -1;
	char path[PATH_MAX], byte;
	struct mounts m = { 0 };

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	m.pid = fork();
	if (m.pid == 0)
		mount_own(namespaces, ready[1]);
	close(ready[1]);
	if (read(ready[0], &byte, 1) == 1) {
		snprintf(path, sizeof(path), "/proc/%d/root/%s/sub/own", (int)m.pid, folder);
		fd = open(path, O_PATH | O_CLOEXEC);
		assert_true(fd >= 0);
		ret = mounts_allow(&m, fd);
		close(fd);
	}
	close(ready[0]);
	kill(m.pid, SIGKILL);
	assert_int_equal(waitpid(m.pid, NULL, 0), m.pid);
	mounts_deinit(&m);
	return ret;
}

TEST(allows_what_root_has_mounted_elsewhere)
{
	int allowed;

	if (geteuid() != 0)
		skip();
	allowed = allows_own(CLONE_NEWNS);
	if (allowed < 0)
		skip();
	assert_true(allowed);
	allowed = allows_own(CLONE_NEWNS | CLONE_NEWUSER);
	if (allowed < 0)
		skip();
	assert_false(allowed);
}

UNIT_AROUND(make_folder, remove_folder)
