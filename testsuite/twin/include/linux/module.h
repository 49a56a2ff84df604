/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_MODULE_H
#define TWIN_LINUX_MODULE_H

#define THIS_MODULE (&(struct { const char *name; }){ "twin" })

#endif
