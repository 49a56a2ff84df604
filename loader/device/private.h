/* SPDX-License-Identifier: GPL-2.0 */
/* For the files of this folder. */
#ifndef LOADER_DEVICE_PRIVATE_H
#define LOADER_DEVICE_PRIVATE_H

struct device;

/** device_call - ioctl(), again after a signal. 0 or -errno. */
int device_call(struct device *d, unsigned long request, void *arg);
/** device_failed - report that the call @what has failed with @err. Returns -1. */
int device_failed(const char *what, int err);

#endif
