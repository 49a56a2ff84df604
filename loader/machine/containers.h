/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of containers, and of pods of Kubernetes, from what runtimes leave on the machine:
 *
 *   /var/log/pods/NAMESPACE_NAME_UID                      pods
 *   /run/containerd/io.containerd.runtime.v2.task/NS/ID   containerd
 *   .../storage/overlay-containers                        CRI-O and podman
 *   /var/lib/docker/containers/ID                         docker
 *
 * No server is asked. The files are those that the first process sees, then those that this one
 * sees. They are read again when a name is wanted that is not known, at most once in a second.
 */
#ifndef LOADER_CONTAINERS_H
#define LOADER_CONTAINERS_H

#include <stddef.h>
#include <stdint.h>

#include "shared/buf.h"

enum container_kind { CONTAINER, CONTAINER_POD, CONTAINER_NAMESPACE, CONTAINER_KINDS };
/* The letter of each kind in marks (runtime/abi/mark_names.h). */
extern const char containers_letters[CONTAINER_KINDS + 1];

struct containers {
	struct container_row *rows;
	size_t n, capacity;
	const char *root; /* of the files that are read now */
	int64_t read_at; /* ns of the monotonic clock; 0: never */
	struct buf name;
};

/** containers_name - the name of the container, pod, or namespace of the pod with that id, valid
 * until the next call. A name that several of a kind have is followed by the beginning of the id.
 * NULL: it is not known. */
const char *containers_name(struct containers *c, enum container_kind kind, const char *id,
			    size_t len);
/** containers_id - the ids of the containers, or pods, of that name, one after the other in *@at,
 * which is 0 at first; NULL: there are no more. */
const char *containers_id(struct containers *c, enum container_kind kind, const char *name,
			  size_t *at);
/** containers_each - read the files again, and call @f for each id that has a name. */
void containers_each(struct containers *c,
		     void (*f)(void *arg, enum container_kind kind, const char *id,
			       const char *name),
		     void *arg);
void containers_deinit(struct containers *c);

#endif
