/* SPDX-License-Identifier: GPL-2.0 */
#include "grant/grant.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/namespace.h"
#include "common/say.h"
#include "common/signals.h"
#include "shared/file.h"
#include "shared/grant.h"
#include "shared/memory.h"

enum { TURN_MS = 200 };

/* ---- the request ---- */

struct asking {
	const struct grant *g;
	struct grant_request head;
	char signature[GRANT_SIGNATURE_BYTES];
	struct buf globals;
};

static int refuse(const char *hint, const char *what)
{
	say_error("E_GRANT", hint, "%s", what);
	return -1;
}

/* Reads FILE.sig, if there is one. */
static int read_signature(struct asking *a)
{
	struct buf path = { 0 }, bytes = { 0 };
	int err = -ENOENT;

	if (a->g->path) {
		buf_puts(&path, a->g->path);
		buf_puts(&path, ".sig");
		err = file_read_limited(path.s, GRANT_SIGNATURE_BYTES, &bytes);
	}
	if (!err && bytes.len == GRANT_SIGNATURE_BYTES) {
		memcpy(a->signature, bytes.s, bytes.len);
		a->head.signature_bytes = GRANT_SIGNATURE_BYTES;
	} else if (err != -ENOENT) {
		err = -EINVAL;
		say_error("E_GRANT",
			  "openssl pkeyutl -sign -rawin -inkey KEY.pem -in FILE -out FILE.sig",
			  "'%s' is not an Ed25519 signature", path.s);
	}
	buf_deinit(&path);
	buf_deinit(&bytes);
	return err == -EINVAL ? -1 : 0;
}

static int make_request(struct asking *a)
{
	const struct grant *g = a->g;
	bool escape = g->escape == ESCAPE_AUTO ? isatty(STDOUT_FILENO) : g->escape == ESCAPE_ALWAYS;

	if (g->name && strlen(g->name) > GRANT_NAME_MAX)
		return refuse("a file of your own has a slash in its path: ./FILE",
			      "the name of the module is too long");
	if (g->pid && namespace_number())
		return refuse("run proberun outside the container, with the number that the "
			      "process has there",
			      "here -x takes a process number of the machine's initial pid "
			      "namespace");
	if (g->seconds * 1000 > GRANT_MILLISECONDS_MAX)
		return refuse("use a shorter -T", "no rule allows sessions of more than a week");
	for (size_t i = 0; i < g->nglobals; i++)
		buf_write(&a->globals, g->globals[i], strlen(g->globals[i]) + 1);
	if (g->nglobals > GRANT_GLOBALS_MAX || a->globals.len > GRANT_GLOBALS_BYTES_MAX)
		return refuse("give fewer or shorter ones", "NAME=VALUE: there are too many");
	a->head = (struct grant_request){
		.version = GRANT_VERSION,
		.flags = (g->timing ? GRANT_TIMING : 0) | (g->quiet ? GRANT_NO_WARNINGS : 0) |
			 (escape ? GRANT_ESCAPE : 0),
		.format = g->format,
		.milliseconds = g->seconds > 0 ? (uint32_t)(g->seconds * 1000 + 0.999) : 0,
		.pid = (uint32_t)g->pid,
		.name_bytes = g->name ? (uint32_t)strlen(g->name) : 0,
		.globals_bytes = (uint32_t)a->globals.len,
	};
	return g->name ? 0 : read_signature(a);
}

/* Returns a descriptor with the module, which nobody can change any more, or -1. */
static int seal_module(const struct grant *g)
{
	int fd = memfd_create("probec-module", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd >= 0 && !file_write_all(fd, g->image, g->len) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK))
		return fd;
	say_error("E_IO", NULL, "the module can't be copied: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static int send_request(int sock, struct asking *a, int module)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = { { 0 } };
	struct iovec parts[] = {
		{ &a->head, sizeof(a->head) },
		{ (char *)(uintptr_t)a->g->name, a->head.name_bytes },
		{ a->signature, a->head.signature_bytes },
		{ a->globals.s, a->head.globals_bytes },
	};
	struct msghdr m = { .msg_iov = parts, .msg_iovlen = 4 };

	if (module >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
						 .cmsg_level = SOL_SOCKET,
						 .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(&control.head), &module, sizeof(module));
	}
	return sendmsg(sock, &m, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int open_connection(void)
{
	const char *path = getenv(GRANT_SOCKET_VARIABLE);
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), err;

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path ? path : GRANT_SOCKET);
	if (fd >= 0 && connect(fd, (const void *)&a, sizeof(a)) == 0)
		return fd;
	err = errno;
	if (fd >= 0)
		close(fd);
	if (err == ENOENT || err == ECONNREFUSED)
		say_error("E_GRANT", "the administrator starts it: "
			  "systemctl enable --now probec-grant.socket; see probec-policy(5)",
			  "probec-grant does not run on this machine: '%s': %s", a.sun_path,
			  strerror(err));
	else
		say_error("E_GRANT", "ask the administrator, or use sudo",
			  "this user can't connect to probec-grant: '%s': %s", a.sun_path,
			  strerror(err));
	return -1;
}

