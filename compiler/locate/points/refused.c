/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of probe points that SystemTap has and this build refuses as a whole. */
#include "locate/points/provider.h"

#define USER_SPACE "it comes later; functions, returns, instructions (statement(ADDRESS)) and " \
	"SDT markers of programs and libraries can be probed"
#define LATER "it comes later"
#define NO_PACKETS "it is not planned; kernel.function(\"ip_rcv\") and its like see packets"
#define NO_PROGRAMS "it is not planned; only the kernel is probed"
#define NO_FILES "it comes later; until then, print on a timer"

static const struct form forms[] = {
	{ "process.**", USER_SPACE, 0 },
	{ "process(S).**", USER_SPACE, 0 },
	{ "process(N).**", USER_SPACE, 0 },
	{ "debuginfod.**", USER_SPACE, 0 },
	{ "procfs.**", NO_FILES, 0 },
	{ "procfs(S).**", NO_FILES, 0 },
	{ "input.**", LATER, 0 },
	{ "netfilter.**", NO_PACKETS, 0 },
	{ "java.**", NO_PROGRAMS, 0 },
	{ "java(S).**", NO_PROGRAMS, 0 },
	{ "java(N).**", NO_PROGRAMS, 0 },
	{ "python2.**", NO_PROGRAMS, 0 },
	{ "python3.**", NO_PROGRAMS, 0 },
};

const struct provider refused_provider = {
	"refused", forms, sizeof(forms) / sizeof(forms[0]), NULL,
};
