/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that SystemTap's library has and this one does not. They are refused by name with an
 * alternative, instead of being taken for misspellings. The library is searched first; a row is
 * removed when a tapset gets its function.
 */
#include <fnmatch.h>
#include <stddef.h>

#include "parse/foreign.h"

static const struct missing {
	const char *names, *hint;
} missing[] = {
	{ "@(ftrace|dump_stack|stp_print_binary)",
	  "print and print_backtrace() write to the output" },
	{ "set_returnval", "with -g, $return = value" },
	{ "set_*_arg", "with -g, $parameter = value" },
	{ "target_set_report", "target_set_pid() asks for one process" },
	{ "@(umodaddr|umodbuildid)", "/proc/PID/maps has the addresses of files, and file(1) shows "
	  "the build-id of one" },
	{ "@(python|python2|python3|Py2Object|Py3Object)_*",
	  "python.* are aliases of the markers that the interpreter has" },
	{ "@(print|sprint)_java_backtrace",
	  "hotspot.* are aliases of the markers that libjvm has" },
	{ "@(AF_INET|AF_INET6)", "AF_INET is 2, and AF_INET6 is 10" },
	{ "daddr_to_string", "ip_ntop() shows the addresses of both families" },
	{ "tcp_ipv6_sockopt_str", "tcp_sockopt_str(): options of TCP do not depend on the family" },
	{ "@(clones_from_clnt|tasks_from_clnt|vers_from_prog)",
	  "others may change the list while it is read" },
	{ "@(get_scsi_request|bdev_partno|container_of_task_rcu)",
	  "scsi.*, ioblock.* and scheduler.process_free have these values" },
	{ "@(NFS_*|stap_NFS_CLIENT|get_ip|get_prot|get_ip_from_client|get_prot_from_client)",
	  "aliases such as nfs.proc.read_setup have server_ip, prot and the like" },
	{ "@(pnlabel|arch_bytes|uarch_bytes|rcu_dereference|qs_time|"
	  "get_mmap_args|irqflags_str|syscall_num)",
	  "only SystemTap's own library calls it" },
	{ "task_backtrace",
	  "print_backtrace() in kernel.trace(\"sched_switch\") shows the task that is switched "
	  "out" },
};

const char *missing_function(const char *word)
{
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (!fnmatch(missing[i].names, word, FNM_EXTMATCH))
			return missing[i].hint;
	return NULL;
}
