/* SPDX-License-Identifier: GPL-2.0 */
#include "unwind/mounts.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/file.h"

enum { LINKS_MAX = 40 };

/* A line of /proc/PID/mountinfo. */
struct mount_line {
	int id;
	unsigned major, minor;
	bool is_users;           /* FUSE that is not root's */
};

static const char *next_word(const char *s)
{
	s += strcspn(s, " ");
	return *s ? s + 1 : s;
}

/* "ID PARENT MAJOR:MINOR ROOT POINT OPTIONS [FIELD]... - TYPE SOURCE OPTIONS". Users choose the
 * source of FUSE, in which spaces are escaped. */
static bool parse_mount(const char *line, struct mount_line *ret)
{
	const char *type = strstr(line, " - "), *user;

	if (!type || sscanf(line, "%d %*d %u:%u ", &ret->id, &ret->major, &ret->minor) != 3)
		return false;
	type += 3;
	ret->is_users = false;
	if (strncmp(type, "fuse", 4) != 0 ||
	    (strncmp(type + 4, "blk", 3) != 0 && type[4] != ' ' && type[4] != '.'))
		return true;
	user = strstr(next_word(next_word(type)), ",user_id=");
	ret->is_users = !user || strtoul(user + 9, NULL, 10) != 0;
	return true;
}

static const struct buf *table_of(struct buf *t, const char *pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%s/mountinfo", pid);
	if (!t->s && file_read(path, t) != 0)
		buf_write(t, "\n", 1);
	return t;
}

/* Each line of @t is one of its own, so a copy of the text is cut into them. */
static bool find_mount(const struct buf *t, bool (*is)(const struct mount_line *line,
							 const struct mount_line *wanted),
		       const struct mount_line *wanted, struct mount_line *ret)
{
	for (const char *line = t->s, *end; line && *line; line = end ? end + 1 : NULL) {
		char copy[2 * PATH_MAX];

		end = strchr(line, '\n');
		snprintf(copy, sizeof(copy), "%.*s", (int)(end ? end - line : (long)strlen(line)),
			 line);
		if (parse_mount(copy, ret) && is(ret, wanted))
			return true;
	}
	return false;
}

static bool is_mount(const struct mount_line *line, const struct mount_line *wanted)
{
	return line->id == wanted->id;
}

static bool is_device(const struct mount_line *line, const struct mount_line *wanted)
{
	return line->major == wanted->major && line->minor == wanted->minor;
}

/* The kernel's number of the mount, which asks no file system. -1: an error. */
static int mount_id(int fd)
{
	struct buf info = { 0 };
	char path[64];
	const char *at;
	int id = -1;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (file_read(path, &info) == 0 && (at = strstr(info.s, "mnt_id:")) != NULL)
		id = atoi(at + 7);
	buf_deinit(&info);
	return id;
}

static int open_root(void)
{
	return open("/", O_PATH | O_CLOEXEC);
}

static bool is_on_mount_of(int fd, int id)
{
	bool ret = fd >= 0 && mount_id(fd) == id;

	if (fd >= 0)
		close(fd);
	return ret;
}

/* Two mounts are in no table: that of files in memory, which is the kernel's own, and that of our
 * root after chroot, if it is not the root of the mount. */
static bool is_hidden(int id)
{
	return is_on_mount_of(memfd_create("probec", MFD_CLOEXEC), id) ||
	       is_on_mount_of(open_root(), id);
}

/* The user namespace in which one must be root to mount anything for that process. */
static bool owner_of(const char *pid, struct stat *ret)
{
	char path[64];
	int fd, owner = -1;
	bool found;

	snprintf(path, sizeof(path), "/proc/%s/ns/mnt", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		owner = ioctl(fd, NS_GET_USERNS);
		close(fd);
	}
	found = owner >= 0 && fstat(owner, ret) == 0;
	if (owner >= 0)
		close(owner);
	return found;
}

/* Whether all that process @pid sees was mounted by who may mount here as well. Asked after its
 * table was read: from a namespace of other users it can't have come back. */
