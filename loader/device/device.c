/* SPDX-License-Identifier: GPL-2.0 */
/* The device of a loaded module. */
#include "device/device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "common/say.h"
#include "device/hotplug.h"
#include "device/node.h"
#include "device/private.h"
#include "module/meta.h"
#include "module/module.h"
#include "shared/file.h"
#include "shared/memory.h"

enum {
	RING_MIN = 64 << 10,
	RING_FIRST = 1 << 20, /* that default rings begin with */
	RING_DEFAULT = 4 << 20,
	RING_SESSION = 1 << 20, /* that the session's grows to, from RING_MIN on */
	MEMORY_SHARE = 32, /* default rings take at most 1/32 of the memory, all together */
};

int device_call(struct device *d, unsigned long request, void *arg)
{
	int n;

	do
		n = ioctl(d->fd, request, arg);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

int device_failed(const char *what, int err)
{
	if (err == -ENOMEM)
		say_error("E_NO_MEMORY", "free some memory, or use a smaller -s",
			  "no memory for the session: %s", what);
	else
		say_error("E_INTERNAL", NULL, "%s: %s", what, strerror(-err));
	return -1;
}

int device_open(struct device *d, const char *name)
{
	char path[128], text[64];
	unsigned maj, min;
	struct stat st;

	snprintf(path, sizeof(path), "/sys/class/misc/%s/dev", name);
	if (file_read_line(path, text, sizeof(text)) != 0 ||
	    sscanf(text, "%u:%u", &maj, &min) != 2) {
		say_error("E_BAD_MODULE", NULL, "the module '%s' was loaded but has no device",
			  name);
		return -1;
	}
	snprintf(path, sizeof(path), "/dev/%s", name);
	if (stat(path, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(maj, min))
		d->fd = open(path, O_RDWR | O_CLOEXEC);
	else
		d->fd = node_open(makedev(maj, min));
	if (d->fd >= 0)
		return 0;
	say_error("E_LOAD",
		  "mount -t devtmpfs devtmpfs /dev, or let root make device nodes in /dev, /run or "
		  "/tmp",
		  "the device %s can't be opened: %s", path, strerror(errno));
	return -1;
}

int device_hello(struct device *d, const struct meta *m)
{
	int err = device_call(d, PRT_IOC_HELLO, &d->hello);

	if (err)
		return device_failed("HELLO", err);
	if (d->hello.abi != PRT_ABI_VERSION || d->hello.nsites != m->nsites ||
	    d->hello.nprobes != m->nprobes || d->hello.nrings == 0 || d->hello.parts == 0) {
		say_error("E_BAD_MODULE", "build it again",
			  "the module disagrees with its self-description "
			  "(version %u, %u sites, %u probes)",
			  d->hello.abi, d->hello.nsites, d->hello.nprobes);
		return -1;
	}
	return 0;
}

static uint64_t memory_kib(void)
{
	struct buf t = { 0 };
	unsigned long long kib = 0;
	char *p;

	if (file_read("/proc/meminfo", &t) == 0 && (p = strstr(t.s, "MemTotal:")) != NULL)
		sscanf(p + 9, "%llu", &kib);
	buf_deinit(&t);
	return kib;
}

/* @ring_mb: of -s. */
static uint64_t rounded(unsigned ring_mb)
{
	uint64_t size = RING_MIN;

	while (size < (uint64_t)ring_mb << 20)
		size *= 2;
	return size;
}

static int too_little(uint64_t least, uint64_t bytes, bool by_rule)
{
	say_error(by_rule ? "E_GRANT" : "E_NO_MEMORY", by_rule ?
		  "build it with a smaller -D MAXMAPENTRIES=N, or ask the administrator for a "
		  "larger memory=" :
		  "use smaller arrays (-D MAXMAPENTRIES=N) or rings (-s MB), or a larger --memory",
		  "the session would take %llu KiB of kernel memory, but %s allows %llu KiB",
		  (unsigned long long)least >> 10, by_rule ? "its rule" : "--memory",
		  (unsigned long long)bytes >> 10);
	return -1;
}

int device_limit(struct device *d, const char *name, uint64_t bytes, unsigned ring_mb, bool by_rule)
{
	uint64_t rings = d->hello.parts;
	uint64_t fixed = d->hello.memory + d->hello.calls + (uint64_t)module_size(name) +
			 RING_SESSION;
	uint64_t least = fixed + rings * rounded(ring_mb);
	uint64_t calls = d->hello.calls && bytes > least ? (bytes - least) / 2 : 0;

	if (bytes < least)
		return too_little(least, bytes, by_rule);
	d->calls_limit = d->hello.calls + calls;
	d->rest_limit = bytes - fixed - calls;
	/* Half of what rings do not need is for arrays that grow. */
	d->ring_limit = (d->rest_limit - (bytes - least - calls) / 2) / rings;
	return 0;
}

/* Returns the size that each processor's ring may have. */
static uint32_t ring_bytes(const struct device *d, unsigned ring_mb)
{
	uint64_t size = RING_MIN, want;

	if (ring_mb == 0) {
		if (!d->hello.output)
			return RING_MIN;
		want = memory_kib() * 1024 / MEMORY_SHARE / (d->hello.parts + 1);
		if (want > RING_DEFAULT)
			want = RING_DEFAULT;
		if (d->ring_limit && want > d->ring_limit)
			want = d->ring_limit;
		while (size * 2 <= want)
			size *= 2;
		return (uint32_t)size;
	}
	return (uint32_t)rounded(ring_mb);
}

/* Returns what follows the size of a ring that grows to another one. */
static const char *up_to(uint32_t most, uint32_t size, char *buf, size_t len)
{
	snprintf(buf, len, most > size ? " to %u" : "", most >> 10);
	return buf;
}

static uint32_t threads(void)
{
	char line[128];
	unsigned n;

	if (file_read_line("/proc/loadavg", line, sizeof(line)) == 0 &&
	    sscanf(line, "%*s %*s %*s %*u/%u", &n) == 1)
		return n;
	return 1024;
}

/* Reports why SETUP failed, which part needed the most memory, and the option that reduces it. */
static int refused(struct device *d, const struct prt_setup *s)
{
	struct prt_refusal r = { 0 };
	char largest[256] = "", hint[256];
	int err = device_call(d, PRT_IOC_REFUSAL, &r);

	if (err)
		return device_failed("REFUSAL", err);
	r.name[sizeof(r.name) - 1] = '\0';
	if (r.largest)
		snprintf(largest, sizeof(largest),
			 "; the largest array is '%s': %llu elements, %llu KiB%s", r.name,
			 (unsigned long long)r.elements, (unsigned long long)r.largest >> 10,
			 r.copies > 1 ? ", some of it for each processor" : "");
	if (r.largest > r.rings)
		snprintf(hint, sizeof(hint), "global %s[N], or -D MAXMAPENTRIES=N when building, "
			 "makes it smaller", r.name);
	else
		snprintf(hint, sizeof(hint), "use a smaller %s",
			 s->flags & PRT_SETUP_FLIGHT ? "--flight=MB" : "-s MB");
	if (r.why == PRT_REFUSED_TOO_LARGE)
		say_error("E_NO_MEMORY", hint,
			  "the array '%s' would need more than 2 GiB: %llu elements, %llu KiB",
			  r.name, (unsigned long long)r.elements,
			  (unsigned long long)r.largest >> 10);
	else if (r.why == PRT_REFUSED_LIMIT)
		say_error("E_NO_MEMORY", hint,
			  "the session would take %llu KiB of tables and %u rings of %u KiB; "
			  "this machine has %llu KiB for %s%s",
			  (unsigned long long)(r.arrays + r.other) >> 10, d->hello.parts,
			  s->ring_size >> 10, (unsigned long long)r.limit >> 10,
			  r.arrays + r.other > r.limit ? "tables" : "both", largest);
	else
		say_error("E_NO_MEMORY", hint,
			  "the kernel has no memory for the session: "
			  "%u rings of %u KiB and %llu KiB of tables%s",
			  d->hello.parts, s->ring_size >> 10,
			  (unsigned long long)(r.arrays + r.other) >> 10, largest);
	return -1;
}

int device_setup(struct device *d, unsigned ring_mb, int64_t target, unsigned flags)
{
	uint32_t most = ring_bytes(d, ring_mb);
	bool grows = !ring_mb && !(flags & PRT_SETUP_FLIGHT) && most > RING_FIRST;
	struct prt_setup s = {
		.ring_size = grows ? RING_FIRST : most,
		.session_ring_size = RING_MIN,
		.ring_most = most,
		.session_ring_most = RING_SESSION,
		.threads = threads(),
		.target = target,
		.flags = flags,
		.calls = d->calls_limit,
	};
	uint64_t rings = (uint64_t)d->hello.parts * s.ring_size;
	char text[24];
	int err;

	if (hotplug_check(&d->hello))
		return -1;
	if (d->rest_limit)
		s.growth = RING_SESSION - RING_MIN +
			   (d->rest_limit > rings ? d->rest_limit - rings : 1);
	err = device_call(d, PRT_IOC_SETUP, &s);
	if (err == -ENOMEM || err == -E2BIG)
		return refused(d, &s);
	if (flags & PRT_SETUP_USERS_TARGET && (err == -EPERM || err == -ESRCH)) {
		say_error("E_GRANT", "end it, or name another process with -x",
			  "process %lld has %s", (long long)target, err == -ESRCH ? "ended" :
			  "started a program with other privileges, which still runs");
		return -1;
	}
	if (err == -ESRCH) {
		say_error("E_TARGET", NULL, "process %lld has ended", (long long)target);
		return -1;
	}
	if (err)
		return device_failed("SETUP", err);
	d->ring_most = most;
	d->records = flags & PRT_SETUP_FLIGHT;
	say_step("set up: %u rings of %u%s KiB, %llu KiB of tables, %u threads", d->hello.parts,
		 s.ring_size >> 10, up_to(most, s.ring_size, text, sizeof(text)),
		 (unsigned long long)d->hello.memory >> 10, s.threads);
	return 0;
}

static const struct meta_global *find_global(const struct meta *m, const char *name, size_t len)
{
	for (uint32_t i = 0; i < m->nglobals; i++)
		if (!m->globals[i].symbol && strlen(m->globals[i].name) == len &&
		    memcmp(m->globals[i].name, name, len) == 0)
			return &m->globals[i];
	return NULL;
}

static int parse_long(const char *s, long long *ret)
{
	char *end;

	errno = 0;
	*ret = strtoll(s, &end, 0);
	if (errno == ERANGE && *s != '-') {
		errno = 0;
		*ret = (long long)strtoull(s, &end, 0);
	}
	return *s && !*end && !errno ? 0 : -1;
}

/* The author of a script, and the administrator who allows it, do not know them. */
static bool is_of_library(const struct meta_global *g)
{
	return strncmp(g->name, "__", 2) == 0;
}

static void say_unknown_global(const struct meta *m, const char *name, int len)
{
	struct buf names = { 0 };

	for (uint32_t i = 0; i < m->nglobals; i++) {
		if (m->globals[i].symbol || is_of_library(&m->globals[i]))
			continue;
		buf_puts(&names, names.s ? ", " : "the script's globals are: ");
		buf_puts(&names, m->globals[i].name);
	}
	say_error("E_OPTION", names.s ? names.s : "the script has no global that can be set",
		  "the script has no scalar global '%.*s'", len, name);
	buf_deinit(&names);
}

int device_globals_check(const struct meta *m, char *const *assignments, size_t n)
{
	int err = 0;

	for (size_t i = 0; i < n; i++) {
		const char *eq = strchr(assignments[i], '=');
		const struct meta_global *g = find_global(m, assignments[i],
							  (size_t)(eq - assignments[i]));
		struct prt_global_set set;
		long long v;

		if (!g || is_of_library(g)) {
			say_unknown_global(m, assignments[i], (int)(eq - assignments[i]));
			err = -1;
		} else if (!g->is_string && parse_long(eq + 1, &v)) {
			say_error("E_OPTION", "write it in decimal, or in hexadecimal after 0x",
				  "'%s' is a number; '%s' is not", g->name, eq + 1);
			err = -1;
		} else if (strlen(eq + 1) >= sizeof(set.value) ||
			   strlen(g->name) >= sizeof(set.name)) {
			say_error("E_OPTION", "give it a shorter one",
				  "the value of '%s' is longer than %zu bytes", g->name,
				  sizeof(set.value) - 1);
			err = -1;
		}
	}
	return err;
}

/* Sets the global by which a tapset asks for a property of the session, if the script has it. */
static int set_own(struct device *d, const struct meta *m, const char *name, const char *value)
{
	struct prt_global_set set = { 0 };

	if (!find_global(m, name, strlen(name)))
		return 0;
	snprintf(set.name, sizeof(set.name), "%s", name);
	snprintf(set.value, sizeof(set.value), "%s", value);
	return device_call(d, PRT_IOC_GLOBAL, &set);
}

int device_environment(struct device *d, const struct meta *m, int remote_id, const char *remote)
{
	time_t now = time(NULL);
	struct tm tm;
	char number[24];
	int err = 0;

	if (localtime_r(&now, &tm)) {
		snprintf(number, sizeof(number), "%ld", -tm.tm_gmtoff);
		err = set_own(d, m, "__tz_gmtoff", number);
		if (!err)
			err = set_own(d, m, "__tz_name", tm.tm_zone);
	}
	snprintf(number, sizeof(number), "%d", remote_id);
	if (!err && remote)
		err = set_own(d, m, "__remote_id", number);
	if (!err && remote)
		err = set_own(d, m, "__remote_uri", remote);
	return err ? device_failed("GLOBAL", err) : 0;
}

int device_globals(struct device *d, const struct meta *m, char *const *assignments, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *eq = strchr(assignments[i], '=');
		const struct meta_global *g = find_global(m, assignments[i],
							  (size_t)(eq - assignments[i]));
		struct prt_global_set set = { 0 };
		long long v;
		int err;

		snprintf(set.name, sizeof(set.name), "%s", g->name);
		if (g->is_string)
			snprintf(set.value, sizeof(set.value), "%s", eq + 1);
		else if (parse_long(eq + 1, &v) == 0)
			snprintf(set.value, sizeof(set.value), "%lld", v);
		err = device_call(d, PRT_IOC_GLOBAL, &set);
		if (err) {
			say_error("E_OPTION", NULL, "the module refuses %s: %s", assignments[i],
				  strerror(-err));
			return -1;
		}
	}
	return 0;
}

int device_variables(struct device *d, const struct meta *m, const uint64_t *addresses)
{
	for (uint32_t i = 0; i < m->nglobals; i++) {
		struct prt_global_set set = { 0 };
		int err;

		if (!m->globals[i].symbol)
			continue;
		snprintf(set.name, sizeof(set.name), "%s", m->globals[i].name);
		snprintf(set.value, sizeof(set.value), "%lld", (long long)addresses[i]);
		err = device_call(d, PRT_IOC_GLOBAL, &set);
		if (err)
			return device_failed("GLOBAL", err);
	}
	return 0;
}

int device_sites(struct device *d, const uint64_t *addresses, uint32_t n)
{
	struct prt_sites_set s = { .first = 0, .n = n, .addresses = (uintptr_t)addresses };
	int err = n ? device_call(d, PRT_IOC_SITES, &s) : 0;

	return err ? device_failed("SITES", err) : 0;
}

int device_start(struct device *d)
{
	int err = device_call(d, PRT_IOC_START, NULL);

	return err ? device_failed("START", err) : 0;
}

int device_stop(struct device *d)
{
	int err = device_call(d, PRT_IOC_STOP, NULL);

	return err ? device_failed("STOP", err) : 0;
}

void device_close(struct device *d)
{
	device_unmap(d);
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
}
