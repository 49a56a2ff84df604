/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of probe points that SystemTap has and this build refuses as a whole. */
#include "locate/providers/provider.h"

#define USER_SPACE "probes in user space come later"
#define LATER "it comes later"
#define OUT "it is not planned"

static const struct form forms[] = {
	{ "process.**", USER_SPACE, 0 },
	{ "process(S).**", USER_SPACE, 0 },
	{ "process(N).**", USER_SPACE, 0 },
	{ "debuginfod.**", USER_SPACE, 0 },
	{ "procfs.**", LATER, 0 },
	{ "procfs(S).**", LATER, 0 },
	{ "input.**", LATER, 0 },
	{ "netfilter.**", OUT, 0 },
	{ "java.**", OUT, 0 },
	{ "java(S).**", OUT, 0 },
	{ "java(N).**", OUT, 0 },
	{ "python2.**", OUT, 0 },
	{ "python3.**", OUT, 0 },
};

const struct provider refused_provider = {
	"refused", forms, sizeof(forms) / sizeof(forms[0]), NULL,
};
