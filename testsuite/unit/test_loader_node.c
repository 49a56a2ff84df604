/* SPDX-License-Identifier: GPL-2.0 */
/* Cleaning up directories named like those of device nodes: only those of a process that has ended,
 * only those that probec made, and never by a link. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/node.h"
#include "unit.h"

static char top[] = "/tmp/test_loader_node.XXXXXX";

static const char *path(const char *name, int pid, const char *rest)
{
	static char text[256];

	snprintf(text, sizeof(text), "%s/%s%d%s", top, name, pid, rest);
	return text;
}

static void make_file(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	close(fd);
}

/* The number of a process that has ended. */
static int gone_pid(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return (int)pid;
}

TEST(sweeps)
{
	int gone = gone_pid(), here = (int)getpid();
	char other[256];

	mkdir(path(".probec-", gone, "-aaaaaa"), 0700);
	make_file(path(".probec-", gone, "-aaaaaa/device"));
	mkdir(path(".probec-", gone, "-bbbbbb"), 0700);
	mkdir(path(".probec-", here, "-aaaaaa"), 0700);
	make_file(path(".probec-", here, "-aaaaaa/device"));
	node_sweep(top);
	assert_int_not_equal(access(path(".probec-", gone, "-aaaaaa"), F_OK), 0);
	assert_int_not_equal(access(path(".probec-", gone, "-bbbbbb"), F_OK), 0);
	assert_int_equal(access(path(".probec-", here, "-aaaaaa/device"), F_OK), 0);
	unlink(path(".probec-", here, "-aaaaaa/device"));
	rmdir(path(".probec-", here, "-aaaaaa"));

	/* Directories of others: with such a name, accessible to others, with further files, or a
	 * link. */
	snprintf(other, sizeof(other), "%s/other", top);
	mkdir(other, 0700);
	snprintf(other, sizeof(other), "%s/other/device", top);
	make_file(other);
	snprintf(other, sizeof(other), "%s/other", top);
	assert_int_equal(symlink(other, path(".probec-", gone, "-linked")), 0);
	mkdir(path(".probec-", gone, "-shared"), 0700);
	chmod(path(".probec-", gone, "-shared"), 0755);
	make_file(path(".probec-", gone, "-shared/device"));
	mkdir(path("probec-", gone, "-aaaaaa"), 0700);
	mkdir(path(".probec-", gone, "-toolong"), 0700);
	node_sweep(top);
	snprintf(other, sizeof(other), "%s/other/device", top);
	assert_int_equal(access(other, F_OK), 0);
	assert_int_equal(access(path(".probec-", gone, "-shared/device"), F_OK), 0);
	assert_int_equal(access(path("probec-", gone, "-aaaaaa"), F_OK), 0);
	assert_int_equal(access(path(".probec-", gone, "-toolong"), F_OK), 0);
	node_sweep("/nonexistent");
}

static int make_top(void **state)
{
	(void)state;
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	char command[300];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", top);
	return system(command);
}

UNIT_AROUND(make_top, remove_top)
