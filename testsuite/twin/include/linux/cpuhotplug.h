/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_CPUHOTPLUG_H
#define TWIN_LINUX_CPUHOTPLUG_H

#define CPUHP_BP_PREPARE_DYN 0

/* machine_bring_up() calls @startup. */
int cpuhp_setup_state_nocalls_cpuslocked(int state, const char *name,
					 int (*startup)(unsigned int nr),
					 int (*teardown)(unsigned int nr));
void cpuhp_remove_state_nocalls(int state);

#endif
