/* SPDX-License-Identifier: GPL-2.0 */
/* A function that does nothing, compiled as those of the kernel are: ftrace knows it. cost.c
 * measures return probes at it. Nothing else of the runtime can be traced (Kbuild). */
void prt_traced(void);

void prt_traced(void)
{
}
