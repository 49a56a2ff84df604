/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_KTIME_H
#define TWIN_LINUX_KTIME_H

#define ns_to_ktime(ns) (ns)

#endif
