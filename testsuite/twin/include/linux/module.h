/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_MODULE_H
#define TWIN_LINUX_MODULE_H

#define THIS_MODULE (&(struct { const char *name; }){ "twin" })

#define module_param(name, type, mode)
#define module_param_named(name, value, type, mode)
#define MODULE_PARM_DESC(name, text)

#endif
