/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_ASM_CPUFEATURE_H
#define TWIN_ASM_CPUFEATURE_H

#define boot_cpu_has(feature) 1

#define X86_FEATURE_XENPV 3

#endif
