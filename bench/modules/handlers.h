/* SPDX-License-Identifier: GPL-2.0 */
/* Handlers of uprobes get a place for data from 6.13 on. */
#ifndef HANDLERS_H
#define HANDLERS_H

#ifdef HAVE_DATA
#define DATA , __u64 *data
#else
#define DATA
#endif

#endif
