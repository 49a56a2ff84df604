/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel: its identity, and what it permits. */
#include "machine/kernel.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/say.h"
#include "module/meta.h"
#include "shared/elf.h"
#include "shared/file.h"
#include "shared/machine.h"

bool kernel_build_id_find(const void *notes, size_t len, char buf[KERNEL_BUILD_ID_SIZE])
{
	struct elf_build_id id;

	buf[0] = '\0';
	if (!elf_find_build_id(notes, len, &id) || id.n > (KERNEL_BUILD_ID_SIZE - 1) / 2)
		return false;
	for (size_t i = 0; i < id.n; i++)
		sprintf(buf + 2 * i, "%02x", id.v[i]);
	return true;
}

static void build_id_in(const char *path, char buf[KERNEL_BUILD_ID_SIZE])
{
	struct buf notes = { 0 };

	buf[0] = '\0';
	if (file_read(path, &notes) == 0)
		kernel_build_id_find(notes.s, notes.len, buf);
	buf_deinit(&notes);
}

void kernel_build_id(char buf[KERNEL_BUILD_ID_SIZE])
{
	build_id_in("/sys/kernel/notes", buf);
}

void kernel_module_build_id(const char *name, char buf[KERNEL_BUILD_ID_SIZE])
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", name);
	build_id_in(path, buf);
}

void kernel_identify(struct kernel_identity *ret)
{
	uname(&ret->name);
	kernel_build_id(ret->build_id);
}

bool kernel_fits(const struct kernel_identity *running, const char *release, const char *build_id)
{
	if (strcmp(build_id, "-") == 0 || !*running->build_id)
		return strcmp(release, running->name.release) == 0;
	return strcmp(build_id, running->build_id) == 0;
}

static int check_identity(const struct meta *m)
{
	struct kernel_identity running;

	kernel_identify(&running);
	if (kernel_fits(&running, m->release, m->build_id))
		return 0;
	if (strcmp(m->release, running.name.release) == 0)
		say_error(
			"E_WRONG_KERNEL", "build the module again on this machine (probec -p4)",
			"the module was built for another build of %s: build-id %s, running is %s",
			m->release, m->build_id, running.build_id);
	else
		say_error("E_WRONG_KERNEL",
			  "build the module for the running kernel: probec -r RELEASE -p4",
			  "the module was built for %s, running is %s", m->release,
			  running.name.release);
	return -1;
}

/* A chroot or a container may lack the files that the following checks read. */
static int check_mounted(const char *where, const char *sign, const char *next)
{
	if (access(sign, F_OK) == 0)
		return 0;
	say_error("E_IO", next, "nothing is mounted on %s", where);
	return -1;
}

/* Its root has the machine's rights in nothing: user_namespaces(7). */
static bool is_in_user_namespace(void)
{
	char line[64];
	unsigned long outside, n;

	return file_read_line("/proc/self/uid_map", line, sizeof(line)) == 0 &&
	       sscanf(line, "%*u %lu %lu", &outside, &n) == 2 && (outside || n != UINT32_MAX);
}

static int check_proc(void)
{
	if (access("/proc/self", F_OK) == 0 || access("/proc/version", F_OK) != 0)
		return check_mounted("/proc", "/proc/self", "mount -t proc proc /proc");
	say_error("E_IO", MACHINE_PROC_HINT,
		  "/proc belongs to another pid namespace, which this process is not in");
	return -1;
}

int kernel_check(const struct meta *m)
{
	if (geteuid() != 0) {
		say_error("E_NOT_ROOT", "sudo proberun MODULE.ko",
			  "loading a module needs root");
		return -1;
	}
	if (is_in_user_namespace()) {
		say_error("E_NOT_ROOT", "run it as root outside the container, with -x and the "
					"number that the process has there",
			  "loading a module needs root on the machine itself, not in a user "
			  "namespace");
		return -1;
	}
	if (check_proc() ||
	    check_mounted("/sys", "/sys/module", "mount -t sysfs sysfs /sys"))
		return -1;
	if (access("/proc/modules", F_OK) != 0) {
		say_error("E_NO_MODULES",
			  "probec --vm SCRIPT runs it in a throwaway virtual machine",
			  "this kernel has no loadable modules (/proc/modules is missing)");
		return -1;
	}
	return check_identity(m);
}
