/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_MUTEX_H
#define TWIN_LINUX_MUTEX_H

#include <pthread.h>

#define DEFINE_MUTEX(name) pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER
#define mutex_lock(m)      pthread_mutex_lock(m)
#define mutex_unlock(m)    pthread_mutex_unlock(m)

#endif
