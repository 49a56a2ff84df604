/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The first components of aliases that SystemTap's library has and this one does not. Many scripts
 * use them, so they are refused by name instead of being taken for misspellings. Aliases are tried
 * first: a family that tapsets/ has in part keeps its row for the rest.
 */
#include "analyse/locate/points/provider.h"

#define LATER "the tapset library has no alias of that name"
#define OUT "it is not planned"

static const struct form forms[] = {
	{ "syscall.**", LATER, 0 },
	{ "nd_syscall.**", LATER, 0 },
	{ "syscall_any.**", LATER, 0 },
	{ "nd_syscall_any.**", LATER, 0 },
	{ "generic.**", LATER, 0 },
	{ "ioblock.**", LATER, 0 },
	{ "ioblock_trace.**", LATER, 0 },
	{ "ioscheduler.**", LATER, 0 },
	{ "ioscheduler_trace.**", LATER, 0 },
	{ "ipmib.**", LATER, 0 },
	{ "irq_handler.**", LATER, 0 },
	{ "kprocess.**", LATER, 0 },
	{ "linuxmib.**", LATER, 0 },
	{ "netdev.**", LATER, 0 },
	{ "nfs.**", LATER, 0 },
	{ "nfsd.**", LATER, 0 },
	{ "scheduler.**", LATER, 0 },
	{ "scsi.**", LATER, 0 },
	{ "signal.**", LATER, 0 },
	{ "socket.**", LATER, 0 },
	{ "softirq.**", LATER, 0 },
	{ "sunrpc.**", LATER, 0 },
	{ "tcp.**", LATER, 0 },
	{ "tcpmib.**", LATER, 0 },
	{ "tty.**", LATER, 0 },
	{ "udp.**", LATER, 0 },
	{ "vfs.**", LATER, 0 },
	{ "vm.**", LATER, 0 },
	{ "workqueue.**", LATER, 0 },
	{ "json_data.**", OUT, 0 },
	{ "prometheus.**", OUT, 0 },
	{ "stap.**", LATER, 0 },
	{ "stapio.**", OUT, 0 },
	{ "staprun.**", LATER, 0 },
};

const struct provider library_provider = {
	"library", forms, sizeof(forms) / sizeof(forms[0]), NULL,
};
