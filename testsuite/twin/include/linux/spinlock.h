/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_SPINLOCK_H
#define TWIN_LINUX_SPINLOCK_H

#include <pthread.h>

#define DEFINE_SPINLOCK(name) pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define spin_lock(lock)       pthread_mutex_lock(lock)
#define spin_unlock(lock)     pthread_mutex_unlock(lock)

#endif
