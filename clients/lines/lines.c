/* SPDX-License-Identifier: GPL-2.0 */
/* The line reader's questions and answers. */
#include "lines/lines.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lines/private.h"
#include "shared/lines.h"

struct line_answer {
	unsigned char bytes[LINES_ANSWER_MAX];
	size_t n;
};

static void put_number(struct line_answer *a, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		a->bytes[a->n++] = (unsigned char)(v >> 8 * i);
}

size_t lines_put_text(unsigned char *to, const char *s)
{
	size_t n = s ? strnlen(s, LINES_TEXT_MAX - 1) : 0;

	if (n)
		memcpy(to, s, n);
	to[n] = '\0';
	return n + 1;
}

static void find_frames(const struct line_source *s, uint64_t address, struct line_answer *ret)
{
	struct line_frame frames[LINES_FRAMES];
	size_t n = 0;
	Dwarf_Addr at;

	if (source_address(s, address, &at))
		n = frames_find(s, at, frames);
	ret->n = 0;
	put_number(ret, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		put_number(ret, (uint32_t)frames[i].line);
		ret->n += lines_put_text(ret->bytes + ret->n, frames[i].function);
		ret->n += lines_put_text(ret->bytes + ret->n, frames[i].file);
	}
}

static int serve(const struct line_parts *parts)
{
	static struct line_answer answer;
	struct line_source s = { 0 };
	uint64_t address;

	for (;;) {
		ssize_t n = read(LINES_SOCKET, &address, sizeof(address));

		if (n < 0 && errno == EINTR)
			continue;
		if (n != sizeof(address))
			return n != 0;
		if (!s.dwarf && !source_open(&s, parts))
			return 1;
		find_frames(&s, address, &answer);
		while ((n = write(LINES_SOCKET, answer.bytes, answer.n)) < 0 && errno == EINTR)
			;
		if (n < 0)
			return 1;
	}
}

/* A person who starts it has no socket. */
static bool is_socket(void)
{
	int type;
	socklen_t size = sizeof(type);

	return getsockopt(LINES_SOCKET, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
	       type == SOCK_SEQPACKET;
}

int lines_main(struct arena *a, int argc, char **argv)
{
	struct line_parts parts = { 0 };

	(void)a;
	if (!is_socket()) {
		fprintf(stderr, "probec: %s: proberun starts this process\n", argv[0]);
		return 1;
	}
	for (int i = 1; i < argc; i++) {
		parts.alternate |= strcmp(argv[i], LINES_HAS_ALTERNATE) == 0;
		parts.package |= strcmp(argv[i], LINES_HAS_PACKAGE) == 0;
	}
	return confine(&parts) == 0 ? serve(&parts) : LINES_UNCONFINED;
}
