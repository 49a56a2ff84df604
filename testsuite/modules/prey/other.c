/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/module.h>

#include "prey.h"

/* main.c defines the other function of this name. */
static prey_whole long prey_twin(long x)
{
	barrier();
	return x + 2000;
}

prey_whole long prey_other(long x)
{
	return prey_twin(x);
}