/* Returns the connection, on which the request was sent, or -1. */
static int ask(const struct grant *g)
{
	struct asking a = { .g = g };
	int err = make_request(&a), module = -1, sock = -1;

	if (!err)
		sock = open_connection();
	if (sock >= 0 && !g->name)
		module = seal_module(g);
	if (sock >= 0 && (g->name || module >= 0)) {
		err = send_request(sock, &a, module);
		/* It may have been refused before it came; the answer says why. */
		if (err == -EPIPE)
			err = 0;
		if (err)
			say_error("E_GRANT", NULL, "the request can't be sent: %s", strerror(-err));
	} else {
		err = -1;
	}
	if (module >= 0)
		close(module);
	buf_deinit(&a.globals);
	if (!err)
		return sock;
	if (sock >= 0)
		close(sock);
	return -1;
}

/* ---- the session ---- */

struct following {
	int sock;
	int passed;            /* signals that were passed on */
	int status;
	bool ended;            /* the status is known */
	bool left;             /* nobody reads the output, or a second signal came */
	bool reset;            /* one error of the connection was seen */
	char answer[GRANT_ANSWER_MAX + 1];
};

static void pass_signals(struct following *f)
{
	char byte = GRANT_INTERRUPT;

	if (signals_count() <= f->passed)
		return;
	f->passed = signals_count();
	send(f->sock, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void write_out(struct following *f, int to, const char *text, size_t len)
{
	while (len > 0 && !f->left) {
		ssize_t n = write(to, text, len);
		int err = errno;

		if (n >= 0) {
			text += n;
			len -= (size_t)n;
			continue;
		}
		if (err == EAGAIN)
			file_wait_room(to);
		pass_signals(f);
		if ((err == EINTR || err == EAGAIN) && signals_count() < 2)
			continue;
		if (err != EINTR && err != EAGAIN && err != EPIPE) {
			say_error("E_IO", NULL, "the output could not be written: %s",
				  strerror(err));
			f->status = 1;
		}
		f->left = true;
	}
}

static void take_answer(struct following *f, size_t len)
{
	const char *text = f->answer + 1, *next;

	f->answer[len] = '\0';
	switch (*f->answer) {
	case GRANT_OUTPUT:
		write_out(f, STDOUT_FILENO, text, len - 1);
		break;
	case GRANT_MESSAGES:
		write_out(f, STDERR_FILENO, text, len - 1);
		break;
	case GRANT_REFUSED:
		next = text + strlen(text) + 1;
		say_error("E_GRANT", next < f->answer + len && *next ? next : NULL, "%s", text);
		f->status = 1;
		f->ended = true;
		break;
	case GRANT_ENDED:
		f->status = len > 1 ? (unsigned char)*text : 1;
		f->ended = true;
		break;
	}
}

/* Returns whether there may be more. */
static bool take_next(struct following *f)
{
	struct pollfd wait = { .fd = f->sock, .events = POLLIN };
	ssize_t n;

	pass_signals(f);
	if (poll(&wait, 1, TURN_MS) <= 0)
		return true;
	n = recv(f->sock, f->answer, sizeof(f->answer) - 1, MSG_DONTWAIT);
	if (n > 0) {
		take_answer(f, (size_t)n);
		return !f->ended && !f->left;
	}
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	/* If the other end has not read a signal, the last answers come after this error. */
	if (n < 0 && errno == ECONNRESET && !f->reset)
		return f->reset = true;
	return false;
}

int grant_session(const struct grant *g)
{
	struct following *f;
	int sock = ask(g), status;

	if (sock < 0)
		return 1;
	f = memory_zeroed(1, sizeof(*f));
	*f = (struct following){ .sock = sock };
	while (take_next(f))
		;
	if (!f->ended && !f->left) {
		say_error("E_GRANT", "the reason is in the system's journal: journalctl -t "
				     "probec-grant",
			  "the connection to probec-grant was lost; the session ends");
		f->status = 1;
	}
	status = f->status;
	close(sock);
	free(f);
	return status;
}
