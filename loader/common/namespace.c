/* SPDX-License-Identifier: GPL-2.0 */
#include "common/namespace.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/machine.h"

/* PROC_PID_INIT_INO of the kernel's include/linux/proc_ns.h. */
#define FIRST 4026531836ul

/* Namespaces have higher numbers than processes have. */
enum { PROCESS_MOST = 1 << 22 };

/* The number of the pid namespace of a process, a name in /proc; 0: it can't be seen. */
static unsigned long number_of(const char *process)
{
	char path[NAME_MAX + 16], link[32];
	unsigned long ret;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%s/ns/pid", process);
	n = readlink(path, link, sizeof(link) - 1);
	if (n <= 0)
		return 0;
	link[n] = '\0';
	return sscanf(link, "pid:[%lu]", &ret) == 1 ? ret : 0;
}

unsigned long namespace_number(void)
{
	unsigned long ret = number_of("self");

	return ret == FIRST ? 0 : ret;
}

const char *namespace_name(char *ret)
{
	unsigned long number = namespace_number();

	if (number)
		snprintf(ret, NAMESPACE_NAME, "%lu_%d", number, (int)getpid());
	else
		snprintf(ret, NAMESPACE_NAME, "%d", (int)getpid());
	return ret;
}

/* The number at @s, which digits alone make up; *@rest follows it. 0: there is none. */
static unsigned long digits(const char *s, const char **rest)
{
	size_t n = strspn(s, "0123456789");

	*rest = s + n;
	return n ? strtoul(s, NULL, 10) : 0;
}

static bool is_empty(unsigned long number)
{
	DIR *proc = opendir("/proc");
	const struct dirent *e;
	bool empty = proc != NULL;

	while (proc && empty && (e = readdir(proc)))
		empty = !isdigit((unsigned char)e->d_name[0]) || number_of(e->d_name) != number;
	if (proc)
		closedir(proc);
	return empty;
}

bool namespace_has_ended(const char *name, const char **rest)
{
	unsigned long own = namespace_number(), number = 0, pid = digits(name, rest);

	if (pid > PROCESS_MOST && **rest == '_') {
		number = pid;
		pid = digits(*rest + 1, rest);
	}
	if (!pid)
		return false;
	if (number == own)
		return kill((pid_t)pid, 0) != 0 && errno == ESRCH;
	return number_of("self") == FIRST && machine_proc_is_own() && is_empty(number);
}
