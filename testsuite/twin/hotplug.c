/* SPDX-License-Identifier: GPL-2.0 */
/* Processors that come online: the kernel's hotplug, without what happens on the processor. */
#include <errno.h>
#include <pthread.h>

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>

#include "machine.h"

bool twin_online[TWIN_CPUS] = { [0 ... TWIN_CPUS - 1] = true };
static pthread_rwlock_t hotplug_lock = PTHREAD_RWLOCK_INITIALIZER;
bool machine_hotplug_full;
static int (*prepare)(unsigned int nr);

void cpus_read_lock(void)
{
	pthread_rwlock_rdlock(&hotplug_lock);
}

void cpus_read_unlock(void)
{
	pthread_rwlock_unlock(&hotplug_lock);
}

unsigned int num_online_cpus(void)
{
	unsigned int n = 0, nr;

	for_each_online_cpu(nr)
		n++;
	return n;
}

int cpuhp_setup_state_nocalls_cpuslocked(int state, const char *name,
					 int (*startup)(unsigned int nr),
					 int (*teardown)(unsigned int nr))
{
	if (machine_hotplug_full)
		return -ENOSPC;
	prepare = startup;
	return 1;
}

void cpuhp_remove_state_nocalls(int state)
{
	prepare = NULL;
}

void machine_unplug(int nr)
{
	twin_online[nr] = false;
}

bool machine_bring_up(int nr)
{
	bool ok;

	pthread_rwlock_wrlock(&hotplug_lock);
	ok = !prepare || prepare(nr) == 0;
	if (ok)
		__atomic_store_n(&twin_online[nr], true, __ATOMIC_RELEASE);
	pthread_rwlock_unlock(&hotplug_lock);
	return ok;
}
