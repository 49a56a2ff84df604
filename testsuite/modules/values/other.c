/* SPDX-License-Identifier: GPL-2.0 */
#include <linux/module.h>

#include "values.h"

/* main.c defines the other function of this name. */
static long counter = 2000;
long values_shared = 77;

whole long other(long x)
{
	counter += x;
	return values_shared;
}
