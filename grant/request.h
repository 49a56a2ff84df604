/* SPDX-License-Identifier: GPL-2.0 */
/* The request, as it comes from a user: shared/grant.h. */
#ifndef GRANT_REQUEST_H
#define GRANT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "shared/grant.h"

struct request {
	struct grant_request head;
	char name[GRANT_NAME_MAX + 1];  /* "": the module came with the request */
	int module;                     /* its descriptor, as the user sent it; -1: none */
	bool is_signed;
	unsigned char signature[GRANT_SIGNATURE_BYTES];
	const char *globals[GRANT_GLOBALS_MAX]; /* NAME=VALUE; NAME is an identifier */
	unsigned nglobals;
	char bytes[GRANT_REQUEST_MAX];  /* memory of globals */
};

/** request_parse - read the @len bytes at @bytes, which came with @descriptors descriptors. Sets
 *  all of @ret but its module. Returns NULL, or what is wrong. */
const char *request_parse(const void *bytes, size_t len, unsigned descriptors, struct request *ret);
/** request_receive - wait for the request on the socket @fd, for at most @seconds. Returns NULL, or
 *  what is wrong; ret->module is a descriptor that the caller closes, or -1. */
const char *request_receive(int fd, unsigned seconds, struct request *ret);

#endif
