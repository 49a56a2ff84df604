/* SPDX-License-Identifier: GPL-2.0 */
#include "request.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shared/word.h"

/* ---- the bytes ---- */

static const char *take_globals(struct request *r, size_t len)
{
	if (len && r->bytes[len - 1])
		return "the last NAME=VALUE does not end";
	for (size_t at = 0; at < len; at += strlen(r->bytes + at) + 1) {
		if (r->nglobals == GRANT_GLOBALS_MAX)
			return "there are too many NAME=VALUE arguments";
		if (!word_is_assignment(r->bytes + at))
			return "an argument is not NAME=VALUE";
		r->globals[r->nglobals++] = r->bytes + at;
	}
	return NULL;
}

/* A name is printed in messages and logs. */
static const char *take_name(struct request *r, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._+-", name[i] ? name[i] : '/'))
			return "the name of the module has bytes other than letters, digits and "
			       "._+-";
	if (len && *name == '.')
		return "the name of the module begins with a dot";
	memcpy(r->name, name, len);
	return NULL;
}

static const char *check_head(const struct grant_request *h, size_t len)
{
	if (h->version != GRANT_VERSION)
		return "proberun and probec-grant are of different versions";
	if (h->flags & ~(uint32_t)GRANT_FLAGS || h->format >= GRANT_FORMATS ||
	    h->milliseconds > GRANT_MILLISECONDS_MAX || h->pid > INT32_MAX)
		return "an option is out of range";
	if (h->name_bytes > GRANT_NAME_MAX || h->globals_bytes > GRANT_GLOBALS_BYTES_MAX ||
	    (h->signature_bytes && h->signature_bytes != GRANT_SIGNATURE_BYTES) ||
	    sizeof(*h) + h->name_bytes + h->signature_bytes + h->globals_bytes != len)
		return "its parts do not fit together";
	return NULL;
}

const char *request_parse(const void *bytes, size_t len, unsigned descriptors, struct request *ret)
{
	const char *at = bytes, *wrong;

	*ret = (struct request){ .module = -1 };
	if (len < sizeof(ret->head))
		return "it is too short";
	memcpy(&ret->head, at, sizeof(ret->head));
	at += sizeof(ret->head);
	wrong = check_head(&ret->head, len);
	if (!wrong && descriptors != !ret->head.name_bytes)
		wrong = "it has neither the module nor its name, or both";
	if (!wrong)
		wrong = take_name(ret, at, ret->head.name_bytes);
	if (wrong)
		return wrong;
	at += ret->head.name_bytes;
	ret->is_signed = ret->head.signature_bytes > 0;
	memcpy(ret->signature, at, ret->head.signature_bytes);
	at += ret->head.signature_bytes;
	memcpy(ret->bytes, at, ret->head.globals_bytes);
	return take_globals(ret, ret->head.globals_bytes);
}

/* ---- the socket ---- */

enum { DESCRIPTORS = 4 };

union control {
	char bytes[CMSG_SPACE(DESCRIPTORS * sizeof(int))];
	struct cmsghdr align;
};

/* Returns how many descriptors there are; the first is left in @first, the others are closed. */
static unsigned take_descriptors(struct msghdr *m, int *first)
{
	unsigned n = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		int fd;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < count; i++, n++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (n)
				close(fd);
			else
				*first = fd;
		}
	}
	return n;
}

const char *request_receive(int fd, unsigned seconds, struct request *ret)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	char bytes[GRANT_REQUEST_MAX];
	union control control;
	struct iovec part = { bytes, sizeof(bytes) };
	struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	const char *wrong;
	unsigned n;
	int module = -1;
	ssize_t len;

	*ret = (struct request){ .module = -1 };
	if (poll(&wait, 1, (int)seconds * 1000) != 1)
		return "it did not come in time";
	len = recvmsg(fd, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	if (len < 0)
		return strerror(errno);
	n = take_descriptors(&m, &module);
	wrong = m.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? "it is too long" :
		request_parse(bytes, (size_t)len, n, ret);
	if (!wrong)
		ret->module = module;
	else if (module >= 0)
		close(module);
	return wrong;
}
