/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_SMP_H
#define TWIN_LINUX_SMP_H

/* Threads stand for processors: ../../machine.h. */
#define TWIN_CPUS 3

extern __thread int twin_cpu; /* TWIN_CPUS stands for the session thread or the test's own */

#define raw_smp_processor_id()    twin_cpu
#define smp_processor_id()        twin_cpu
#define num_possible_cpus()       TWIN_CPUS
#define nr_cpu_ids                TWIN_CPUS
#define for_each_possible_cpu(nr) for ((nr) = 0; (nr) < TWIN_CPUS; (nr)++)
#define cpu_to_node(nr)           NUMA_NO_NODE

/* Runs on each processor between two of its sections with interrupts off. */
void on_each_cpu(void (*f)(void *), void *arg, int wait);

#endif
