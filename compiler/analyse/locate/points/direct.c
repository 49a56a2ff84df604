/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the functions that a direct call can replace (--direct): functions that return and have all
 * parameters in registers, so that none lies above the return address.
 */
#include <string.h>

#include "target/arch/arch.h"
#include "target/kernel/namelist.h"
#include "analyse/locate/locate.h"

/* The kernel's __noreturn functions that can be probed; their types do not show it. */
static bool returns(const char *name)
{
	static const char *const never[] = {
		"do_exit", "do_group_exit", "make_task_dead", "kthread_exit",
		"kthread_complete_and_exit", "__module_put_and_kthread_exit", "do_task_dead",
		"rewind_stack_and_make_dead", "panic", "nmi_panic", "nmi_panic_self_stop",
		"machine_real_restart", "stop_this_cpu", "cpu_startup_entry", "start_secondary",
		"rest_init", "kthread", "ret_from_fork", "__x64_sys_exit", "__ia32_sys_exit",
		"__x64_sys_exit_group", "__ia32_sys_exit_group",
		"xen_cpu_bringup_again", "hv_ghcb_terminate", "snp_abort", "arch_cpu_idle_dead",
		"__arm64_sys_exit", "__arm64_sys_exit_group", "secondary_start_kernel",
		"cpu_die_early", "acpi_processor_ffh_play_dead", "mwait_play_dead",
		"x86_64_start_kernel",
	};

	for (size_t i = 0; i < sizeof(never) / sizeof(*never); i++)
		if (strcmp(name, never[i]) == 0)
			return false;
	return true;
}

bool locate_direct(const struct site *site)
{
	const struct btf_func *f = locate_prototype(site);
	struct arch_passing place;
	uint32_t type;

	if (!f || f->doubtful || site->offset || site->place ||
	    strcmp(site->object, "kernel") != 0 || namelist_clone_suffix(site->symbol) ||
	    !returns(site->symbol))
		return false;
	for (unsigned i = 0; i < btf_func_nparams(f); i++) {
		if (!btf_func_param(f, i, &type))
			return false;
		place = arch_param(f, i);
		if (place.where != ARCH_REGISTERS)
			return false;
	}
	place = arch_return(f);
	return place.where == ARCH_RETURN_VALUE || (place.where == ARCH_NOWHERE && !place.why);
}
