/* SPDX-License-Identifier: GPL-2.0 */
/* The calls of a session that has been set up. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/say.h"
#include "device/device.h"
#include "device/private.h"

int device_run(struct device *d, uint32_t first, uint32_t n, bool at_end)
{
	struct prt_run run = { .first = first, .n = n, .at_end = at_end };

	return device_call(d, PRT_IOC_RUN, &run);
}

int device_switch(struct device *d, uint32_t probe, bool off)
{
	struct prt_switch set = { .probe = probe, .off = off };

	return device_call(d, PRT_IOC_SWITCH, &set);
}

int device_snapshot(struct device *d, struct prt_snapshot *s)
{
	return device_call(d, PRT_IOC_SNAPSHOT, s);
}

int device_record(struct device *d, const struct prt_snapshot_end *set)
{
	return device_call(d, PRT_IOC_RECORD, (void *)(uintptr_t)set);
}

int device_about(struct device *d, const char *text, size_t len)
{
	struct prt_vmcore_about about = { (uint64_t)(uintptr_t)text, len };

	return device_call(d, PRT_IOC_ABOUT, &about);
}

int device_status(struct device *d, struct prt_status *ret)
{
	int err = device_call(d, PRT_IOC_STATUS, ret);

	return err ? device_failed("STATUS", err) : 0;
}

bool device_array(struct device *d, struct prt_array_get *ret)
{
	uint32_t asked = ret->at;
	int err = device_call(d, PRT_IOC_ARRAY, ret);

	ret->name[sizeof(ret->name) - 1] = '\0';
	return !err && ret->at >= asked && ret->at < UINT32_MAX;
}

int device_site_status(struct device *d, struct prt_site_status *ret, uint32_t n)
{
	struct prt_sites_get g = { .first = 0, .n = n, .status = (uintptr_t)ret };
	int err = n ? device_call(d, PRT_IOC_SITE_STATUS, &g) : 0;

	return err ? device_failed("SITE_STATUS", err) : 0;
}

int device_counts(struct device *d, struct prt_probe_counts *ret, uint32_t n)
{
	struct prt_probes_get g = { .first = 0, .n = n, .counts = (uintptr_t)ret };
	int err = n ? device_call(d, PRT_IOC_PROBES, &g) : 0;

	return err ? device_failed("PROBES", err) : 0;
}

int device_stacks(struct device *d, struct prt_stack_counts *ret)
{
	int err = device_call(d, PRT_IOC_STACKS, ret);

	return err ? device_failed("STACKS", err) : 0;
}

int device_symbol(struct device *d, struct prt_symbol_get *get)
{
	return device_call(d, PRT_IOC_SYMBOL, get) ? -1 : 0;
}

int device_cgroup(struct device *d, int fd)
{
	uint32_t arg = (uint32_t)fd;
	int err = device_call(d, PRT_IOC_CGROUP, &arg);

	if (!err)
		return 0;
	say_error("E_CGROUP", "this needs CONFIG_CGROUPS and a control group of version 2",
		  "--cgroup: %s", strerror(-err));
	return -1;
}

int device_marks(struct device *d, const struct prt_mark_row *rows, uint32_t n)
{
	struct prt_marks_set set = { .rows = (uint64_t)(uintptr_t)rows, .n = n };

	return device_call(d, PRT_IOC_MARKS, &set);
}

bool device_marks_wanted(struct device *d)
{
	return ioctl(d->fd, PRT_IOC_MARKS_WANTED) == 1;
}

int device_input(struct device *d, const struct prt_input *set)
{
	return device_call(d, PRT_IOC_INPUT, (void *)(uintptr_t)set);
}

int device_space_wanted(struct device *d, struct prt_space_wanted *ret)
{
	return device_call(d, PRT_IOC_SPACE_WANTED, ret);
}

int device_code_file(struct device *d, const struct prt_code_file_set *set)
{
	return device_call(d, PRT_IOC_CODE_FILE, (void *)(uintptr_t)set);
}

int device_code_key(struct device *d, const struct prt_code_key *key)
{
	return device_call(d, PRT_IOC_CODE_KEY, (void *)(uintptr_t)key);
}

int device_script_object(struct device *d, struct prt_script_get *get)
{
	return device_call(d, PRT_IOC_SCRIPT_OBJECT, get);
}

int device_script_counts(struct device *d, struct prt_script_counts *ret)
{
	return device_call(d, PRT_IOC_SCRIPT_COUNTS, ret);
}

int device_space(struct device *d, const struct prt_space_set *set)
{
	return device_call(d, PRT_IOC_SPACE, (void *)(uintptr_t)set);
}

int device_file_wanted(struct device *d)
{
	int fd = ioctl(d->fd, PRT_IOC_FILE_WANTED);

	return fd < 0 ? -errno : fd;
}