static bool is_ours(struct mounts *m, const char *pid)
{
	struct stat own, theirs;

	if (!m->owner)
		m->owner = owner_of(pid, &theirs) && owner_of("self", &own) &&
			   own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino ? 1 : -1;
	return m->owner > 0;
}

bool mounts_allow(struct mounts *m, int fd)
{
	struct mount_line wanted = { .id = mount_id(fd) }, found;
	char pid[16];

	if (wanted.id < 0)
		return false;
	if (find_mount(table_of(&m->own, "self"), is_mount, &wanted, &found) ||
	    find_mount(table_of(&m->first, "1"), is_mount, &wanted, &found))
		return !found.is_users;
	snprintf(pid, sizeof(pid), "%d", (int)m->pid);
	if (!m->pid || !find_mount(table_of(&m->theirs, pid), is_mount, &wanted, &found))
		return is_hidden(wanted.id);
	if (found.is_users)
		return false;
	/* Only root can mount a device. */
	if (found.major != 0 || is_ours(m, pid))
		return true;
	wanted = found;
	return (find_mount(&m->own, is_device, &wanted, &found) ||
		find_mount(&m->first, is_device, &wanted, &found)) && !found.is_users;
}

int mounts_reopen(int fd)
{
	struct stat st;
	char path[64];
	int ret = -1;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	/* Opening a device may have effects. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		ret = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	close(fd);
	return ret;
}

int mounts_open(struct mounts *m, int fd)
{
	if (fd < 0)
		return -1;
	if (mounts_allow(m, fd))
		return mounts_reopen(fd);
	close(fd);
	return -1;
}

/* Puts the target of the link @fd before @rest, which it then stands for. */
static bool follow(int fd, char rest[PATH_MAX])
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(fd, "", target, sizeof(target) - 1);
	size_t len = strlen(rest);

	if (n <= 0 || (size_t)n + 1 + len + 1 > PATH_MAX)
		return false;
	memmove(rest + n + 1, rest, len + 1);
	memcpy(rest, target, (size_t)n);
	rest[n] = '/';
	return true;
}

/* Takes the first name off @rest. false: it is too long. */
static bool take_name(char *rest, char ret[NAME_MAX + 1])
{
	size_t len = strcspn(rest, "/"), skip = len + (rest[len] == '/');

	if (len > NAME_MAX)
		return false;
	memcpy(ret, rest, len);
	ret[len] = '\0';
	memmove(rest, rest + skip, strlen(rest + skip) + 1);
	return true;
}

/* Goes on from the folder @fd, which it closes, to the first name of @rest. -1: it can't. */
static int step(struct mounts *m, int fd, char rest[PATH_MAX], int *links)
{
	char name[NAME_MAX + 1];
	int next = -1, ret = -1;
	struct stat st;

	if (!mounts_allow(m, fd) || !take_name(rest, name))
		goto out;
	if (!*name)
		return fd;
	next = openat(fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0 || !mounts_allow(m, next) || fstat(next, &st) != 0)
		goto out;
	if (!S_ISLNK(st.st_mode)) {
		ret = next;
		next = -1;
	} else if (++*links <= LINKS_MAX && follow(next, rest)) {
		ret = *rest == '/' ? open_root() : fd;
		fd = *rest == '/' ? fd : -1;
	}
out:
	if (next >= 0)
		close(next);
	if (fd >= 0)
		close(fd);
	return ret;
}

/* One folder at a time: the next name is looked up only where that waits for nobody. */
int mounts_find(struct mounts *m, const char *path)
{
	char rest[PATH_MAX];
	int fd, links = 0;

	if (path[0] != '/' || strlen(path) >= sizeof(rest))
		return -1;
	strcpy(rest, path);
	fd = open_root();
	while (fd >= 0 && *rest)
		fd = step(m, fd, rest, &links);
	return fd;
}

void mounts_deinit(struct mounts *m)
{
	buf_deinit(&m->own);
	buf_deinit(&m->first);
	buf_deinit(&m->theirs);
}
